"""Modules and entries as objects: documentation, signatures, stages, threads."""

import gc
import inspect
import pickle
import pydoc
import threading
import time
import weakref

import adze
import numpy as np
import pytest


def test_signature(m):
    text = "(a: '[n][m]f32', *, n=None, m=None, out=None, convert=False) -> '[n]f32'"
    assert str(inspect.signature(m.sums)) == text
    parameters = inspect.signature(m.keywords).parameters
    assert list(parameters) == ["from_", "out", "out_", "convert"]
    assert list(inspect.signature(m.iota.fix(n=3)).parameters) == ["out", "convert"]


def test_documentation(m):
    assert m.sums.__doc__.startswith("Sums of the rows.\n\nEach from left to right.\n")
    assert "sums[n: nat, m: nat](a: [n][m]f32) -> [n]f32" in m.sums.__doc__
    help_text = pydoc.plain(pydoc.render_doc(m.sums))
    assert "sums(a: '[n][m]f32'" in help_text and "Sums of the rows." in help_text
    help_text = pydoc.plain(pydoc.render_doc(m))
    assert "sums(a: '[n][m]f32'" in help_text and "Sums of the rows." in help_text
    assert m.__doc__.startswith("A program in Adze, with the entries sums, product,")


def test_names(m):
    assert m.sums.__name__ == "sums" and m.__name__ == "test"
    assert "sums" in dir(m) and adze.compile("entry fn f() -> i32 { 1 }").entries.keys() == {"f"}
    assert "sums" in repr(m) and "sums" in repr(m.sums)
    with pytest.raises(AttributeError, match="no entry nothing; its entries are: sums"):
        m.nothing
    assert not hasattr(m, "__array__")


def test_names_of_the_module_itself(m):
    assert m.entries(np.arange(5, dtype="i4"), np.zeros(2, "i4")).tolist() == [0, 1, 2]
    assert m._entries["_lock"](3) == 3


def test_stages(m):
    assert "int adze_sums(" in m.sums.explain()
    assert m.sums.explain("core").startswith("(entry sums")
    assert "(loops product" in m.product.fix(n=4).explain("loop")
    with pytest.raises(adze.CompileError, match="no stage `nowhere`"):
        m.sums.explain("nowhere")


def test_copies(m):
    product = pickle.loads(pickle.dumps(m.product.fix(m=1)))
    assert product is not m.product and product(np.ones((2, 1)), np.ones((1, 2))).sum() == 4


def test_warnings(tmp_path):
    (tmp_path / "file").touch()
    m = adze.compile("entry fn f(x: i32) -> i32 { x + 3 }", cache=tmp_path / "file")
    with pytest.warns(adze.AdzeWarning, match="E0720"):
        assert m.f(1) == 4


class Shell:
    """What the extension uses of IPython's shell."""

    def __init__(self):
        self.magics, self.variables = {}, {}

    def register_magic_function(self, function, kind):
        self.magics[kind, function.__name__] = function

    def push(self, variables):
        self.variables.update(variables)


def test_notebooks():
    shell = Shell()
    adze.load_ipython_extension(shell)
    run = shell.magics["cell", "adze"]
    run("", "entry fn f(x: i32) -> i32 { x + 4 }")
    assert shell.variables["f"](1) == 5
    assert run("name", "entry fn g() -> i32 { 6 }") is shell.variables["name"]
    assert "g" not in shell.variables and shell.variables["name"].g() == 6


def test_files_and_imports(tmp_path):
    (tmp_path / "part.adz").write_text("fn twice(x: i32) -> i32 { 2 * x }\n")
    (tmp_path / "main.adz").write_text("import part (twice)\nentry fn f(x: i32) -> i32 { twice(x) }\n")
    m = adze.load(tmp_path / "main.adz", target="c")
    assert m.f(21) == 42 and m.__name__ == "main"


def test_cache(tmp_path):
    text = "entry fn f(x: i32) -> i32 { x + 1 }"
    for _ in range(2):
        assert adze.compile(text, cache=tmp_path).f(1) == 2
    assert len(list(tmp_path.glob("*.so"))) == 1


def test_code_lives_as_long_as_its_entries():
    m = adze.compile("entry fn f(x: i32) -> i32 { x + 2 }")
    f, gone = m.f, weakref.ref(m)
    del m
    gc.collect()
    assert f(1) == 3
    del f
    gc.collect()
    assert gone() is None


def in_threads(n, work):
    results = [None] * n
    barrier = threading.Barrier(n)

    def body(i):
        barrier.wait()
        results[i] = work(i)

    threads = [threading.Thread(target=body, args=(i,)) for i in range(n)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return results


def test_threads_share_a_module():
    m = adze.compile("entry fn f[n: nat](x: [n]i64, k: i64) -> [n]i64 { map(|v| v * k, x) }", target="c")
    x = np.arange(1000)

    def work(i):
        return all((m.f(x, k) == x * k).all() for k in range(i, i + 200))

    assert in_threads(8, work) == [True] * 8  # the first calls compile the entry


def test_threads_fail_by_themselves(m):
    def work(i):
        for k in range(50):
            try:
                m.pick(np.zeros(i + 1, "i4"), k)
                if k > i:
                    return "no error"
            except adze.RunError as e:
                if k <= i or f"n = {i + 1}" not in str(e):
                    return str(e)
        return None

    assert in_threads(8, work) == [None] * 8


def test_other_threads_run_during_a_call(m):
    m.work(1)
    done = threading.Event()
    thread = threading.Thread(target=lambda: (m.work(2 * 10**8), done.set()), daemon=True)
    thread.start()
    steps = 0
    while steps < 5 and not done.is_set():
        time.sleep(0.001)
        steps += 1
    assert steps == 5 and not done.is_set()
    thread.join()


def test_parallel_loops():
    m = adze.compile("entry fn f[n: nat](x: [n]f64) -> [n]f64 { map.par(|v| v * 2.0, x) }")
    x = np.arange(10000.0)
    assert all(in_threads(4, lambda i: (m.f(x) == 2 * x).all()))
