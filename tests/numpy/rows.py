"""rows.py ADZE: tests the tables of docs/numpy.md. A row consists of a NumPy expression, an Adze expression and a value.

The Adze expressions become the tests of one file, which compare them with their values, interpreted and compiled. Commands
(`adze run ...`) are run one after the other in one folder; the value is what they print, or what is in the file that they write.
NumPy evaluates its expressions, too. There are two exceptions:

- Random numbers (`rng.`) are different, and only their shapes are compared.
- Expressions of other libraries (`plt`, `Image`) are not evaluated.
"""
import ast
import os
import re
import shlex
import subprocess
import sys
import tempfile

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ADZE = os.path.abspath(sys.argv[1])
failures = []


def fail(what):
    failures.append(what)
    print("FAILED: " + what)


def cells(line):
    """The cells of a row of a table, without backquotes; `\\|` is a bar."""
    parts = [p.strip().replace("\\|", "|") for p in re.split(r"(?<!\\)\|", line)[1:-1]]
    return [p[1:-1] if p.startswith("`") and p.endswith("`") else p for p in parts]


def read_document(path):
    """The program in NumPy and in Adze, and the rows, each with its line number."""
    text = open(path).read()
    numpy_program = re.search(r"```python\n(.*?)```", text, re.S).group(1)
    adze_program = re.search(r"<!-- file numpy.adz -->\n```\n(.*?)```", text, re.S).group(1)
    rows = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.startswith("|") or line in ("| NumPy | Adze | value |", "|---|---|---|"):
            continue
        row = cells(line)
        if len(row) == 3 and all(row):
            rows.append((number, *row))
        else:
            fail(f"line {number} is no row of three cells: {line}")
    return numpy_program, adze_program, rows


def adze(*arguments):
    done = subprocess.run([ADZE, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_expressions(program, rows):
    """One test per row, whose title is the line of the row."""
    with open("rows.adz", "w") as file:
        file.write(program)
        for line, _, expression, value in rows:
            file.write(f'\ntest "line {line}" {{ ({expression}) == {value} }}\n')
    _, output = adze("test", "rows.adz")
    passed = set(re.findall(r'^ok .*"line (\d+)"', output, re.M))
    for line, _, expression, value in rows:
        if str(line) not in passed:
            fail(f"line {line}: {expression} is not {value}")
    if len(passed) != len(rows):
        print(output[-4000:])


def is_text(value):
    return value.startswith('"')


def test_command(line, command, value):
    words = shlex.split(command)
    code, output = adze(*words[1:])
    if "-o" in words:
        name = words[words.index("-o") + 1]
        if is_text(value):
            output = open(name).read() if os.path.exists(name) else ""
        else:
            code, output = adze("run", "numpy.adz", f'load("{name}")')
    if code or output.rstrip("\n") != (ast.literal_eval(value) if is_text(value) else value):
        fail(f"line {line}: {command} gives {output}")


def plain(value):
    """Arrays and tuples as lists, bytes as text."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def evaluated(expression, names):
    """The value of an expression, or of z after statements that assign it."""
    if expression.startswith("z = "):
        exec(expression, names)
        return names["z"]
    return eval(expression, names)


def same(found, value):
    found, value = plain(found), plain(value)
    if isinstance(found, str) or isinstance(value, str):
        return found == value
    return np.shape(found) == np.shape(value) and np.allclose(found, value, rtol=1e-6, atol=1e-12)


def test_numpy(names, line, expression, value):
    if re.search(r"plt\.|Image\.", expression):
        return
    found = evaluated(expression, names)
    if re.match(r"np\.save|open\(.*write", expression):
        return  # the next rows read the file
    value = ast.literal_eval(value.replace("true", "True").replace("false", "False"))
    if isinstance(value, tuple) and isinstance(value[0], int) and not isinstance(found, tuple):
        value = value[1][: value[0]]
    if expression.startswith("rng."):
        if np.shape(found) != np.shape(value):
            fail(f"line {line}: {expression} has the shape {np.shape(found)}")
    elif not same(found, value):
        fail(f"line {line}: {expression} is {plain(found)}")


def main():
    numpy_program, adze_program, rows = read_document(os.path.join(ROOT, "docs/numpy.md"))
    names = {}
    exec(numpy_program, names)
    np.seterr(all="ignore")
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["XDG_CACHE_HOME"] = os.path.join(scratch, "cache")
        os.chdir(scratch)
        with open("numpy.adz", "w") as file:
            file.write(adze_program)
        test_expressions(adze_program, [r for r in rows if not r[2].startswith("adze ")])
        for line, expression, command, value in rows:
            test_numpy(names, line, expression, value)
            if command.startswith("adze "):
                test_command(line, command, value)
        os.chdir(ROOT)
    if len(rows) < 100:
        fail(f"only {len(rows)} rows")
    print(f"numpy: {len(rows)} rows, {len(failures)} failed")
    return bool(failures)


sys.exit(main())
