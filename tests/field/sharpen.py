"""Filters against padded and shifted pictures of NumPy."""

import numpy as np

from field import Call, rng

WEIGHTS = np.array([1, 4, 6, 4, 1]) / 16


def blur(a):
    p = np.pad(a.astype(np.float64), 2, "edge")
    h, w = a.shape
    return sum(WEIGHTS[i] * WEIGHTS[j] * p[i : i + h, j : j + w] for i in range(5) for j in range(5))


def single(a):
    return a.astype(np.float32)


def calls():
    r = rng("sharpen")
    for h, w in ((1, 1), (1, 7), (2, 3), (64, 61)):
        a = single(r.random((h, w)))
        yield Call("blur", (a,), single(blur(a)), rtol=1e-5, atol=1e-6)
        yield Call("sharpen", (np.float32(1.5), a), single(np.clip(a + 1.5 * (a - blur(a)), 0, 1)), rtol=1e-5, atol=1e-5)
        p = np.pad(a, ((0, 0), (1, 1)), "symmetric")
        yield Call("median", (a,), np.median(np.stack([p[:, :-2], p[:, 1:-1], p[:, 2:]]), axis=0))
    for h, w in ((0, 2), (1, 1), (9, 16)):
        a = single(r.random((2 * h, 2 * w)))
        mean = a.reshape(h, 2, w, 2).mean(axis=(1, 3))
        yield Call("half", (a,), mean, rtol=1e-6, sizes={"h": h, "w": w})
    yield Call("blur", (np.zeros((0, 3), dtype=np.float32),), np.zeros((0, 3), dtype=np.float32), fails="E0404")
    special = np.array([[1, np.nan, 3, 7, 2, 5, 4, np.inf]], dtype=np.float32)
    yield Call("blur", (special,), single(blur(special)), rtol=1e-5)
