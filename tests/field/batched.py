"""Products and distances against NumPy."""

import numpy as np

from field import Call, rng



def softmax(s):
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def calls():
    r = rng("batched")

    def whole(*shape):
        return r.integers(-5, 6, size=shape).astype("f4")

    for n, k, m in ((0, 2, 3), (2, 0, 3), (5, 3, 2), (64, 16, 64), (65, 17, 67)):
        slow = n * k * m > 30000
        x, y, b = whole(n, k), whole(k, m), whole(m)
        pair = whole(2, n, k), whole(2, k, m)
        yield Call("products", pair, pair[0] @ pair[1], slow=slow)
        yield Call("layer", (x, y, b), np.maximum(x @ y + b, 0), slow=slow)
        yield Call("gram", (x,), x.T @ x, slow=slow)
        z = y.T.copy()
        far = np.sqrt(((x[:, None].astype(float) - z[None]) ** 2).sum(axis=2))
        yield Call("distances", (x, z), far.astype("f4"), rtol=1e-6, slow=slow)
        least = (x[:, :, None] + y[None]).min(axis=1, initial=np.inf)
        yield Call("tropical", (x, y), least.astype("f4"), slow=slow)
        p, q = (r.integers(-(2**63), 2**63, size=s, dtype="i8") for s in ((n, k), (k, m)))
        yield Call("whole", (p, q), p @ q, slow=slow)
        yield Call("small", (p.astype("i1"), q.astype("i1")), p.astype("i1") @ q.astype("i1"), slow=slow)
        p, q = p.astype("u1"), q.astype("u1")
        yield Call("bytes", (p, q), p.astype("i4") @ q.astype("i4"), slow=slow)
        p, q = r.normal(size=(n, k)), r.normal(size=(k, m))
        yield Call("wide", (p, q), p @ q, rtol=1e-9, atol=1e-12, slow=slow)
        steps = r.random(size=(n, n)) < 0.1
        yield Call("two_steps", (steps,), (steps.astype("i4") @ steps.astype("i4")) > 0, slow=slow)
        if k:
            q, keys, v = (r.normal(size=s).astype("f4") for s in ((n, k), (m, k), (m, 4)))
            a = softmax(q.astype(float) @ keys.T.astype(float) / np.sqrt(k)) @ v
            yield Call("attention", (q, keys, v), a.astype("f4"), rtol=1e-4, atol=1e-5, slow=slow)
