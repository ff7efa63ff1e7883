"""Codes and trees against Python."""

import heapq

import numpy as np

from field import Call, Rows, rng


def code_lengths(counts):
    heap = [(c, i, (i,)) for i, c in enumerate(counts) if c]
    depth, number = [0] * len(counts), len(counts)
    heapq.heapify(heap)
    while len(heap) > 1:
        a, b = heapq.heappop(heap), heapq.heappop(heap)
        for i in a[2] + b[2]:
            depth[i] += 1
        heapq.heappush(heap, (a[0] + b[0], number, a[2] + b[2]))
        number += 1
    return np.array(depth, dtype="i4")


def code_words(lengths):
    words, code, before = np.zeros(len(lengths), "u4"), 0, 0
    for length, i in sorted((length, i) for i, length in enumerate(lengths) if length):
        code <<= length - before
        before = length
        words[i] = code
        code += 1
    return words


def calls():
    r = rng("trees")
    for n in (2, 3, 10, 40):
        counts = r.integers(0, 100, n)
        counts[:2] += 1
        lengths = code_lengths(counts)
        yield Call("code_lengths", (counts,), lengths)
        yield Call("code_words", (lengths,), code_words(lengths))
    fibonacci = np.array([1, 1, 2, 3, 5, 8, 13, 21, 34, 55])
    yield Call("code_lengths", (fibonacci,), code_lengths(fibonacci))
    tree = Rows((np.array([0, -1, 1, -1, -1], "i4"), np.array([0.5, 0, -0.25, 0, 0], "f4"), np.array([1, 7, 3, 8, 9], "i4"), np.array([2, 0, 4, 0, 0], "i4")))
    for n in (0, 1, 20):
        rows = r.normal(size=(n, 2)).astype("f4")
        yield Call("decide", (tree, rows), np.where(rows[:, 0] <= 0.5, 7, np.where(rows[:, 1] <= -0.25, 8, 9)).astype("i4"))
    for n, d in ((1, 1), (8, 2), (30, 3)):
        rows, c = r.normal(size=(n, d)).round(1), r.random(n) < 0.5
        best = (0, 0.0, np.inf)
        for f in range(d):
            for limit in rows[:, f]:
                low = rows[:, f] <= limit
                impurity = sum(2 * c[s].sum() * (~c[s]).sum() / s.sum() for s in (low, ~low) if s.any())
                if impurity < best[2]:
                    best = (f, float(limit), float(impurity))
        yield Call("best_split", (rows, c), best, rtol=1e-12)
