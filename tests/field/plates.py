"""Iterations against NumPy."""

import numpy as np

from field import Call, rng


def settled(limit, most, plate):
    a, b = plate.copy(), plate.copy()
    steps, change = 0, limit + 1
    while change > limit and steps < most:
        change = 0.0
        if min(a.shape) > 2:
            b[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
            change = float(np.abs(b - a)[1:-1, 1:-1].max())
        a, b = b, a
        steps += 1
    return a, np.int32(steps)


def warmed(steps, source, plate):
    u = plate.copy()
    for _ in range(steps):
        p = np.pad(u, ((0, 0), (1, 1)), mode="edge")
        u = np.float32(0.25) * p[:, :-2] + np.float32(0.5) * p[:, 1:-1] + np.float32(0.25) * p[:, 2:]
        u[0] += source
        u[-1] = u[-2]
    return u


def calls():
    r = rng("plates")
    for n, m in ((0, 3), (1, 1), (3, 3), (7, 13), (61, 97)):
        slow = n * m > 1000
        plate = r.integers(0, 64, (n, m)).astype(float)
        yield Call("settled", (0.5, np.int32(20), plate), settled(0.5, 20, plate), rtol=1e-12, slow=slow)
        if min(n, m) > 2:
            small = r.normal(size=(n, m)).astype("f4")
            yield Call("warmed", (5, np.float32(0.5), small), warmed(5, np.float32(0.5), small), rtol=1e-5, atol=1e-5, slow=slow)
    for n in (0, 1, 2, 11, 64, 73):
        slow = n > 20
        odds = r.random((n, n))
        odds[:1] = 0
        p = odds
        for _ in range(3):
            p = p @ p
            sums = p.sum(axis=1, keepdims=True)
            p = np.where(sums > 0, p / np.where(sums > 0, sums, 1), p)
        yield Call("chain", (3, odds), (p, p.sum(axis=1)), rtol=1e-9, slow=slow)
        if n:
            a = r.normal(size=(n, n))
            a = a @ a.T + np.eye(n)
            v = np.full(n, 1 / np.sqrt(n))
            for _ in range(20):
                v = a @ v
                v /= np.linalg.norm(v)
            yield Call("greatest", (20, a), float(v @ a @ v), rtol=1e-8, slow=slow)
        b = r.integers(-9, 9, (n, n)).astype("f4")
        d = np.diag(np.diag(b))
        yield Call("without_diagonal", (b,), (b - d, d, np.float32(np.trace(d))), slow=slow)
        h, w = r.normal(size=(n + 3, n)), r.normal(size=(n, n)) / max(n, 1)
        h, w = h.astype("f4"), w.astype("f4")
        x = h.astype(float)
        for _ in range(4):
            x = x + np.maximum(x @ w.astype(float), 0)
        yield Call("layers", (4, h, w), x.astype("f4"), rtol=1e-3, atol=1e-4, slow=slow)
