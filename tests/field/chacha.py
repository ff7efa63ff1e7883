"""ChaCha20 against the RFC's definition in Python, and its test vector."""

import struct

import numpy as np

from field import Call, octets, rng


def block(key, counter, nonce):
    start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *struct.unpack("<8I", key), counter % 2**32, *struct.unpack("<3I", nonce)]
    x = list(start)
    for _ in range(10):
        for q in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15), (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
            a, b, c, d = q
            for i, j, k, r in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[i] = (x[i] + x[j]) % 2**32
                x[k] ^= x[i]
                x[k] = (x[k] << r | x[k] >> (32 - r)) % 2**32
    return struct.pack("<16I", *((a + b) % 2**32 for a, b in zip(x, start)))


def crypt(key, counter, nonce, message):
    stream = b"".join(block(key, counter + i, nonce) for i in range(len(message) // 64 + 1))
    return bytes(a ^ b for a, b in zip(message, stream))


def calls():
    r = rng("chacha")
    assert block(bytes(range(32)), 1, bytes.fromhex("000000090000004a00000000"))[:4] == bytes.fromhex("10f1e7e4")
    for n in (0, 1, 63, 64, 65, 300):
        key, nonce, message = (r.integers(0, 256, k, dtype="u1") for k in (32, 12, n))
        for counter in (0, 2**32 - 1):
            hidden = octets(crypt(key.tobytes(), counter, nonce.tobytes(), message.tobytes()))
            yield Call("crypt", (key, np.uint32(counter), nonce, message), hidden)
