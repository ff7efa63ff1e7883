"""Random numbers against Python's integers."""

import numpy as np

from field import Call

U64 = 2**64 - 1


def step(x):
    x = x ^ (x << np.uint64(13))
    x = x ^ (x >> np.uint64(7))
    return x ^ (x << np.uint64(17))


def philox(counter, key):
    c, k = [np.asarray(x, "u8") for x in counter], list(key)
    for _ in range(10):
        p, q = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        high = np.uint64(32), np.uint64(2**32 - 1)
        c = [(q >> high[0]) ^ c[1] ^ np.uint64(k[0]), q & high[1], (p >> high[0]) ^ c[3] ^ np.uint64(k[1]), p & high[1]]
        k = [(k[0] + 0x9E3779B9) % 2**32, (k[1] + 0xBB67AE85) % 2**32]
    return c


def ruin(players, purse, most):
    rounds = np.zeros(players, "i4")
    state = (np.arange(players, dtype="u8") + 1) * 2654435769 & 0xFFFFFFFF
    left = np.full(players, purse)
    for _ in range(most):
        on = left > 0
        state = np.where(on, state * 1664525 + 1013904223 & 0xFFFFFFFF, state)
        left = np.where(on, left + np.where(state >> 31 == 1, 1, -1), left)
        rounds += on
    return rounds, int((rounds < most).sum())


def lookback(paths, steps, up, strike):
    bits = step(np.arange(paths, dtype="u8") * np.uint64(2862933555777941757) + np.uint64(3037000493))
    value = np.full(paths, 100.0)
    top = value
    for _ in range(steps):
        bits = step(bits)
        value = np.where(bits & np.uint64(1) == 1, value * up, value / up)
        top = np.maximum(top, value)
    gains = np.maximum(top - strike, 0)
    return float(gains.mean()), float(((gains - gains.mean()) ** 2).sum())


def shuffled(n, seed):
    xs, state = list(range(n)), np.uint64(seed | 1)
    for i in range(1, n):
        state = step(state)
        j = int(state) % (i + 1)
        xs[i], xs[j] = xs[j], xs[i]
    return np.array(xs, "u2")


def calls():
    for n in (0, 1, 37, 1009, 16384, 30011):
        slow = n > 100
        start = (np.arange(n, dtype="u8") + np.uint64(1)) * np.uint64(11400714819323198485) ^ np.uint64(2**64 - 5)
        x = step(step(step(step(start))))
        a, b = x >> np.uint64(34), step(x) >> np.uint64(34)
        yield Call("circle", (n, np.uint64(U64 - 4)), int((a * a + b * b < np.uint64(2**60)).sum()), slow=slow)
        yield Call("ruin", (n, np.int32(3), np.int32(50)), ruin(n, 3, 50), slow=slow)
        if n:
            yield Call("lookback", (n, 20, 1.01, 103.0), lookback(n, 20, 1.01, 103.0), rtol=1e-9, slow=slow)
        blocks = philox((np.arange(n), 0, 0, 7), (2**32 - 1, 5))
        mixed = np.bitwise_xor.reduce(blocks[0] ^ blocks[1] ^ blocks[2] ^ blocks[3]) if n else 0
        top = max((int(b.max()) for b in blocks), default=0) if n else 0
        yield Call("digest", (n, np.uint32(2**32 - 1)), (np.uint32(mixed), np.uint32(top)), slow=slow)
        yield Call("shuffled", (n, np.uint64(0)), shuffled(n, 0), slow=slow)
