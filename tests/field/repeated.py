"""Valid convolutions and differences, repeated, against NumPy; integers wrap."""

import math

import numpy as np

from field import Call, rng


def eroded(a):
    parts = (a[1:-1, 1:-1], a[:-2, 1:-1], a[2:, 1:-1], a[1:-1, :-2], a[1:-1, 2:])
    return np.minimum.reduce(parts)


def calls():
    r = rng("repeated")
    for n, k in ((1, 0), (0, 3), (4, 1), (7, 5), (100, 12)):
        xs = r.integers(-(2**63), 2**63 - 1, size=n + 2 * k)
        smooth = xs
        for _ in range(k):
            smooth = smooth[:-2] + 2 * smooth[1:-1] + smooth[2:]
        yield Call("smooth", (k, xs), smooth, sizes={"n": n})
        yield Call("differences", (k, xs[: n + k]), np.diff(xs[: n + k], k), sizes={"n": n})
        yield Call("pascal", (k,), np.array([math.comb(k, i) for i in range(k + 1)]))
        a = r.integers(0, 256, size=(n + 2 * k, 3 + 2 * k)).astype("u1")
        less = a
        for _ in range(k):
            less = eroded(less)
        yield Call("eroded_k", (k, a), np.ascontiguousarray(less), sizes={"n": n, "m": 3})
    xs = r.integers(-9, 9, size=20)
    yield Call("smooth4", (xs,), np.convolve(xs, np.array([math.comb(8, i) for i in range(9)]), "valid"))
