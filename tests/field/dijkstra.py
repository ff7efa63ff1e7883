"""Shortest ways against Bellman-Ford."""

import numpy as np

from field import Call, rng

FAR = 2**63 - 1


def reference(first, to, length, source):
    n = len(first) - 1
    distance = [FAR] * n
    distance[source] = 0
    for _ in range(n):
        for i in range(n):
            for e in range(first[i], first[i + 1]):
                if distance[i] != FAR:
                    distance[to[e]] = min(distance[to[e]], distance[i] + int(length[e]))
    before = np.full(n, -1)
    for i in range(n):
        for e in range(first[i], first[i + 1]):
            if distance[i] != FAR and distance[to[e]] == distance[i] + length[e] and to[e] != source:
                before[to[e]] = i
    return np.array(distance, dtype=np.int64), before


def calls():
    r = rng("dijkstra")
    for n, degree in ((1, 0), (2, 1), (7, 2), (40, 3), (200, 5)):
        first = np.concatenate([[0], np.cumsum(r.integers(0, 2 * degree + 1, n))])
        to = r.integers(0, n, first[-1])
        length = r.permutation(2 ** r.permutation(40)[: first[-1]]) if first[-1] < 40 else r.integers(1, 10**12, first[-1])
        yield Call("shortest", (first, to, length, 0), reference(first, to, length, 0))
    yield Call("shortest", (np.array([0, 0]), np.zeros(0, dtype="i8"), np.zeros(0, dtype="i8"), 7), (np.zeros(1, "i8"),) * 2, fails="E0601")
    yield Call("shortest", (np.array([0, 1]), np.array([3]), np.array([1]), 0), (np.zeros(1, "i8"),) * 2, fails="E0601")
