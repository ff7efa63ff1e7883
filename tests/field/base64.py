"""Base 64 against the module of Python."""

import binascii

import numpy as np

from field import Call, octets, rng


def calls():
    r = rng("base64")
    for n in (0, 1, 2, 3, 4, 5, 6, 31, 300):
        data = r.integers(0, 256, n, dtype="u1")
        text = octets(binascii.b2a_base64(data.tobytes(), newline=False))
        yield Call("encode", (data,), text)
        whole = np.concatenate([data, np.zeros(-n % 3, dtype="u1")])
        yield Call("decode", (text,), (whole, n, True))
    for wrong in ("TQ=a", "T===", "TQ==TQ==", "T?==", "=AAA"):
        yield Call("decode", (octets(wrong),), (np.zeros(len(wrong) // 4 * 3, dtype="u1"), 0, False))
