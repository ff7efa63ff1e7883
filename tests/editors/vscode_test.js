// The extension for VS Code: it finds the items at a line; in stand-ins for VS Code and its language client it starts the server
// and shows the results of its commands.
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const Module = require('module');

const source = path.join(__dirname, '../../editors/vscode/src');
const { itemAt } = require(path.join(source, 'items.js'));

const lines = fs.readFileSync(path.join(__dirname, 'sample.adz'), 'utf8').split('\n');
const line = (text) => lines.findIndex((found) => found.includes(text));
assert.strictEqual(itemAt(lines, line('inner(row'), 'entry'), 'gemv');
assert.strictEqual(itemAt(lines, line('entry fn longer'), 'entry'), 'longer');
assert.strictEqual(itemAt(lines, line('best = xs[i]'), 'entry'), 'longer');
assert.strictEqual(itemAt(lines, line('pow(2.0, 3)'), 'test'), 'power');
assert.strictEqual(itemAt(lines, line('pow(2.0, 3)'), 'entry'), undefined);
assert.strictEqual(itemAt(lines, line('let r = pow'), 'entry'), undefined);
assert.strictEqual(itemAt(lines, line('fn @(?n) pow') - 1, 'entry'), undefined);
assert.strictEqual(itemAt(['test "a \\"b\\"" {'], 0, 'test'), 'a "b"');
assert.strictEqual(itemAt(['entry simd[8] fn @(?n) f(n: i32) {'], 0, 'entry'), 'f');

// --- stand-ins ---------------------------------------------------------------------------------------

const compiler = process.env.EDITOR_ADZE;
const settings = { path: compiler, server: true, arguments: [] };
const registered = {};
const messages = [];
const opened = [];
let provider;
const vscode = {
  EventEmitter: class {
    fire() {}
  },
  ViewColumn: { Beside: 1 },
  TaskScope: { Workspace: 1 },
  ProcessExecution: class {
    constructor(command, words) {
      Object.assign(this, { command, words });
    }
  },
  Task: class {
    constructor(definition, scope, name, source, execution, matcher) {
      Object.assign(this, { definition, name, execution, matcher });
    }
  },
  Uri: { from: ({ scheme, path: name }) => ({ toString: () => `${scheme}:${name}` }) },
  workspace: {
    getConfiguration: () => ({ get: (name) => settings[name] }),
    registerTextDocumentContentProvider: (_, made) => void (provider = made),
    openTextDocument: async (uri) => ({ uri }),
  },
  languages: { setTextDocumentLanguage: async (document, language) => ({ ...document, language }) },
  window: {
    showErrorMessage: (text) => messages.push(text),
    showInformationMessage: (text) => messages.push(text),
    showTextDocument: async ({ uri, language }) =>
      opened.push({ name: uri.toString(), language, text: provider.provideTextDocumentContent(uri) }),
  },
  commands: {
    registerTextEditorCommand: (name, run) => void (registered[name] = run),
    registerCommand: (name, run) => void (registered[name] = run),
  },
  tasks: { registerTaskProvider: (_, made) => void (registered.tasks = made) },
};

const clients = [];
class LanguageClient {
  constructor(id, name, server, options) {
    Object.assign(this, { server, options, requests: [], running: false });
    clients.push(this);
  }
  async start() {
    this.running = true;
  }
  async stop() {
    this.running = false;
  }
  isRunning() {
    return this.running;
  }
  async sendRequest(method, words) {
    this.requests.push([method, words.command, words.arguments[0]]);
    return { status: 0, text: 'of the server' };
  }
}

const load = Module._load;
Module._load = (name, ...rest) =>
  name === 'vscode'
    ? vscode
    : name === 'vscode-languageclient/node'
      ? { LanguageClient }
      : load(name, ...rest);
const extension = require(path.join(source, 'extension.js'));

function editorAt(text) {
  const fileName = path.join(__dirname, 'sample.adz');
  const uri = { toString: () => `file://${fileName}` };
  const document = { fileName, uri, isDirty: false, getText: () => lines.join('\n') };
  return { document, selection: { active: { line: line(text) } } };
}

async function main() {
  await extension.activate({ subscriptions: [] });
  for (const { command } of require(path.join(source, '../package.json')).contributes.commands) {
    assert(registered[command], `${command} is not registered`);
  }
  const [client] = clients;
  assert.deepStrictEqual(client.server, { command: compiler, args: ['lsp'] });

  // By the server.
  await registered['adze.showCAtCursor'](editorAt('inner(row'));
  assert.deepStrictEqual(client.requests[0].slice(0, 2), ['workspace/executeCommand', 'adze.showC']);
  assert.strictEqual(client.requests[0][2].entry, 'gemv');
  assert.deepStrictEqual(opened.pop(), { name: 'adze-output:gemv.c', language: 'c', text: 'of the server' });
  await registered['adze.runTestAtCursor'](editorAt('pow(2.0, 3)'));
  assert.strictEqual(client.requests[1][2].title, 'power');
  await client.options.middleware.executeCommand('adze.explainCode', [{ code: 'E0401' }], () => ({ status: 0, text: 'why' }));
  assert.deepStrictEqual(opened.pop(), { name: 'adze-output:E0401', language: 'plaintext', text: 'why' });
  await registered['adze.explainAtCursor'](editorAt('let r = pow'));
  assert.deepStrictEqual(messages, ['There is no entry at the cursor.']);

  // By the compiler, with options.
  settings.arguments = ['--plain'];
  await registered['adze.showCAtCursor'](editorAt('inner(row'));
  assert(opened.pop().text.includes('int adze_gemv('));
  settings.path = '/nowhere/adze';
  await registered['adze.explainAtCursor'](editorAt('inner(row'));
  assert(messages.pop().includes('/nowhere/adze'));

  const task = registered.tasks.resolveTask({ definition: { type: 'adze', command: 'build', file: 'f.adz' } });
  assert.deepStrictEqual([task.execution.words, task.matcher], [['build', 'f.adz'], '$adze']);
  await registered['adze.restart']();
  assert.deepStrictEqual([clients.length, client.running], [2, false]);
  await extension.deactivate();
  assert.strictEqual(clients[1].running, false);
}

main();
