"""Layers against NumPy."""

import numpy as np

from field import Call, Struct, rng


def lstm(w, u, b, xs):
    def sigmoid(x):
        return 1 / (1 + np.exp(-x))

    h = c = np.zeros(b.shape[1])
    out = []
    for x in xs.astype(float):
        i, f, g, o = w.astype(float) @ x + u.astype(float) @ h + b
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        out.append(h)
    return np.array(out, dtype="f4").reshape(len(xs), b.shape[1])


def quantised(x):
    largest = np.abs(x).max(initial=np.float32(0))
    unit = np.float32(1) if largest == 0 else largest / np.float32(127)
    y = x / unit
    return np.copysign(np.floor(np.abs(y) + np.float32(0.5)), y).astype(int), unit


def calls():
    r = rng("recurrent")

    def normal(*shape):
        return r.normal(size=shape).astype("f4")

    for t, d, h in ((0, 1, 1), (1, 1, 1), (3, 2, 4), (10, 5, 7)):
        w, u, b, xs = normal(4, h, d), normal(4, h, h), normal(4, h), normal(t, d)
        yield Call("lstm", (Struct("Gates", input=w, state=u, bias=b), xs), lstm(w, u, b, xs), rtol=1e-3, atol=1e-5)
    for n, m in ((1, 1), (3, 0), (4, 9), (16, 100)):
        a, x = normal(n, m), normal(m)
        q, unit = quantised(x)
        want = [np.float32(p @ q) * s * unit for p, s in map(quantised, a)]
        yield Call("int8_product", (a, x), np.array(want, dtype="f4"), rtol=1e-2, atol=2e-2)
        yield Call("half_sum", (x,), np.float32(sum_half(x)))
    yield Call("int8_product", (np.zeros((2, 3), "f4"), np.ones(3, "f4")), np.zeros(2, "f4"))
    yield Call("half_sum", (np.array([65504, 16, np.inf, 1e-8], "f4"),), np.float32(np.inf))
    yield Call("half_sum", (np.array([65504, 15], "f4"),), np.float32(65504))
    for n in (0, 1, 20):
        w, g, m, v = r.normal(size=n), r.normal(size=n), r.normal(size=n), r.random(n)
        for step in (1, 100):
            m2, v2 = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
            change = m2 / (1 - 0.9**step) / (np.sqrt(v2 / (1 - 0.999**step)) + 1e-8)
            yield Call("adam", (np.int32(step), 0.01, w, g, m, v), (w - 0.01 * change, m2, v2), rtol=1e-9)


def sum_half(xs):
    total = np.float16(0)
    with np.errstate(over="ignore"):
        for x in xs.astype("f2"):
            total = np.float16(total + x)
    return total
