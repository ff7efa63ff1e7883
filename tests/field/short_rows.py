"""Short rows against NumPy in f64."""

import numpy as np

from field import Call, rng


def f4(r, *shape):
    return (r.integers(-12, 13, shape) / 2).astype("f4")


def lse(a):
    a = a.astype("f8")
    most = a.max(axis=1, keepdims=True)
    return most + np.log(np.exp(a - most).sum(axis=1, keepdims=True))


def soft(a):
    return np.exp(a.astype("f8") - lse(a)) if a.shape[1] else a.astype("f8")


def softmax(r, n, m):
    a = f4(r, n, m)
    return (n, m), (a,), soft(a).astype("f4"), 4e-6


def softmax3(r, n):
    a = f4(r, n, 3)
    return (n,), (a,), soft(a).astype("f4"), 4e-6


def softmax_reduce(r, n, m):
    a = f4(r, n, m).astype("f8")
    return (n, m), (a,), soft(a), 1e-13


softmax_reduce.empty = True


def log_softmax(r, n, m):
    a = f4(r, n, m)
    return (n, m), (a,), (a - lse(a)).astype("f4"), 2e-6, 2e-6


def log_sum_exp(r, n, m):
    a = f4(r, n, m)
    return (n, m), (a,), lse(a)[:, 0].astype("f4"), 2e-6, 2e-6


def log_sum_exp_reduce(r, n, m):
    a = f4(r, n, m).astype("f8")
    return (n, m), (a,), lse(a)[:, 0] if m else np.full(n, -np.inf), 1e-13, 1e-13


log_sum_exp_reduce.empty = True


def layer_norm(r, n, m):
    a, g, b = f4(r, n, m), f4(r, m), f4(r, m)
    d = a.astype("f8")
    want = (d - d.mean(1, keepdims=True)) / np.sqrt(d.var(1, keepdims=True) + 1e-5) * g + b
    return (n, m), (a, g, b), want.astype("f4"), 1e-5, 1e-3 if m < 3 else 5e-5


def standard(r, n, m):
    a = f4(r, n, m).astype("f8")
    return (n, m), (a,), (a - a.mean(1, keepdims=True)) / (a.std(1, keepdims=True) + 1), 1e-12, 1e-12


def unit_rows(r, n, m):
    a = f4(r, n, m)
    if m:
        a[:, 0] += 20
    d = a.astype("f8")
    return (n, m), (a,), (d / np.sqrt((d * d).sum(1, keepdims=True))).astype("f4"), 1e-6


unit_rows.empty = True


def ranged(r, n, m):
    a = f4(r, n, m)
    lo, hi = a.min(1, keepdims=True), a.max(1, keepdims=True)
    return (n, m), (a,), (a - lo) / (hi - lo + 1), 1e-6


def distinct(r, n, m):
    """Rows whose greatest element is one by a distance."""
    a = f4(r, n, m)
    if n:
        a[np.arange(n), r.integers(0, m, n)] = 7
    return a


def classified(r, n, m):
    a = distinct(r, n, m)
    return (n, m), (a,), (a.argmax(1).astype("i8"), soft(a).max(1).astype("f4")), 4e-6


def both(r, n, m):
    a = distinct(r, n, m)
    return (n, m), (a,), (a.argmax(1).astype("i8"), soft(a).astype("f4")), 4e-6


def cross_entropy(r, n, m):
    n = max(n, 1)
    a, labels = f4(r, n, m), r.integers(0, m, n)
    loss = lse(a)[:, 0] - a[np.arange(n), labels]
    return (n, m), (a, labels), (loss.astype("f4"), np.float32(loss.mean())), 2e-6, 2e-6


def gradient(r, n, m):
    a, labels = f4(r, n, m), r.integers(0, m, n)
    return (n, m), (a, labels), (soft(a) - (np.arange(m) == labels[:, None])).astype("f4"), 1e-5, 1e-6


gradient.only_c = True


def tempered(r, n, m):
    a, t = f4(r, n, m), r.integers(1, 4, n).astype("f4")
    return (n, m), (a, t), soft(a / t[:, None]).astype("f4"), 2e-5


CASES = [(f, 2) for f in (softmax, softmax_reduce, log_softmax, log_sum_exp, log_sum_exp_reduce, layer_norm, standard, unit_rows, ranged,
                          classified, both, cross_entropy, gradient, tempered)] + [(softmax3, 1)]


def calls():
    r = rng("short_rows")
    for f, rank in CASES:
        for n, m in ((0, 3), (2, 2), (49, 7), (97, 16), (5000, 4)):
            _, args, want, *tol = f(r, *(n, m)[:rank])
            if not hasattr(f, "only_c"):
                yield Call(f.__name__, args, want, *tol, slow=n > 1000)
        if hasattr(f, "empty"):
            _, args, want, *tol = f(r, 3, 0)
            yield Call(f.__name__, args, want, *tol)
    yield Call("softmax", (np.zeros((2, 0), "f4"),), np.zeros((2, 0), "f4"), fails="E0404")
    a = np.array([[np.nan, 1, 2], [1, np.inf, 2], [-np.inf, 0, -np.inf], [-np.inf] * 3], "f4")
    nan = np.nan
    want = np.array([[nan] * 3, [nan] * 3, [0, 1, 0], [nan] * 3], "f4")
    yield Call("softmax", (a,), want)
    yield Call("softmax", (np.tile(a, (20, 1)),), np.tile(want, (20, 1)))
    yield Call("softmax3", (np.tile(a, (20, 1)),), np.tile(want, (20, 1)))
    yield Call("cross_entropy", (np.zeros((3, 2), "f4"), np.array([0, 2, 1])), (np.zeros(3, "f4"), np.float32(0)), fails="E0601")
    yield Call("cross_entropy", (np.zeros((40, 2), "f4"), np.array([0] * 39 + [-1])), (np.zeros(40, "f4"), np.float32(0)), fails="E0601")
