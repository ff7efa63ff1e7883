"""Graphs against NumPy, one vertex after the other."""

import numpy as np

from field import Call, rng

FAR = 2**31 - 1


def closure(edges):
    reach = edges | np.eye(len(edges), dtype=bool)
    for k in range(len(edges)):
        reach |= np.outer(reach[:, k], reach[k])
    return reach


def levels(edges):
    level = np.full(len(edges), -1, "i4")
    frontier, depth = {0}, 0
    while frontier:
        for v in frontier:
            level[v] = depth
        frontier = {int(w) for v in frontier for w in np.flatnonzero(edges[v]) if level[w] < 0}
        depth += 1
    return level


def routes(lengths):
    far = lengths.copy()
    nxt = np.where(lengths < np.inf, np.arange(len(lengths)), -1).astype("i4")
    for k in range(len(far)):
        way = far[:, k, None] + far[None, k]
        better = way < far
        nxt = np.where(better, nxt[:, k, None], nxt)
        far = np.where(better, way, far)
    return far, nxt


def calls():
    r = rng("closures")
    for n in (0, 1, 2, 13, 64, 67, 101):
        slow = n > 20
        edges = r.random((n, n)) < 1.5 / max(n, 1)
        reach = closure(edges)
        yield Call("closure", (edges,), (reach, int(reach.sum())), slow=slow)
        numbers = r.integers(0, 256, (n, n), dtype="u1")
        want = np.eye(n, dtype="u1")
        for _ in range(3):
            want = want @ numbers
        yield Call("ways", (3, numbers), want, slow=slow)
        lengths = r.integers(-1000, 1000, (n, n)).astype("i8")
        lengths[r.random((n, n)) < 0.4] = FAR
        if n:
            sums = lengths[:, :, None] + lengths[None]
            sums[(lengths[:, :, None] == FAR) | (lengths[None] == FAR)] = FAR
            want = sums.min(axis=1)
        else:
            want = lengths
        yield Call("hops", (lengths.astype("i4"),), want.astype("i4"), slow=slow)
        floats = np.where(edges, r.integers(1, 100, (n, n)), np.inf).astype("f4")
        np.fill_diagonal(floats, -0.0)
        yield Call("routes", (floats,), routes(floats), slow=slow)
        if n:
            yield Call("levels", (edges,), levels(edges), slow=slow)
