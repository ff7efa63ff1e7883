" Vim and Neovim: the kind of file, indentation, colours, comments and places of errors. Run in this folder by run.sh.
let s:failures = []

function! s:check(what, found, expected) abort
  if a:found !=# a:expected
    call add(s:failures, a:what . ': found ' . string(a:found) . ', expected ' . string(a:expected))
  endif
endfunction

" The colour of the first occurrence of a text.
function! s:colour(text) abort
  call cursor(1, 1)
  let [line, column] = searchpos('\V' . escape(a:text, '\'), 'cW')
  return line ? synIDattr(synID(line, column, 1), 'name') : 'absent'
endfunction

try
  filetype plugin indent on
  syntax on
  edit sample.adz
  call s:check('filetype', &filetype, 'adze')
  call s:check('commentstring', &commentstring, '// %s')

  for [text, expected] in items({
        \ '// What': 'adzeComment', '/// A number': 'adzeDoc', 'const': 'adzeItem', 'nat = 3': 'adzeScalarType',
        \ '3': 'adzeInteger', 'struct': 'adzeItem', 'float]': 'adzeKind', 'entry': 'adzeItem', 'gemv[': 'adzeName',
        \ 'map(': 'adzePattern', 'where': 'adzeOther', 'longer[': 'adzeName', 'else': 'adzeControl', '1.5e3': 'adzeFloat',
        \ '0xffi64': 'adzeInteger', '"text': 'adzeString', "'{'": 'adzeByte', 'print': 'adzeFunction',
        \ 'rule fuse': 'adzeSoft', 'strategy': 'adzeSoft', 'step': 'adzeSoft', 'genarray(': 'adzeSoft', '|>': 'adzeOperator',
        \ 'f32(': 'adzeScalarType', 'true': 'adzeBoolean', '_ =>': 'adzeWildcard', 'and //"': 'adzeString'})
    call s:check('colour of ' . text, s:colour(text), expected)
  endfor

  let before = getline(1, '$')
  silent %left
  silent normal! gg=G
  for number in range(1, line('$'))
    call s:check('indentation of line ' . number, getline(number), before[number - 1])
  endfor

  compiler adze
  let words = ['f.adz:3:7: error E0301: no name', '    3 |   x', '      |   ^']
  let found = filter(getqflist({'lines': words, 'efm': &errorformat}).items, 'v:val.valid')
  call s:check('number of errors', len(found), 1)
  call s:check('place of the error', [bufname(found[0].bufnr), found[0].lnum, found[0].col, found[0].nr], ['f.adz', 3, 7, 301])
catch
  call add(s:failures, v:exception . ' at ' . v:throwpoint)
endtry
call writefile(s:failures, $EDITOR_RESULT)
call writefile([], $EDITOR_OUT . '/ran')
qall!
