"""Rows by groups of work-items against NumPy."""

import numpy as np

from field import Call, Rows, rng


def calls():
    r = rng("zones")
    for h, w in ((0, 0), (1, 1), (3, 7), (31, 97), (2, 513), (3, 1031)):
        a = r.integers(0, 256, (h, w)).astype(np.uint8)
        want = np.array([np.bincount(row & 7, minlength=8) for row in a]).reshape(h, 8).astype(np.int32)
        yield Call("row_counts", (a,), want)
        b, at = r.integers(-1000, 1000, (h, w)).astype(np.int32), r.permutation(w)
        yield Call("rearranged", (b, at), b[:, at[::-1]] if w else b)
        if h and w:
            wrong = at.copy()
            wrong[w // 2] = w
            yield Call("rearranged", (b, wrong), b, fails="E0601")
        x = r.standard_normal((h, w))
        tops = np.maximum(x.max(axis=1, initial=1.0), 1.0)
        yield Call("scaled", (x,), (np.float64(tops.max(initial=1.0)), x / tops[:, None]), rtol=1e-12)
        if w:
            means = x.mean(axis=1)
            yield Call("summaries", (x,), Rows((means, x.var(axis=1), x.max(axis=1))), rtol=1e-9, atol=1e-12)
    for n in (0, 1, 7, 97, 25013):
        xs = r.integers(-1000, 1000, n).astype(np.int32)
        yield Call("beside", (xs,), (3 * xs, 4 * xs - 1))
