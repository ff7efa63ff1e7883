// The extension for VS Code: its code is JavaScript, and finds the items at a line.
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const vm = require('vm');

const source = path.join(__dirname, '../../editors/vscode/src');
const { itemAt } = require(path.join(source, 'items.js'));

const extension = fs.readFileSync(path.join(source, 'extension.js'), 'utf8');
new vm.Script(`(function () { ${extension} })`);

const commands = require(path.join(source, '../package.json')).contributes.commands;
for (const { command } of commands) {
  assert(extension.includes(`'${command}'`), `${command} is not in extension.js`);
}

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
