"""Solutions of NumPy."""

import numpy as np

from field import Call, rng



def calls():
    r = rng("gradients")
    for n in (1, 5, 61):
        a = r.normal(size=(n, n))
        a = a @ a.T + n * np.eye(n)
        b = a @ np.ones(n)
        yield Call("dense", (a, np.zeros(n), 1e-20, 50), (0, np.zeros(n)))
        yield Call("exact", (a, b), np.linalg.solve(a, b), rtol=1e-7, atol=1e-9, slow=n > 40)
    for n in (1, 2, 64, 511):
        line = 2.5 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
        b = r.normal(size=n)
        yield Call("exact_rod", (b,), np.linalg.solve(line, b), rtol=1e-7, atol=1e-9, slow=n > 100)
