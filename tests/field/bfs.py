"""Walks over graphs against sets of Python."""

import numpy as np

from field import Call, Index, Struct, rng


def graph(edges, n):
    edges = sorted(set(edges))
    first = np.searchsorted(np.array([e[0] for e in edges], dtype="i8"), np.arange(n + 1))
    return Struct("Graph", first=first.astype("i8"), to=np.array([e[1] for e in edges], dtype="i8"))


def levels(edges, n, source):
    level, now = np.full(n, -1, dtype="i4"), {source}
    depth = 0
    while now:
        for i in now:
            level[i] = depth
        now = {j for i, j in edges if i in now and level[j] < 0}
        depth += 1
    return level


def topological(edges, n):
    order, left = [], set(range(n))
    while left:
        free = [i for i in left if not any(j == i and k in left for k, j in edges)]
        if not free:
            break
        order.append(min(free))
        left.remove(min(free))
    return np.array(order + [-1] * len(left), dtype="i8"), not left


def reach(edges, n):
    r = np.eye(n, dtype=bool)
    for i, j in edges:
        r[i, j] = True
    for k in range(n):
        r |= r[:, k : k + 1] & r[k]
    return r


def calls():
    r = rng("bfs")
    for n, m in ((1, 0), (2, 1), (5, 4), (12, 20), (40, 60), (60, 200)):
        edges = [(int(i), int(j)) for i, j in r.integers(0, n, (m, 2))]
        yield Call("levels", (graph(edges, n), Index(0, n)), levels(edges, n, 0))
        yield Call("topological", (graph(edges, n),), topological(edges, n))
        upward = [(min(e), max(e)) for e in edges if e[0] != e[1]]
        yield Call("topological", (graph(upward, n),), topological(upward, n))
        strong = reach(edges, n)
        strong &= strong.T
        # Components are numbered when they are left, so the ones that an edge leads to come first.
        yield Call("components", (graph(edges, n),), tarjan(edges, n))
        number = tarjan(edges, n)[0]
        assert (strong == (number[:, None] == number)).all()
    yield Call("components", (graph([(i, (i + 1) % 500) for i in range(500)], 500),), (np.zeros(500, "i8"), 1))


def tarjan(edges, n):
    """By reachability: a node's component is finished when all nodes that it leads to are."""
    r = reach(edges, n)
    component, count, seen, path = np.full(n, -1), 0, set(), []

    def walk(i):
        nonlocal count
        seen.add(i)
        path.append(i)
        for _, j in sorted(e for e in set(edges) if e[0] == i):
            if j not in seen:
                walk(j)
        path.pop()
        mine = r[i] & r[:, i]
        if not any(mine[k] for k in path):
            component[mine] = count
            count += 1

    for i in range(n):
        if i not in seen:
            walk(i)
    return component, count
