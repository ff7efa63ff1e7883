// Finds the entry or the test around a line of a program. Without VS Code, so that it can be tested.
'use strict';

const START = /^(?:entry\s+(?:simd\s*\[.*?\]\s*)?fn\s+(?:@\s*(?:\(.*?\))?\s*)?(?<entry>\w+)|test\s+"(?<test>(?:[^"\\]|\\.)*)"|(?:pub|import|const|type|struct|enum|extern|fn|simd|pattern|(?:(?:contract|reassociate)\s+)?rule|strategy|schedule)\b)/;

const unquoted = (text) => text && text.replace(/\\(["'\\])/g, '$1');

/** The item of this kind, 'entry' or 'test', that stands at the line, or undefined. */
function itemAt(lines, line, kind) {
  for (let i = Math.min(line, lines.length - 1); i >= 0; i--) {
    const found = START.exec(lines[i]);
    if (found) return unquoted(found.groups[kind]);
    if (i < line && /^\}/.test(lines[i])) return undefined;
  }
  return undefined;
}

module.exports = { itemAt };
