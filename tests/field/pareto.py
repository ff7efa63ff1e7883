"""Fronts against plain Python."""

import numpy as np

from field import Call, Records, UpTo, rng


def offers(rows):
    columns = np.array(rows, dtype=np.float64).reshape(-1, 3).T.copy()
    return Records("Offer", id=columns[0].astype(np.int32), price=columns[1], weight=columns[2])


def front(rows):
    return [a for a in rows if not any(b[1] <= a[1] and b[2] <= a[2] and b[1:] != a[1:] for b in rows)]


def distinct(rows):
    return [a for i, a in enumerate(rows) if all(b[1:] != a[1:] for b in rows[:i])]


def calls():
    r = rng("pareto")
    for n, kinds in ((0, 1), (1, 1), (2, 1), (3, 3), (7, 4), (31, 6), (31, 1000), (101, 20)):
        rows = [(i, float(r.integers(0, kinds)), float(r.integers(0, kinds))) for i in range(n)]
        data, best = offers(rows), front(rows)
        yield Call("front", (data,), UpTo(offers(best), n))
        yield Call("distinct", (data,), UpTo(offers(distinct(rows)), n))
        yield Call("skyline", (data,), UpTo(offers(sorted(distinct(best), key=lambda a: a[1])), n))
        light = [a for a in best if a[2] <= kinds // 3]
        yield Call("affordable", (float(kinds // 3), data), (UpTo(offers(light), n), float(sum(a[1] for a in light))))
