"""Packages that `adze build --python` writes: the calls of test_calls.py, and what differs."""

import ast
import importlib
import inspect
import pathlib
import pickle
import subprocess
import sys

import pytest
import test_calls
from conftest import PROGRAM

ADZE = pathlib.Path(__file__).parents[2] / "build" / "adze"
NEEDS_THE_COMPILER = {"test_any_rank", "test_any_rank_as_an_object", "test_fixed_sizes"}

for _name, _test in vars(test_calls).items():
    if _name.startswith("test_") and _name not in NEEDS_THE_COMPILER:
        globals()[_name] = _test


def build(path, *options, python=sys.executable):
    command = [ADZE, "build", path, "--python", "--target=c", "-o", path.parent, *options]
    return subprocess.run(command, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "PYTHON": python})


@pytest.fixture(scope="module")
def m(tmp_path_factory):
    folder = tmp_path_factory.mktemp("built with blanks")  # and a program whose name one of the files in C has
    (folder / "table.adz").write_text(PROGRAM)
    done = build(folder / "table.adz", "--cc=cc", "--cflags=-O0")
    assert done.returncode == 0 and done.stdout.endswith("/table/_adze/_native.abi3.so\n"), done.stderr
    sys.path.insert(0, str(folder))
    yield importlib.import_module("table")
    sys.path.remove(str(folder))


def test_stub(m):
    tree = ast.parse(pathlib.Path(m.__file__).with_suffix(".pyi").read_text())
    defined = {f.name: f for f in tree.body if isinstance(f, ast.FunctionDef)}
    classes = {c.name for c in tree.body if isinstance(c, ast.ClassDef)}
    assert classes == {"Point", "Edge", "Pair", "Shape"}
    assert defined.keys() | classes == set(m.__all__)
    for name, function in defined.items():
        parameters = inspect.signature(getattr(m, name)).parameters
        assert [a.arg for a in function.args.args + function.args.kwonlyargs] == list(parameters)
        assert ast.get_docstring(function) == inspect.cleandoc(getattr(m, name).__doc__)


def test_errors_of_a_package(m):
    errors = m.errors
    for call, error, says in [
        (lambda: m.sums([[1.0]], n=2), errors.ShapeError, "size n is 2 by n=2, but 1"),
        (lambda: m.checked(2), errors.RunError, r"test.adz:\d+:35: error E0614: .*k is 2\n      = note"),
        (lambda: m.tail([1]), errors.SizeConditionError, "in tail with n = 1"),
        (lambda: m.sums.fix(n=1), errors.ArgumentError, "adze build --fix"),
        (lambda: m.sums.explain(), errors.ArgumentError, "adze explain"),
    ]:
        with pytest.raises(error, match=says.replace("test.adz", "table.adz")):
            call()
    with pytest.raises(errors.RunError) as e:
        m.pick([1], 5)
    assert (e.value.code, e.value.message) == ("E0601", "index out of bounds") and e.value.line > 1


def test_packages_are_pickled(m):
    assert pickle.loads(pickle.dumps(m.iota)) is m.iota


USE = """
import sys
import one
assert not any(n == "adze" or n.startswith("adze.") for n in sys.modules)
assert one.twice([1, 2, 3]).tolist() == [2, 4, 6]
try:
    one.twice([1, 2])
except one.errors.ShapeError as e:
    assert "by fix(n=3)" in str(e), e
"""


def test_setup_and_fixed_sizes(tmp_path):
    (tmp_path / "one.adz").write_text("entry fn twice[n: nat](x: [n]i64) -> [n]i64 { map(|v| 2 * v, x) }")
    assert build(tmp_path / "one.adz", "--fix", "n=3").returncode == 0
    run = {"cwd": tmp_path, "check": True, "capture_output": True}
    subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], **run)
    subprocess.run([sys.executable, "-c", USE], **run)


def test_no_headers(tmp_path):
    (tmp_path / "a.adz").write_text("entry fn f() -> i32 { 1 }")
    done = build(tmp_path / "a.adz", "--cc=cc", python="false")
    assert done.returncode == 1 and "false has no headers for extension modules" in done.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["a.adz"]


@pytest.mark.parametrize(
    "file, options, says",
    [
        ("a-b.adz", [], "cannot import a package called `a-b`"),
        ("class.adz", [], "no word of Python"),
        ("numpy.adz", [], "and not numpy"),
        ("a.adz", ["--prefix=x"], "--python and --prefix exclude each other"),
        ("a.adz", ["--cpu=v2,v3"], "built for one processor"),
    ],
)
def test_mistakes(tmp_path, file, options, says):
    (tmp_path / file).write_text("entry fn f() -> i32 { 1 }")
    done = build(tmp_path / file, *options)
    assert done.returncode != 0 and says in done.stderr
    assert [p.name for p in tmp_path.iterdir()] == [file]
