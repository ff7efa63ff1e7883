" `:compiler adze`, then `:make` runs the tests of the file; `:make!` likewise, without a jump.
if exists('current_compiler')
  finish
endif
let current_compiler = 'adze'
if exists(':CompilerSet') != 2
  command -nargs=* CompilerSet setlocal <args>
endif
CompilerSet makeprg=adze\ test\ %:S
CompilerSet errorformat=%f:%l:%c:\ %t%*[a-z]\ %.%n:\ %m,%f:%l:%c:\ %t%*[a-z]:\ %m,%-G%.%#
