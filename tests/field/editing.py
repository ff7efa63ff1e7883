"""Distances of texts against the recursive definitions."""

from functools import lru_cache

import numpy as np

from field import Call, octets, rng


def distance(a, b):
    @lru_cache(None)
    def d(i, j):
        if i == 0 or j == 0:
            return i + j
        return min(d(i - 1, j) + 1, d(i, j - 1) + 1, d(i - 1, j - 1) + (a[i - 1] != b[j - 1]))

    return d(len(a), len(b))


def common(a, b):
    @lru_cache(None)
    def c(i, j):
        if i == len(a) or j == len(b):
            return b""
        if a[i] == b[j]:
            return a[i : i + 1] + c(i + 1, j + 1)
        left, right = c(i + 1, j), c(i, j + 1)
        return left if len(left) >= len(right) else right

    return c(0, 0)


def alignment(a, b, open_cost, extend):
    """By the definition: gaps of every length."""
    h = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            gaps = [h[i - k, j] - open_cost - extend * (k - 1) for k in range(1, i + 1)]
            gaps += [h[i, j - k] - open_cost - extend * (k - 1) for k in range(1, j + 1)]
            h[i, j] = max(0, h[i - 1, j - 1] + (2 if a[i - 1] == b[j - 1] else -1), *gaps)
    return np.int32(h.max())


def calls():
    r = rng("editing")
    texts = [b"", b"a", b"kitten", b"sitting", b"GATTACA", b"GCATGCG", bytes(r.integers(97, 101, 40, dtype="u1")), bytes(r.integers(97, 101, 33, dtype="u1"))]
    for a, b in zip(texts, texts[1:] + [b""]):
        yield Call("distance", (octets(a), octets(b)), np.int32(distance(a, b)))
        subsequence = common(a, b)
        yield Call("common", (octets(a), octets(b)), (octets(subsequence.ljust(len(a), b"\0")), len(subsequence)))
        yield Call("alignment", (octets(a), octets(b), 3, 1), alignment(a, b, 3, 1))
