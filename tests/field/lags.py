"""Sums over positions against NumPy. All numbers are small integers, so that sums are exact in any order."""

import numpy as np

from field import Call, rng


def calls():
    r = rng("lags")
    for n in (0, 1, 2, 15, 16, 17, 33, 64, 255, 1000):
        x = r.integers(-9, 10, n + 1)
        yield Call("variation", (x.astype(np.float32),), np.float32(np.abs(np.diff(x)).sum()))
        yield Call("drift", (x.astype(np.int32),), np.int32(np.diff(x).sum()))
        long, w = r.integers(-9, 10, 2 * n + 1), r.integers(-9, 10, n)
        pairs = long[0 : 2 * n : 2] + long[1 : 2 * n : 2]
        yield Call("decimated", (long.astype(np.float32), w.astype(np.float32)), np.float32((w * pairs).sum()))
    for n in (1, 2, 16, 100):
        x = r.integers(-9, 10, n + 2)
        second = x[:-2] - 2 * x[1:-1] + x[2:]
        yield Call("bends", (x.astype(np.float64),), (float(second.max()), float(second.min())))
    for h, w in ((0, 0), (1, 1), (2, 5), (17, 16), (5, 67)):
        a = r.integers(-9, 10, (h + 1, w + 1))
        dx, dy = a[:-1, 1:] - a[:-1, :-1], a[1:, :-1] - a[:-1, :-1]
        yield Call("roughness", (a.astype(np.float32),), np.float32((dx * dx + dy * dy).sum()))
