"""Shortest ways, trees and ranks against NumPy."""

import numpy as np

from field import Call, Rows, rng


def calls():
    r = rng("paths")
    for n in (0, 1, 2, 7, 30):
        length = np.where(r.random((n, n)) < 0.3, r.integers(1, 100, (n, n)).astype(float), np.inf)
        np.fill_diagonal(length, 0.0)
        d = length.copy()
        for _ in range(n):
            for i in range(n):
                d[i] = np.minimum(d[i], (length[i][:, None] + d).min(axis=0))
        yield Call("all_pairs", (length,), d)
    for n, m in ((1, 0), (2, 1), (10, 30), (50, 200)):
        edges, cost = r.integers(0, n, (m, 2), dtype="i4"), np.sort(r.random(m))
        group, taken = list(range(n)), np.zeros(m, dtype=bool)
        for e, (i, j) in enumerate(edges):
            if group[i] != group[j]:
                taken[e] = True
                old = group[i]
                group = [group[j] if g == old else g for g in group]
        columns = Rows(np.ascontiguousarray(edges.T))
        yield Call("tree", (n, columns, cost), (float(cost[taken].sum()), taken), rtol=1e-12)
    for n in (1, 2, 5, 40):
        links = r.random((n, n)) < 0.2
        out = links.sum(axis=1)
        with np.errstate(all="ignore"):
            step = np.where(out[:, None] > 0, links / out[:, None], 1 / n)
        matrix = 0.85 * step.T + 0.15 / n
        values, vectors = np.linalg.eig(matrix)
        rank = vectors[:, np.argmax(values.real)].real
        yield Call("ranks", (links, 0.85), rank / rank.sum(), rtol=1e-9)
