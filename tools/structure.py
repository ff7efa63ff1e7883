#!/usr/bin/env python3
"""structure.py OUT: checks how the sources hang together, by the objects of a build in OUT.

* Files that need each other, directly or by others, are at most MOST_FILES; where functions call
  each other along the syntax of a program (RECURSIVE), they may be more.
* Of a hundred functions at most one is longer than LONG lines.
"""
import pathlib
import subprocess
import sys

MOST_FILES, LONG = 4, 35
RECURSIVE = ("src/syntax/parse/",)


def symbols(obj):
    """The names that an object defines, and those that it needs."""
    defined, needed = set(), set()
    for line in subprocess.run(["nm", obj], capture_output=True, text=True, check=True).stdout.splitlines():
        words = line.split()
        if words[0] == "U":
            needed.add(words[1])
        elif len(words) == 3 and words[1].isupper():
            defined.add(words[2])
    return defined, needed


def components(edges):
    """Strongly connected components (Tarjan), each a list of files."""
    number, low, stack, found = {}, {}, [], []

    def visit(v):
        number[v] = low[v] = len(number)
        stack.append(v)
        for w in sorted(edges[v]):
            if w not in number:
                visit(w)
            if w in stack:
                low[v] = min(low[v], low[w])
        if low[v] == number[v]:
            at = stack.index(v)
            found.append(stack[at:])
            del stack[at:]

    for v in sorted(edges):
        if v not in number:
            visit(v)
    return found


def cycles(out):
    objects = [o for o in sorted(pathlib.Path(out, "src").rglob("*.o")) if pathlib.Path(o.relative_to(out)).with_suffix(".c").exists()]
    of = {o: symbols(o) for o in objects}
    owner = {name: o for o, (defined, _) in of.items() for name in defined}
    edges = {o: {owner[n] for n in needed if n in owner} - {o} for o, (_, needed) in of.items()}
    for files in components(edges):
        names = [str(f.relative_to(out).with_suffix(".c")) for f in files]
        if len(files) > MOST_FILES and not any(all(n.startswith(r) for n in names) for r in RECURSIVE):
            yield "these files need each other: " + " ".join(names)


def function_lengths(lines):
    begin = None
    for k, line in enumerate(lines):
        if line == "{":
            begin = k
        elif line == "}" and begin is not None:
            yield k - begin + 1
            begin = None


def long_functions():
    lengths = []
    for path in sorted(p for p in pathlib.Path("src").rglob("*.[ch]")):
        lengths += function_lengths(path.read_text().splitlines())
    lengths.sort()
    p99 = lengths[len(lengths) * 99 // 100]
    if p99 > LONG:
        yield f"one function in a hundred has more than {p99} lines"


def main():
    sys.setrecursionlimit(10000)
    wrong = list(cycles(pathlib.Path(sys.argv[1]))) + list(long_functions())
    print("\n".join(wrong) if wrong else "structure: ok")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
