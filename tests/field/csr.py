"""Sparse matrices against dense ones of NumPy."""

import numpy as np

from field import Call, Rows, UpTo, rng


def calls():
    r = rng("csr")
    for n, m, density in ((0, 3, 1), (3, 0, 1), (1, 1, 1), (2, 3, 0), (2, 3, 0.5), (7, 5, 0.3), (5, 7, 1), (31, 37, 0.2)):
        a = np.where(r.random((n, m)) < density, r.normal(size=(n, m)), 0.0)
        x = r.normal(size=m)
        starts = np.append(0, np.cumsum((a != 0).sum(axis=1)))
        rows, columns = np.nonzero(a)
        values = a[rows, columns]
        yield Call("compressed", (a,), (starts, UpTo(Rows((columns, values)), n * m)))
        yield Call("times", (a, x), a @ x, rtol=1e-12, atol=1e-12)
        yield Call("csr_times", (starts, columns, values, x), a @ x, rtol=1e-12, atol=1e-12)
        if len(values):
            longer = np.append(starts[:-1], len(values) + 5)
            yield Call("csr_times", (longer, columns, values, x), a @ x, fails="E0601")
            yield Call("csr_times", (starts, columns + m, values, x), a @ x, fails="E0601")
