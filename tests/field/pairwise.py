"""Matrices of sums against NumPy."""

import numpy as np

from field import Call, rng


def f8(r, *shape):
    return r.integers(-6, 7, shape) / 2


def f4(r, *shape):
    return f8(r, *shape).astype("f4")


def sq(x, y):
    x, y = x.astype("f8"), y.astype("f8")
    return (x * x).sum(1)[:, None] + (y * y).sum(1) - 2 * (x @ y.T)


def distances(r, n, m, d):
    x, y = f4(r, n, d), f4(r, m, d)
    return (n, m, d), (x, y), sq(x, y).astype("f4"), 0


at_positions = lambda r, n, m, d: distances(r, n, m, d)
at_positions.__name__ = "at_positions"


def roots(r, n, m, d):
    x, y = f8(r, n, d), f8(r, m, d)
    return (n, m, d), (x, y), np.sqrt(sq(x, y)), 1e-15


def layer(r, n, m, d):
    x, w, b = f4(r, n, d), f4(r, m, d), f4(r, m)
    return (n, m, d), (x, w, b), np.maximum(x.astype("f8") @ w.T + b, 0).astype("f4"), 0


def gram(r, n, d):
    x = f8(r, n, d)
    return (n, d), (x,), x @ x.T, 0


def own_distances(r, n, d):
    x = f4(r, n, d)
    return (n, d), (x,), sq(x, x).astype("f4"), 0


def cosines(r, n, m, d):
    x, y = f4(r, n, d), f4(r, m, d)
    a, b = x.astype("f8"), y.astype("f8")
    with np.errstate(all="ignore"):
        want = a @ b.T / (np.sqrt((a * a).sum(1))[:, None] * np.sqrt((b * b).sum(1)))
    return (n, m, d), (x, y), want.astype("f4"), 1e-6


cosines_inside = lambda r, n, m, d: cosines(r, n, m, d)
cosines_inside.__name__ = "cosines_inside"


def kernel(r, n, m, d):
    x, y = f4(r, n, d), f4(r, m, d)
    g = np.float32(1 / (8 * d + 1))
    return (n, m, d), (x, y, g), np.exp(-g.astype("f8") * sq(x, y)).astype("f4"), 1e-5


def own_kernel(r, n, d):
    x = f8(r, n, d)
    g = 1 / (8 * d + 1)
    return (n, d), (x, g), np.exp(-g * sq(x, x)), 1e-13


def blocks(r, n, m, d):
    x, y = f4(r, n, d), f4(r, m, d)
    a = abs(x[:, None] - y)
    return (n, m, d), (x, y), (a.astype("f8").sum(2).astype("f4"), a.max(2)), 0


def best(r, n, m, d):
    x, y = f4(r, n, d), f4(r, m, d)
    return (n, m, d), (x, y), (x.astype("f8") @ y.T).max(1).astype("f4"), 0


def product(r, n, m, d):
    a, b = f8(r, n, d), f8(r, d, m)
    return (n, m, d), (a, b), a @ b, 0


def integers(r, n, m, d):
    a, b, w = (r.integers(-(2**31), 2**31, s).astype("i4") for s in ((n, d), (m, d), (d,)))
    with np.errstate(all="ignore"):
        return (n, m, d), (a, b, w), (a * w) @ b.T, 0


def smooth(r, n, m, d):
    x, at, y = f4(r, n, d) / 4, f4(r, m, d) / 4, f4(r, n)
    w = np.exp(-sq(at, x))
    return (n, m, d), (x, at, y), (w @ y.astype("f8") / (w.sum(1) + 1)).astype("f4"), 2e-5, 2e-5


CASES = [(f, 3) for f in (distances, roots, at_positions, layer, cosines, cosines_inside, kernel, blocks, best, product, integers, smooth)]
CASES += [(f, 2) for f in (gram, own_distances, own_kernel)]
blocks.positive, best.positive = 2, 1


def calls():
    r = rng("pairwise")
    for f, rank in CASES:
        for n, m, d in ((0, 1, 2), (16, 17, 3), (49, 64, 16), (30, 40, 257)):
            if rank == 2:
                m = d
            _, args, want, *tol = f(r, *(n, m, d)[:rank])
            yield Call(f.__name__, args, want, *tol, slow=n * m * d > 20000)
        if not hasattr(f, "positive"):
            _, args, want, *tol = f(r, *(20, 3, 0)[-rank:] if rank == 3 else (20, 0))
            yield Call(f.__name__, args, want, *tol)
