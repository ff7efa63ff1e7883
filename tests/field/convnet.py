"""A network against NumPy in f64."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from field import Call, rng


def learn(x, c, a, b, rate):
    x, a, b = x.astype(float), a.astype(float), b.astype(float)
    h = np.maximum(a @ x, 0)
    e = np.exp(b @ h - (b @ h).max())
    p = e / e.sum()
    d = p - np.eye(len(p))[c]
    inner = (b.T @ d) * (h > 0)
    return np.float32(-np.log(p[c])), (a - rate * np.outer(inner, x)).astype("f4"), (b - rate * np.outer(d, h)).astype("f4")


def calls():
    r = rng("convnet")

    def normal(*shape):
        return r.normal(size=shape).astype("f4")

    for c, d, h, w, k in ((1, 1, 1, 1, 1), (3, 2, 5, 6, 3), (2, 4, 9, 7, 2), (0, 2, 3, 3, 1)):
        image, filters, bias = normal(c, h, w), normal(d, c, k, k), normal(d)
        windows = sliding_window_view(image.astype(float), (k, k), axis=(1, 2))
        want = np.einsum("cijyx,dcyx->dij", windows, filters) + bias[:, None, None]
        yield Call("convolution", (image, filters, bias), want.astype("f4"), rtol=1e-4, atol=1e-5)
        even = image[:, : h // 2 * 2, : w // 2 * 2].reshape(c, h // 2, 2, w // 2, 2)
        yield Call("pool", (image,), even.max(axis=(2, 4)) if c and h > 1 and w > 1 else np.zeros((c, h // 2, w // 2), "f4"))
    for n, m, k in ((1, 1, 1), (5, 4, 3), (40, 17, 10)):
        x, a, b = normal(n), normal(m, n), normal(k, m)
        yield Call("learn", (x, np.int32(k - 1), a, b, np.float32(0.1)), learn(x, k - 1, a, b, 0.1), rtol=2e-3, atol=1e-4)
    yield Call("learn", (normal(2), np.int32(3), normal(2, 2), normal(3, 2), np.float32(0.1)), (np.float32(0), normal(2, 2), normal(3, 2)), fails="E0601")
