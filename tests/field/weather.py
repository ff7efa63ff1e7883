"""Weather against NumPy. All numbers are small integers or their halves, so that sums are exact."""

import numpy as np

from field import Call, rng


def year(x):
    least, most = x.min(initial=np.float32(1e9)), x.max(initial=np.float32(-1e9))
    if least == -99:
        return least, most, least
    total = x.sum()
    return np.float32(total if total <= 1000 else (total - 1) % 1000 + 1), most, least


def wind(u, v):
    squares = u * u + v * v
    n = np.float32(len(u))
    return np.sqrt(squares.max()), u.sum() / n, v.sum() / n, squares.sum()


def calls():
    r = rng("weather")
    for n, m in ((0, 3), (1, 1), (2, 3), (17, 16), (5, 65), (3, 257)):
        a = r.integers(-9, 30, (n, m))
        # The means are integers, so that the hour that is farthest above is the one in NumPy.
        a[:, 0] -= a.sum(axis=1) % m
        want = a.mean(axis=1).astype(np.float32), a.std(axis=1).astype(np.float32), np.argmax(a, axis=1)
        yield Call("stations", (a.astype(np.float32),), want, rtol=1e-5)
        sums = np.cumsum(np.maximum(a, 0), axis=1) + 2
        want = sums.astype(np.float32), (sums <= 99).sum(axis=1)
        yield Call("rain", (np.float32(2), np.maximum(a, 0).astype(np.float32), np.float32(99)), want)
    yield Call("stations", (np.zeros((2, 0), np.float32),), (np.zeros(2, np.float32),) * 2 + (np.zeros(2, np.int64),), fails="E0404")
    yield Call("rain", (np.float32(1), np.zeros((2, 0), np.float32), np.float32(0)), (np.zeros((2, 0), np.float32), np.zeros(2, np.int64)))
    yield Call("stations", (np.array([[1, np.nan, 2]], np.float32),), (*[np.full(1, np.nan, np.float32)] * 2, np.zeros(1, np.int64)))
    for n in (0, 1, 2, 17, 64, 365, 1000):
        x = r.integers(-8, 31, n).astype(np.float32)
        yield Call("year", (x,), year(x))
        if n:
            u, v = r.integers(-9, 10, n).astype(np.float32), x
            yield Call("wind", (u, v), wind(u, v))
            x = x.copy()
            x[n // 2] = -99
            yield Call("year", (x,), year(x))
    u = np.array([1, -np.inf, 2], np.float32)
    yield Call("wind", (u, np.zeros(3, np.float32)), (np.float32(np.inf), np.float32(-np.inf), np.float32(0), np.float32(np.inf)))
    for weeks in (1, 2, 3, 16, 33, 143):
        t = r.integers(-20, 60, 7 * weeks) / 2
        sums = np.maximum(12.5 - t, 0).reshape(weeks, 7).sum(axis=1)
        yield Call("degree_days", (t, 12.5), (sums, int(np.argmax(sums))))
    yield Call("degree_days", (np.zeros(0), 1.0), (np.zeros(0), 0), fails="E0404")
