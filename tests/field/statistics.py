"""Moments, covariances and histograms against NumPy."""

import numpy as np

from field import Call, rng


def calls():
    r = rng("statistics")
    for n in (1, 2, 3, 10, 101, 1000):
        x = np.exp(r.normal(size=n))
        m = x.mean()
        with np.errstate(all="ignore"):
            v, s, k = (((x - m) ** p).mean() for p in (2, 3, 4))
            yield Call("summary", (x,), (m, v, s / v**1.5, k / v**2 - 3), rtol=1e-9, atol=1e-12)
        means = np.array([x[: i + 1].mean() for i in range(n)])
        variances = np.array([x[: i + 1].var() for i in range(n)])
        yield Call("running", (x,), (means, variances), rtol=1e-9, atol=1e-12)
        counts = np.histogram(x, 8, (0.25, 2.25))[0]
        yield Call("histogram", (np.append(x, [2.25, np.nan, -np.inf]), 8, 0.25, 2.25), counts + np.eye(8, dtype="i8")[7])
    for n, m in ((2, 1), (5, 3), (50, 7)):
        table = r.normal(size=(n, m))
        yield Call("covariance", (table,), np.cov(table, rowvar=False).reshape(m, m), rtol=1e-9, atol=1e-12)
    yield Call("summary", (np.zeros(0),), (0.0,) * 4, fails="E0404")
    yield Call("running", (np.zeros(0),), (np.zeros(0), np.zeros(0)))
