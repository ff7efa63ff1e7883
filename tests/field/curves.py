"""Splines against a dense system, integrals against their formulas, Lorenz against NumPy."""

import math

import numpy as np

from field import Call, Struct, rng


def spline(x, y, at):
    n, h = len(x), np.diff(x)
    a, b = np.eye(n), np.zeros(n)
    for i in range(1, n - 1):
        a[i, i - 1 : i + 2] = h[i - 1], 2 * (h[i - 1] + h[i]), h[i]
        b[i] = 6 * ((y[i + 1] - y[i]) / h[i] - (y[i] - y[i - 1]) / h[i - 1])
    m = np.linalg.solve(a, b)
    i = np.clip(np.searchsorted(x, at) - 1, 0, n - 2)
    p, q = (x[i + 1] - at) / h[i], (at - x[i]) / h[i]
    return p * y[i] + q * y[i + 1] + ((p**3 - p) * m[i] + (q**3 - q) * m[i + 1]) * h[i] ** 2 / 6


def lorenz(y, h, steps):
    def f(s):
        return np.array([10 * (s[1] - s[0]), s[0] * (28 - s[2]) - s[1], s[0] * s[1] - 8 / 3 * s[2]])

    for _ in range(steps):
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + h / 2 * k2)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + f(y + h * k3))
    return tuple(float(v) for v in y)


def calls():
    r = rng("curves")
    for n, m in ((2, 3), (3, 5), (4, 0), (20, 33)):
        x, y = np.cumsum(r.uniform(0.1, 1, n)), r.normal(size=n)
        at = r.uniform(x[0] - 0.5, x[-1] + 0.5, m)
        yield Call("spline", (x, y, at), spline(x, y, at), rtol=1e-9, atol=1e-10)
    yield Call("spline", (np.ones(1), np.ones(1), np.ones(1)), np.ones(1), fails="E0404")
    for b in (0.0, 0.5, 1.0, 3.0):
        yield Call("integrals", (b,), (math.sqrt(math.pi) / 2 * math.erf(b), math.sin(10 * b) / 10, 2 / 3 * b**1.5), atol=1e-8)
    for steps in (0, 1, 100):
        yield Call("lorenz", (Struct("Lorenz", x=1.0, y=2.0, z=20.0), 0.01, steps), lorenz(np.array([1.0, 2.0, 20.0]), 0.01, steps), rtol=1e-8)
