"""Mistakes: which exception, and what it says."""

import pickle
import re
import subprocess
import sys

import adze
import numpy as np
import pytest


def test_shapes(m):
    with pytest.raises(adze.ShapeError) as e:
        m.product(np.ones((2, 3)), np.ones((4, 2)))
    text = "product: size m is 3 in axis 1 of argument `a`, but 4 in axis 0 of argument `b`"
    assert str(e.value) == text
    assert (e.value.argument, e.value.size, e.value.expected, e.value.found) == ("b", "m", 3, 4)
    assert isinstance(e.value, ValueError)
    with pytest.raises(adze.ShapeError, match="`x` of same_f32 has 2 dimensions, but .n.f32 has 1"):
        m.same_f32(np.ones((2, 2), "f4"))
    with pytest.raises(adze.ShapeError, match=r"n \+ 2 cannot be 1, as it is in axis 0 of .*`xs`"):
        m.smooth(np.ones(1, "f4"))
    with pytest.raises(adze.ShapeError, match=r"m\*n cannot be 7"):
        m.columns(np.ones(7), np.ones(2))
    with pytest.raises(adze.ShapeError, match=r"determines the size n; give it by name: n="):
        m.filled(1.0)
    with pytest.raises(adze.ShapeError, match="n is 3 by n=3, but 2 in axis 0"):
        m.sums(np.ones((2, 2), "f4"), n=3)


@pytest.mark.parametrize(
    "value, says",
    [
        (np.ones(2), r"`x` of same_f32 has elements of type float64, but float32 .*astype.*convert=True"),
        (np.ones(2, ">f4"), "other byte order"),
        (np.ones(2, "c16"), "complex128"),
        (["a"], "list without numbers"),
        ("a", r"str without numbers; text is bytes here: x.encode\(\)"),
        (None, "NoneType without numbers"),
        (np.ma.masked_array([1.0], [True]), "masked"),
    ],
)
def test_element_types(m, value, says):
    with pytest.raises(adze.DtypeError, match=says) as e:
        m.same_f32(value)
    assert e.value.argument == "x" and isinstance(e.value, TypeError)


def test_no_narrowing(m):
    for value in [np.ones(2), np.array([1 + 2j]), np.array([2**40])]:
        with pytest.raises(adze.DtypeError):
            m.same_i32(value.astype(value.dtype), convert=value.dtype != "i8")
    for value in [[1.5], [2**31], [2**70]]:
        with pytest.raises(adze.DtypeError, match="no int32|without numbers"):
            m.same_i32(value)


def test_floats_that_are_too_large(m):
    inf = float("inf")
    assert m.ranks(inf, 1.0, 1.0) == m.ranks([inf], [1.0], 1.0)[0] == inf
    for x in 1e300, -1e300, 10**39:
        with pytest.raises(adze.DtypeError, match="`x` of ranks is .*no float32"):
            m.ranks(x, 1.0, 1.0)
        with pytest.raises(adze.DtypeError, match="elements that are no float32"):
            m.same_f32([x])
    with pytest.raises(adze.DtypeError, match="float64, but float32"):
        m.sums([np.ones(2), np.ones(2)])


@pytest.mark.parametrize("value", [2**31, -(2**31) - 1, 1.0, "1", None, [1], 2**100])
def test_scalars(m, value):
    with pytest.raises(adze.Error, match="argument `k`"):
        m.checked(value)


def test_arguments(m):
    x = np.ones(2, "i4")
    for call, says in [
        (lambda: m.pick(x), "`i` is missing"),
        (lambda: m.pick(x, 1, 2), "3 arguments are given, but there are 2"),
        (lambda: m.pick(x, 1, x=x), "`x` is given twice"),
        (lambda: m.pick(x, 1, j=2), "no argument `j`"),
        (lambda: m.iota(-1), "size n is not a number"),
        (lambda: m.iota(1.5), "size n is not a number"),
    ]:
        with pytest.raises(adze.ArgumentError, match=says):
            call()


def test_out(m):
    a = np.ones((2, 3), "f4")
    fixed = np.zeros(2, "f4")
    fixed.flags.writeable = False
    for out, error, says in [
        (np.zeros(3, "f4"), adze.ShapeError, r"shape \(3,\), but the result has \(2,\)"),
        (np.zeros(2), adze.DtypeError, "float64, but the result has float32"),
        (fixed, adze.LayoutError, "read-only"),
        (np.lib.stride_tricks.as_strided(np.zeros(1, "f4"), (2,), (0,)), adze.LayoutError, "share memory"),
        ([0.0, 0.0], adze.LayoutError, "no array that can be written"),
    ]:
        with pytest.raises(error, match=says):
            m.sums(a, out=out)
    with pytest.raises(adze.LayoutError, match="3 results: give a tuple"):
        m.both(a[0], 1, out=np.zeros(3, "f4"))
    y = np.zeros(3, "f4")
    with pytest.raises(adze.LayoutError, match="two results share"):
        m.both(a[0], 1, out=(y, None, y.view("i4")))
    with pytest.raises(adze.LayoutError, match="is a number"):
        m.checked(5, out=y)


