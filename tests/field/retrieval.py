"""Vectors and their products against NumPy in f64."""

import numpy as np

from field import Call, Rows, rng


def softmax(s):
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def calls():
    r = rng("retrieval")

    def normal(*shape):
        return r.normal(size=shape).astype("f4")

    for q, n, d in ((0, 3, 2), (1, 1, 1), (3, 5, 0), (7, 11, 13), (65, 67, 17)):
        slow = q * n > 1000
        a, b, v = normal(q, d), normal(n, d), normal(n, d + 3)
        a[:1], b[-1:] = 0, 0
        x, y = a.astype(float), b.astype(float)
        with np.errstate(all="ignore"):
            u, w = (np.nan_to_num(z / np.linalg.norm(z, axis=1, keepdims=True)) for z in (x, y))
        yield Call("cosines", (a, b), (u @ w.T).astype("f4"), rtol=1e-4, atol=1e-5, slow=slow)
        c, e = r.integers(-20, 20, (q, d)).astype(float), r.integers(-20, 20, (n, d)).astype(float)
        squares = ((c[:, None] - e[None]) ** 2).sum(axis=2)
        yield Call("nearest", (c, e), Rows((squares.argmin(axis=1), squares.min(axis=1))), slow=slow)
        want = softmax(2 * x @ y.T) @ v.astype(float)
        yield Call("answers", (a, b, v, np.float32(2)), want.astype("f4"), rtol=1e-3, atol=1e-4, slow=slow)
        k = min(n, 4)
        c, e = r.integers(-99, 99, (q, d)).astype("i4"), r.integers(-99, 99, (n, d)).astype("i4")
        order = np.argsort(-(c.astype("i8") @ e.T.astype("i8")), axis=1, kind="stable")[:, :k]
        yield Call("best_few", (np.zeros(k, bool), c, e), order.astype("i8"), slow=slow)
        xs, ys = normal(3, q, d), normal(3, n, d)
        want = np.einsum("bid,bjd->bij", xs.astype(float), ys.astype(float))
        yield Call("batch", (xs, ys), want.astype("f4"), rtol=1e-4, atol=1e-4, slow=slow)
        e = r.integers(-(2**62), 2**62, (n, d), dtype="i8")
        with np.errstate(over="ignore"):
            kept = e[(e * e).sum(axis=1) >= 0]
            gram = kept @ kept.T
            yield Call("long_pairs", (0, e), (len(kept), int(np.trace(gram)), int(gram.sum())), slow=slow)
