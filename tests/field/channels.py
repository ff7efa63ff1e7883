"""Axes of pictures moved, added and reversed, against NumPy."""

import numpy as np

from field import Call, rng


def calls():
    r = rng("channels")
    for n, h, w, c in ((1, 1, 1, 1), (2, 3, 5, 4), (1, 17, 7, 3), (3, 0, 2, 2)):
        a = r.integers(0, 256, size=(n, h, w, c)).astype("u1")
        nchw = np.ascontiguousarray(np.transpose(a, (0, 3, 1, 2)))
        yield Call("to_nchw", (a,), nchw)
        yield Call("to_nhwc", (nchw,), a)
        yield Call("to_nchw_moved", (a,), np.ascontiguousarray(np.moveaxis(a, 3, 1)))
        yield Call("round_trip", (a,), a)
    for n, m, k in ((1, 1, 1), (3, 2, 4), (5, 7, 0)):
        a = r.integers(-9, 9, size=(n, m))
        yield Call("expanded", (k, a), tuple(np.repeat(np.expand_dims(a, axis), k, axis) for axis in range(3)))
        b = r.integers(-(2**63), 2**63 - 1, size=(n, m, 3))
        yield Call("flipped", (b,), np.ascontiguousarray(b[::-1, ::-1, ::-1]))
        yield Call("column_at", (m - 1, b), np.ascontiguousarray(b[:, m - 1]))
        yield Call("column_at", (m, b), np.zeros((n, 3), "i8"), fails="E0601")
