"""Choices against all of them."""

import itertools

import numpy as np

from field import Call, rng


def calls():
    r = rng("knapsack")
    for n, capacity in ((0, 0), (0, 5), (1, 3), (5, 10), (10, 30)):
        weight = r.integers(1, 12, n, dtype="i4")
        value = 2 ** r.permutation(40)[:n]  # no two choices have one value
        best = max((c for c in itertools.product((False, True), repeat=n) if weight[list(c)].sum() <= capacity), key=lambda c: value[list(c)].sum())
        yield Call("knapsack", (weight, value, capacity), (np.array(best, dtype=bool), int(value[list(best)].sum())))
    for coins, limit in (([], 3), ([1], 5), ([2, 5, 10], 30), ([1, 5, 10, 25, 50], 300), ([3, 100], 20)):
        ways = [1] + [0] * limit
        for c in coins:
            for a in range(c, limit + 1):
                ways[a] += ways[a - c]
        yield Call("ways", (np.array(coins, dtype="i8"), limit), np.array(ways, dtype="u8"))
    yield Call("ways", (np.arange(1, 200), 2000), np.array(many(200, 2000), dtype="u8"), slow=True)
    for n in (0, 1, 2, 10, 200):
        xs = r.integers(-50, 50, n, dtype="i4")
        longest = [0] * n
        for i in range(n):
            longest[i] = 1 + max([longest[j] for j in range(i) if xs[j] < xs[i]], default=0)
        yield Call("longest_increasing", (xs,), max(longest, default=0))


def many(coins, limit):
    ways = [1] + [0] * limit
    for c in range(1, coins):
        for a in range(c, limit + 1):
            ways[a] = (ways[a] + ways[a - c]) % 2**64
    return ways
