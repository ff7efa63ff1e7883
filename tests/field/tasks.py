"""Work on threads against NumPy."""

import numpy as np

from field import Call, rng


def calls():
    r = rng("tasks")
    for n in (0, 1, 16, 17, 100, 1000):
        x = r.integers(-100, 100, n)
        yield Call("sorted", (x,), np.sort(x))
        yield Call("running", (x,), (np.cumsum(x), np.maximum.accumulate(x) if n else x))
        p, k = r.permutation(n), 12345
        want = np.arange(n)
        for _ in range(k if n < 200 else 0):
            want = want[p]
        if n < 200:
            yield Call("power", (p, np.uint64(k)), want)
    for n in (0, 1, 2, 15):
        yield Call("fibonacci", (n,), round(((1 + 5**0.5) / 2) ** n / 5**0.5))
    for n, m in ((0, 0), (0, 3), (1, 1), (7, 5), (300, 400)):
        a = r.integers(-(2**62), 2**62, (n, m))
        with np.errstate(over="ignore"):
            yield Call("margins", (a,), (a.sum(axis=1), a.sum(axis=0)))
    yield Call("power", (np.array([0, 5]), np.uint64(2)), np.zeros(2, "i8"), fails="E0601")
