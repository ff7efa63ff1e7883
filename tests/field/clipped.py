"""Limits and filters against NumPy."""

import numpy as np

from field import Call, UpTo, rng


def calls():
    r = rng("clipped")
    for n in (0, 1, 257, 16411):
        slow = n > 3000
        wide = r.integers(-150, 151, n)
        wide[::5] = r.integers(-(2**63), 2**63 - 1, len(wide[::5]), endpoint=True)
        near = np.clip(wide, -100, 100)
        yield Call("energy", (wide,), int((near[near % 3 == 0] ** 2).sum()), slow=slow)
        if n:
            small = r.integers(-5, 15, n, dtype="i4")
            small[::3] = r.choice(np.array([-(2**31), 2**31 - 1, 0, 9], dtype="i4"), len(small[::3]))
            yield Call("twice", (small,), np.clip(small, 0, 9), slow=slow)
        xs = r.normal(size=n).astype("f4")
        xs[::7] = r.choice(np.array([np.nan, np.inf, -np.inf, 0.5, -0.0], dtype="f4"), len(xs[::7]))
        yield Call("kept", (xs,), UpTo(xs[xs < 0.5], n), slow=slow)
    yield Call("kept", (np.full(1031, 0.5, "f4"),), UpTo(np.zeros(0, "f4"), 1031))
    yield Call("kept", (np.full(1031, 0.25, "f4"),), UpTo(np.full(1031, 0.25, "f4"), 1031))
