"""Compression against plain Python."""

import itertools

import numpy as np

from field import Call, octets, rng


def rle(data):
    out = b""
    for byte, run in itertools.groupby(data):
        run = len(list(run))
        out += b"".join(bytes([k, byte]) for k in [255] * (run // 255) + [run % 255] * (run % 255 > 0))
    return out


def varints(xs):
    out, before = b"", 0
    for x in xs:
        d = (x - before + 2**63) % 2**64 - 2**63
        before = x
        z = 2 * d if d >= 0 else -2 * d - 1
        while z >= 128:
            out += bytes([z % 128 + 128])
            z //= 128
        out += bytes([z])
    return out


def lz4(data):
    """A compressor that looks for the longest match at each place."""
    out, i, start = b"", 0, 0

    def rest(k):
        return b"" if k < 15 else bytes([255] * ((k - 15) // 255) + [(k - 15) % 255])

    def sequence(literals, offset, count):
        token = min(len(literals), 15) << 4 | (min(count - 4, 15) if count else 0)
        return bytes([token]) + rest(len(literals)) + literals + (offset.to_bytes(2, "little") + rest(count - 4) if count else b"")

    while i < len(data):
        best, at = 0, 0
        for j in range(max(0, i - 65535), i):
            k = 0
            while i + k < len(data) and data[j + k] == data[i + k]:
                k += 1
            if k > best:
                best, at = k, i - j
        if best >= 4 and i + best < len(data):
            out += sequence(data[start:i], at, best)
            i += best
            start = i
        else:
            i += 1
    return out + sequence(data[start:], 0, 0)


def calls():
    r = rng("packing")
    texts = [b"", b"a", b"aaab", bytes(300), b"abcabcabcabcabcabcabcabcX" * 3, bytes(np.repeat(r.integers(0, 4, 60, dtype="u1"), r.integers(1, 9, 60)))]
    for text in texts:
        packed = rle(text)
        yield Call("rle", (octets(text),), (octets(packed.ljust(2 * len(text), b"\0")), len(packed)))
        yield Call("unrle", (octets(packed), len(text)), octets(text))
        block = lz4(text)
        yield Call("lz4", (octets(block), len(text)), (octets(text), len(text)))
        if len(text) > 4:
            yield Call("lz4", (octets(block), len(text) - 1), (octets(bytes(len(text) - 1)), -1))
    yield Call("lz4", (octets(b"\x14a\x02\x00"), 20), (octets(bytes(20)), -1))
    yield Call("unrle", (octets(b"\x03a"), 2), octets(b"aa"), fails="E0601")
    limits = [0, 1, -1, 63, 64, -64, -65, 2**63 - 1, -(2**63), 0]
    for xs in ([], limits, [int(x) for x in r.integers(-1000, 1000, 50)]):
        packed = varints(xs)
        yield Call("varints", (np.array(xs, dtype="i8"),), (octets(packed.ljust(10 * len(xs), b"\0")), len(packed)))
