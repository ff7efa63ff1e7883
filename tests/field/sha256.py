"""SHA-256 against hashlib."""

import hashlib

from field import Call, octets, rng


def calls():
    r = rng("sha256")
    for n in (0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 1000):
        message = r.integers(0, 256, n, dtype="u1")
        yield Call("sha256", (message,), octets(hashlib.sha256(message.tobytes()).digest()))
