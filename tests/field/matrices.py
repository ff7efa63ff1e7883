"""Powers, inverses and traces of small matrices against NumPy."""

import numpy as np

from field import Call, rng


def calls():
    r = rng("matrices")
    for n in (1, 2, 3, 7):
        a = r.integers(-3, 4, (n, n)).astype("f8")
        for k in (0, 1, 2, 5):
            yield Call("power", (a, np.int32(k)), np.linalg.matrix_power(a, k))
        b = r.normal(size=(n, n)) + 4 * np.eye(n)
        b = b[r.permutation(n)]  # pivots are not where they belong
        yield Call("inverse", (b,), np.linalg.inv(b), rtol=1e-9, atol=1e-12)
        yield Call("traces", (a,), (float(np.trace(a)), float((a * a).sum())))
        want = np.array([np.abs(row).max() <= abs(row[i]) for i, row in enumerate(a)])
        yield Call("dominant", (a,), want)
    yield Call("inverse", (np.array([[1.0, 2.0], [2.0, 4.0]]),), np.full((2, 2), np.nan))
