"""Extremes against NumPy."""

import numpy as np

from field import Call, rng


def f8(r, *shape):
    a = r.integers(-9, 10, shape) / 2
    a[a == 0] = 0.0
    kind = r.integers(0, 4)
    if a.size and kind == 1:
        a.flat[r.integers(0, a.size, 1 + a.size // 50)] = np.nan
    if a.size and kind == 2:
        a.flat[r.integers(0, a.size)] = np.inf
        a.flat[r.integers(0, a.size)] = -np.inf
    if a.size and kind == 3:
        a[:] = abs(a)
        a.flat[r.integers(0, a.size)] = -0.0
    return a


def f4(r, *shape):
    return f8(r, *shape).astype("f4")


def extremes(r, n):
    x = f4(r, n)
    return (n,), (x,), (x.min(), x.max(), x.min(), x.max(), int(x.argmin()), int(x.argmax()))


def extremes64(r, n):
    x = f8(r, n)
    return (n,), (x,), (x.min(), x.max(), int(x.argmax()))


def integers(r, n):
    x = r.integers(-(2**31), 2**31, n).astype("i4") if r.integers(2) else r.integers(-9, 9, n).astype("i4")
    return (n,), (x,), (x.min(), x.max(), int(x.argmin()), int(x.argmax()))


def bytes(r, n):
    x = r.integers(0, 256, n).astype("u1")
    return (n,), (x,), (x.min(), x.max(), int(x.argmin()), int(x.argmax()))


def of_all(r, n, m):
    a = f4(r, n, m)
    return (n, m), (a,), (a.max(), a.min())


def rows(r, n, m):
    a = f4(r, n, m)
    return (n, m), (a,), (a.max(1), a.min(1), a.argmax(1), a.argmin(1))


def columns(r, n, m):
    a = f4(r, n, m)
    return (n, m), (a,), (a.max(0), a.min(0), a.argmax(0), a.argmin(0))


def windows(r, n):
    x = f4(r, n + 11)
    w = np.lib.stride_tricks.sliding_window_view
    v = w(x, 12) if n else np.zeros((0, 12), "f4")
    return (n,), (x,), (w(x, 3).max(1), v.min(1), v.argmax(1))


def windows_of(r, n, k):
    x = f8(r, n + k)
    v = np.lib.stride_tricks.sliding_window_view(x, k)
    return (n, k), (x, k), (v.max(1), v.min(1))


def parts(r, n):
    n += 1
    k = int(r.integers(1, n))
    x = f4(r, n)
    return (n, k), (x, k), (x[:k].max(), x[k:].max(), (x[k:] ** 2).min())


def blocks(r, n):
    b = f4(r, n, 10)
    with np.errstate(all="ignore"):
        return (n,), (b.reshape(-1),), (b.max(1), b.max(1) - b.min(1))


def difference(r, n):
    x, y = f4(r, n), f4(r, n)
    with np.errstate(all="ignore"):
        d = abs(x - y)
    return (n,), (x, y), (d.max(), int(d.argmax()))


def questions(r, n, m):
    a = f4(r, n, m)
    limit = np.float32(r.choice([-4.5, -5, 0, 4, 4.5]))
    y = a > limit
    return (n, m), (a, limit), (bool(y.any()), bool(y.all()), y.any(1), y.all(1), y.any(0), y.all(0))


def reduced(r, n, m):
    a = r.integers(-9, 2, (n, m)) / 2
    return (n, m), (a,), (a.max(1, initial=-1e300), a.min(1, initial=1e300), (a > 0).any(1))


def spread(r, n, m):
    a = f8(r, n, m)
    with np.errstate(all="ignore"):
        s = a.max(1) - a.min(1)
    return (n, m), (a,), (s.max(), s)


extremes.positive = extremes64.positive = integers.positive = bytes.positive = difference.positive = parts.positive = columns.positive = 0
of_all.positive = spread.positive = 2
rows.positive = windows_of.positive = 1
of_all.both = spread.both = True
CASES = [(f, 1) for f in (extremes, extremes64, integers, bytes, windows, blocks, difference, parts)]
CASES += [(f, 2) for f in (of_all, rows, columns, windows_of, questions, reduced, spread)]


def calls():
    r = rng("extents")
    for f, rank in CASES:
        for n, m in ((1, 1), (17, 1), (33, 20), (65, 97), (1500, 2)):
            _, args, want = f(r, *(n, m)[:rank])
            yield Call(f.__name__, args, want, slow=n > 1000)
    for f in (windows, blocks):
        yield Call(f.__name__, *f(r, 0)[1:])
    for f in (questions, reduced):
        for n, m in ((0, 3), (4, 0), (40, 0), (0, 0)):
            yield Call(f.__name__, *f(r, n, m)[1:])
    yield Call("rows", *rows(r, 0, 3)[1:])
    yield Call("columns", *columns(r, 3, 0)[1:])
    yield Call("rows", (np.zeros((2, 0), "f4"),), (np.zeros(2, "f4"),) * 2 + (np.zeros(2, "i8"),) * 2, fails="E0404")
    yield Call("extremes", (np.zeros(0, "f4"),), (np.float32(0),) * 4 + (0, 0), fails="E0404")
