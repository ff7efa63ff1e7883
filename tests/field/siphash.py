"""SipHash and xxHash by Python's integers, as their papers describe them."""

import numpy as np

from field import Call, octets, rng

M64, M32 = 2**64 - 1, 2**32 - 1
P32 = [2654435761, 2246822519, 3266489917, 668265263, 374761393]
P64 = [11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579, 2870177450012600261]


def rot(x, k, width):
    return (x << k | x >> (width - k)) & ((1 << width) - 1)


def sip(k0, k1, data):
    a, b, c, d = k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573
    whole = data + bytes(-(len(data) + 1) % 8) + bytes([len(data) & 255])
    words = [int.from_bytes(whole[i : i + 8], "little") for i in range(0, len(whole), 8)]
    for m in [*words, None]:
        d ^= m or 0
        if m is None:
            c ^= 0xFF
        for _ in range(2 if m is not None else 4):
            a = (a + b) & M64
            b = rot(b, 13, 64) ^ a
            a = rot(a, 32, 64)
            c = (c + d) & M64
            d = rot(d, 16, 64) ^ c
            a = (a + d) & M64
            d = rot(d, 21, 64) ^ a
            c = (c + b) & M64
            b = rot(b, 17, 64) ^ c
            c = rot(c, 32, 64)
        a ^= m or 0
    return np.uint64(a ^ b ^ c ^ d)


def xx(seed, data, width):
    p, mask, size = (P32, M32, 4) if width == 32 else (P64, M64, 8)
    turns = (13, 17, 11) if width == 32 else (31, 27, 11)
    v = [(seed + p[0] + p[1]) & mask, (seed + p[1]) & mask, seed, (seed - p[0]) & mask]
    step = lambda x, word: rot((x + word * p[1]) & mask, turns[0], width) * p[0] & mask
    at = 0
    while at + 4 * size <= len(data):
        for k in range(4):
            v[k] = step(v[k], int.from_bytes(data[at : at + size], "little"))
            at += size
    if at:
        h = sum(rot(x, k, width) for x, k in zip(v, (1, 7, 12, 18))) & mask
        if width == 64:
            for x in v:
                h = ((h ^ step(0, x)) * p[0] + p[3]) & mask
    else:
        h = (seed + p[4]) & mask
    h = (h + len(data)) & mask
    while at + size <= len(data):
        word = int.from_bytes(data[at : at + size], "little")
        if width == 32:
            h = rot((h + word * p[2]) & mask, 17, 32) * p[3] & mask
        else:
            h = (rot(h ^ step(0, word), 27, 64) * p[0] + p[3]) & mask
        at += size
    if width == 64 and at + 4 <= len(data):
        h = (rot(h ^ int.from_bytes(data[at : at + 4], "little") * p[0] & mask, 23, 64) * p[1] + p[2]) & mask
        at += 4
    for byte in data[at:]:
        h = rot((h + byte * p[4]) & mask if width == 32 else h ^ byte * p[4] & mask, 11, width) * p[0] & mask
    first, second, third = (15, 13, 16) if width == 32 else (33, 29, 32)
    h = (h ^ h >> first) * p[1] & mask
    h = (h ^ h >> second) * p[2] & mask
    return h ^ h >> third


def calls():
    r = rng("siphash")
    for n in (0, 1, 4, 7, 15, 16, 31, 32, 37, 67, 263):
        data = r.integers(0, 256, n, dtype="u1").tobytes()
        k0, k1 = (int(k) for k in r.integers(0, 2**64, 2, dtype="u8"))
        yield Call("sip", (np.uint64(k0), np.uint64(k1), octets(data)), sip(k0, k1, data), slow=n > 100)
        seed = k0 >> 32 if n % 2 else M32
        yield Call("xx32", (np.uint32(seed), octets(data)), np.uint32(xx(seed, data, 32)), slow=n > 100)
        yield Call("xx64", (np.uint64(k1), octets(data)), np.uint64(xx(k1, data, 64)), slow=n > 100)
    for n in (0, 1, 13, 101):
        keys = r.integers(0, 2**32, n, dtype="u4")
        keys[:1] = M32
        for count in (0, 1, 1000, M32):
            mixed = [rot(int(k) * 2654435769 & M32, 7, 32) ^ int(k) for k in keys]
            yield Call("buckets", (keys, np.uint32(count)), np.array([x * count >> 32 for x in mixed], "u4"))
        a, b = r.integers(0, 2**64, (2, n), dtype="u8")
        a[:1], b[:1] = M64, M64
        products = [int(x) * int(y) for x, y in zip(a, b)]
        yield Call("folded", (a, b), np.array([x & M64 ^ x >> 64 for x in products], "u8"))
