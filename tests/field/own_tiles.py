"""Rows, differences and cubes in NumPy."""

import numpy as np

from field import Call, rng



def calls():
    r = rng("own_tiles")
    for n in (0, 1, 9, 10, 11, 127, 128, 129, 257, 2053):
        slow = n > 300
        xs = r.integers(-9, 10, size=n + 2).astype("f4")
        yield Call("edges", (xs,), xs[:-2] - 2 * xs[1:-1] + xs[2:], sizes={"n": n}, slow=slow)
        wide = r.integers(-(2**63), 2**63, size=n, dtype="i8")
        yield Call("cubes", (wide,), wide * wide * wide, slow=slow)
    for n in (0, 1, 5):
        rows = r.integers(-(2**63), 2**63, size=(n, 128), dtype="i8")
        yield Call("sorted_rows", (rows,), np.sort(rows, axis=1), slow=n > 1)
    for h, w in ((0, 3), (2, 1), (3, 63), (2, 65), (3, 257)):
        a = r.normal(size=(h, w)).astype("f4")
        e = np.exp(a.astype(float) - a.max(axis=1, keepdims=True))
        yield Call("softmax", (a,), (e / e.sum(axis=1, keepdims=True)).astype("f4"), rtol=1e-4, slow=h * w > 400)
