"""Summaries against NumPy. All numbers are small integers or as large as integers get, so that sums are exact."""

import numpy as np

from field import Call, rng


def summary(x):
    with np.errstate(invalid="ignore"):
        return tuple(float(v) for v in (x.sum(), (x * x).sum(), x.min(), x.max(), x.mean(), x.std()))


def counted(x, threshold):
    above = x[x > threshold]
    if threshold < 0:
        return above.sum(), np.float32(0), np.float32(0), -1
    low = x.min() if above.size else np.float32(1e30)
    return above.sum(), x.max(initial=np.float32(-1e30)), low, above.size


def gathered(x, skip):
    kept = x[x != skip].astype(np.int64)
    low, high = kept.min(initial=2**31 - 1), kept.max(initial=-(2**31))
    return len(kept), int(kept.sum()), int((kept * kept).sum()), np.int32(low), np.int32(high)


def standardized(a):
    deviations = a.std(axis=1, keepdims=True)
    rows = np.where(deviations > 0, (a - a.mean(axis=1, keepdims=True)) / np.where(deviations > 0, deviations, 1), 0)
    return rows.astype(np.float32), (a.max(axis=1) - a.min(axis=1)).astype(np.float32)


def calls():
    r = rng("summary")
    for n in (0, 1, 3, 16, 65, 1000):
        x = r.integers(-9, 10, n)
        if n:
            yield Call("summary", (x.astype(np.float64),), summary(x.astype(np.float64)), rtol=1e-12)
        f32, threshold = x.astype(np.float32), np.float32((2, 9, -1)[n % 3])
        yield Call("counted", (f32, threshold), counted(f32, threshold))
        table = r.integers(-5, 11, 3).astype(np.float32)
        want = f32.sum(), (f32 * table[1]).sum(), f32.max(initial=table[1])
        yield Call("with_check", (f32, table, 1), want)
        large = r.choice(np.array([-(2**31), 2**31 - 1, -1, 0, 7], np.int32), n)
        yield Call("gathered", (large, np.int32((0, -(2**31))[n % 2])), gathered(large, (0, -(2**31))[n % 2]))
    for x in ([np.nan, 1.0, 2.0], [1.0, np.inf, -2.0], [np.inf, -np.inf, 0.0], [1.0] * 300 + [np.nan] + [2.0] * 20):
        yield Call("summary", (np.array(x),), summary(np.array(x)), rtol=1e-12)
    yield Call("summary", (np.zeros(0),), (0.0,) * 6, fails="E0404")
    zero = np.float32(0)
    for n, k, at in ((5, 3, 3), (0, 2, -1), (40, 0, 0)):
        yield Call("with_check", (np.ones(n, np.float32), np.ones(k, np.float32), at), (zero, zero, zero), fails="E0601")
    for n, m in ((0, 2), (1, 1), (3, 17), (17, 64), (33, 5)):
        a = r.integers(-9, 10, (n, m))
        a[1::4] = 7
        yield Call("standardized", (a.astype(np.float32),), standardized(a.astype(np.float64)), rtol=1e-5, atol=1e-6)
        if n:
            columns = a.mean(axis=0), a.var(axis=0), np.abs(a).sum(axis=0).astype(np.float64)
            yield Call("columns", (a.astype(np.float64),), columns, rtol=1e-12, atol=1e-14)
    yield Call("columns", (np.zeros((0, 2)),), (np.zeros(2),) * 3, fails="E0404")
