"""Eigenvalues and triangles against numpy.linalg; eigenvectors up to their sign, which the largest component decides."""

import numpy as np

from field import Call, rng


def calls():
    r = rng("eigen")
    for n in (0, 1, 2, 5, 16):
        a = r.normal(size=(n, n))
        # Jacobi's vectors of a diagonal matrix that is turned a little have a positive diagonal.
        small = np.diag(np.arange(1.0, n + 1)) + 0.01 * (a + a.T)
        values, vectors = np.linalg.eigh(small)
        signs = np.sign(np.diag(vectors)) if n else np.zeros(0)
        yield Call("symmetric", (small,), (values, vectors * signs), rtol=1e-8, atol=1e-9)
    for n, m in ((1, 1), (3, 2), (6, 6), (20, 7), (4, 0)):
        a = r.normal(size=(n, m))
        q = np.linalg.qr(a)[1] if m else np.zeros((0, 0))
        yield Call("triangle", (a,), q * np.sign(np.diag(q))[:, None], rtol=1e-9, atol=1e-10)
    yield Call("triangle", (np.zeros((3, 2)),), np.zeros((2, 2)))
