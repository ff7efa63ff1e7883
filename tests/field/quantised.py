"""Integers against NumPy's, which wrap in the same way."""

import numpy as np

from field import Call, rng


def narrowed(x, shift):
    half = 1 << (shift - 1) if shift else 0
    return np.clip((x.astype("i8") + half) >> shift, -128, 127).astype("i1")


def calls():
    r = rng("quantised")

    def full(kind, *shape):
        i = np.iinfo(kind)
        return r.integers(i.min, i.max, shape, endpoint=True, dtype=kind)

    for n, d, m in ((0, 3, 2), (1, 1, 1), (3, 0, 5), (7, 13, 11), (64, 16, 65), (67, 129, 71)):
        slow = n * m > 100
        x, w, bias = full("i1", n, d), full("i1", d, m), full("i4", m)
        for shift in (0, 24):
            want = np.maximum(narrowed(x.astype("i4") @ w.astype("i4") + bias, shift), 0)
            yield Call("layer", (x, w, bias, np.int32(shift)), want, slow=slow)
        v = full("i1", m, 10)
        hidden = np.maximum(narrowed(x.astype("i4") @ w.astype("i4"), 7), 0)
        scores = hidden.astype("i4") @ v.astype("i4")
        yield Call("classes", (x, w, v), (scores.argmax(axis=1), scores), slow=slow)
        a, b = full("u1", n, d), full("u1", d, m)
        yield Call("wrapped", (a, b), a @ b, slow=slow)
        a, b = full("u8", n, d), full("u8", m, d)
        bits = np.unpackbits((a[:, None] ^ b[None]).view("u1").reshape(n, m, 8 * d), axis=2) if d else np.zeros((n, m, 0))
        yield Call("differences", (a, b), bits.sum(axis=2).astype("i4"), slow=slow)
        a, b = full("i2", n, d), full("i2", m, d)
        a[: n // 2] = 0
        most = (a[:, None] ^ b[None]).max(axis=2, initial=-32768)
        yield Call("masks", (a, b), (most, (a[:, None] & b[None] == 0).all(axis=2)), slow=slow)
