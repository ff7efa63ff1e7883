" Indentation of Adze programs, as `adze fmt` indents: four columns for each pair of brackets that is open, and for lines
" that continue the expression before them.
if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal nolisp autoindent
setlocal indentexpr=AdzeIndent(v:lnum)
setlocal indentkeys=0{,0},0),0],!^F,o,O,e,0\|
let b:undo_indent = 'setlocal lisp< autoindent< indentexpr< indentkeys<'

if exists('*AdzeIndent')
  finish
endif

" A line without its strings, bytes and comment.
function! s:code(lnum) abort
  let line = substitute(getline(a:lnum), '"\%([^"\\]\|\\.\)*"', '0', 'g')
  let line = substitute(line, '''\%([^''\\]\|\\.[^'']*\)''', '0', 'g')
  return substitute(line, '//.*', '', '')
endfunction

" The line of the innermost bracket that is open at the beginning of a line, or 0.
function! s:opening(lnum) abort
  let depth = 0
  for lnum in range(a:lnum - 1, max([1, a:lnum - 500]), -1)
    for char in reverse(split(s:code(lnum), '\zs'))
      if stridx(')]}', char) >= 0
        let depth += 1
      elseif stridx('([{', char) >= 0
        let depth -= 1
        if depth < 0
          return lnum
        endif
      endif
    endfor
    " An item begins in the first column: nothing before it is open.
    if depth <= 0 && getline(lnum) =~# '^[a-z]'
      return 0
    endif
  endfor
  return 0
endfunction

" Whether a line continues the expression of the line before it.
function! s:continues(lnum) abort
  if getline(a:lnum) =~# '^\s*\%(|>\|>>\|&&\|[=!]=\|=>\|<+\|++\s\|||\s\|[<>]=\?\s\|[-+*/%^&|]\s\|as\>\|where\>\)'
    return 1
  endif
  let before = substitute(s:code(prevnonblank(a:lnum - 1)), '\s*$', '', '')
  return before =~# '\%(\w\|[])]\)\s*\%([-+*/%^=<>]\|&&\|||\||>\|>>\|++\)$' || before =~# '^\s*with$'
endfunction

function! AdzeIndent(lnum) abort
  let opening = s:opening(a:lnum)
  let outer = opening ? indent(opening) : 0
  " The conditions of a function are a level deeper than the function.
  if opening && getline(opening) =~# '^\s*where\>'
    let outer -= shiftwidth()
  endif
  if getline(a:lnum) =~# '^\s*[])}]'
    return outer
  endif
  let level = opening ? outer + shiftwidth() : 0
  return s:continues(a:lnum) ? level + shiftwidth() : level
endfunction