def test_failures_of_programs(m):
    with pytest.raises(adze.RunError) as e:
        m.pick(np.zeros(3, "i4"), 3)
    assert (e.value.code, e.value.file) == ("E0601", "test.adz")
    line = str(e.value).splitlines()[1]
    assert line.startswith(f"{e.value.line:5} | entry fn pick") and "x[i]" in line
    assert "in pick with n = 3" in str(e.value)
    with pytest.raises(adze.RunError, match="k is 2"):
        m.checked(2)
    with pytest.raises(adze.SizeConditionError, match="n >= 3") as e:
        m.tail(np.zeros(2, "i4"))
    assert isinstance(e.value, adze.ShapeError) and e.value.code == "E0604"
    assert m.tail(np.zeros(3, "i4")).shape == (0,)


def test_errors_in_programs():
    with pytest.raises(adze.CompileError) as e:
        adze.compile("entry fn f() -> i32 {\n    lenght\n}", name="bad.adz")
    x = e.value
    assert (x.code, x.file, x.line, x.column) == ("E0201", "bad.adz", 2, 5)
    assert "    2 |     lenght" in str(x) and "^^^^^^" in str(x) and "lenght" in x.message
    assert len(x.diagnostics) == 1
    with pytest.raises(adze.CompileError, match="no file nowhere.adz"):
        adze.load("nowhere.adz")


def test_errors_are_copied_between_processes(m):
    x = np.zeros(2, "i4")
    calls = [
        lambda: m.product(np.ones((2, 3)), np.ones((4, 2))),
        lambda: m.same_f32(np.ones(2)),
        lambda: m.pick(x),
        lambda: m.pick(x, 2),
        lambda: m.tail(x),
        lambda: m.sums(np.ones((2, 3), "f4"), out=[0.0, 0.0]),
        lambda: adze.compile("entry fn f() -> i32 { x }"),
    ]
    for call in calls:
        with pytest.raises(adze.Error) as e:
            call()
        copy = pickle.loads(pickle.dumps(e.value))
        assert type(copy) is type(e.value) and str(copy) == str(e.value)
        assert {**vars(copy)} == {**vars(e.value)}


def test_options():
    text = "entry fn f() -> i32 { 1 }"
    with pytest.raises(adze.CompileError, match="no option colour"):
        adze.compile(text, colour="red")
    with pytest.raises(adze.CompileError, match="the option target cannot have the value `moon`"):
        adze.compile(text, target="moon")
    assert adze.compile(text, plain=True, no_asserts=False, cpu=None).f() == 1


def test_no_c_compiler():
    m = adze.compile("entry fn unseen() -> i32 { 4711 }", cc="no-such-compiler")
    with pytest.raises(adze.NoCompilerError, match="no C compiler no-such-compiler") as e:
        m.unseen()
    assert "adze.set_cc" in e.value.hint
    adze.set_cc("no-such-compiler")
    try:
        with pytest.raises(adze.NoCompilerError):
            adze.compile("entry fn unseen() -> i32 { 4712 }").unseen()
    finally:
        adze.set_cc(None)
    assert adze.compile("entry fn unseen() -> i32 { 4712 }").unseen() == 4712


def test_c_compiler_that_fails():
    m = adze.compile("entry fn f() -> i32 { 4713 }", cflags="--no-such-flag")
    with pytest.raises(adze.CompileError, match="E0709"):
        m.f()


def test_nothing_is_printed():
    code = "import adze\ntry: adze.compile('entry fn f() -> i32 { x }')\nexcept adze.CompileError: pass"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")


def test_records_of_other_dtypes(m):
    good = np.dtype([("x", "f4"), ("n", "i2")], align=True)
    one = m.Point(0, 0)
    advice = re.escape("needs np.dtype([('x', 'float32'), ('n', 'int16')], align=True)")
    for fields in [("x", "f8"), ("n", "i2")], [("x", ">f4"), ("n", "i2")], [("n", "i2"), ("x", "f4")]:
        with pytest.raises(adze.DtypeError, match=advice + "; convert it: x.astype") as e:
            m.points(np.zeros(2, fields), one)
        assert m.points(np.zeros(2, fields).astype(good), one)[0].dtype == good
    for fields in [("x", "f4")], [("x", "f4"), ("n", "i2"), ("m", "i2")], "f4":
        with pytest.raises(adze.DtypeError, match=advice + "$"):
            m.points(np.zeros(2, fields), one)
    with pytest.raises(adze.ShapeError):
        m.points(np.zeros((2, 2), good), one)
    with pytest.raises(adze.DtypeError):
        m.points(np.zeros(2, good), one, out=(np.zeros(2, [("x", "f4"), ("n", "i2")]), None))
