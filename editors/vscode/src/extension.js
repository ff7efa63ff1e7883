// Starts the language server, `adze lsp`, and shows what the compiler says of entries and tests.
'use strict';

const { execFile } = require('child_process');
const path = require('path');
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');
const { itemAt } = require('./items');

const SCHEME = 'adze-output';
const pages = new Map(); // the text of each virtual document, by its URI
const changed = new vscode.EventEmitter();
let client;

const setting = (name) => vscode.workspace.getConfiguration('adze').get(name);

// --- what is shown ---------------------------------------------------------------------------------

async function show(name, text, language) {
  const uri = vscode.Uri.from({ scheme: SCHEME, path: name });
  pages.set(uri.toString(), text);
  changed.fire(uri);
  const opened = await vscode.workspace.openTextDocument(uri);
  const document = await vscode.languages.setTextDocumentLanguage(opened, language);
  const options = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true };
  await vscode.window.showTextDocument(document, options);
}

const titles = {
  'adze.test': (argument) => [argument.title || 'all tests', 'plaintext'],
  'adze.explain': (argument) => [`${argument.entry}: explained`, 'plaintext'],
  'adze.showC': (argument) => [`${argument.entry}.c`, 'c'],
  'adze.explainCode': (argument) => [argument.code, 'plaintext'],
};

// The result of a command of the server is the status and the output of a command line.
async function shown(command, argument, result) {
  if (!result || typeof result.text !== 'string') return;
  const [name, language] = titles[command](argument);
  await show(name, result.text, result.status === 0 ? language : 'plaintext');
}

// --- commands of the compiler ----------------------------------------------------------------------

function commandLine(command, argument, file) {
  const more = setting('arguments');
  switch (command) {
    case 'adze.test':
      return ['test', file, ...(argument.title ? [`--only=${argument.title}`] : []), ...more];
    case 'adze.showC':
      return ['explain', file, argument.entry, '--stage=c', ...more];
    default:
      return ['explain', file, argument.entry, ...more];
  }
}

// Runs the compiler on the saved file.
function runCompiler(command, argument, document) {
  const words = commandLine(command, argument, document.fileName);
  const options = { cwd: path.dirname(document.fileName), maxBuffer: 1 << 26 };
  return new Promise((resolve) => {
    execFile(setting('path'), words, options, (error, out, errors) => {
      const status = error ? error.code : 0;
      if (status === 'ENOENT') vscode.window.showErrorMessage(missing());
      resolve(status === 'ENOENT' ? undefined : { status, text: out + errors });
    });
  });
}

const missing = () =>
  `There is no compiler at "${setting('path')}": install Adze, or set adze.path.`;

// With options of the user the compiler itself is called, since the server knows nothing of them.
async function perform(command, argument, document) {
  const known = client && client.isRunning() && setting('arguments').length === 0;
  if (!known && document.isDirty) await document.save();
  const result = known
    ? await client.sendRequest('workspace/executeCommand', { command, arguments: [argument] })
    : await runCompiler(command, argument, document);
  await shown(command, argument, result);
}

function atCursor(command, kind, member) {
  return async (editor) => {
    const document = editor.document;
    const lines = document.getText().split(/\r?\n/);
    const name = itemAt(lines, editor.selection.active.line, kind);
    if (name === undefined) {
      const what = kind === 'entry' ? 'no entry' : 'no test';
      vscode.window.showInformationMessage(`There is ${what} at the cursor.`);
      return;
    }
    await perform(command, { uri: document.uri.toString(), [member]: name }, document);
  };
}

// --- the server ------------------------------------------------------------------------------------

async function start() {
  if (!setting('server')) return;
  const server = { command: setting('path'), args: ['lsp'] };
  const options = {
    documentSelector: [{ language: 'adze' }],
    middleware: {
      // Lenses and code actions.
      executeCommand: async (command, words, next) => {
        const result = await next(command, words);
        if (titles[command]) await shown(command, words[0] || {}, result);
        return result;
      },
    },
  };
  client = new LanguageClient('adze', 'Adze', server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(`${missing()} (${error.message || error})`);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) await running.stop();
}

async function activate(context) {
  const provider = {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => pages.get(uri.toString()) || '',
  };
  const editorCommand = vscode.commands.registerTextEditorCommand;
  context.subscriptions.push(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider),
    editorCommand('adze.runTestAtCursor', atCursor('adze.test', 'test', 'title')),
    editorCommand('adze.showCAtCursor', atCursor('adze.showC', 'entry', 'entry')),
    editorCommand('adze.explainAtCursor', atCursor('adze.explain', 'entry', 'entry')),
    editorCommand('adze.runTestsOfFile', ({ document }) =>
      perform('adze.test', { uri: document.uri.toString() }, document),
    ),
    vscode.commands.registerCommand('adze.restart', async () => {
      await stop();
      await start();
    }),
    vscode.tasks.registerTaskProvider('adze', {
      provideTasks: () => ['test', 'build'].map((command) => task({ type: 'adze', command })),
      resolveTask: ({ definition }) => task(definition),
    }),
  );
  await start();
}

function task(definition) {
  const file = definition.file || '${file}';
  const run = new vscode.ProcessExecution(setting('path'), [definition.command, file]);
  const scope = vscode.TaskScope.Workspace;
  return new vscode.Task(definition, scope, definition.command, 'adze', run, '$adze');
}

module.exports = { activate, deactivate: stop };
