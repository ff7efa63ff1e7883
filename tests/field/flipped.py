"""Matrices turned around, against NumPy."""

import numpy as np

from field import Call, rng


def calls():
    r = rng("flipped")
    for n, m in ((0, 0), (0, 3), (5, 0), (1, 1), (1, 33), (16, 16), (17, 15), (31, 47)):
        small = n * m < 300
        xs = r.integers(0, 256, (n, m), np.uint8)
        yield Call("of_bytes", [xs], xs.T.copy(), slow=not small)
        a = r.normal(size=(n, m))
        a[::3, ::2] = np.nan
        b = r.choice(np.array([-(2**63), 2**63 - 1, 0, 1]), (n, m))
        yield Call("of_pairs", [a, b], (a.T.copy(), b.T.copy()), slow=not small)
        depth = r.normal(size=(n, m)).astype("f4")
        yield Call("of_dots", [depth, xs], (depth.T.copy(), xs.T.copy(), 255 - xs.T), slow=not small)
        q = r.integers(-(2**15), 2**15, (n, m)).astype("i2")
        yield Call("quarter", [q], np.rot90(q, -1).copy(), slow=not small)
    for k, n in ((0, 4), (1, 0), (1, 1), (3, 7), (2, 8), (5, 19)):
        xs = r.integers(-(2**31), 2**31, (k, n, n)).astype("i4")
        yield Call("stacked", [xs], xs.transpose(0, 2, 1).copy(), slow=n > 8)
