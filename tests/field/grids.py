"""Steps on grids against NumPy."""

import numpy as np

from field import Call, rng

BINOMIAL = np.array([[1.0, 2, 1], [2, 4, 2], [1, 2, 1]])
CROSS = np.array([[0.0, 1, 0], [1, -4, 1], [0, 1, 0]])


def convolve(weights, a, mode, **how):
    r, s = weights.shape[0] // 2, weights.shape[1] // 2
    padded = np.pad(a.astype(np.float64), ((r, r), (s, s)), mode, **how)
    n, m = a.shape
    return sum(w * padded[i : i + n, j : j + m] for (i, j), w in np.ndenumerate(weights))


def sharpen(a):
    b = convolve(BINOMIAL, a, "edge")
    return a - b / 16 + convolve(BINOMIAL, b, "edge") / 256


def heat(steps, k, a):
    for _ in range(steps):
        a = a + k * convolve(CROSS, a, "edge")
    return a


def waves(steps, u, v):
    for _ in range(steps):
        v = v + 0.1 * convolve(CROSS, u, "constant")
        u = u + v
    return u, v


def driven(sources, u):
    for f in sources:
        u = u + 0.1 * (np.roll(u, 1) - 2 * u + np.roll(u, -1)) + f
    return u


def life(steps, a):
    for _ in range(steps):
        s = sum(np.roll(a, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1))
        a = ((s == 3) | ((s == 4) & (a == 1))).astype(np.uint8)
    return a


def calls():
    r = rng("grids")
    near = {"rtol": 1e-4, "atol": 1e-4}
    single = np.float32
    for n, m in ((1, 1), (1, 7), (2, 3), (5, 2), (16, 17), (67, 130)):
        a, b = (r.normal(size=(n, m)).astype(single) for _ in range(2))
        down, across = (r.normal(size=5).astype(single) for _ in range(2))
        yield Call("sharpen", (a,), sharpen(a).astype(single), **near)
        rows = convolve(across[None].astype(np.float64), a, "symmetric")
        yield Call("filter", (down, across, a), convolve(down[:, None].astype(np.float64), rows, "symmetric").astype(single), **near)
        yield Call("columns", (a,), convolve(CROSS, a, "edge").T.astype(single), **near)
        sources = r.normal(size=n).astype(single)
        yield Call("driven", (sources, a[0]), driven(sources.astype(np.float64), a[0].astype(np.float64)).astype(single), **near)
        for steps in (0, 1, 4):
            yield Call("heat", (steps, single(0.125), a), heat(steps, 0.125, a.astype(np.float64)).astype(single), **near)
            yield Call("waves", (steps, a, b), tuple(x.astype(single) for x in waves(steps, a.astype(np.float64), b.astype(np.float64))), **near)
            cells = (r.random((n, m)) < 0.4).astype(np.uint8)
            yield Call("life", (steps, cells), life(steps, cells))
