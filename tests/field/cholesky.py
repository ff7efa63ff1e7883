"""Least squares against numpy.linalg.lstsq."""

import numpy as np

from field import Call, rng


def calls():
    r = rng("cholesky")
    for n, m in ((1, 1), (3, 2), (5, 5), (17, 3), (40, 12)):
        a, b = r.normal(size=(n, m)), r.normal(size=n)
        x = np.linalg.lstsq(a, b, rcond=None)[0]
        yield Call("least_squares", (a, b), (x, np.linalg.norm(a @ x - b)), rtol=1e-7, atol=1e-9)
        spd = a.T @ a + np.eye(m)
        yield Call("log_det", (spd,), np.linalg.slogdet(spd)[1], rtol=1e-10)
    yield Call("least_squares", (np.zeros((4, 0)), np.ones(4)), (np.zeros(0), 2.0))
    yield Call("least_squares", (np.ones((3, 2)), np.ones(3)), (np.full(2, np.nan), np.nan))
    yield Call("log_det", (np.array([[1.0, 2.0], [2.0, 1.0]]),), np.nan)
    yield Call("least_squares", (np.ones((1, 2)), np.ones(1)), (np.zeros(2), 0.0), fails="E0404")
