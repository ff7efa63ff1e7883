"""Numbers of rows against NumPy. Elements are halves, so that sums are exact in any order."""

import numpy as np

from field import Call, rng


def halves(r, dtype, *shape):
    return (r.integers(-12, 13, shape) / 2).astype(dtype)


def exact(r, b, n, m):
    """Each entry with arguments and its result."""
    a, x, y = halves(r, "f4", n, m), halves(r, "f4", m), halves(r, "f4", n)
    d, e, f = a.astype("f8"), x.astype("f8"), y.astype("f8")
    yield "product", (a, x), a @ x
    yield "gemv", (1.5, d, e, -0.5, f), 1.5 * (d @ e) - 0.5 * f
    yield "positions", (a, x), 2 * (a @ x)
    if m > 0:
        yield "means", (a,), (d.sum(axis=1) / m).astype("f4"), 1e-7
    yield "norms", (d,), np.sqrt((d * d).sum(axis=1))
    yield "distances", (a, x), np.sqrt(((a - x) ** 2).sum(axis=1, dtype="f8")).astype("f4")
    wide = halves(r, "f8", n, m + 1)
    yield "roughness", (wide, f), f * np.abs(np.diff(wide)).sum(axis=1)
    parts, v = halves(r, "f4", b, n + 2, m), halves(r, "f4", b, m)
    yield "batches", (parts, v), np.einsum("bnm,bm->bn", parts[:, 1:-1], v)
    yield "tops", (a,), a.max(axis=1, initial=0)
    yield "ratio", (d,), (d * d).sum(axis=1) / (1 + np.abs(d.sum(axis=1)))
    p, q = r.integers(-(2**31), 2**31, (n, m)).astype("i4"), r.integers(-(2**31), 2**31, m).astype("i4")
    yield "whole", (p, q), (p.astype("i8") * q).sum(axis=1).astype("i4")
    yield "energy", (d, e), np.float64(((d @ e) ** 2).sum())
    keep = r.integers(0, 2, n).astype(bool)
    yield "masked", (d, keep, e), np.where(keep, d @ e, -1.0)


def calls():
    r = rng("rows")
    for b, n, m in ((0, 0, 0), (1, 1, 1), (2, 3, 7), (1, 4, 0), (3, 5, 8), (2, 7, 33), (1, 8, 16), (2, 11, 100), (1, 301, 67)):
        for name, args, want, *tol in exact(r, b, n, m):
            yield Call(name, args, want, *tol, slow=n * m > 10000)
    a = np.ones((6, 19), "f4")
    a[1, 3], a[2, 18], a[4, 0], a[5, 5], a[5, 6] = np.nan, np.inf, -np.inf, np.inf, -np.inf
    with np.errstate(invalid="ignore"):
        yield Call("product", (a, np.ones(19, "f4")), a.sum(axis=1))
