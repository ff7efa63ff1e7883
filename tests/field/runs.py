"""Runs against itertools, order and ranks against NumPy."""

from itertools import groupby

import numpy as np

from field import Call, Rows, rng

EXTREMES = np.array([-(2**31), 2**31 - 1, 0, -1, 5], dtype=np.int32)


def encode(xs):
    """Values and lengths of the runs, both filled up with zeros, and their number."""
    runs = [(value, len(list(run))) for value, run in groupby(xs.tolist())]
    rest = [(0, 0)] * (len(xs) - len(runs))
    values, lengths = np.array([*runs, *rest], dtype=np.int64).reshape(-1, 2).T
    return values.astype(np.int32), lengths.copy(), len(runs)


def calls():
    r = rng("runs")
    for n in (0, 1, 7, 256):
        xs = r.choice(EXTREMES, size=n)
        runs = encode(xs)
        yield Call("encode", (xs,), runs)
        yield Call("decode", (n, *runs), xs)
        yield Call("unique", (xs,), encode(np.sort(xs)))
        floats = r.normal(size=n)
        floats[::5], floats[::7], floats[::11] = np.nan, np.inf, -0.0
        yield Call("order", (floats,), (np.sort(floats), np.argsort(floats, kind="stable")))
        queries = np.array([*EXTREMES, 4], dtype=np.int32)
        below, above = (xs < queries[:, None]).sum(axis=1), (xs > queries[:, None]).sum(axis=1)
        yield Call("ranks", (xs, queries), Rows((below, n - below - above, above)))
        seconds = r.integers(0, 3, n).astype(np.float32)
        order = np.lexsort((xs, seconds))
        yield Call("by_second", (Rows((xs, seconds)),), Rows((xs[order], seconds[order])))
    one = np.array([1], dtype=np.int32)
    yield Call("decode", (5, one, np.array([4]), 1), np.zeros(5, dtype=np.int32), fails="E0614")
    yield Call("decode", (5, one, np.array([6]), 1), np.zeros(5, dtype=np.int32), fails="E0601")
    yield Call("decode", (5, one, np.array([5]), 2), np.zeros(5, dtype=np.int32), fails="E0601")
