"""Quicksort and quickselect against NumPy."""

import numpy as np

from field import Call, UpTo, rng


def calls():
    r = rng("quicksort")
    arrays = [r.integers(-5, 5, n, dtype="i4") for n in (0, 1, 2, 3, 7, 31, 500)]
    arrays += [np.zeros(40, dtype="i4"), np.arange(50, dtype="i4"), np.arange(50, dtype="i4")[::-1].copy()]
    arrays += [np.append(r.integers(-(2**31), 2**31, 1000), [2**31 - 1, -(2**31)]).astype("i4")]
    for xs in arrays:
        n, ordered = len(xs), np.sort(xs)
        yield Call("sorted", (xs,), ordered)
        for k in sorted({n // 2, n - 1}) if n else ():
            yield Call("selected", (k, xs), ordered[k])
        for most in (n // 3, n + 2):
            yield Call("smallest", (most, xs), UpTo(ordered[:most], most))
    yield Call("smallest", (0, arrays[3]), UpTo(arrays[3][:0], 0))
    for k in (-1, 3):
        yield Call("selected", (k, arrays[3]), np.int32(0), fails="E0614")
