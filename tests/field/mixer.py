"""Samples against NumPy."""

import numpy as np

from field import Call, rng


def samples(r, n):
    """Samples of 16 bits, some of them the least and the greatest."""
    x = r.integers(-(2**15), 2**15, n).astype(np.int16)
    x[r.integers(0, 4, n) == 0] = -(2**15)
    x[r.integers(0, 7, n) == 0] = 2**15 - 1
    return x


def mixed(a, b, ga, gb):
    sums = (a.astype(np.int64) * ga + b.astype(np.int64) * gb).astype(np.int32)
    return np.clip(np.trunc(sums / 256), -(2**15), 2**15 - 1).astype(np.int16)


def faded(x, length):
    at = np.arange(len(x), dtype=np.float32)
    with np.errstate(all="ignore"):
        return np.where(at < length, x * (np.float32(1) - at / np.float32(length)), np.float32(0))


def calls():
    r = rng("mixer")
    for n in (0, 1, 3, 16, 17, 65, 1000):
        a, b = samples(r, n), samples(r, n)
        # Gains this large make the products and their sum wrap.
        for ga, gb in ((300, -77), (100003, 2**31 - 1)):
            yield Call("mixed", (a, b, np.int32(ga), np.int32(gb)), mixed(a, b, ga, gb))
        wide = a.astype(np.int64)
        loud = np.abs(wide)
        if n:
            yield Call("meter", (a,), (np.int32(loud.max()), int(np.argmax(loud)), int(wide.sum()), int((wide**2).sum())))
        yield Call("envelope", (np.int32(9000), a), np.maximum.accumulate(np.maximum(loud, 9000)).astype(np.int32))
    yield Call("meter", (np.zeros(0, np.int16),), (np.int32(0), 0, 0, 0), fails="E0404")
    yield Call("widened", (np.arange(256).astype(np.uint8),), ((np.arange(256) - 128) * 256).astype(np.int16))
    for n in (0, 2, 33, 500):
        octets = r.integers(0, 256, n).astype(np.uint8)
        yield Call("widened", (octets,), ((octets.astype(int) - 128) * 256).astype(np.int16))
        x = r.choice(np.array([0.5, -1, 1, 0.999, -2, np.nan, np.inf, -np.inf], np.float32), n)
        yield Call("clips", (x,), ((np.abs(x) >= 1).astype(np.uint8), int((np.abs(x) >= 1).sum())))
    for n, length in ((0, 5), (7, 0), (8, -1), (17, 9), (64, 64), (65, 100), (331, 300)):
        x = r.integers(-9, 10, n).astype(np.float32)
        if n == 65:
            x[::7] = np.inf
            x[5::7] = np.nan
        yield Call("faded", (x, length), faded(x, length))
