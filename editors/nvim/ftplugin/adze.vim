" Settings for Adze programs.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1
let s:cpo = &cpo
set cpo&vim

setlocal commentstring=//\ %s
setlocal comments=:///,://
setlocal formatoptions-=t formatoptions+=croql
setlocal expandtab shiftwidth=4 softtabstop=4
setlocal suffixesadd=.adz
setlocal include=^\\s*\\%(pub\\s\\+\\)\\?import
setlocal includeexpr=substitute(v:fname,'\\.','/','g')
setlocal define=\\v^\\s*%(%(entry\|extern)\\s+)?%(fn\|const\|struct\|enum\|type\|pattern\|rule\|strategy\|schedule)
setlocal matchpairs=(:),[:],{:}
if exists(':CompilerSet') != 2
  compiler adze
endif

let b:undo_ftplugin = 'setlocal commentstring< comments< formatoptions< expandtab< shiftwidth< softtabstop<'
      \ . ' suffixesadd< include< includeexpr< define< matchpairs< makeprg< errorformat<'

let &cpo = s:cpo
unlet s:cpo
