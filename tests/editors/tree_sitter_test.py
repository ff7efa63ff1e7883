"""The tree-sitter grammar: its parser compiles, parses all programs of the repository without an error, and gives the trees of
editors/tree-sitter-adze/test/corpus; the queries name nodes that exist, and highlight a sample as expected.

    tree_sitter_test.py FOLDER    compiles the parser into the folder; BLESS=1 writes the trees of the corpus
"""
import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tree_sitter import Language, Parser, Query, QueryCursor

ROOT = Path(__file__).resolve().parents[2]
GRAMMAR = ROOT / "editors/tree-sitter-adze"
HEAD = re.compile(r"={10,}\n(.*)\n={10,}\n((?:.*\n)*?)-{3,}\n((?:(?!={10,}).*\n)*)")


def language(out):
    library = out / "adze_tree_sitter.so"
    compiler = os.environ.get("CC") or next(c for c in ("gcc", "clang", "cc") if shutil.which(c))
    source = GRAMMAR / "src/parser.c"
    if not library.exists() or library.stat().st_mtime < source.stat().st_mtime:
        made = library.with_suffix(f".{os.getpid()}")
        command = [compiler, "-O0", "-shared", "-fPIC", f"-I{source.parent}", "-o", made, source]
        subprocess.run(command, check=True)
        made.rename(library)
    pointer = ctypes.CDLL(str(library)).tree_sitter_adze
    pointer.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype = ctypes.py_object
    capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return Language(capsule(pointer(), b"tree_sitter.Language", None))


def first_error(node):
    """The innermost node with an error."""
    for child in node.children:
        if child.has_error:
            return first_error(child)
    return node


def programs():
    """All programs of the repository that the compiler parses: those of tests/errors show mistakes."""
    folders = ["bench", "examples", "lib", "tests"]
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.adz"))]
    return [path for path in found if "errors" not in path.relative_to(ROOT).parts]


def check_programs(parser):
    failures = []
    for path in programs():
        tree = parser.parse(path.read_bytes())
        if tree.root_node.has_error:
            row, column = first_error(tree.root_node).start_point
            failures.append(f"{path.relative_to(ROOT)}:{row + 1}:{column + 1}: not parsed")
    count = len(programs())
    if count < 100:
        failures.append(f"only {count} programs were found")
    print(f"tree-sitter: {count} programs parsed")
    return failures


def check_words():
    """The grammar has all keywords and signs of the compiler, and no others."""
    sys.path.insert(0, str(ROOT / "editors"))
    import words

    def literals(rule):
        if isinstance(rule, list):
            return set().union(*map(literals, rule)) if rule else set()
        if not isinstance(rule, dict):
            return set()
        if rule.get("type") == "STRING":
            return {rule["value"]}
        return set() if rule.get("type") in ("TOKEN", "IMMEDIATE_TOKEN") else literals(list(rule.values()))

    strings = literals(json.loads((GRAMMAR / "src/grammar.json").read_text())["rules"])
    found = {text for text in strings if re.fullmatch(r"[a-z_]+", text)}
    soft = set(words.SOFT["soft_item"].split() + words.SOFT["soft_type"].split()) | {"allow", "scalar"}
    signs = re.findall(r'TOKEN\(\w+,\s*"([^"]+)",\s*(?:PUNCT|ASSIGN)', words.text("src/syntax/lex/token.def"))
    wanted = words.keywords() | soft
    missing = [sign for sign in signs if sign != "::" and sign not in strings]
    return [f"grammar.js: keywords {sorted(wanted ^ found)}"] * (wanted != found) + [f"grammar.js: no sign {sign}" for sign in missing]


def check_wrong(parser):
    """What is no program has an error."""
    wrong = ["fn f( {", "let x = 1;", "fn f(x: i32) -> i32 { x + }", "struct P { x f32 }", "const A = 08 09", 'test { true }', "entry gemv() {}"]
    return [f"no error in: {text}" for text in wrong if not parser.parse(text.encode()).root_node.has_error]


def tree_of(parser, source):
    text = str(parser.parse(source.encode()).root_node)
    return indented(text)


