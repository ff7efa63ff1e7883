"""Components by colouring."""

import numpy as np

from field import Call, rng


def components(edges, n):
    least = list(range(n))
    for a, b in edges:
        if a >= 0 and b >= 0 and least[a] != least[b]:
            low, high = sorted((least[a], least[b]))
            least = [low if x == high else x for x in least]
    return len(set(least)), least


def calls():
    r = rng("lane_unions")
    for g, n, m in ((0, 3, 2), (1, 0, 0), (1, 1, 3), (1, 2, 1), (2, 7, 5), (1, 17, 11), (3, 101, 90)):
        edges = r.integers(-1, n, (8 * g, m, 2)).astype("i2")
        found = [components(rows, n) for rows in edges.tolist()]
        want = np.array([c for c, _ in found], "i4"), np.array([l for _, l in found], "i2").reshape(8 * g, n)
        for recursive in (False, True):
            yield Call("components", (n, edges, recursive), want)
    edges = edges.copy()
    edges[5, 7] = 3, 101
    yield Call("components", (n, edges, False), want, fails="E0601")
    edges = edges.copy()
    edges[5, 7] = -1, 101  # not looked at
    found = [components(rows, n) for rows in edges.tolist()]
    want = np.array([c for c, _ in found], "i4"), np.array([l for _, l in found], "i2")
    yield Call("components", (n, edges, True), want)
