"""Permutations against itertools, math.gcd and plain Python."""

import itertools
import math

import numpy as np

from field import Call, Rows, rng


def lowest(p, q):
    g = math.gcd(p, q)
    s = -1 if q < 0 else 1
    return (p, q) if g == 0 else (s * (p // g), s * (q // g))


def depth(n):
    if n <= 1:
        return 0
    return 1 + (depth(n // 2) if n % 2 == 0 else max(depth(n - 1), depth(n // 3)))


def shuffled(xs, picks):
    a = list(xs)
    for i, pick in enumerate(picks):
        k = i + int(pick) % (len(a) - i)
        a[i], a[k] = a[k], a[i]
    return np.array(a, "f4")


def following(xs):
    """All permutations in order; of equal elements each once."""
    order = sorted(set(itertools.permutations(sorted(xs))))
    at = order.index(tuple(xs))
    return np.array(order[(at + 1) % len(order)], "i4"), at + 1 < len(order)


def calls():
    r = rng("permutations")
    for n in (0, 1, 7, 40):
        p, q = r.integers(-60, 60, n) * 6, r.integers(-60, 60, n) * 4
        found = [lowest(int(a), int(b)) for a, b in zip(p, q)]
        yield Call("lowest", (Rows((p, q)),), Rows(np.array(c, "i8") for c in ([a for a, _ in found], [b for _, b in found])))
    for n in (0, 1, 3, 4, 17):
        x = r.integers(-5, 5000, n)
        y = x * x - 3 * x + 5
        d = np.array([depth(int(k)) for k in x], "i8")
        yield Call("depths", (x,), d * y + (y - x) * (y + x))
    for n in (0, 1, 5, 31):
        xs, picks = r.random(n, dtype="f4"), r.integers(0, 2**32, n, dtype="u4")
        yield Call("shuffled", (xs, picks), shuffled(xs, picks))
        p = r.permutation(n).astype("i8")
        yield Call("inverse", (p,), np.argsort(p).astype("i8"))
    for xs in ([3], [1, 2], [2, 1], [1, 3, 2, 2], [4, 3, 2, 1], [2, 5, 4, 3, 1], [1, 1, 1]):
        yield Call("next_permutation", (np.array(xs, "i4"),), following(xs))
