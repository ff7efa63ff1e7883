"""Simulations against the same in Python."""

import numpy as np

from field import Call

MASK = 2**64 - 1


class Random:
    def __init__(self, seed, stream):
        self.state, self.step = 0, (stream << 1 | 1) & MASK
        self.next()
        self.state = (self.state + seed) & MASK
        self.next()

    def next(self):
        old = self.state
        self.state = (old * 6364136223846793005 + self.step) & MASK
        mixed = ((old >> 18 ^ old) >> 27) & 0xFFFFFFFF
        turn = old >> 59
        return (mixed >> turn | mixed << (-turn & 31)) & 0xFFFFFFFF


def shuffled(seed, n):
    r, out = Random(seed, 7), list(range(n))
    for i in range(n - 1, 0, -1):
        j = r.next() * (i + 1) >> 32
        out[i], out[j] = out[j], out[i]
    return np.array(out, dtype="i4")


def ising(seed, size, sweeps, chance):
    r, s, result = Random(seed, 1), np.ones((size, size), dtype=int), []
    for _ in range(sweeps):
        for _ in range(size * size):
            i, j = r.next() * size >> 32, r.next() * size >> 32
            energy = 2 * s[i, j] * (s[i - 1, j] + s[(i + 1) % size, j] + s[i, j - 1] + s[i, (j + 1) % size])
            draw = r.next()
            if energy <= 0 or draw < chance[energy // 8]:
                s[i, j] *= -1
        result.append(s.sum())
    return np.array(result, dtype="i4")


def quarter(streams, n):
    total = 0
    for s in range(streams):
        r = Random(42, s)
        total += sum((r.next() >> 16) ** 2 + (r.next() >> 16) ** 2 < 2**32 for _ in range(n))
    return total


def calls():
    for seed, stream, n in ((42, 54, 6), (0, 0, 1), (MASK, MASK, 100), (1, 2, 0)):
        r = Random(seed, stream)
        yield Call("numbers", (np.uint64(seed), np.uint64(stream), n), np.array([r.next() for _ in range(n)], dtype="u4"))
    for n in (0, 1, 2, 52):
        yield Call("shuffled", (np.uint64(n), n), shuffled(n, n))
    chance = np.array([0x2C000000, 0x08000000], dtype="u4")
    for size, sweeps in ((1, 3), (2, 5), (7, 10)):
        yield Call("ising", (np.uint64(size), size, sweeps, chance), ising(size, size, sweeps, [int(c) for c in chance]), slow=size > 2)
    for streams, n in ((0, 5), (1, 1), (5, 200)):
        yield Call("quarter", (streams, n), quarter(streams, n))
