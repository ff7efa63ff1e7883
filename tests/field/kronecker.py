"""Walks and Kronecker products against NumPy."""

import numpy as np

from field import Call, rng


def calls():
    r = rng("kronecker")
    for n in (0, 1, 2, 13):
        edges = r.integers(-5, 5, size=(n, n))
        for length in (0, 1, 63):
            yield Call("walks", (edges, length), np.linalg.matrix_power(edges, length))
    for n, m in ((0, 3), (1, 1), (2, 3), (31, 17)):
        a = r.normal(size=(n, m))
        yield Call("turned", (a,), a.T)
        yield Call("margins", (a,), (a.sum(axis=1), a.sum(axis=0)), rtol=1e-12, atol=1e-12)
        for p, q in ((3, 2), (0, 2)):
            b = r.normal(size=(p, q))
            yield Call("kron", (a, b), np.kron(a, b))
    special = np.array([[np.nan, 1.0], [2.0, np.inf]])
    yield Call("margins", (special,), (special.sum(axis=1), special.sum(axis=0)))
