"""Halves by NumPy, bfloat16 by rounding its integers, order by sorting keys."""

import numpy as np

from field import Call, Rows, rng

SPECIAL = [0.0, -0.0, 1.0, np.inf, -np.inf, np.nan, 65504, 65519.996, 65520, 6.1035156e-05, 6.097555e-05, 2.9802322e-08, 2.9802326e-08, -1e-45, 3.4028235e38, 1e-40, 1.00048828125, 1.00146484375]


def calls():
    r = rng("halves")
    for n in (0, 1, 18, 67, 1009):
        bits = r.integers(0, 2**32, n, dtype="u4")
        near = (r.normal(size=n) * 10.0 ** r.integers(-8, 6, n)).astype("f4")
        xs = np.where(r.random(n) < 0.3, bits.view("f4"), near)
        if n > 1:
            xs[:18] = SPECIAL
        slow = n > 60
        with np.errstate(over="ignore"):
            halves = xs.astype("f2").view("u2")
        nan = np.isnan(xs)
        want = np.where(nan, halves & 0x8000 | 0x7E00, halves).astype("u2")
        yield Call("to_half", (xs,), want, slow=slow)
        numbers = np.where(nan, np.float32(7), xs)
        with np.errstate(over="ignore"):
            yield Call("by_type", (numbers,), numbers.astype("f2").view("u2"), slow=slow)
        codes = r.integers(0, 2**16, n, dtype="u2")
        codes[:9] = [0, 1, 0x3FF, 0x400, 0x8001, 0x7C00, 0xFC00, 0x7BFF, 0x8000][: len(codes[:9])]
        codes[codes & 0x7FFF > 0x7C00] = 0x7C00
        yield Call("of_half", (codes,), codes.view("f2").astype("f4"), slow=slow)
        u = xs.view("u4").astype("u8")
        rounded = np.where(nan, u >> 16 | 0x40, u + 0x7FFF + (u >> 16 & 1) >> 16)
        yield Call("to_bfloat", (xs,), rounded.astype("u2"), slow=slow)
        a, b = ((r.normal(size=(2, n)).astype("f4").view("u4")) >> 16).astype("u2")
        wide = [(x.astype("u4") << 16).view("f4") for x in (a, b)]
        yield Call("product", (a, b), np.float32(np.dot(wide[0].astype("f8"), wide[1].astype("f8"))), rtol=1e-4, atol=1e-4, slow=slow)
        keys = sorted(u.tolist(), key=lambda k: k ^ (0xFFFFFFFF if k >> 31 else 0x80000000))
        yield Call("sorted", (xs,), np.array(keys, "u4").view("f4"), slow=n > 20)
        doubles, others = r.integers(0, 2**64, (2, n), dtype="u8").view("f8")
        doubles[:2] = np.finfo("f8").max
        others[:2] = [-np.finfo("f8").max, -0.0][: len(others[:2])]
        of = lambda k: -(k & 2**63 - 1) if k >> 63 else k
        far = [abs(of(int(p)) - of(int(q))) for p, q in zip(doubles.view("u8"), others.view("u8"))]
        yield Call("ulps", (doubles, others), np.array(far, "u8"), slow=slow)
        mantissa, exponent = np.frexp(xs)
        exponent[~np.isfinite(xs)] = 0
        yield Call("split_up", (xs,), Rows((mantissa, exponent)), slow=slow)
