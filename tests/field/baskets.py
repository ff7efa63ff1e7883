"""Rows of different lengths against loops over them."""

import numpy as np

from field import Call, Rows, UpTo, rng


def rows(counts, values):
    return np.split(values, np.cumsum(counts)[:-1]) if len(counts) else []


def calls():
    r = rng("baskets")
    for n, most in ((0, 1), (1, 1), (17, 7), (40, 1500), (20011, 3)):
        counts = r.integers(0, most, n) * (r.random(n) < 0.8)
        m = int(counts.sum())
        slow = m > 100 or n > 100
        prices = r.integers(1, 1000, m) / 4
        sums = np.array([p.sum() for p in rows(counts, prices)], float)
        tops = np.array([p.max(initial=0) for p in rows(counts, prices)], float)
        yield Call("sums", (counts, prices), (sums, tops, int((counts == 0).sum())), slow=slow)
        pieces = r.integers(-(2**31), 2**31, m, dtype="i4")
        want = [p.cumsum(dtype="i4") for p in rows(counts, pieces)]
        yield Call("running", (counts, pieces), np.concatenate((np.zeros(0, "i4"), *want)), slow=slow)
        yield Call("shares", (counts, prices), prices / np.repeat(sums, counts), slow=slow)
        k = max(1, n // 2)
        columns, factors, x = (r.integers(low, high, size).astype(t) for low, high, size, t in ((0, k, m, "i4"), (-9, 9, m, "f4"), (-9, 9, k, "f4")))
        want = np.array([p.sum() for p in rows(counts, factors * x[columns])], "f4")
        yield Call("sparse", (counts, columns, factors, x), want, slow=slow)
        keys, values = r.integers(0, 2 + m // 9, m).astype("u2"), r.integers(-(2**62), 2**62, m)
        found = np.unique(keys)
        totals = np.array([values[keys == k].sum() for k in found], "i8")
        yield Call("by_key", (keys, values), UpTo(Rows((found, totals)), m), slow=slow)
        bits = (r.random(m) < 0.7).astype("u1")
        edges = np.flatnonzero(np.diff(bits)) + 1
        lengths = np.diff(np.concatenate(([0], edges, [m]))) if m else np.zeros(0, "i8")
        yield Call("runs", (bits,), (len(lengths), int(lengths.max(initial=0))), slow=slow)
        small = r.integers(-128, 128, m, dtype="i1")
        found, times = np.unique(small[small > -100], return_counts=True)
        yield Call("frequent", (np.int8(-100), small), UpTo(Rows((found, times)), m), slow=slow)
    yield Call("sums", (np.array([2, 3]), np.zeros(2)), (np.zeros(2), np.zeros(2), 0), fails="E0601")
    two, one = np.ones(2, "i8"), np.ones(1, "f4")
    yield Call("sparse", (two, np.array([0, 1], "i4"), np.ones(2, "f4"), one), np.ones(2, "f4"), fails="E0601")
