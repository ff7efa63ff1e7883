" Colours of Adze programs, for Vim and for Neovim without the tree-sitter grammar.
if exists('b:current_syntax')
  finish
endif
let s:cpo = &cpo
set cpo&vim

" The lists are written by editors/words.py.
" words: item
syn keyword adzeItem const entry enum extern fn import pattern struct test type
" end of words
" words: control
syn keyword adzeControl else for if in loop match while with
" end of words
" words: other
syn keyword adzeOther as let mut unchecked where
" end of words
" words: jump
syn keyword adzeJump break continue return
" end of words
" words: boolean
syn keyword adzeBoolean false true
" end of words
" words: wildcard
syn keyword adzeWildcard _
" end of words
" words: scalar_type
syn keyword adzeScalarType bool f16 f32 f64 i16 i32 i64 i8 idx nat u16 u32 u64 u8
" end of words
" words: pattern
syn keyword adzePattern all any as_scalar as_vector circular compress concat copy count drop expand
      \ extract fold gather generate insert iterate join lanes map mask_bits pad parallel permute
      \ prefetch range reduce repeat reverse rotate scan scan_ex scatter scatter_with select shuffle
      \ slide spawn split stride sync take to_mem transpose undefined unroll unzip vectorize zip
" end of words
" words: function
syn keyword adzeFunction abs abs_diff acos add_sat asin assert atan atan2 avg_ceil ceil clz cos cosh
      \ ctz erf exp exp2 floor fma from_bits likely load log log10 log2 max min mul_hi popcount pow
      \ print prod rank rotl rotr round shape sin sinh sqrt sub_sat tan tanh to_bits trunc unlikely
" end of words

" Words that are names elsewhere.
syn match adzeSoft "\v^\s*%(%(contract|reassociate)\s+)?%(rule|strategy|schedule)>\ze\s+\w"
syn match adzeSoft "\v^\s*bench>\ze\s*\""
syn match adzeSoft "\v^\s*pub>\ze\s+import>"
syn match adzeSoft "\v<simd>\ze\s*\["
syn match adzeSoft "\v<allow\s+%(contract|reassociate)>"
syn match adzeSoft "\v<%(genarray|modarray)>\ze\s*[0-9A-Za-z_[(]"
syn match adzeSoft "\v<%(step|width)>\ze\s+[0-9A-Za-z_[]"
syn match adzeSoft "\v<%(scalar)>\ze\s*%(\{|\|\s*\w+\s*\|\s*\{)"
syn match adzeSoft "\v<%(strided|uniform|varying)>\ze\s*%([,){[]|\w|-\>|$)"
syn match adzeSoft "\v%(\&\s*mut\s+|:\s*)@16<=%(global|shared|private)>"
syn match adzeKind "\v%(:\s*)@4<=%(nat|shape|data|num|int|float|scalar)>\ze\s*[],]"

syn match adzeName "\v%(<%(fn|pattern)\s+%(\@\s*%(\([^()]*\))?\s*)?)@64<=\h\w*"
syn match adzeMember "\v%(\.@1<!\.)@2<=\h\w*"
syn match adzeOperator "\v[-+*/%&|^<>=!?$@]+|\.\."

syn match adzeInteger "\v<%(0x[0-9a-fA-F_]+|0b[01_]+|\d[0-9_]*)%([iu]%(8|16|32|64))?>"
syn match adzeFloat "\v<\d[0-9_]*%(\.\d[0-9_]*%([eE][+-]?\d[0-9_]*)?|[eE][+-]?\d[0-9_]*)%(f16|f32|f64)?>"
syn match adzeFloat "\v<\d[0-9_]*f%(16|32|64)>"

syn region adzeString start=+"+ skip=+\\\\\|\\"+ end=+"+ oneline contains=adzeEscape,@Spell
syn match adzeByte "\v'%([^'\\]|\\u\{\x+\}|\\.)'" contains=adzeEscape
syn match adzeEscape "\v\\%(u\{\x+\}|.)" contained
syn match adzeComment "//.*" contains=adzeTodo,@Spell
syn match adzeDoc "///\%([^/].*\)\?$" contains=@Spell
syn keyword adzeTodo TODO FIXME NOTE contained
syn match adzeAttribute "#!\?\[\w\+\]"

syn region adzeFold start="{" end="}" transparent fold
syn sync minlines=200

hi def link adzeItem Structure
hi def link adzeControl Statement
hi def link adzeOther Keyword
hi def link adzeJump Statement
hi def link adzeBoolean Boolean
hi def link adzeWildcard Special
hi def link adzeScalarType Type
hi def link adzeKind Type
hi def link adzePattern Function
hi def link adzeFunction Function
hi def link adzeSoft Keyword
hi def link adzeName Function
hi def link adzeMember Identifier
hi def link adzeOperator Operator
hi def link adzeInteger Number
hi def link adzeFloat Float
hi def link adzeString String
hi def link adzeByte Character
hi def link adzeEscape SpecialChar
hi def link adzeComment Comment
hi def link adzeDoc SpecialComment
hi def link adzeTodo Todo
hi def link adzeAttribute PreProc

let b:current_syntax = 'adze'
let &cpo = s:cpo
unlet s:cpo
