-- For Neovim 0.11 and later: vim.lsp.enable('adze').
return {
  cmd = { 'adze', 'lsp' },
  filetypes = { 'adze' },
  root_markers = { '.git' },
}
