"""Convolutions and filters against NumPy."""

import numpy as np

from field import Call, rng



def windows(xs, size, axis):
    return np.lib.stride_tricks.sliding_window_view(xs, size, axis=axis)


def calls():
    r = rng("conv_layer")

    def whole(*shape):
        return r.integers(-9, 10, size=shape).astype("f4")

    for ci, co, h, w, k in ((1, 1, 1, 1, 0), (2, 3, 5, 4, 2), (3, 2, 17, 67, 1)):
        x, weights, bias = whole(ci, h + k, w + k), whole(co, ci, k + 1, k + 1), whole(co)
        patches = np.lib.stride_tricks.sliding_window_view(x, (k + 1, k + 1), axis=(1, 2))
        want = np.maximum(np.einsum("chwpq,ocpq->ohw", patches, weights) + bias[:, None, None], 0)
        yield Call("layer", (x, weights, bias), want.astype("f4"), sizes={"h": h, "w": w, "r": k}, slow=h > 10)
    x = whole(2, 6, 10)
    yield Call("pooled", (x,), x.reshape(2, 3, 2, 5, 2).max(axis=(2, 4)))
    for h, w in ((0, 3), (1, 63), (2, 64), (3, 65), (2, 511), (3, 513)):
        slow = h * w > 200
        k, k17 = whole(6), whole(17)
        x = whole(h, w + 5)
        yield Call("row_filter", (x, k), (windows(x, 6, 1) @ k).astype("f4"), sizes={"r": 5, "w": w}, slow=slow)
        x = whole(h, w + 16)
        yield Call("row17", (x, k17), (windows(x, 17, 1) @ k17).astype("f4"), sizes={"w": w}, slow=slow)
        x = x.T.copy()
        yield Call("col17", (x, k17), (windows(x, 17, 0) @ k17).astype("f4"), sizes={"h": w}, slow=slow)
        p = r.integers(0, 256, size=(h, w)).astype("u1")
        padded = np.pad(p, ((0, 0), (2, 2)), mode="symmetric")
        yield Call("median5", (p,), np.median(windows(padded, 5, 1), axis=2).astype("u1"), slow=slow)
        if h:
            a = r.integers(-(2**63), 2**63, size=(h, w), dtype="i8")
            tops = windows(np.pad(a, 4, mode="edge"), (9, 9), (0, 1)).max(axis=(2, 3))
            yield Call("maxima", (a,), tops, slow=slow)
