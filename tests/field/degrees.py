"""Graphs as lists of edges against plain Python."""

from collections import Counter

import numpy as np

from field import Call, Index, Rows, Table, UpTo, rng


def table(edges):
    columns = list(zip(*edges)) or [(), (), ()]
    return Table("Edge", **{name: np.array(column, kind) for name, column, kind in zip(("from", "to", "weight"), columns, ("i4", "i4", "f4"))})


def trees(v, edges):
    """The number of components, by joining sets."""
    part = {i: {i} for i in range(v)}
    for a, b, _ in edges:
        if part[a] is not part[b]:
            part[a] |= part[b]
            part.update((i, part[a]) for i in part[b])
    return len({id(s) for s in part.values()})


def calls():
    r = rng("degrees")
    for n, v in ((0, 3), (101, 97), (16411, 211)):
        slow = n > 3000
        edges = [(int(a), int(b), float(w)) for a, b, w in zip(r.integers(0, v, n), r.integers(0, v, n), r.integers(-8, 9, n) / 4)]
        data = table(edges)
        yield Call("ordered", (data,), table(sorted(edges, key=lambda e: (e[2], e[0], e[1]))), slow=slow)
        counts = np.array(sorted(Counter(i for e in edges for i in e[:2]).items()), dtype="i8").reshape(-1, 2).T
        yield Call("degrees", (data,), UpTo(Rows((counts[0].astype("i4"), counts[1].copy())), 2 * n), slow=slow)
        once = sorted({(min(a, b) << 32) + max(a, b) for a, b, _ in edges})
        yield Call("once", (data,), UpTo(np.array(once, dtype="i8"), n), slow=slow)
        part = r.integers(0, 3, v, dtype="u1")
        within = [e for e in edges if part[e[0]] == part[e[1]]]
        others = [e for e in edges if part[e[0]] != part[e[1]]]
        yield Call("divided", (part, data), (Index(len(within), n + 1), table(within + others)), slow=slow)
        yield Call("trees", (v, data), trees(v, edges), slow=slow)
