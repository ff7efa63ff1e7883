"""Histograms and sums by keys, against NumPy."""

import numpy as np

from field import Call, Rows, rng


def by_key(keys, values):
    out = [(0, 0, 2**63 - 1, -(2**63))] * 16
    for key in set(keys.tolist()):
        vs = values[keys == key]
        with np.errstate(over="ignore"):
            out[key] = (len(vs), int(vs.sum()), int(vs.min()), int(vs.max()))
    return Rows(np.array(column) for column in zip(*out))


def high(limit, rows):
    out = []
    for row in rows:
        at = np.flatnonzero(row > limit)
        out.append((len(at), at.sum(), (at * at).sum()))
    out = np.array(out, "i8").reshape(-1, 3)
    return Rows((out[:, 0].astype("i4"), out[:, 1].copy(), out[:, 2].copy()))


def calls():
    r = rng("tallies")
    for n in (0, 1, 2, 101, 511, 512, 1301):
        slow = n > 200
        xs = r.integers(0, 256, n, np.uint8) if n % 2 else np.full(n, 255, np.uint8)
        yield Call("bytes", [xs], np.bincount(xs, minlength=256).astype("u4"), slow=slow)
        keys = r.integers(0, 16, n).astype("i4")
        values = r.choice(np.array([2**63 - 1, -(2**63), 3, -1, 2**62]), n)
        yield Call("by_key", [keys, values], by_key(keys, values), slow=slow)
    for bad in (16, -1, 2**31 - 1, -(2**31)):
        keys = r.integers(0, 16, 211).astype("i4")
        keys[150] = bad
        yield Call("by_key", [keys, np.arange(211)], by_key(keys % 16, np.arange(211)), fails="E0601")
    for h in (0, 1, 5):
        rows = r.normal(size=(h, 97))
        rows[:, ::7] = np.nan
        for limit in (0.0, -np.inf, np.inf):
            yield Call("high", [limit, rows], high(limit, rows), slow=h > 1)
