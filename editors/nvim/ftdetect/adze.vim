autocmd BufRead,BufNewFile *.adz setfiletype adze
