-- Adze in Neovim: the language server, the tree-sitter grammar, and commands of the compiler.
--
--   require('adze').setup({ cmd = { 'adze' }, lsp = true, treesitter = true })

local M = {}

local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h')
local grammar = vim.fn.fnamemodify(here, ':h') .. '/tree-sitter-adze'

M.config = {
  cmd = { 'adze' }, -- the compiler
  lsp = true, -- start the language server for Adze programs
  treesitter = true, -- use the grammar, if its parser is installed
  on_attach = nil, -- called with (client, buffer)
  capabilities = nil, -- of the client, such as those of a completion plugin
}

local function command_line(...)
  local words = vim.list_extend({}, M.config.cmd)
  return vim.list_extend(words, { ... })
end

-- --- what the compiler says ----------------------------------------------------------------------

-- Shows text in a window of its own.
local function show(text, filetype)
  vim.cmd('botright new')
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].buftype = 'nofile'
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].swapfile = false
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(text:gsub('\n$', ''), '\n'))
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = filetype
end

-- Runs the compiler on the saved file.
local function run(filetype, ...)
  vim.cmd('silent update')
  local text = vim.fn.system(command_line(...))
  show(text, vim.v.shell_error == 0 and filetype or '')
end

-- The item of a kind, 'entry' or 'test', around a line.
function M.item_at(lines, line, kind)
  for i = line, 1, -1 do
    local text = lines[i]
    local entry = text:match('^entry%s.*%f[%w_]fn%s+([%a_][%w_]*)') or text:match('^entry%s.*%f[%w_]fn%s*@.-%s([%a_][%w_]*)[%[(]')
    local test = text:match('^test%s+"(.-[^\\])"')
    if entry or test then
      return kind == 'entry' and entry or kind == 'test' and test or nil
    end
    if text:match('^[a-z]') or (i < line and text:match('^}')) then
      return nil
    end
  end
end

local function at_cursor(kind)
  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  local name = M.item_at(lines, vim.api.nvim_win_get_cursor(0)[1], kind)
  if not name then
    vim.notify('There is no ' .. kind .. ' at the cursor.', vim.log.levels.WARN)
  end
  return name
end

function M.show_c()
  local entry = at_cursor('entry')
  if entry then
    run('c', 'explain', vim.fn.expand('%'), entry, '--stage=c')
  end
end

function M.explain()
  local entry = at_cursor('entry')
  if entry then
    run('', 'explain', vim.fn.expand('%'), entry)
  end
end

function M.test()
  local title = at_cursor('test')
  if title then
    run('', 'test', vim.fn.expand('%'), '--only=' .. title)
  end
end

-- --- the language server -------------------------------------------------------------------------

-- The results of lenses and code actions are shown like those of the commands.
local filetypes = { ['adze.test'] = '', ['adze.explain'] = '', ['adze.showC'] = 'c', ['adze.explainCode'] = '' }

local function lens(command, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  local request = { command = command.command, arguments = command.arguments }
  local function answered(failure, result)
    if failure then
      vim.notify(failure.message, vim.log.levels.ERROR)
    elseif result and result.text then
      show(result.text, result.status == 0 and filetypes[command.command] or '')
    end
  end
  local method = 'workspace/executeCommand'
  if vim.fn.has('nvim-0.11') == 1 then
    client:request(method, request, answered, context.bufnr)
  else
    client.request(method, request, answered, context.bufnr)
  end
end

local client_id

function M.start(buffer)
  if vim.fn.executable(M.config.cmd[1]) == 0 then
    vim.notify_once('adze: there is no compiler ' .. M.config.cmd[1], vim.log.levels.WARN)
    return
  end
  local file = vim.api.nvim_buf_get_name(buffer)
  local config = {
    name = 'adze',
    cmd = command_line('lsp'),
    root_dir = vim.fn.fnamemodify(file, ':p:h'),
    on_attach = M.config.on_attach,
    capabilities = M.config.capabilities,
  }
  if vim.lsp.start then
    return vim.lsp.start(config, { bufnr = buffer, reuse_client = function(client)
      return client.name == 'adze'
    end })
  end
  if not client_id or not vim.lsp.get_client_by_id(client_id) then
    client_id = vim.lsp.start_client(config)
  end
  vim.lsp.buf_attach_client(buffer, client_id)
  return client_id
end

-- Tells nvim-lspconfig of the server: require('lspconfig').adze.setup({}).
function M.lspconfig()
  local configs = require('lspconfig.configs')
  configs.adze = configs.adze or {
    default_config = {
      cmd = command_line('lsp'),
      filetypes = { 'adze' },
      root_dir = function(file)
        return vim.fn.fnamemodify(file, ':p:h')
      end,
      single_file_support = true,
    },
  }
end

-- --- tree-sitter ---------------------------------------------------------------------------------

-- Compiles the parser with the C compiler, and returns its path.
function M.build_parser(folder)
  folder = folder or (vim.fn.stdpath('data') .. '/site/parser')
  vim.fn.mkdir(folder, 'p')
  local path = folder .. '/adze.so'
  local source = grammar .. '/src'
  local words = { vim.env.CC or 'cc', '-O1', '-shared', '-fPIC', '-I' .. source, '-o', path, source .. '/parser.c' }
  local output = vim.fn.system(words)
  if vim.v.shell_error ~= 0 then
    error('adze: the parser does not compile: ' .. output)
  end
  return path
end

-- Tells nvim-treesitter where the grammar is: :TSInstall adze.
local function register()
  local found, parsers = pcall(require, 'nvim-treesitter.parsers')
  if not found then
    return
  end
  local info = { url = grammar, path = grammar, files = { 'src/parser.c' } }
  local configs = parsers.get_parser_configs and parsers.get_parser_configs() or parsers
  configs.adze = { install_info = info, filetype = 'adze' }
end

local function highlight(buffer)
  local has_parser = #vim.api.nvim_get_runtime_file('parser/adze.so', false) > 0
  if has_parser and vim.treesitter.start then
    vim.treesitter.start(buffer, 'adze')
  elseif has_parser then
    require('vim.treesitter.highlighter').new(vim.treesitter.get_parser(buffer, 'adze'))
  end
end

function M.setup(options)
  M.config = vim.tbl_extend('force', M.config, options or {})
  if M.config.treesitter then
    register()
  end
  for name in pairs(filetypes) do
    vim.lsp.commands[name] = lens
  end
  local group = vim.api.nvim_create_augroup('adze', {})
  vim.api.nvim_create_autocmd('FileType', {
    pattern = 'adze',
    group = group,
    callback = function(event)
      if M.config.treesitter then
        highlight(event.buf)
      end
      if M.config.lsp then
        M.start(event.buf)
      end
      vim.api.nvim_buf_create_user_command(event.buf, 'AdzeShowC', M.show_c, {})
      vim.api.nvim_buf_create_user_command(event.buf, 'AdzeExplain', M.explain, {})
      vim.api.nvim_buf_create_user_command(event.buf, 'AdzeTest', M.test, {})
    end,
  })
  vim.api.nvim_create_user_command('AdzeBuildParser', function()
    vim.notify('adze: ' .. M.build_parser())
  end, {})
end

return M
