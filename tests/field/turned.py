"""Transpositions, and sums of rows and columns, against NumPy."""

import numpy as np

from field import Call, rng


def full(r, kind, *shape):
    i = np.iinfo(kind)
    return r.integers(i.min, i.max, size=shape, endpoint=True, dtype=kind)


def calls():
    r = rng("turned")
    for n, m in ((0, 3), (3, 0), (1, 1), (31, 33), (32, 32), (33, 67), (3, 511), (2, 513), (513, 2)):
        slow = n * m > 300
        grey, colour, wide = full(r, "u1", n, m), full(r, "u1", n, m, 3), full(r, "i8", n, m)
        a = r.integers(-9, 10, size=(n, m)).astype("f4")
        yield Call("turned", (grey,), grey.T.copy(), slow=slow)
        yield Call("right", (colour,), np.rot90(colour, -1).copy(), slow=slow)
        yield Call("left", (a,), np.rot90(a).copy(), slow=slow)
        yield Call("half", (wide,), np.rot90(wide, 2).copy(), slow=slow)
        yield Call("scaled", (grey,), grey.T / 255.0, rtol=1e-12, slow=slow)
        bits = r.random(size=(n, m)) < 0.5
        yield Call("bools", (bits,), ~bits.T, slow=slow)
        yield Call("twice", (a.astype("f8"),), a.astype("f8") * 2 + 1, slow=slow)
        b = r.integers(-9, 10, size=(n, n)).astype("f4")
        yield Call("sum_with", (b,), 0.5 * (b + b.T), slow=slow)
        c = r.normal(size=(n, m, 3)).astype("f4")
        yield Call("planes", (c,), np.moveaxis(c, 2, 0).copy(), slow=slow)
        yield Call("column_sums", (a,), a.sum(axis=0), slow=slow)
        yield Call("row_sums", (wide,), wide.sum(axis=1), slow=slow)
        small = full(r, "i1", n, m)
        yield Call("column_tops", (small,), small.max(axis=0, initial=-128), slow=slow)
        factors = 1 + 0.01 * r.normal(size=(n, m))
        yield Call("row_prods", (factors,), factors.prod(axis=1), rtol=1e-9, slow=slow)
        rare = r.random(size=(n, m)) < 0.01
        yield Call("row_any", (rare,), rare.any(axis=1), slow=slow)
