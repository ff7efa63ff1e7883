"""Products against NumPy in f64."""

import numpy as np

from field import Call, rng


def calls():
    r = rng("products")

    def normal(*shape):
        return r.normal(size=shape).astype("f4")

    for n, k, m in ((0, 1, 1), (1, 0, 2), (1, 1, 1), (5, 7, 3), (33, 20, 65)):
        a, b = normal(n, k), normal(k, m)
        yield Call("plain", (a, b), (a.astype(float) @ b).astype("f4"), rtol=1e-4, atol=1e-4)
    for n, k, m in ((1, 1, 1), (2, 5, 3), (0, 1, 2)):
        a, b = normal(32 * n, 4 * k), normal(4 * k, 32 * m)
        for entry in ("blocked", "packed"):
            yield Call(entry, (a, b), (a.astype(float) @ b).astype("f4"), rtol=1e-4, atol=1e-4, slow=n > 1)
    for t, n, k, m in ((0, 2, 2, 2), (1, 1, 1, 1), (6, 3, 4, 5)):
        a, b = normal(t, n, k), normal(t, k, m)
        yield Call("batch", (a, b), (a.astype(float) @ b).astype("f4"), rtol=1e-4, atol=1e-5)
        p, q = normal(n, k), normal(m, k)
        want = np.sqrt(((p.astype(float)[:, None] - q[None]) ** 2).sum(axis=2)).astype("f4")
        yield Call("distances", (p, q), want, rtol=1e-3, atol=1e-3)