def indented(text):
    """An S-expression with one node on each line."""
    depth, out = 0, ""
    for token in re.findall(r"\w+: (?=\()|[()]|[^()\s]+", text):
        if token.endswith(": ") or token == "(":
            if not out.endswith(": "):
                out += "\n" + "  " * depth if out else ""
            out += token
            depth += token == "("
        elif token == ")":
            depth -= 1
            out += ")"
        else:
            out += token if out.endswith("(") else " " + token
    return out + "\n"


def check_corpus(parser):
    failures, count = [], 0
    for path in sorted((GRAMMAR / "test/corpus").glob("*.txt")):
        blessed = ""
        for title, source, expected in HEAD.findall(path.read_text()):
            tree = tree_of(parser, source)
            blessed += f"{'=' * 20}\n{title}\n{'=' * 20}\n\n{source.strip()}\n\n---\n\n{tree}\n"
            count += 1
            if expected.split() != tree.split():
                failures.append(f"{path.name}: {title}: the tree is\n{tree}")
        if os.environ.get("BLESS"):
            path.write_text(blessed)
    if count < 20:
        failures.append(f"only {count} trees in the corpus")
    print(f"tree-sitter: {count} trees compared")
    return failures


SAMPLE = """/// doc
import std.linalg (dot)
entry fn gemv[n: nat](a: [n]f32) -> f32 where n > 0 {
    // plain
    let mut best = 1.5f32; let t = "a\\n";
    for i in range(0, n) { if a[i] > best { return(a[i]) } }
    with (. <= iv < [n] step 2) { 1 } genarray([n], 0) |> map(|x| x * 2) |> dot(a) |> my_own
}
#[c_layout]
struct Body { mass: f32 }
schedule gemv for avx2 (t = tune(1, 2)) allow contract { outermost(tile(t)) <+ lower }
"""
# The last capture of a text, in the line where it stands.
CAPTURES = {
    (1, "/// doc"): "comment.documentation",
    (2, "std"): "module",
    (3, "entry"): "keyword",
    (3, "gemv"): "function",
    (3, "n"): "variable.parameter",
    (3, "nat"): "type.builtin",
    (3, "f32"): "type.builtin",
    (3, "where"): "keyword.modifier",
    (4, "// plain"): "comment",
    (5, "mut"): "keyword.modifier",
    (5, "1.5f32"): "number.float",
    (5, "\\n"): "string.escape",
    (6, "for"): "keyword.control",
    (6, "range"): "function.builtin",
    (6, "return"): "keyword.return",
    (7, "step"): "keyword",
    (7, "genarray"): "keyword",
    (7, "map"): "function.builtin",
    (7, "x"): "variable.parameter",
    (7, "|>"): "operator",
    (7, "dot"): "function.call",
    (7, "my_own"): "function.call",
    (9, "#[c_layout]"): "attribute",
    (10, "Body"): "type",
    (10, "mass"): "property",
    (11, "schedule"): "keyword",
    (11, "tune"): "keyword",
    (11, "allow"): "keyword.modifier",
    (11, "outermost"): "function.call",
    (11, "<+"): "operator",
}


def captured(query, root):
    """The capture of each node that the last matching pattern gives it, by line and text; the first in a line."""
    best = {}
    for pattern, captures in QueryCursor(query).matches(root):
        for name, nodes in captures.items():
            for node in nodes:
                place = (node.start_byte, node.end_byte)
                if place not in best or pattern >= best[place][0]:
                    best[place] = (pattern, name, node)
    found = {}
    for _, name, node in sorted(best.values(), key=lambda row: row[2].start_byte):
        found.setdefault((node.start_point[0] + 1, node.text.decode()), name)
    return found


def check_queries(adze, parser):
    failures = []
    for path in sorted((GRAMMAR / "queries").glob("*.scm")):
        query = Query(adze, path.read_text())
        if path.name == "highlights.scm":
            found = captured(query, parser.parse(SAMPLE.encode()).root_node)
            for key, expected in CAPTURES.items():
                if found.get(key) != expected:
                    failures.append(f"highlights.scm: {key} is {found.get(key)}, not {expected}")
    return failures


def main():
    out = Path(sys.argv[1])
    adze = language(out)
    parser = Parser(adze)
    failures = check_words() + check_programs(parser) + check_wrong(parser) + check_corpus(parser) + check_queries(adze, parser)
    print("\n".join(failures[:20]), end="\n" if failures else "")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
