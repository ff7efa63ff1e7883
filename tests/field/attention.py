"""Layers against NumPy in f64."""

import math

import numpy as np

from field import Call, rng


def softmax(s):
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(q, k, v, causal):
    n, h, d = q.shape
    scores = np.einsum("ihd,jhd->hij", q, k) / math.sqrt(d)
    if causal:
        scores = np.where(np.arange(n)[None] <= np.arange(n)[:, None], scores, -np.inf)
    return np.einsum("hij,jhd->ihd", softmax(scores), v).reshape(n, h * d)


def calls():
    r = rng("attention")

    def normal(*shape):
        return r.normal(size=shape).astype("f4")

    for n, h, d in ((1, 1, 1), (2, 3, 4), (7, 2, 5), (33, 4, 8)):
        q, k, v = normal(n, h, d), normal(n, h, d), normal(n, h, d)
        for causal in (False, True):
            want = attention(*(x.astype(float) for x in (q, k, v)), causal).astype("f4")
            yield Call("attention", (q, k, v, causal), want, rtol=1e-4, atol=1e-5)
        x, gain, bias = normal(n, d), normal(d), normal(d)
        y = x.astype(float)
        y = (y - y.mean(axis=1, keepdims=True)) / np.sqrt(y.var(axis=1, keepdims=True) + 1e-5) * gain + bias
        yield Call("layer_norm", (x, gain, bias), y.astype("f4"), rtol=1e-3, atol=1e-4)
        a, b = normal(d, 2 * d + 1), normal(2 * d + 1, d)
        z = x.astype(float) @ a
        z = 0.5 * z * (1 + np.vectorize(math.erf)(z / math.sqrt(2)))
        yield Call("feed_forward", (x, a, b), (x + z @ b).astype("f4"), rtol=1e-3, atol=1e-4)
    big = np.array([[[1000.0]], [[-1000.0]]], dtype="f4")
    yield Call("attention", (big, big, big, False), np.array([[1000.0], [-1000.0]], dtype="f4"))
