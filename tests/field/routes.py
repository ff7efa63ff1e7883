"""Floyd and Warshall, reachability and Gauss-Jordan, as loops over NumPy rows in the order of the programs."""

import numpy as np

from field import Call, rng


def floyd(a, step):
    a = a.copy()
    for k in range(len(a)):
        for i in range(len(a)):
            a[i] = step(a[i], a[i, k], a[k].copy() if i == k else a[k])
    return a


def shrink(a, rounds):
    n = len(a)
    a = a.copy()
    for _ in range(rounds):
        for k in range(n):
            for i in range(n):
                for j in range(n):
                    a[i, j] = min(a[i, j] - 1, a[i, k] + a[k, j])
    return a


def jordan(m):
    n = len(m)
    a, b = m.copy(), np.eye(n)
    for k in range(n):
        pivot = a[k, k]
        a[k], b[k] = a[k] / pivot, b[k] / pivot
        for i in range(n):
            factor = 0.0 if i == k else a[i, k]
            a[i], b[i] = a[i] - factor * a[k], b[i] - factor * b[k]
    return b


def calls():
    r = rng("routes")
    for n in (0, 1, 2, 7, 31, 64, 121):
        d = r.integers(0, 1000, (n, n)).astype(np.float32)
        yield Call("shortest", (d,), floyd(d, lambda row, first, other: np.minimum(row, first + other)))
        edge = r.random((n, n)) < 1.5 / max(n, 1)
        yield Call("reachable", (edge,), floyd(edge, lambda row, first, other: row | (first & other)))
        m = r.random((n, n)) + n * np.eye(n)
        yield Call("inverse", (m,), jordan(m), rtol=1e-9, atol=1e-12)
    for n, rounds in ((0, 1), (1, 2), (5, 3), (17, 1), (40, 1)):
        d = r.integers(80, 200, (n, n)).astype(np.int32)
        yield Call("shrinking", (rounds, d), shrink(d, rounds))
