"""LEB128 and Stream VByte, byte by byte."""

import numpy as np

from field import Call, UpTo, octets, rng


def leb(x):
    u = (x << 1 ^ x >> 63) & 2**64 - 1
    out = []
    while True:
        out.append(u & 127 | (128 if u > 127 else 0))
        u >>= 7
        if not u:
            return bytes(out)


def calls():
    r = rng("varints")
    for n in (0, 1, 5, 37, 211):
        xs = r.integers(-(2**63), 2**63, n) >> r.integers(0, 64, n)
        xs[:4] = [-(2**63), 2**63 - 1, 0, -1][: len(xs[:4])]
        parts = [leb(int(x)) for x in xs]
        data = b"".join(parts)
        slow = n > 40
        yield Call("lengths", (xs,), np.array([len(p) for p in parts], "u1"), slow=slow)
        yield Call("encode", (xs,), UpTo(octets(data), 10 * n), slow=slow)
        yield Call("decode", (octets(data),), (UpTo(xs, len(data)), len(data)), slow=slow)
        yield Call("decode", (octets(data + b"\xff" * 3),), (UpTo(xs, len(data) + 3), len(data)), slow=slow)
        yield Call("amount", (octets(data),), n, slow=slow)
        us = (r.integers(0, 2**32, n) >> r.integers(0, 33, n)).astype("u4")
        us[:1] = 2**32 - 1
        sizes = [max(1, (int(u).bit_length() + 7) // 8) for u in us]
        control = np.zeros((n + 3) // 4, "u1")
        for i, size in enumerate(sizes):
            control[i // 4] |= (size - 1) << 2 * (i % 4)
        stream = b"".join(int(u).to_bytes(size, "little") for u, size in zip(us, sizes))
        yield Call("stream", (us,), (control, UpTo(octets(stream), 4 * n)), slow=slow)
        rest = -n % 4
        want = np.concatenate((us, np.zeros(rest, "u4")))
        yield Call("unstream", (control, octets(stream + bytes(rest))), want, slow=slow)
        if n:
            yield Call("unstream", (control, octets(stream + bytes(rest))[:-1]), want, fails="E0614", slow=slow)
    yield Call("decode", (octets(b"\x80" * 9 + b"\x02"),), (UpTo(np.zeros(0, "i8"), 10), 0))
