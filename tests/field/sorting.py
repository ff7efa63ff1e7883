"""Sorting and searching against NumPy."""

import numpy as np

from field import Call, rng


def calls():
    r = rng("sorting")
    for n in (0, 1, 2, 3, 17, 256, 1000):
        x = r.normal(size=n).round(1)
        yield Call("sorted", (x,), np.sort(x))
        keys = r.integers(-5, 5, n, dtype="i4")
        yield Call("order", (keys,), np.argsort(keys, kind="stable"))
        numbers = r.integers(0, 2**64, n, dtype="u8")
        yield Call("radix_sorted", (numbers,), np.sort(numbers))
        wanted = np.concatenate([x[:7], [-np.inf, np.inf, 0.05]])
        yield Call("ranks", (np.sort(x), wanted), np.searchsorted(np.sort(x), wanted))
    yield Call("sorted", (np.arange(50.0)[::-1].copy(),), np.arange(50.0))
    yield Call("sorted", (np.array([np.inf, -np.inf, 0.0, -0.0]),), np.array([-np.inf, 0.0, 0.0, np.inf]))
    limits = np.array([2**31 - 1, -(2**31), 0, -1], dtype="i4")
    yield Call("order", (limits,), np.argsort(limits, kind="stable"))
