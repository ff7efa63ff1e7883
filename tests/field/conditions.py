"""Conditions over rows against NumPy."""

import numpy as np

from field import Call, rng


def calls():
    r = rng("conditions")
    for n in (0, 1, 5, 300):
        for m in (0, 1, 3, 16, 331):
            a = r.integers(-9, 10, (n, m)) / 2
            b = r.integers(0, 256, (n, m)).astype("u1")
            k = np.sort(r.integers(0, 1000, (n, m + 1)), axis=1).astype("i4")
            k[: n // 2] = r.integers(-9, 9, (n // 2, m + 1))
            mask = r.random((n, m)) < 0.5
            mask[: n // 3] = True
            if n > 2 and m > 1:
                a[0, 0], a[1, 1] = np.nan, np.inf
            f = a.astype("f4")
            other = k[:, :m].copy()
            other[n // 2 : n // 2 + 1] += 1
            for limit in (4.25, 400.0):
                yield Call("any_above", (a, limit), np.bool_((a > limit).any()))
            yield Call("rows_above", (a, 4.25), (a > 4.25).any(axis=1))
            yield Call("all_positive", (f,), np.bool_((f > 0).all()))
            yield Call("all_positive", (np.abs(f) + np.float32(1),), np.bool_((np.abs(f) + 1 > 0).all()))
            yield Call("covered", (mask,), np.bool_(mask.any(axis=1).all()))
            yield Call("full_rows", (mask,), np.int64(mask.all(axis=1).sum()))
            yield Call("inside", (f, np.float32(-1), np.float32(2)), ((f >= -1) & (f < 2)).sum(axis=1).astype("i8"))
            yield Call("trues", (mask,), np.int64(mask.sum()))
            yield Call("same", (other, k[:, :m]), np.bool_((other == k[:, :m]).all()))
            yield Call("sorted_rows", (k,), (k[:, :-1] <= k[:, 1:]).all(axis=1))
            yield Call("clipped", (b,), np.int32(((b == 0) | (b == 255)).sum()))
            yield Call("parity", (mask,), np.bool_(mask.sum() % 2))
