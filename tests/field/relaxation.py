"""Relaxation point by point in Python, and the stencils in space by slices of NumPy."""

import numpy as np

from field import Call, rng


def relax(u, f, h, times):
    v = u.copy()
    n, m = u.shape
    for turn in range(2 * times):
        old = v.copy()
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                if (i + j) % 2 == turn % 2:
                    v[i, j] = (old[i - 1, j] + old[i + 1, j] + old[i, j - 1] + old[i, j + 1] - h * h * f[i, j]) / 4
    return v


def residual(u, f, h):
    around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
    return float(np.abs((around - 4 * u[1:-1, 1:-1]) / h**2 - f[1:-1, 1:-1]).max(initial=0.0))


def heat(u, k):
    inner = u[1:-1, 1:-1, 1:-1]
    sides = u[:-2, 1:-1, 1:-1] + u[2:, 1:-1, 1:-1] + u[1:-1, :-2, 1:-1] + u[1:-1, 2:, 1:-1] + u[1:-1, 1:-1, :-2] + u[1:-1, 1:-1, 2:]
    v = u.copy()
    v[1:-1, 1:-1, 1:-1] = inner + np.float32(k) * (sides - 6 * inner)
    return v


def calls():
    r = rng("relaxation")
    for n, m, times in ((3, 3, 1), (3, 4, 2), (5, 7, 3), (13, 11, 5), (17, 40, 2)):
        u, f = r.normal(size=(2, n, m))
        v = relax(u, f, 0.5, times)
        yield Call("relax", (u, f, 0.5, times), v, rtol=1e-12, atol=1e-12)
        yield Call("residual", (v, f, 0.5), residual(v, f, 0.5), rtol=1e-10, atol=1e-10)
    yield Call("relax", (np.zeros((2, 3)), np.zeros((2, 3)), 0.5, 1), np.zeros((2, 3)), fails="E0404")
    yield Call("residual", (np.ones((2, 2)), np.ones((2, 2)), 0.5), 0.0)
    yield Call("residual", (np.ones((1, 2)), np.ones((1, 2)), 0.5), 0.0)
    for shape in ((2, 2, 2), (3, 3, 3), (3, 5, 7), (11, 2, 3), (13, 17, 11)):
        u = r.normal(size=shape).astype(np.float32)
        yield Call("heat3", (u, np.float32(0.1)), heat(u, 0.1), rtol=1e-5, atol=1e-5)
    for a, b, c in ((0, 0, 0), (1, 1, 1), (2, 3, 5), (1, 0, 4), (7, 3, 9)):
        u = r.normal(size=(2 * a, 2 * b, 2 * c)).astype(np.float32)
        mean = u.reshape(a, 2, b, 2, c, 2).sum(axis=(1, 3, 5)) / np.float32(8)
        yield Call("coarser", (u,), mean, rtol=1e-5, atol=1e-5, sizes={"a": a, "b": b, "c": c})
