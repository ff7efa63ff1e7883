"""Check sums against zlib, SipHash against its definition in Python."""

import zlib

import numpy as np

from field import Call, rng

MASK = 2**64 - 1


def fnv1a(data):
    h = 0xCBF29CE484222325
    for b in data:
        h = (h ^ b) * 0x100000001B3 & MASK
    return np.uint64(h)


def rotl(x, k):
    return (x << k | x >> (64 - k)) & MASK


def siphash(k0, k1, data):
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def rounds(count):
        for _ in range(count):
            for a, b, r in ((0, 1, 13), (2, 3, 16)):
                v[a] = (v[a] + v[b]) & MASK
                v[b] = rotl(v[b], r) ^ v[a]
            v[0] = rotl(v[0], 32)
            for a, b, r in ((0, 3, 21), (2, 1, 17)):
                v[a] = (v[a] + v[b]) & MASK
                v[b] = rotl(v[b], r) ^ v[a]
            v[2] = rotl(v[2], 32)

    last = data[len(data) // 8 * 8 :] + bytes(7 - len(data) % 8) + bytes([len(data) % 256])
    whole = data[: len(data) // 8 * 8] + last
    for i in range(0, len(whole), 8):
        m = int.from_bytes(whole[i : i + 8], "little")
        v[3] ^= m
        rounds(2)
        v[0] ^= m
    v[2] ^= 0xFF
    rounds(4)
    return np.uint64(v[0] ^ v[1] ^ v[2] ^ v[3])


def calls():
    r = rng("hashes")
    assert siphash(0x0706050403020100, 0x0F0E0D0C0B0A0908, bytes(range(15))) == 0xA129CA6149BE45E5
    for n in (0, 1, 7, 8, 9, 63, 1000):
        data = r.integers(0, 256, n, dtype="u1")
        text = data.tobytes()
        yield Call("crc32", (data,), np.uint32(zlib.crc32(text)))
        yield Call("adler32", (data,), np.uint32(zlib.adler32(text)))
        yield Call("fnv1a", (data,), fnv1a(text))
        k = [int(x) for x in r.integers(0, 2**64, 2, dtype="u8")]
        yield Call("siphash", ((np.uint64(k[0]), np.uint64(k[1])), data), siphash(*k, text))
    ones = np.full(600, 255, dtype="u1")
    yield Call("adler32", (ones,), np.uint32(zlib.adler32(ones.tobytes())))
    yield Call("siphash", ((np.uint64(MASK), np.uint64(0)), ones), siphash(MASK, 0, ones.tobytes()))
