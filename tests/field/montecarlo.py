"""Random numbers against Philox 4x32-10 written in NumPy from its definition."""

import numpy as np

from field import Call

LOW = np.uint64(0xFFFFFFFF)


def philox(kind, index, seed):
    """Four words for each index."""
    index = np.asarray(index, dtype=np.uint64)
    x = [index & LOW, index >> np.uint64(32), np.full(index.shape, kind, dtype=np.uint64), np.zeros(index.shape, dtype=np.uint64)]
    key = [seed & 0xFFFFFFFF, seed >> 32]
    for turn in range(10):
        k = [np.uint64((key[0] + turn * 0x9E3779B9) & 0xFFFFFFFF), np.uint64((key[1] + turn * 0xBB67AE85) & 0xFFFFFFFF)]
        a, c = np.uint64(0xD2511F53) * x[0], np.uint64(0xCD9E8D57) * x[2]
        x = [(c >> np.uint64(32)) ^ x[1] ^ k[0], c & LOW, (a >> np.uint64(32)) ^ x[3] ^ k[1], a & LOW]
    return x


def words(n, seed):
    return np.stack(philox(0, np.arange((n + 3) // 4), seed), axis=1).reshape(-1)[:n].astype(np.uint32)


def fractions(high, low):
    return ((high << np.uint64(21)) | (low >> np.uint64(11))).astype(np.float64) / 2.0**53


def uniform(index, seed):
    a, b, _, _ = philox(2, index, seed)
    return fractions(a, b)


def normal(index, seed):
    a, b, c, d = philox(4, index, seed)
    return np.sqrt(-2 * np.log1p(-fractions(a, b))) * np.cos(2 * np.pi * fractions(c, d))


def below(bound, index, seed):
    a, b, _, _ = philox(1, index, seed)
    return [((int(h) << 32 | int(l)) * bound) >> 64 for h, l in zip(np.atleast_1d(a), np.atleast_1d(b))]


def hits(n, seed):
    x, y = uniform(2 * np.arange(n), seed), uniform(2 * np.arange(n) + 1, seed)
    return int(np.sum(x * x + y * y < 1.0))


def shuffled(n, seed):
    cards = np.arange(n)
    for k in range(n - 1):
        last = n - 1 - k
        other = below(last + 1, k, seed)[0]
        cards[[last, other]] = cards[[other, last]]
    return cards


def calls():
    for n, seed in ((0, 1), (1, 2), (7, 3), (250, 0xFEDCBA9876543210)):
        yield Call("words", (n, np.uint64(seed)), words(n, seed))
        yield Call("hits", (n, np.uint64(seed)), hits(n, seed))
        steps = np.where(words(n, seed) >> np.uint32(31) == 1, 1, -1)
        yield Call("walk", (n, np.uint64(seed)), np.cumsum(steps).astype(np.int64))
        yield Call("shuffled", (n, np.uint64(seed)), shuffled(n, seed).astype(np.int64))
        rolled = np.bincount(np.array(below(6, np.arange(n), seed), dtype=np.int64), minlength=6)
        yield Call("dice", (n, np.uint64(seed)), rolled.astype(np.int64))
    for n, seed, spot, strike, rate, volatility, years in ((100, 5, 100.0, 105.0, 0.03, 0.25, 1.0), (999, 6, 20.0, 15.0, 0.0, 0.5, 0.25)):
        end = spot * np.exp((rate - volatility**2 / 2) * years + volatility * np.sqrt(years) * normal(np.arange(n), seed))
        paid = np.exp(-rate * years) * np.maximum(end - strike, 0.0).mean()
        yield Call("price", (n, np.uint64(seed), spot, strike, rate, volatility, years), float(paid), rtol=1e-9)
    seeds = np.array([1, 2, 3, 2**63], dtype=np.uint64)
    yield Call("estimates", (seeds, 200), np.array([4 * hits(200, int(s)) / 200 for s in seeds]))
    many = np.arange(20, dtype=np.uint64)
    yield Call("estimates", (many, 100), np.array([4 * hits(100, int(s)) / 100 for s in many]))
