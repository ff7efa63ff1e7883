"""Conversions between integers and floats against NumPy and, where floats may be out of range, Python."""

import math

import numpy as np

from field import Call, rng

SPECIAL = [0.0, -0.0, math.nan, math.inf, -math.inf, 1e30, -1e30, 0.75, -0.75, 127.5, -128.5, -129.0, 255.75, 256.0, 65535.5, 65536.0,
           2.0**31 - 128, 2.0**31, -(2.0**31), -(2.0**31) - 512, 2.0**32 - 256, 2.0**32, 2.0**63 - 2.0**39, 2.0**63, -(2.0**63), 1e-40]


def saturated(x, dtype):
    """Floats as integers: rounded toward zero, the ends of the range for those outside, 0 for NaN."""
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    whole = [0 if math.isnan(v) else low if v <= low else high if v >= high else int(v) for v in x.tolist()]
    return np.array(whole, dtype)


def integers(r, n, dtype):
    """Integers of all sizes, with the limits of the type and those of narrower ones."""
    x = r.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, n, dtype, endpoint=True) >> r.integers(0, np.iinfo(dtype).bits, n).astype(dtype)
    edges = np.array([2**k + d for k in (0, 7, 8, 15, 16, 24, 31, 32, 53, 63) for d in (-1, 0, 1)], dtype=object)
    edges = np.array([e for e in edges if e <= np.iinfo(dtype).max], dtype)
    return np.where(r.integers(0, 3, n) == 0, r.choice(edges, n), x)


def calls():
    r = rng("pixels")
    for n in (0, 1, 3, 17, 33, 64, 257):
        a, b = r.integers(0, 256, n).astype(np.uint8), r.integers(0, 256, n).astype(np.uint8)
        yield Call("contrast", (a, b), np.clip(a.astype(int) - b, -100, 100).astype(np.int16))
        inside = (a >= 50) & (a <= 180)
        yield Call("masks", (a, np.uint8(50), np.uint8(180)), (inside, np.where(inside, 1, -1).astype(np.int32), (a > 50) * 0.5 + a))
        x, gate = r.integers(-(2**15), 2**15, n).astype(np.int16), r.integers(0, 2, n).astype(bool)
        yield Call("gated", (x, gate), np.where(gate, x / 32768, 0).astype(np.float32))
        light = np.where(a < 11, a / 3294.6, ((a / 255 + 0.055) / 1.055) ** 3)
        yield Call("light", (a,), light, rtol=1e-13)
    for n in (2, 31, 65):
        large, words = integers(r, n, np.int64), integers(r, n, np.uint32)
        yield Call("folded", (large,), tuple(large.astype(t) for t in (np.int8, np.uint16, np.uint32, np.float32)))
        signed = words.astype(np.int64)
        yield Call("halves", (words,), (words / 2, words // 2, np.where(signed >= 2**31, -signed, signed)))
        x = np.where(r.integers(0, 3, n) == 0, large.astype(np.float64) / 8, r.choice(SPECIAL, n))
        yield Call("wide", (x,), tuple(saturated(x, t) for t in (np.int64, np.uint32, np.int32, np.uint16)))
    for x in (np.array(SPECIAL, np.float32), (r.integers(-900, 900, 500) / 4).astype(np.float32)):
        yield Call("clipped", (x,), saturated(x, np.int8))
        # 255 times a sixteenth is exact.
        x = np.where(np.abs(x) < 300, np.round(x) / np.float32(16), x)
        with np.errstate(over="ignore"):
            scaled = np.nan_to_num(x * np.float32(255) + np.float32(0.5), nan=0.0)
        yield Call("bytes", (x,), saturated(scaled, np.uint8))
