"""Conditions against NumPy and plain Python."""

import numpy as np

from field import Call, UpTo, rng


def f8(r, *shape):
    a = r.integers(-6, 7, shape) / 2
    if a.size and r.integers(3) == 0:
        a.flat[r.integers(0, a.size, 1 + a.size // 20)] = np.nan
    return a


def f4(r, *shape):
    return f8(r, *shape).astype("f4")


def within(r, n):
    x, lo, hi = f4(r, n), np.float32(-1), np.float32(1.5)
    a, b = int(((x >= lo) & (x < hi)).sum()), int(((x < lo) | (x >= hi)).sum())
    return (n,), (x, lo, hi), (a, a, b, b)


def mask(r, n, m):
    a, b = f4(r, n, m), f4(r, n, m)
    return (n, m), (a, b), (a > 0) & (b > 0) | (a == b)


def total(r, n):
    x, y = r.integers(-6, 7, n) / 2, f8(r, n)
    yes = (x > -1) & (y > -1) | np.isnan(y)
    return (n,), (x, y, -1.0), (x[yes].sum(), int(((x > -1) & (y <= -1)).sum()))


def peaks(r, n):
    x = f4(r, n)
    want = np.ones(n, bool)
    want[1:] &= x[:-1] <= x[1:]
    want[:-1] &= x[1:] <= x[:-1]
    return (n,), (x,), want


def known(r, n):
    k = int(r.integers(0, 9))
    at, table = r.integers(-4, 12, n), r.integers(0, 2, k).astype("i4")
    if n:
        at[r.integers(n)] = r.choice([2**63 - 1, -(2**63), k, k - 1])
    want = np.array([0 <= i < k and table[i] != 0 for i in at.tolist()], bool)
    return (n, k), (at, table), (want, int(want.sum()))


def divides(r, n):
    a, b = r.integers(-9, 10, n).astype("i4"), r.integers(-2, 3, n).astype("i4")
    if n:
        a[-1], b[-1] = -(2**31), -1
    return (n,), (a, b), np.array([y != 0 and x % y == 0 for x, y in zip(a.tolist(), b.tolist())], bool)


def not_divided(r, n):
    a, b = r.integers(-9, 10, n), r.integers(-2, 3, n)
    return (n,), (a, b), sum(y == 0 or x % y != 0 for x, y in zip(a.tolist(), b.tolist()))


def first_positive(r, n, m):
    a = f4(r, n, m)
    return (n, m), (a,), bool(n and m and a[0, 0] > 0 and a[-1, -1] > 0)


def reasonable(r, n):
    x, k = r.integers(-3, 9, n).astype("i4"), int(r.choice([-(2**63), -1, 0, 1, 5, 9, 999, 1000, 2**62]))
    return (n,), (x, k), bool(0 < k < 1000 and (x == k - 1).any())


def first_pair(r, n):
    x, y = r.integers(0, 9, n).astype("i4"), r.integers(0, 9, n).astype("i4")
    return (n,), (x, y), next((i for i in range(n - 1) if x[i] == y[i] and x[i + 1] == y[i + 1]), -1)


def run(r, n):
    x = r.integers(1, 9, n).astype("i4")
    if n and r.integers(3):
        x[r.integers(n)] = r.choice([0, 100, -100])
    bad = np.flatnonzero((x == 0) | (abs(x) >= 50))
    return (n,), (x, np.int32(50)), int(bad[0]) if len(bad) else n


def kept(r, n):
    x = f4(r, n)
    return (n,), (x, np.float32(-1), np.float32(1.5)), UpTo(x[(x > -1) & (x <= 1.5)], n)


def places(r, n):
    x = f4(r, n)
    return (n,), (x, np.float32(-1), np.float32(1.5)), UpTo(np.flatnonzero((x < -1) | (x > 1.5)), n)


def life(r, n, m):
    a = r.integers(0, 2, (n, m)).astype(bool)
    p = np.pad(a.astype(int), 1)
    k = sum(p[u : u + n, v : v + m] for u in range(3) for v in range(3)) - a
    return (n, m), (a,), (k == 3) | (k == 2) & a


def rows(r, n, m):
    a = f4(r, n, m)
    y = (a > -2) & (a < 3)
    return (n, m), (a, np.float32(-2), np.float32(3)), (y.any(1), y.all(1), y.sum(1))


def bits(r, n):
    x = (r.integers(0, 2**32, n) >> r.integers(0, 33, n)).astype("u4")
    with np.errstate(all="ignore"):
        return (n,), (x,), ((x & 3 == 1) | (x >> 31 == 1), int(((x != 0) & (x & (x - np.uint32(1)) == 0)).sum()))


def looked_up(r, n):
    m = int(r.integers(0, 9))
    at, x = r.integers(-4, 12, n), f4(r, m)
    return (n, m), (at, x, np.float32(7)), np.array([x[i] if 0 <= i < m and x[i] > 0 else 7 for i in at.tolist()], "f4")


def triples(r, n):
    x = r.integers(0, 5, n).astype("i4")
    return (n,), (x, np.int32(6)), int(((x[:-2] < x[1:-1]) & (x[1:-1] < x[2:]) & (x[:-2] + x[1:-1] + x[2:] == 6)).sum()) if n > 2 else 0


CASES = [(f, 1) for f in (within, total, peaks, known, divides, not_divided, reasonable, first_pair, run, kept, places, bits, looked_up, triples)]
CASES += [(f, 2) for f in (mask, first_positive, life, rows)]


def calls():
    r = rng("guards")
    for f, rank in CASES:
        for n, m in ((0, 1), (2, 0), (3, 5), (17, 33), (257, 2)):
            yield Call(f.__name__, *f(r, *(n, m)[:rank])[1:], slow=n > 1000)
