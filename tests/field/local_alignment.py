"""Alignments against the plain recurrences over whole tables."""

import numpy as np

from field import Call, Struct, octets, rng


def best(costs, a, b):
    same, other, opening, extend = (int(costs.fields[k]) for k in ("same", "other", "open", "extend"))
    a, b = bytes(a).upper(), bytes(b).upper()
    score, down, across = ({} for _ in range(3))
    hit = (np.int32(0), 0, 0)
    for i in range(len(a) + 1):
        for j in range(len(b) + 1):
            if i == 0 or j == 0:
                score[i, j], down[i, j], across[i, j] = 0, -1000000, -1000000
                continue
            down[i, j] = max(down[i - 1, j] - extend, score[i - 1, j] - opening)
            across[i, j] = max(across[i, j - 1] - extend, score[i, j - 1] - opening)
            pair = score[i - 1, j - 1] + (same if a[i - 1] == b[j - 1] else other)
            score[i, j] = max(0, pair, down[i, j], across[i, j])
            if score[i, j] > hit[0]:
                hit = (np.int32(score[i, j]), i, j)
    return hit


def edits(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a):
        last, row[0] = row[0], i + 1
        for j, y in enumerate(b):
            last, row[j + 1] = row[j + 1], min(last + (x != y), row[j + 1] + 1, row[j] + 1)
    return row[-1]


def calls():
    r = rng("alignment")
    costs = [Struct("Costs", same=np.int32(2), other=np.int32(-1), open=np.int32(2), extend=np.int32(1)), Struct("Costs", same=np.int32(5), other=np.int32(-4), open=np.int32(10), extend=np.int32(0))]
    for k, (n, m) in enumerate(((0, 0), (0, 3), (1, 1), (5, 0), (13, 17), (31, 64), (97, 101))):
        a, b = (r.choice(octets("ACGTacg"), size) for size in (n, m))
        b = np.concatenate((b[: m // 2], a[: m - m // 2], b[: max(0, m - m // 2 - n)])).astype("u1")
        yield Call("best", (costs[k % 2], a, b), best(costs[k % 2], a, b))
        yield Call("edits", (a, b), edits(a, b))
        for size in {1, max(1, n // 3), max(n, 1)}:
            marks = np.isin(a, (ord("G"), ord("C"))).astype("f8")
            want = np.array([marks[i : i + size].sum() / size for i in range(n - size + 1)])
            if size <= n:
                yield Call("gc", (a, size), want, rtol=1e-15)
    yield Call("gc", (octets("GC"), 3), np.zeros(0), fails="E0404")
    yield Call("gc", (octets("GC"), 0), np.zeros(3), fails="E0404")
