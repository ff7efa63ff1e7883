"""The grammar of VS Code: its files are JSON, every regular expression compiles with Oniguruma, every `include` names something,
and the sample gets the expected scopes from the rules of TextMate grammars: the leftmost match, then the first rule.
"""
import json
import sys
from pathlib import Path

import onigurumacffi

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "editors/vscode"
SAMPLE = Path(__file__).with_name("sample.adz")
REGEXES = ("match", "begin", "end", "while")


class Grammar:
    def __init__(self, path):
        self.root = json.loads(path.read_text())
        self.compiled = {}
        self.failures = []
        self.check(self.root)

    def check(self, node):
        if isinstance(node, list):
            for child in node:
                self.check(child)
        if not isinstance(node, dict):
            return
        for key, value in node.items():
            if key in REGEXES and isinstance(value, str) and "\\2" not in value:
                try:
                    self.compiled[value] = onigurumacffi.compile(value)
                except onigurumacffi.OnigError as error:
                    self.failures.append(f"{value}: {error}")
            if key == "include" and value.startswith("#") and value[1:] not in self.root["repository"]:
                self.failures.append(f"{value} is included, but not in the repository")
            self.check(value)

    def rules(self, patterns):
        for rule in patterns:
            if "include" in rule:
                included = self.root["repository"][rule["include"][1:]]
                yield from self.rules([included] if set(included) & set(REGEXES) else included["patterns"])
            else:
                yield rule

    def first(self, rules, line, at):
        """The leftmost match, of the first rule that has it."""
        best = None
        for rule in rules:
            found = self.compiled[rule.get("match") or rule["begin"]].search(line, at)
            if found and (best is None or found.start() < best[1].start()):
                best = (rule, found)
        return best

    def color(self, line, scopes, rule, found, captures):
        for index in range(found.start(), found.end()):
            scopes[index] = rule.get("name", scopes[index])
        for number, capture in rule.get(captures, {}).items():
            if not found.group(int(number)):
                continue
            start, end = found.start(int(number)), found.end(int(number))
            if "patterns" in capture:
                self.line(line[:end], scopes, list(self.rules(capture["patterns"])), start)
            for index in range(start, end) if "name" in capture else []:
                scopes[index] = capture["name"]

    def line(self, line, scopes, rules, at=0):
        while at < len(line):
            best = self.first(rules, line, at)
            if not best:
                return
            rule, found = best
            self.color(line, scopes, rule, found, "captures")
            end = found.end()
            if "begin" in rule:
                end = self.region(line, scopes, rule, end)
            at = max(end, at + 1)

    def region(self, line, scopes, rule, at):
        """Regions of this grammar end with their line."""
        inner = list(self.rules(rule.get("patterns", [])))
        while True:
            end = self.compiled[rule["end"]].search(line, at)
            best = self.first(inner, line, at)
            if not best or best[1].start() >= end.start():
                for index in range(at, end.end()):
                    scopes[index] = rule["name"]
                return end.end()
            for index in range(at, best[1].start()):
                scopes[index] = rule["name"]
            self.color(line, scopes, *best, "captures")
            at = best[1].end()

    def scopes(self, line):
        found = [None] * len(line)
        self.line(line, found, list(self.rules(self.root["patterns"])))
        return found


EXPECTED = {
    "// What": "comment.line.double-slash",
    "/// A": "comment.line.documentation",
    "import": "keyword.other.import",
    "std.linalg": "entity.name.namespace",
    "const": "storage.type",
    "ROWS": "variable.other.constant",
    "nat = 3": "storage.type.primitive",
    "3": "constant.numeric.integer",
    "Body": "entity.name.type",
    "float]": "storage.type.kind",
    "entry": "keyword.other",
    "gemv": "entity.name.function",
    "f32, x": "storage.type.primitive",
    "where": "keyword.other",
    "|>": "keyword.operator",
    "map(": "support.function",
    "inner(row": "entity.name.function.call",
    "pow(x: ": "entity.name.function",
    "else": "keyword.control",
    "1.5e3": "constant.numeric.float",
    "1_000": "constant.numeric.integer",
    "0xffi64": "constant.numeric.hex",
    "text with": "string.quoted.double",
    "'{'": "string.quoted.single.byte",
    "reduce(+": "support.function",
    "rule": "storage.type.function",
    "fuse_maps": "entity.name.function",
    "step": "keyword.other",
    "genarray": "keyword.other",
    "true": "constant.language.boolean",
    "-1 =>": "keyword.operator",
    "_ =>": "variable.language.wildcard",
    "Circle": "entity.name.type",
}


def check_sample(grammar):
    lines = SAMPLE.read_text().splitlines()
    scopes = [grammar.scopes(line) for line in lines]
    failures = []
    for text, expected in EXPECTED.items():
        row = next(index for index, line in enumerate(lines) if text in line)
        found = scopes[row][lines[row].index(text)]
        if found != expected + ".adze":
            failures.append(f"{text}: {found}, expected {expected}.adze")
    return failures


def check_files():
    """The files that package.json names exist, and all of them are JSON."""
    failures = []
    package = json.loads((FOLDER / "package.json").read_text())
    named = [package["main"]]
    for kind in ("grammars", "snippets"):
        named += [row["path"] for row in package["contributes"][kind]]
    named += [row["configuration"] for row in package["contributes"]["languages"]]
    for path in named:
        if not (FOLDER / path).is_file():
            failures.append(f"package.json names {path}, which does not exist")
    for path in FOLDER.rglob("*.json"):
        if "node_modules" not in path.parts:
            json.loads(path.read_text())
    indentation = json.loads((FOLDER / "language-configuration.json").read_text())["indentationRules"]
    more = onigurumacffi.compile(indentation["increaseIndentPattern"])
    less = onigurumacffi.compile(indentation["decreaseIndentPattern"])
    for line, expected in [("fn f() {", True), ("    map(|x| {", True), ("f(", True), ("let x = 1;", False), ("// f(", False), ("x { y }", False)]:
        if bool(more.match(line)) != expected:
            failures.append(f"indentation after {line}")
    if not less.match("    })") or less.match("    x }"):
        failures.append("indentation of closing brackets")
    matcher = package["contributes"]["problemMatchers"][0]["pattern"]
    found = onigurumacffi.compile(matcher["regexp"]).match("a/f.adz:3:7: error E0301: no name")
    place = [found.group(matcher[part]) for part in ("file", "line", "column", "severity", "code", "message")] if found else None
    if place != ["a/f.adz", "3", "7", "error", "E0301", "no name"]:
        failures.append(f"the problem matcher finds {place}")
    return failures


def main():
    grammar = Grammar(FOLDER / "syntaxes/adze.tmLanguage.json")
    markdown = Grammar(FOLDER / "syntaxes/adze.markdown.tmLanguage.json")
    failures = grammar.failures + markdown.failures or check_sample(grammar) + check_files()
    print(f"TextMate: {len(grammar.compiled)} expressions compiled")
    print("\n".join(failures), end="\n" if failures else "")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
