"""Products of matrices against NumPy in f64."""

import numpy as np

from field import Call, rng


def parts(z):
    return z.real.copy(), z.imag.copy()


def calls():
    r = rng("covariances")
    for n, m, d in ((0, 3, 2), (2, 1, 1), (3, 5, 0), (7, 11, 13), (64, 64, 16), (65, 67, 31), (129, 71, 131)):
        slow = n * m > 100
        samples = r.normal(size=(n, d)) + 5
        if n > 1:
            want = np.cov(samples, rowvar=False).reshape(d, d) if d else np.zeros((0, 0))
            yield Call("covariances", (samples,), want, rtol=1e-9, atol=1e-9, slow=slow)
        a, w, b = r.normal(size=(d, n)).astype("f4"), r.normal(size=d).astype("f4"), r.normal(size=(d, m)).astype("f4")
        want = (a.astype(float).T * w) @ b.astype(float)
        yield Call("weighted", (a, w, b), want.astype("f4"), rtol=1e-3, atol=1e-4, slow=slow)
        a, b, c, e = r.normal(size=(d, n)), r.normal(size=(m, d)), r.normal(size=(n, m)), r.normal(size=(m, n))
        yield Call("both_turned", (a, b, c, e), a.T @ b.T + c - e.T, rtol=1e-9, atol=1e-9, slow=slow)
        u, v = a.T + 1j * r.normal(size=(n, d)), b.T - 1j * r.normal(size=(d, m))
        want = u @ v
        yield Call("complex_product", (parts(u), parts(v)), parts(want), rtol=1e-9, atol=1e-9, slow=slow)
        x = r.normal(size=(n, d)).astype("f4")
        squares = ((x[:, None].astype(float) - x[None]) ** 2).sum(axis=2)
        want = np.exp(-0.5 * squares / 4) + 0.25 * np.eye(n)
        yield Call("kernel", (x, np.float32(2), np.float32(0.25)), want.astype("f4"), rtol=1e-4, atol=1e-5, slow=slow)
        a, b = r.normal(size=(n, n)), r.normal(size=(n, n))
        size = [float(np.abs(p).sum(axis=1).max(initial=0)) for p in (a @ b, a @ b - b @ a)]
        yield Call("commutator", (a, b), tuple(size), rtol=1e-9, slow=slow)
        a, b = r.normal(size=(n, d)).astype("f4"), r.normal(size=(m, d)).astype("f4")
        a[r.random((n, d)) < 0.1] = np.inf
        b[r.random((m, d)) < 0.1] = -np.inf
        products = a[:, None] * b[None]
        yield Call("limits", (a, b), (products.min(axis=2, initial=np.inf), products.max(axis=2, initial=-np.inf)), slow=slow)
