"""Columns of tables and sums of windows against NumPy."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from field import Call, rng


def calls():
    r = rng("columns")
    for n, m in ((0, 3), (1, 1), (6, 0), (17, 65), (300, 2), (2600, 17)):
        slow = n * m > 10000
        a = r.normal(size=(n + 1, m))
        want = (a - a.mean(axis=0)) / np.sqrt(a.var(axis=0) + 0.001)
        yield Call("standardised", (a,), want, rtol=1e-9, atol=1e-9, slow=slow)
        b = a[1:].astype("f4")
        low, high = b.min(axis=0, initial=3e38), b.max(axis=0, initial=-3e38)
        with np.errstate(over="ignore"):
            yield Call("scaled", (b,), (b - low) / (high - low + np.float32(1e-6)), rtol=1e-4, atol=1e-5, slow=slow)
    for n, k in ((0, 0), (4, 1), (63, 4), (65, 20), (1500, 33)):
        x, w = r.normal(size=n).astype("f4"), r.normal(size=k).astype("f4")
        padded = np.pad(x, (k, 0)).astype(float)
        want = np.correlate(padded, w.astype(float), "valid") if k else np.zeros(n + 1)
        yield Call("filtered", (x, w), want.astype("f4"), rtol=1e-3, atol=1e-4)
        y, p = r.normal(size=n + 79), r.normal(size=n)
        yield Call("correlations", (p, y), np.array([y[s : s + n] @ p for s in range(80)]), rtol=1e-9, atol=1e-9)
        z = r.normal(size=n + 19)
        windows = sliding_window_view(z, 20) if n else np.zeros((0, 20))
        yield Call("band", (z,), (windows.mean(axis=1), windows.max(axis=1) - windows.min(axis=1)), rtol=1e-9, atol=1e-9)
