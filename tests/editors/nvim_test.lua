-- Neovim: the tree-sitter grammar with its queries, the commands, and the language server if the compiler has one.
local failures = {}
local function check(what, found, expected)
  if found ~= expected then
    table.insert(failures, what .. ': found ' .. vim.inspect(found) .. ', expected ' .. vim.inspect(expected))
  end
end

local function captured(parser, query, text)
  local found
  for id, node in query:iter_captures(parser:parse()[1]:root(), 0) do
    local row, column, _, last = node:range()
    local line = vim.api.nvim_buf_get_lines(0, row, row + 1, false)[1]
    if line:sub(column + 1, last) == text then
      found = query.captures[id]
    end
  end
  return found
end

local function tree_sitter(adze)
  vim.opt.runtimepath:prepend(vim.env.EDITOR_OUT)
  adze.build_parser(vim.env.EDITOR_OUT .. '/parser')
  vim.cmd('edit')
  local active = require('vim.treesitter.highlighter').active
  check('colours by the grammar', active[vim.api.nvim_get_current_buf()] ~= nil, true)
  local parser = vim.treesitter.get_parser(0, 'adze')
  check('an error in the tree', parser:parse()[1]:root():has_error(), false)
  local get = vim.treesitter.query.get or vim.treesitter.get_query
  for _, name in ipairs({ 'highlights', 'locals', 'folds', 'indents' }) do
    check('query ' .. name, get('adze', name) ~= nil, true)
  end
  local query = get('adze', 'highlights')
  check('colour of entry', captured(parser, query, 'entry'), 'keyword')
  check('colour of gemv', captured(parser, query, 'gemv'), 'function.call')
  check('colour of ROWS', captured(parser, query, 'ROWS'), 'constant')
  check('colour of reduce', captured(parser, query, 'reduce'), 'function.builtin')
end

local function language_server(adze)
  local buffer = vim.api.nvim_get_current_buf()
  local id = adze.start(buffer)
  check('server', vim.wait(5000, function()
    return vim.lsp.buf_is_attached(buffer, id)
  end), true)
  vim.api.nvim_buf_set_lines(buffer, -1, -1, false, { 'const WRONG: nat = missing_name' })
  check('diagnostics', vim.wait(5000, function()
    return #vim.diagnostic.get(buffer) > 0
  end), true)
  local replies = vim.lsp.buf_request_sync(buffer, 'textDocument/hover', {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    position = { line = 4, character = 7 },
  }, 5000)
  local _, reply = next(replies or {})
  check('hover', vim.inspect(reply):find('ROWS') ~= nil, true)
  vim.cmd('silent undo')
  local words = { uri = vim.uri_from_bufnr(buffer), entry = 'gemv' }
  vim.lsp.commands['adze.showC']({ command = 'adze.showC', arguments = { words } }, { client_id = id, bufnr = buffer })
  check('C of a lens', vim.wait(20000, function()
    return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'):find('adze_gemv') ~= nil
  end), true)
end

local ok, failure = pcall(function()
  local adze = require('adze')
  local compiler = vim.env.EDITOR_ADZE
  adze.setup({ cmd = { compiler }, lsp = false, treesitter = true })
  vim.cmd('filetype plugin indent on')
  vim.cmd('edit sample.adz')
  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  for number, line in ipairs(lines) do
    if line:match('inner%(row') then
      check('entry', adze.item_at(lines, number, 'entry'), 'gemv')
    elseif line:match('pow%(2.0') then
      check('test', adze.item_at(lines, number, 'test'), 'power')
    elseif line:match('^struct') then
      check('no entry', adze.item_at(lines, number, 'entry'), nil)
    end
  end
  tree_sitter(adze)
  vim.fn.search('inner(row')
  adze.show_c()
  check('filetype of C', vim.bo.filetype, 'c')
  check('C', table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'):find('adze_gemv') ~= nil, true)
  vim.cmd('bwipeout')
  vim.fn.system({ compiler, 'lsp', '--help' })
  if vim.v.shell_error == 0 then
    language_server(adze)
  end
end)
if not ok then
  table.insert(failures, failure)
end
vim.fn.writefile(vim.split(table.concat(failures, '\n'), '\n', { trimempty = true }), vim.env.EDITOR_RESULT)
vim.fn.writefile({}, vim.env.EDITOR_OUT .. '/ran')
vim.cmd('qall!')
