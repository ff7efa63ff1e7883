"""Paths and triangular systems in NumPy."""

import numpy as np

from field import Call, rng



def shortest(d):
    a = d.copy()
    for k in range(len(a)):
        a = np.minimum(a, a[:, k : k + 1] + a[k])
    return a


def reachable(a):
    r = a.copy()
    for k in range(len(a)):
        r |= r[:, k : k + 1] & r[k]
    return r


def calls():
    r = rng("triangular")
    for n in (0, 1, 5, 61):
        slow = n > 40
        d = r.integers(0, 1000, size=(n, n)).astype("i4")
        yield Call("lengths", (d,), shortest(d), slow=slow)
        yield Call("lengths_pure", (d.astype("f8"),), shortest(d).astype("f8"), slow=slow)
        bits = r.random(size=(n, n)) < 0.05
        yield Call("reachable", (bits,), reachable(bits), slow=slow)
        low = np.tril(r.normal(size=(n, n))) + 8 * np.eye(n)
        for m in (0, 1, 65):
            b = r.normal(size=(n, m))
            want = np.linalg.solve(low, b)
            yield Call("solve", (low, b), want, rtol=1e-8, atol=1e-10, slow=slow)
            yield Call("solve_right", (low.astype("f4"), b.astype("f4")), want.astype("f4"), rtol=1e-3, atol=1e-4, slow=slow)
            columns = (low.astype("f4"), b.T.astype("f4").copy())
            yield Call("solve_in_groups", columns, want.T.astype("f4").copy(), rtol=1e-3, atol=1e-4, slow=slow)
