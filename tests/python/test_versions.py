"""Versions of entries for small sizes of inner axes: when they are compiled, and that calls use them."""

from concurrent.futures import ThreadPoolExecutor

import adze
import numpy as np
import pytest

TEXT = """
entry fn sums[n, m: nat](a: [n][m]i32, k: i32) -> [n]i32 { map(|row| k * reduce(+, 0, row), a) }
entry fn least[n, m: nat](a: [n][m]i32) -> [n]i32 where m >= 2 { map(|row| min(row[0], row[1]), a) }
"""


@pytest.fixture
def compiled(monkeypatch):
    """The sizes that entries are compiled for, one after the other."""
    found, compile = [], adze.Module._compile
    monkeypatch.setattr(adze.Module, "_compile", lambda m, e, fixed: (found.append(fixed), compile(m, e, fixed))[1])
    return found


def make(**options):
    return adze.compile(TEXT, target="c", cflags="-O0", **options)


def check(m, *shape):
    a = np.arange(shape[0] * shape[1], dtype="i4").reshape(shape)
    out = np.empty(shape[0], "i4")
    for result in m.sums(a, 3), m.sums(k=3, a=a, out=out), m.sums(a.tolist(), 3) if a.size else out:
        np.testing.assert_array_equal(result, 3 * a.sum(axis=1))


def test_many_shapes(compiled):
    m = make()
    for n in range(200):
        check(m, n % 7, n)
    assert compiled == [{}, {"m": 1}, {"m": 2}]


def test_general_sizes_come_later(compiled):
    m = make()
    for shape in [(9, 3), (2, 3), (5, 4), (5, 5), (5, 2), (6, 3), (0, 0), (1, 100), (3, 4)]:
        check(m, *shape)
    assert compiled == [{"m": 3}, {}, {"m": 4}]  # lists are not looked at: the general version


def test_errors_of_versions(compiled):
    m = make()
    assert m.least(np.ones((2, 3), "i4")).tolist() == [1, 1]
    with pytest.raises(adze.SizeConditionError, match="n = 5, m = 1"):
        m.least(np.ones((5, 1), "i4"))
    with pytest.raises(adze.ShapeError, match="m is 4 by m=4, but 3 in axis 1"):
        m.sums(np.ones((5, 3), "i4"), 1, m=4)
    with pytest.raises(adze.DtypeError):
        m.sums(np.ones((5, 3)), 1)


def test_without_versions(compiled):
    m = make(specialise=False)
    for shape in [(9, 3), (2, 4)]:
        check(m, *shape)
    assert compiled == [{}]
    fixed = make().sums.fix(m=3)
    check_one = fixed(np.ones((4, 3), "i4"), 2)
    assert check_one.tolist() == [6] * 4 and compiled[1:] == [{"m": 3}]


def test_calls_do_not_wait_for_compilations():
    m = make()
    m.sums(np.ones((5, 5), "i4"), 1)
    with m._lock, ThreadPoolExecutor(1) as pool:  # as if another thread compiled
        for a in np.ones((5, 5), "i4"), [[1] * 5] * 5:
            assert pool.submit(m.sums, a, 2).result(timeout=10).tolist() == [10] * 5
