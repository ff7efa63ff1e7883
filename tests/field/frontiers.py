"""Distances and components against sets of Python."""

import numpy as np

from field import Call, Index, Rows, UpTo, rng


def distances(start, adjacent):
    found = np.full(len(adjacent), -1)
    level, nodes = 0, {start}
    while nodes:
        found[list(nodes)] = level
        level += 1
        nodes = {j for i in nodes for j in np.flatnonzero(adjacent[i]).tolist() if found[j] < 0}
    return found


def calls():
    r = rng("frontiers")
    for n, density in ((1, 0), (2, 1), (3, 0.3), (7, 0.1), (31, 0.05), (101, 0.02)):
        adjacent = r.random((n, n)) < density
        adjacent |= adjacent.T
        start = int(r.integers(0, n))
        away = distances(start, adjacent)
        yield Call("distances", (Index(start, n), adjacent), away)
        for steps in (0, 2, -1):
            yield Call("ring", (steps, Index(start, n), adjacent), UpTo(np.flatnonzero(away == steps), n))
        edges = Rows(np.nonzero(adjacent))
        parts = {tuple(np.flatnonzero(distances(i, adjacent) >= 0).tolist()) for i in range(n)}
        parts = sorted(parts)
        yield Call("components", (n, edges), UpTo(np.array([part[0] for part in parts]), n))
        yield Call("component_sizes", (n, edges), UpTo(np.array([len(part) for part in parts]), n))
    nothing = np.zeros(0, dtype=np.int64)
    yield Call("components", (0, Rows((nothing, nothing))), UpTo(nothing, 0))
    yield Call("components", (3, Rows((np.array([0, 3]), np.array([1, 1])))), UpTo(nothing, 3), fails="E0601")
