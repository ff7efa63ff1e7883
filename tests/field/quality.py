"""Batches against NumPy. All numbers are small integers, so that sums are exact."""

import numpy as np

from field import Call, Rows, rng


def inspect(a, plan):
    rows = a[plan]
    with np.errstate(invalid="ignore"):
        return float(rows.sum()), float(rows.max(initial=-1e300)), float(rows.var(axis=1).sum())


def calls():
    r = rng("quality")
    for n, m, k in ((0, 3, 0), (1, 1, 1), (2, 3, 5), (7, 17, 0), (16, 33, 20), (5, 64, 7), (3, 257, 65), (65, 5, 16)):
        a = r.integers(-20, 21, (n, m))
        plan = r.integers(0, n, k) if k else np.zeros(0, np.int64)
        yield Call("inspect", (a.astype(np.float64), plan), inspect(a.astype(np.float64), plan), rtol=1e-12)
        ranges = a.max(axis=1) - a.min(axis=1)
        at = int(np.argmax(ranges)) if n else -1
        yield Call("widest", (a.astype(np.float32),), (at, np.float32(ranges[at] if n else -1)))
        # The means are integers, so that distances from them are exact.
        a[:, -1] -= a.sum(axis=1) % m
        away = np.abs(a - a.sum(axis=1, keepdims=True) // m)
        yield Call("outliers", (a.astype(np.float64),), Rows((np.argmax(away, axis=1), np.argmin(away, axis=1))))
    for n in (0, 1, 2, 17, 64, 1000):
        x = r.integers(-9, 10, n)
        sums = np.cumsum(x - 1) + 4
        want = (sums.astype(np.float32), np.float32(sums.max(initial=4)), np.float32(sums.min(initial=4)))
        yield Call("cusum", (x.astype(np.float32), np.float32(1), np.float32(4)), want)
        yield Call("moments", (x.astype(np.float64),), np.array([(x**k).sum() for k in (1, 2, 3, 4)], dtype=np.float64))
    a = np.array([[1, np.inf, 2], [1, 2, 3], [-np.inf, 0, 1], [0, np.nan, 1]])
    for plan in ([0], [2, 1], [0, 2]):
        yield Call("inspect", (a, np.array(plan)), inspect(a, plan), rtol=1e-12)
    yield Call("widest", (a[:3].astype(np.float32),), (0, np.float32(np.inf)))
    yield Call("outliers", (a[[1, 3]],), Rows((np.array([0, 0]), np.array([1, 0]))))
    for plan in ([0, 1, 4], [-1], [2**62]):
        yield Call("inspect", (a, np.array(plan)), (0.0, 0.0, 0.0), fails="E0601")
    yield Call("inspect", (np.zeros((2, 0)), np.array([0])), (0.0, 0.0, 0.0), fails="E0404")
