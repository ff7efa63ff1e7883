"""Reductions of every length around those at which the compiler does something else, against NumPy in f64."""

import numpy as np

from field import Call, rng

SHORT = (0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 100, 127, 255, 1000, 1025)
LONG = (65535, 65536, 70001, 524287, 524288, 600001)


def logsumexp(xs):
    x = xs.astype(np.float64)
    return np.float32(x.max() + np.log(np.exp(x - x.max()).sum()))


def calls():
    r = rng("reductions")
    for n in SHORT + LONG:
        xs = r.normal(size=n).astype(np.float32)
        wide = xs.astype(np.float64)
        if n:
            yield Call("logsumexp", (xs,), logsumexp(xs), rtol=1e-5, atol=1e-5)
        yield Call("extremes", (xs,), (xs.min(initial=np.float32(1e30)), xs.max(initial=np.float32(-1e30))))
        yield Call("logistic", (xs,), (1 / (1 + np.exp(-wide))).astype(np.float32), rtol=1e-5, atol=1e-6)
        a, b = r.normal(size=n), r.normal(size=n)
        yield Call("cosine", (a, b), float(a @ b / (np.sqrt(a @ a) * np.sqrt(b @ b) + 1e-200)), rtol=1e-9, atol=1e-9)
    for m in SHORT[1:]:
        a = r.normal(size=(5, m)).astype(np.float32)
        wide = a.astype(np.float64)
        yield Call("rows", (a,), (wide.sum(axis=1).astype(np.float32), a.max(axis=1), np.abs(a).max(axis=1)), rtol=1e-4, atol=1e-4)
        xs = r.integers(0, 256, size=m).astype(np.uint8)
        yield Call("bytes", (xs,), np.float32(xs.sum()))
    for n in (0, 1, 7):
        a = r.normal(size=(n, 63)).astype(np.float32)
        yield Call("rows_of_63", (a,), a.astype(np.float64).sum(axis=1).astype(np.float32), rtol=1e-4, atol=1e-4)
