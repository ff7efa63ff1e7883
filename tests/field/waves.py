"""Grids against NumPy."""

import numpy as np

from field import Call, rng


def membrane(steps, c, start):
    before = now = start
    for _ in range(steps):
        new = now.copy()
        m = now[1:-1, 1:-1]
        around = now[:-2, 1:-1] + now[2:, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:]
        new[1:-1, 1:-1] = 2 * m - before[1:-1, 1:-1] + c * c * (around - 4 * m)
        before, now = now, new
    return now


def bar(steps, r, u):
    n = len(u)
    inside = np.diag([0.0] + [1.0] * (n - 2) + [0.0])
    second = inside @ (np.eye(n, k=1) - 2 * np.eye(n) + np.eye(n, k=-1))
    for _ in range(steps):
        u = np.linalg.solve(np.eye(n) - r / 2 * second, u + r / 2 * second @ u)
    return u


def life(generations, a):
    for _ in range(generations):
        n = sum(np.roll(a, (y, x), axis=(0, 1)) for y in (-1, 0, 1) for x in (-1, 0, 1)) - a
        a = ((n == 3) | (n == 2) & (a == 1)).astype("u1")
    return a


def calls():
    r = rng("waves")
    for h, w, steps in ((1, 1, 2), (2, 5, 1), (3, 3, 4), (17, 23, 0), (17, 23, 9)):
        start = r.random((h, w), dtype="f4")
        yield Call("membrane", (steps, np.float32(0.5), start), membrane(steps, np.float32(0.5), start), rtol=1e-4, atol=1e-5)
        cells = r.integers(0, 2, (h, w), dtype="u1")
        yield Call("life", (steps, cells), life(steps, cells))
    for n, steps in ((2, 3), (3, 1), (8, 5), (50, 4)):
        u = r.normal(size=n)
        yield Call("bar", (steps, 0.7, u), bar(steps, 0.7, u), rtol=1e-9, atol=1e-11)
    yield Call("bar", (1, 0.7, np.ones(1)), np.ones(1), fails="E0404")
