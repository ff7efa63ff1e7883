#!/usr/bin/env python3
"""The words that the grammars of the editors highlight, read from the compiler's own tables.

    words.py          writes them between the marks `words: GROUP` and `end of words` in the files of editors/
    words.py --check  fails if a file is out of date

In JSON, which has no comments, the line `"comment": "words: GROUP",` is the mark for the next line.
"""
import re
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent

# The keywords of src/syntax/lex/token.def, by what they do. A new one has to be put into a group.
KEYWORDS = {
    "item": "const entry enum extern fn import pattern struct test type",
    "control": "else for if in loop match while with",
    "other": "as let mut unchecked where",
    "jump": "break continue return",
    "boolean": "false true",
    "wildcard": "_",
}
# Words that are keywords only in some places, and names elsewhere; likewise.
SOFT = {
    "soft_item": "bench contract pub reassociate rule schedule simd strategy",
    "soft_type": "global private shared strided uniform varying",
    "soft_other": "allow scalar tune",
    "with_loop": "fold genarray modarray step width",
    "kind": "data float int nat num scalar shape",
}
# Which groups the parser reads as names of types.
TYPE_NAMES = {"idx", "nat"}


def text(name):
    return (SOURCE / name).read_text()


def column(name, macro, index):
    """The strings in a column of a table."""
    rows = re.findall(rf"^{macro}\((.*)$", text(name), re.M)
    return [re.findall(r'"([^"]*)"|([^,\s"]+)', row)[index][0] for row in rows]


def keywords():
    return set(re.findall(r'TOKEN\(\w+,\s*"(\w+)",\s*WORD', text("src/syntax/lex/token.def")))


def soft_words():
    """Contextual keywords: what the parser compares names with."""
    found = set()
    for path in sorted((SOURCE / "src/syntax").rglob("*.c")):
        source = path.read_text()
        found.update(re.findall(r'(?:token_is_word|parse_accept_word|parse_after_word)\([^;"]*?"(\w+)"', source))
        found.update(re.findall(r'session_sym\(p->cx, "(\w+)"\)', source))
        for words in re.findall(r"const char \*const (?:words|spaces|kinds)\[\] = \{([^}]*)\}", source):
            found.update(re.findall(r'"(\w+)"', words))
    table = re.search(r"WithOperator operators\[\] = \{(.*?)\n\};", text("src/syntax/parse/parse_with.c"), re.S)
    found.update(re.findall(r'\{"(\w+)"', table.group(1)))
    return found - {"c_layout", "idx"}


def scalars():
    return set(column("src/ir/scalar.def", "SCALAR", 1))


def patterns():
    return set(re.findall(r"^pattern (\w+)", text("lib/prelude.adz"), re.M))


def functions():
    """Functions of the compiler that are not patterns."""
    prims = {name for name in column("src/ir/prim.def", "PRIM", 1) if re.fullmatch(r"[a-z]\w*", name)} - {"neg"}
    named = re.findall(r'add_builtin\(in, SYMBOL_\w+, "(\w+)"', text("src/infer/names/scope.c"))
    return prims | set(named)


def groups():
    all_groups = {name: words.split() for name, words in {**KEYWORDS, **SOFT}.items()}
    for table, found, where in [(KEYWORDS, keywords(), "src/syntax/lex/token.def"), (SOFT, soft_words(), "src/syntax/parse")]:
        listed = {word for words in table.values() for word in words.split()}
        if listed != found:
            sys.exit(
                f"editors/words.py: its groups differ from the words of {where}: "
                f"missing {sorted(found - listed)}, too many {sorted(listed - found)}"
            )
    all_groups["scalar_type"] = sorted(scalars() | TYPE_NAMES)
    all_groups["pattern"] = sorted(patterns())
    all_groups["function"] = sorted(functions())
    all_groups["c_keyword"] = sorted(keywords() - {"_"})
    return all_groups


def quoted(words, width, indent):
    body = " ".join(f'"{word}"' for word in words)
    return textwrap.fill(body, width, initial_indent=indent, subsequent_indent=indent) + "\n"


def lines(path, indent, group, words):
    """The words as this kind of file writes them."""
    if path.suffix == ".vim":
        kind = "adze" + "".join(part.capitalize() for part in group.split("_"))
        return textwrap.fill(" ".join(words), 100, initial_indent=f"syn keyword {kind} ", subsequent_indent="      \\ ") + "\n"
    if path.suffix == ".py":
        body = textwrap.fill(" ".join(words), 96, initial_indent=indent + "    ", subsequent_indent=indent + "    ")
        name = group.upper()
        return f'{indent}{name} = """\n{body}\n{indent}""".split()\n'
    return quoted(words, 100, indent)


def updated(path, all_groups):
    def block(match):
        return match.group(1) + lines(path, match.group(2), match.group(3), all_groups[match.group(3)]) + match.group(4)

    def json_line(match):
        words = "|".join(all_groups[match.group(2)])
        return match.group(1) + re.sub(r"\((?:\?:)?[\w|]*\)", lambda _: f"(?:{words})", match.group(3), count=1)

    old = path.read_text()
    if path.suffix == ".json":
        return old, re.sub(r'("comment": "words: (\w+)",\n)(.*\n)', json_line, old)
    mark = r'(?m)(^([ \t]*)[^\w\n]+ words: (\w+)\n)(?:.*\n)*?(^[ \t]*[^\w\n]+ end of words\n)'
    return old, re.sub(mark, block, old)


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(__doc__)
    all_groups = groups()
    count = 0
    for path in sorted(HERE.rglob("*")):
        if path.suffix not in {".json", ".vim", ".el", ".py", ".scm"} or path == Path(__file__).resolve():
            continue
        old, new = updated(path, all_groups)
        count += len(re.findall(r"words: \w+", old))
        if old == new:
            continue
        if check:
            sys.exit(f"{path.relative_to(SOURCE)} is out of date: run python3 editors/words.py")
        path.write_text(new)
    if count == 0:
        sys.exit("editors/words.py: no file has a mark")


if __name__ == "__main__":
    main()
