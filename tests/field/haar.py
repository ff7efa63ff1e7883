"""Haar transforms of n * 2^k numbers, which are exact for small integers, against NumPy."""

import numpy as np

from field import Call, rng


def forward(xs, k):
    for i in range(k):
        low, high = (xs[0::2] + xs[1::2]) / 2, (xs[0::2] - xs[1::2]) / 2
        return np.concatenate([forward(low, k - 1), high])
    return xs


def calls():
    r = rng("haar")
    for n, k in ((1, 0), (3, 0), (1, 3), (5, 2), (0, 4), (3, 7)):
        xs = r.integers(-1000, 1000, size=n * 2**k).astype("f8")
        ys = forward(xs, k)
        yield Call("haar", (k, xs), ys, sizes={"n": n})
        yield Call("unhaar", (k, ys), xs, sizes={"n": n})
        yield Call("coarse", (k, xs), ys[:n].copy(), sizes={"n": n})
        if n == 1:
            yield Call("pairwise", (k, xs), float(xs.sum()))
        if len(xs) == 8:
            yield Call("haar8", (xs,), ys)
            yield Call("unhaar8", (ys,), xs)
