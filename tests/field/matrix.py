"""Sparse matrices against dense ones of NumPy."""

import numpy as np

from field import Call, Rows, rng


def calls():
    r = rng("matrix")
    for n, c, most in ((0, 3, 0), (31, 7, 5), (4099, 61, 9)):
        slow = n > 1000
        lengths = r.integers(0, min(c, most), n, endpoint=True)
        at = np.append(0, np.cumsum(lengths))
        m, rows = int(at[-1]), np.repeat(np.arange(n), lengths)
        columns = np.array([j for k in lengths for j in r.permutation(c)[:k]], dtype="i8")
        a, x = r.normal(size=m), r.normal(size=c)
        a[rows % 5 == 2] = 0.0
        dense = np.zeros((n, c))
        dense[rows, columns] = a
        yield Call("checked", (at, columns, a, x), dense @ x, rtol=1e-12, atol=1e-12, slow=slow)
        sums = np.abs(dense).sum(axis=1)[rows]
        yield Call("normalised", (at, a), a / np.where(sums > 0, sums, 1.0), rtol=1e-12, slow=slow)
        yield Call("rows", (at, a), rows, slow=slow)
        starts = np.append(0, np.cumsum(np.bincount(columns, minlength=c)))
        yield Call("turned", (c, columns), (starts, np.argsort(columns, kind="stable")), slow=slow)
        whole = r.integers(-(2**40), 2**40, m)
        parts = np.split(whole, at[1:-1]) if n else []
        largest = np.array([max(part, default=1 - 2**63) for part in parts], dtype="i8")
        sums = np.array([part.sum() for part in parts], dtype="i8")
        running = np.concatenate([whole[:0], *[np.cumsum(part) for part in parts]])
        yield Call("extremes", (at, whole), (largest, running), slow=slow)
        yield Call("pairs", (at, Rows((whole, a))), Rows((sums, dense.sum(axis=1))), rtol=1e-12, atol=1e-12, slow=slow)
    one = np.array([1.0])
    yield Call("checked", (np.array([0, 1]), np.array([1]), one, one), one, fails="E0601")
    yield Call("checked", (np.array([0, 1]), np.array([-1]), one, one), one, fails="E0601")
    yield Call("rows", (np.array([0, 2]), one), np.array([0]), fails="E0601")
