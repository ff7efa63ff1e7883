"""Scans against NumPy."""

import numpy as np

from field import Call, rng



def full(r, kind, n):
    i = np.iinfo(kind)
    return r.integers(i.min, i.max, size=n, endpoint=True, dtype=kind)


def calls():
    r = rng("compacted")
    for n in (0, 1, 61, 2049, 16383, 16384, 16385, 20480):
        slow = n > 3000
        xs = r.integers(-9, 10, size=n).astype("f4")
        kept = xs[xs > 2]
        out = np.zeros(n, "f4")
        out[: len(kept)] = kept
        yield Call("above", (np.float32(2), xs), (len(kept), out), slow=slow)
        yield Call("sums", (xs,), np.cumsum(xs, dtype="f4"), slow=slow)
        wide, bytes_, lengths = full(r, "i8", n), full(r, "u1", n), full(r, "i4", n)
        sums = np.cumsum(wide)
        yield Call("sums64", (wide,), sums, slow=slow)
        yield Call("balance", (7, wide), sums + 7, slow=slow)
        yield Call("balance_ex", (7, wide), sums - wide + 7, slow=slow)
        yield Call("squares", (wide,), np.cumsum(wide * wide), slow=slow)
        yield Call("backwards", (wide,), np.cumsum(wide[::-1])[::-1].copy(), slow=slow)
        yield Call("before", (bytes_,), np.cumsum(bytes_, dtype="u1") - bytes_, slow=slow)
        yield Call("starts", (lengths,), np.cumsum(lengths, dtype="i4") - lengths, slow=slow)
        small = full(r, "i1", n)
        yield Call("tops", (small,), np.maximum.accumulate(small), slow=slow)
        factors = 1 + 1e-3 * r.normal(size=n)
        yield Call("products", (factors,), np.cumprod(factors), rtol=1e-9, slow=slow)
        bits = r.random(size=n) < 0.5
        yield Call("parity", (bits,), np.cumsum(bits) % 2 == 1, slow=slow)
        sparse = r.integers(0, 3, size=n).astype("i4")
        places = np.maximum.accumulate(np.where(sparse != 0, np.arange(n), -1)) if n else np.zeros(0, "i8")
        yield Call("last_set", (sparse,), np.where(places >= 0, sparse[places] if n else 0, 0).astype("i4"), slow=slow)
        table = full(r, "i8", (5, n // 5))
        yield Call("table", (table,), table.cumsum(axis=1).cumsum(axis=0), slow=slow)
