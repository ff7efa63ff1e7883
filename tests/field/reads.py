"""Alignments by their definition: each cell follows from all cells above it and on its left."""

import numpy as np

from field import Call, UpTo, octets, rng

FREE = {"global": "", "local": "abAB*", "read": "bB", "overlap": "abAB"}  # a, b: the start of it, A, B: its end


def best(mode, same, other, gap, a, b):
    free, n, m = FREE[mode], len(a), len(b)
    h = np.full((n + 1, m + 1), -(10**15), dtype=object)
    ends = []
    for i in range(n + 1):
        for j in range(m + 1):
            begins = (i, j) == (0, 0) or (i == 0 and "b" in free) or (j == 0 and "a" in free)
            choices = [0] if begins or "*" in free else []
            if i and j:
                choices.append(h[i - 1, j - 1] + (same if a[i - 1] == b[j - 1] else other))
            choices += [h[i - k, j] - gap(k) for k in range(1, i + 1)]
            choices += [h[i, j - k] - gap(k) for k in range(1, j + 1)]
            h[i, j] = max(choices)
            last = (i, j) == (n, m) or (i == n and "B" in free) or (j == m and "A" in free)
            if last or "*" in free:
                ends.append(h[i, j])
    return np.int32(max(ends))


def affine(first, more):
    return lambda k: first + (k - 1) * min(first, more)


def related(r, letters, n, m):
    a, b = r.choice(letters, n), r.choice(letters, m)
    k = min(n, m) * 3 // 4
    b[m - k :] = a[:k]
    b[r.random(m) < 0.1] = letters[0]
    return a, b


def calls():
    r = rng("reads")
    letters = octets("ACGT")
    for n, m in ((0, 0), (0, 3), (5, 0), (1, 1), (7, 6), (16, 24), (31, 53), (67, 59)):
        a, b = related(r, letters, n, m)
        for first, more in ((5, 1), (2, 3), (1500, 700), (2**31 - 1, 0)):
            yield Call("similarity", (a, b, np.int32(first), np.int32(more)), best("local", 2, -1, affine(first, more), a, b))
        for cost in (0, 2, 400):
            yield Call("global", (a, b, np.int32(cost)), best("global", 3, -2, lambda k: k * cost, a, b))
    read = octets("GATTACA")
    yield Call("placed", (read, octets("CCGATTTACACC")), (2, UpTo(octets("==D====="), 19)))
    yield Call("placed", (read, read), (0, UpTo(octets("======="), 14)))
    for k in (0, 1, 3, 19):
        pairs = [related(r, letters, int(r.integers(0, 24)), int(r.integers(0, 24))) for _ in range(k)]
        flat = [np.concatenate([np.zeros(0, "u1"), *[p[i] for p in pairs]]).astype("u1") for i in (0, 1)]
        starts = [np.concatenate([[0], np.cumsum([len(p[i]) for p in pairs])]).astype("i8") for i in (0, 1)]
        want = np.array([best("overlap", 2, -1, affine(3, 1), a, b) for a, b in pairs], dtype="i4")
        yield Call("many", (flat[0], starts[0], flat[1], starts[1]), want)
    beyond = np.array([0, 8], dtype="i8")
    yield Call("many", (read, beyond, read, np.array([0, 7], dtype="i8")), np.zeros(1, "i4"), fails="E0614")
