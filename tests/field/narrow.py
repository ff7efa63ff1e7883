"""Arrays with few columns against NumPy."""

import numpy as np

from field import Call, rng


def f4(r, *shape):
    return (r.integers(-12, 13, shape) / 2).astype("f4")


def f8(r, *shape):
    return r.integers(-12, 13, shape) / 2


def sig(a):
    return 1 / (1 + np.exp(-a.astype("f8")))


def affine(r, n, m):
    a = f4(r, n, m)
    return (n, m), (a, np.float32(1.5), np.float32(-2)), (np.float32(1.5) * a - 2), 0


def points(r, n):
    p, by = f4(r, n, 2), f4(r, 2)
    return (n,), (p, by, np.float32(3)), (p + by) * 3, 0


def centred(r, n):
    p, c = f8(r, n, 3), f8(r, 3)
    return (n,), (p, c), p - c, 0


def single(r, n):
    p = f4(r, n, 1)
    return (n,), (p,), np.maximum(p * 2 - 1, 0), 0


def bias_relu(r, n, m):
    a, b = f4(r, n, m), f4(r, m)
    return (n, m), (a, b), np.maximum(a + b, 0), 0


def seventeen(r, n):
    (_, args, want, tol) = bias_relu(r, n, 17)
    return (n,), args, want, tol


def logistic(r, n, m):
    a = f4(r, n, m)
    return (n, m), (a,), sig(a).astype("f4"), 1e-6


def logistic_pairs(r, n):
    a = f8(r, n, 2)
    return (n,), (a,), sig(a), 1e-14


def scaled_rows(r, n, m):
    a, s = f4(r, n, m), f4(r, n)
    return (n, m), (a, s), a * s[:, None], 0


def in_place(r, n, m):
    a = f4(r, n, m)
    b = (a * 0.5 + 1) * 0.5 + 1
    return (n, m), (a, 2), (b + 2 * np.arange(n)[:, None] + np.arange(m)).astype("f4"), 0


def chained(r, n):
    p, q = f4(r, n, 3), f4(r, n, 3)
    return (n,), (p, q), (p - q, (p - q) ** 2, ((p - q) ** 2).sum(axis=1)), 0


def swapped(r, n):
    p = r.integers(-99, 99, (n, 2)).astype("i4")
    return (n,), (p,), (np.ascontiguousarray(p[:, ::-1]), p), 0


def above(r, n):
    p, limit = f8(r, n, 3), f8(r, 3)
    return (n,), (p, limit), (p > limit, (p > limit).astype("i4")), 0


def inner_powers(r, n):
    x = f4(r, n)
    want = x.copy()
    want[30 : max(n - 30, 30)] = np.exp(x[30 : max(n - 30, 30)])
    return (n,), (x,), want, 1e-5


CASES = [(f, 2) for f in (affine, bias_relu, logistic, scaled_rows, in_place)]
CASES += [(f, 1) for f in (points, centred, single, seventeen, logistic_pairs, chained, swapped, above, inner_powers)]


def calls():
    r = rng("narrow")
    for f, rank in CASES:
        for n in (0, 3, 17, 20000):
            for m in (1, 3, 17)[: 3 if rank == 2 else 1]:
                if n * m < 100000:
                    sizes, args, want, tol = f(r, *(n, m)[:rank])
                    yield Call(f.__name__, args, want, rtol=tol, slow=n > 1000)
