"""The C compiler of a package, where the system has none; stubs; and the types of the package."""

import ast
import inspect
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import adze
import pytest
from adze import cc
from adze.__main__ import main

# instead of the 80 MB of ziglang: its command `zig cc`, which is strict about options
ZIG = """
import os, sys
assert sys.argv[1] == "cc" and not any(a.startswith(("-mtune", "-march=x86-64")) for a in sys.argv)
words = [a.replace("x86_64_v", "x86-64-v").replace("=x86_64", "=x86-64") for a in sys.argv[2:]]
os.environ["PATH"] = "/usr/bin:/bin"
os.execv(%r, ["cc", *words])
"""

USE = """
import adze
m = adze.compile("entry fn f[n: nat](x: [n]f32) -> [n]f32 { map.par(|v| v + 1.0, x) }", no_cache=True)
print(m.f([1, 2]).tolist())
"""


def run(folder, path):
    (folder / "ziglang").mkdir()
    (folder / "ziglang" / "__main__.py").write_text(ZIG % shutil.which("cc"))
    environment = {k: os.environ[k] for k in ("LD_PRELOAD", "ASAN_OPTIONS") if k in os.environ}
    environment |= {"PATH": path, "PYTHONPATH": str(folder)}
    return subprocess.run([sys.executable, "-c", USE], capture_output=True, text=True, env=environment)


def test_compiler_of_a_package(tmp_path):
    done = run(tmp_path, "/nonexistent")
    assert done.stdout == "[2.0, 3.0]\n", done.stderr


def test_options_of_ziglang():
    words = ["-O3", "-march=x86-64-v3", "-mtune=znver4", "-march=x86-64", "-march=native"]
    assert list(cc.translated(words)) == ["-O3", "-march=x86_64_v3", "-march=x86_64", "-march=native"]


def test_set_cc():
    try:
        adze.set_cc(["cc", "-m64"])
        assert adze.compile("entry fn f() -> i32 { 7 }", no_cache=True).f() == 7
        with pytest.raises(adze.ArgumentError, match="cannot have the word 'a b'"):
            adze.set_cc(["a b"])
    finally:
        adze.set_cc(None)


TEXT = """
struct Point { x: f32, from: i64 }
enum Side { Left, Right(Point) }
/// A "point".
entry fn move[n: nat](p: Point, by: [n][2]f32, k: nat) -> ([n]f32, Point, Side) {
    (map(|v| v[0], by), p, Side.Right(p))
}
entry fn class(x: bool) -> bool { x }
entry fn all[s: shape](x: [..s]f32) -> [..s]f32 { x }
"""

STUB = '''"""The entries of text.adz."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

class Point(NamedTuple):
    x: float
    from_: int

class Side:
    Left: tuple[()]
    class Right(tuple[Point]):
        def __new__(cls, _0: Point) -> Self: ...


def move(p: Point | tuple[Any, ...] | Mapping[str, Any], by: ArrayLike, k: int, *, n: int | None = None, \
out: Any | None = None, convert: bool = False) -> tuple[NDArray[np.float32], Point, Side.Right | tuple[()]]:
    """A \\"point\\".

    In Adze: move[n: nat](p: Point, by: [n][2]f32, k: nat) -> ([n]f32, Point, Side)
    """

def class_(x: bool, *, out: Any | None = None, convert: bool = False) -> bool:
    """In Adze: class(x: bool) -> bool"""

def all(x: ArrayLike, **options: Any) -> Any:
    """In Adze: all(x: [..s]f32), for arrays of any rank"""
'''


HIDDEN = """
struct Any { float: f64, rest: f64 }
entry fn np(x: [2]f32) -> [2]f32 { x }
entry fn int(x: i32, a: Any) -> (i32, Any) { (x, a) }
"""

HIDDEN_STUB = '''"""The entries of hidden.adz."""

from builtins import float as _float, int as _int
from collections.abc import Mapping
from typing import Any as _Any, NamedTuple, Self

import numpy as _np
from numpy.typing import ArrayLike, NDArray

class Any(NamedTuple):
    float: _float
    rest: _float


def np(x: ArrayLike, *, out: NDArray[_np.float32] | None = None, convert: bool = False) -> NDArray[_np.float32]:
    """In Adze: np(x: [2]f32) -> [2]f32"""

def int(x: _int, a: Any | tuple[_Any, ...] | Mapping[str, _Any], *, out: _Any | None = None, \
convert: bool = False) -> tuple[_int, Any]:
    """In Adze: int(x: i32, a: Any) -> (i32, Any)"""
'''


def test_stubs(tmp_path, capsys):
    (tmp_path / "text.adz").write_text(TEXT)
    assert main(["stubs", str(tmp_path / "text.adz"), "-o", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out == f"{tmp_path}/out/text.pyi\n"
    made = (tmp_path / "out" / "text.pyi").read_text()
    assert made == STUB
    m = adze.load(tmp_path / "text.adz")
    for function in ast.parse(made).body:
        if isinstance(function, ast.FunctionDef):
            parameters = inspect.signature(getattr(m, function.name)).parameters
            a = function.args
            names = [p.arg for p in a.args + a.kwonlyargs] + ([a.kwarg.arg] if a.kwarg else [])
            assert names == list(parameters)
    (tmp_path / "hidden.adz").write_text(HIDDEN)
    assert main(["stubs", str(tmp_path / "hidden.adz")]) == 0
    assert (tmp_path / "hidden.pyi").read_text() == HIDDEN_STUB
    (tmp_path / "bad.adz").write_text("entry fn f() -> i32 { x }")
    assert main(["stubs", str(tmp_path / "bad.adz")]) == 1
    assert "bad.adz:1:23: error E0201" in capsys.readouterr().err
    assert not (tmp_path / "bad.pyi").exists()


def test_package_is_typed():
    folder = pathlib.Path(adze.__file__).parent
    assert (folder / "py.typed").exists() and (folder / "_native.pyi").exists()
    for function in adze.load, adze.compile, adze.set_cc:
        signature = inspect.signature(function)
        assert signature.return_annotation and all(p.annotation is not p.empty for p in signature.parameters.values())


SLOW_CC = """#!/bin/sh
case "$*" in *--version*) ;; *) mkdir {folder}/started 2>/dev/null && exec sleep 10 ;; esac
exec cc "$@"
"""

INTERRUPTED = """
import adze
m = adze.compile("entry fn f() -> i32 {{ 8 }}", cc="{folder}/slow", cache="{folder}/cache")
try:
    m.f()
except KeyboardInterrupt:
    print("interrupted")
print(m.f())
"""


def test_interrupt_during_a_compilation(tmp_path):
    slow = tmp_path / "slow"
    slow.write_text(SLOW_CC.format(folder=tmp_path))
    slow.chmod(0o755)
    command = [sys.executable, "-c", INTERRUPTED.format(folder=tmp_path)]
    # A shell starts what runs in the background with SIGINT ignored, and Python leaves that so.
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True,
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    while not (tmp_path / "started").exists():
        assert child.poll() is None
        time.sleep(0.01)
    os.killpg(child.pid, signal.SIGINT)  # as Ctrl-C does: also to the C compiler
    assert child.communicate() == ("interrupted\n8\n", None)
    assert not [p for p in (tmp_path / "cache").iterdir() if p.name.startswith("tmp")]
