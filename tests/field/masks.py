"""Masks of pictures against NumPy."""

import numpy as np

from field import Call, rng


def around(m, outside):
    p = np.pad(m, 1, constant_values=outside)
    return p[:-2, 1:-1], p[2:, 1:-1], p[1:-1, :-2], p[1:-1, 2:]


def peaks(a):
    want = np.zeros(a.shape, bool)
    if min(a.shape) > 2:
        c = a[1:-1, 1:-1]
        want[1:-1, 1:-1] = (c > a[:-2, 1:-1]) & (c > a[2:, 1:-1]) & (c > a[1:-1, :-2]) & (c > a[1:-1, 2:])
    return want


def outline(m):
    return m & ~np.logical_and.reduce(around(m, False))


def dilated(m):
    on = (m != 0) | np.logical_or.reduce([x != 0 for x in around(m, 0)])
    return np.where(on, 255, 0).astype("u1")


def eroded(m):
    p, (h, w) = np.pad(m, 1, constant_values=True), m.shape
    return np.logical_and.reduce([p[i : i + h, j : j + w] for i in range(3) for j in range(3)])


def skin(p):
    r, g, b = (p[..., k].astype(int) for k in range(3))
    return np.int64(((r > 95) & (g > 40) & (b > 20) & (r > g) & (r > b) & (r - g > 15)).sum())


def bright_frame(a, r, limit):
    h, w = a.shape
    y, x = np.arange(h)[:, None], np.arange(w)
    return np.bool_((((y < r) | (x < r) | (y >= h - r) | (x >= w - r)) & (a > limit)).any())


def box(m):
    ends = []
    for axis, size in ((1, m.shape[0]), (0, m.shape[1])):
        at = np.flatnonzero(m.any(axis=axis))
        ends += [at[0], at[-1]] if at.size else [size, -1]
    return tuple(np.int64(e) for e in ends)


def overlap(a, b):
    either = (a | b).sum()
    return np.float64((a & b).sum() / either if either else 1)


def calls():
    r = rng("masks")
    for h, w in ((0, 3), (3, 0), (1, 1), (2, 5), (3, 3), (17, 31), (200, 331)):
        a = (r.integers(0, 40, (h, w)) / 4).astype("f4")
        m, n = r.random((h, w)) < 0.7, r.random((h, w)) < 0.2
        p = r.integers(0, 256, (h, w, 3)).astype("u1")
        for f in (peaks,):
            yield Call(f.__name__, (a,), f(a))
        for f in (outline, eroded, box):
            yield Call(f.__name__, (m,), f(m))
        yield Call("dilated", (n.astype("u1") * 9,), dilated(n))
        yield Call("skin", (p,), skin(p))
        yield Call("bright_frame", (a, 2, np.float32(9.5)), bright_frame(a, 2, np.float32(9.5)))
        yield Call("overlap", (m, n), overlap(m, n))
        if m.any():
            yield Call("masked_mean", (a, m), np.float64(a[m].astype("f8").mean()), rtol=1e-12)
