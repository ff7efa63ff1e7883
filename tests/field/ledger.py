"""Running sums and extremes against NumPy. All floats are small integers, so that sums are exact."""

import numpy as np

from field import Call, rng


def before(x, first):
    """For each element the sum of those before it and `first`, wrapped."""
    return np.cumsum(np.concatenate([[first], x]), dtype=np.int64)[:-1].astype(np.int32)


def calls():
    r = rng("ledger")
    for n in (0, 1, 3, 17, 65, 1000):
        x = r.integers(-9, 10, n)
        f32, f64 = x.astype(np.float32), x.astype(np.float64)
        yield Call("stops", (np.float32(-3), f32), np.maximum.accumulate(np.maximum(f32, np.float32(-3))))
        yield Call("lowest_ahead", (5.0, f64), np.minimum.accumulate(np.minimum(f64, 5.0)[::-1])[::-1].copy())
        falls = np.maximum.accumulate(np.maximum(f64, 2.0)) - f64
        yield Call("drawdown", (2.0, f64), (float(falls.max(initial=0)), float(falls.sum())))
        yield Call("offsets", (np.int32(1000), x.astype(np.int32)), before(x, 1000))
    for n in (0, 33, 1021):
        large = r.integers(-(2**63), 2**63, n)
        yield Call("balances", (2**62, large), np.cumsum(large) + np.int64(2**62))
        yield Call("before", (large.astype(np.int32),), before(large.astype(np.int32), 0))
        octets = r.integers(0, 256, n).astype(np.uint8)
        yield Call("checks", (np.uint8(250), octets), (np.cumsum(octets ^ 90) + 250).astype(np.uint8))
        x = r.integers(-40, 41, n + 1).astype(np.float32)
        yield Call("calmest", (x,), np.minimum.accumulate(np.minimum(np.diff(x) ** 2, np.float32(100))))
    for n, m in ((0, 3), (3, 0), (3, 67), (65, 16)):
        a = r.integers(-9, 10, (n, m))
        yield Call("row_totals", (np.float32(7), a.astype(np.float32)), (np.cumsum(a, axis=1) + 7).astype(np.float32))
        yield Call("column_totals", (-7.0, a.astype(np.float64)), (np.cumsum(a, axis=0) - 7).astype(np.float64))
    endless = np.array([1, -np.inf, 3, np.inf, 2])
    yield Call("stops", (np.float32(2), endless.astype(np.float32)), np.array([2, 2, 3, np.inf, np.inf], np.float32))
    yield Call("lowest_ahead", (5.0, endless), np.array([-np.inf, -np.inf, 2, 2, 2]))
    yield Call("calmest", (np.zeros(0, np.float32),), np.zeros(0, np.float32), fails="E0404")
