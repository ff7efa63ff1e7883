"""Greedy matching against a set of nodes."""

import numpy as np

from field import Call, Records, UpTo, rng


def matching(edges):
    used, chosen = set(), []
    for a, b, weight in sorted(edges, key=lambda edge: -edge[2]):
        if a not in used and b not in used:
            chosen.append((a, b, weight))
            used |= {a, b}
    return chosen


def records(edges):
    columns = np.array(edges, dtype=np.float64).reshape(-1, 3).T.copy()
    return Records("Edge", a=columns[0].astype(np.int32), b=columns[1].astype(np.int32), weight=columns[2])


def calls():
    r = rng("matching")
    for m, nodes in ((0, 1), (1, 3), (2, 3), (7, 5), (31, 100), (101, 30), (500, 1000)):
        edges = [(int(a), int(b), float(w)) for a, b, w in zip(r.integers(0, nodes, m), r.integers(0, nodes, m), r.integers(0, 9, m))]
        chosen = matching(edges)
        yield Call("matching", (records(edges),), UpTo(records(chosen), m))
        yield Call("weight", (records(edges),), float(sum(edge[2] for edge in chosen)))
        some = matching([edge for edge in edges if edge[2] > 4])
        yield Call("heavy", (4.0, records(edges)), UpTo(records(some), m))
