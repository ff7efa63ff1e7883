"""Histograms and running sums against NumPy."""

import numpy as np

from field import Call, rng


def histogram(bins, low, high, xs):
    low, high = np.float32(low), np.float32(high)
    xs = xs[(xs >= low) & (xs < high)]
    numbers = ((xs - low) * (np.float32(bins) / (high - low))).astype(np.int64)
    return np.bincount(np.minimum(numbers, bins - 1), minlength=bins)


def calls():
    r = rng("histograms")
    for n in (0, 1, 97, 100003):
        xs = r.normal(size=n).astype(np.float32)
        if n > 3:
            xs[:3] = [np.nan, np.inf, -np.inf]
        for bins, low, high in ((10, -2.0, 2.0), (1000, -0.5, 3.0)):
            yield Call("histogram", (bins, np.float32(low), np.float32(high), xs), histogram(bins, low, high, xs))
        whole = r.integers(-(2**63), 2**63 - 1, size=n, endpoint=True)
        sums = np.cumsum(whole)
        yield Call("running", (whole,), sums)
        yield Call("before", (whole,), sums - whole)
        if n:
            yield Call("extremes", (whole,), (whole.max(), (whole * whole).sum()))
        grey = r.integers(0, 256, size=n).astype(np.uint8)
        dark = np.cumsum(np.bincount(grey, minlength=256))
        yield Call("equalise", (grey,), (dark[grey] * 255 // max(n, 1)).astype(np.uint8))
    yield Call("extremes", (np.zeros(0, dtype=np.int64),), (0, 0), fails="E0404")
    yield Call("histogram", (0, np.float32(-2), np.float32(2), np.zeros(0, dtype=np.float32)), np.zeros(0, dtype=np.int64), fails="E0404")
