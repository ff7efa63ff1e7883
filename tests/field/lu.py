"""Linear systems against numpy.linalg."""

import numpy as np

from field import Call, rng


def calls():
    r = rng("lu")
    for n in (0, 1, 2, 3, 7, 16, 31):
        a = r.normal(size=(n, n))
        b = r.normal(size=n)
        yield Call("solve", (a, b), np.linalg.solve(a, b), rtol=1e-9, atol=1e-10)
        yield Call("determinant", (a,), np.linalg.det(a), rtol=1e-9)
    singular = np.outer([1.0, 2.0, 4.0], [1.0, 0.0, 2.0])
    yield Call("solve", (singular, np.ones(3)), np.full(3, np.nan))
    yield Call("determinant", (singular,), 0.0)
    turned = np.eye(5)[[4, 2, 0, 1, 3]]
    yield Call("solve", (turned, np.arange(5.0)), turned.T @ np.arange(5.0))
    yield Call("determinant", (turned,), round(np.linalg.det(turned)) * 1.0)
