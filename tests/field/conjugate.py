"""Sparse products and solutions against dense ones of NumPy."""

import numpy as np

from field import Call, Struct, rng


def sparse(a):
    rows, columns = np.nonzero(a)
    first = np.searchsorted(rows, np.arange(len(a) + 1))
    return Struct("Sparse", first=first, column=columns, value=a[rows, columns])


def calls():
    r = rng("conjugate")
    for n in (1, 2, 7, 30, 100):
        a = r.normal(size=(n, n)) * (r.random((n, n)) < 3 / n)
        x = r.normal(size=n)
        yield Call("product", (sparse(a), x), a @ x, rtol=1e-12, atol=1e-12)
        spd = a + a.T + 12 * np.eye(n)
        yield Call("product", (sparse(spd), x), spd @ x, rtol=1e-12, atol=1e-12)
    n = 12
    laplace = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    b = np.zeros(n)
    b[0] = 1.0
    yield Call("solve", (sparse(laplace), b, 1e-10), (np.linalg.solve(laplace, b), n), rtol=1e-9)
    yield Call("solve", (sparse(laplace), np.zeros(n), 1e-10), (np.zeros(n), 0))
    yield Call("product", (sparse(np.zeros((0, 0))), np.zeros(0)), np.zeros(0))
    wrong = sparse(np.eye(3))
    wrong.fields["column"] = np.array([0, 1, 3])
    yield Call("product", (wrong, np.ones(3)), np.zeros(3), fails="E0601")
    for first in ([0, 9], [0, 2**63 - 1], [-(2**63), 1]):
        one = Struct("Sparse", first=np.array(first), column=np.array([0]), value=np.array([1.0]))
        yield Call("product", (one, np.ones(1)), np.zeros(1), fails="E0601")
