"""Gathers through tables, against NumPy."""

import numpy as np

from field import Call, rng


def followed(steps, links):
    at = np.tile(np.arange(64, dtype="i2"), (len(links), 1))
    for _ in range(steps):
        at = np.take_along_axis(links, at.astype(int), 1)
    return at


def quotients(rings):
    a, b = rings.astype("i8"), np.roll(rings, -1, 1).astype("i8")
    q = np.trunc(a / b).astype("i8")
    return q.astype("i4"), (a - q * b).astype("i4")


def calls():
    r = rng("lookups")
    words = r.normal(size=11)
    words[3] = np.nan
    for b in (0, 1, 5):
        tables = r.integers(0, 11, (b, 32))
        codes = r.integers(0, 32, (b, 50), np.uint8)
        want = np.take_along_axis(words[tables], codes.astype(int), 1)
        yield Call("decoded", [words, tables, codes], want, slow=b > 1)
    for table, code in ((11, 0), (-1, 0), (2**63 - 1, 3), (-(2**63), 3), (0, 32), (0, 255)):
        tables, codes = tables.copy(), np.zeros((5, 50), np.uint8)
        tables[:] = 0
        tables[3, 17], codes[3, 29] = table, code
        yield Call("decoded", [words, tables, codes], want, fails="E0601")
    yield Call("decoded", [words[:0], tables[:1], codes[:1]], want[:1], fails="E0601")
    for h in (0, 1, 4):
        order = np.array([r.permutation(33) for _ in range(h)], "i4").reshape(h, 33)
        rows = r.choice(np.array([-(2**63), 2**63 - 1, 5]), (h, 33)), r.random((h, 33)) < 0.5
        want = []
        for column in rows:
            out = column.copy()
            np.put_along_axis(out, order.astype(int), column, 1)
            want.append(out)
        yield Call("permuted", [order, *rows], tuple(want), slow=h > 1)
    for bad in (33, -1, int(order[2, 7])):
        wrong = order.copy()
        wrong[2, 20] = bad
        yield Call("permuted", [wrong, *rows], tuple(want), fails="E0614")
    for h in (0, 1, 3):
        rings = r.choice(np.array([-(2**31), 2**31 - 1, 1, -3, 10]), (h, 40)).astype("i4")
        yield Call("quotients", [rings], quotients(rings), slow=h > 1)
    for bad, code in ((0, "E0602"), (7, "E0614")):
        wrong = rings.copy()
        wrong[1, 13] = bad
        yield Call("quotients", [wrong], quotients(rings), fails=code)
    for h, steps in ((0, 5), (1, 0), (1, 1), (2, 6), (3, 1000)):
        links = r.integers(0, 64, (h, 64)).astype("i2")
        yield Call("followed", [steps, links], followed(steps, links), slow=h > 1)
        if h:
            links = links.copy()
            links[h - 1, 5] = 64
            links[h - 1, 6] = 5
            fails = "E0601" if steps > 1 else None
            yield Call("followed", [steps, links], followed(steps, links) if not fails else links, fails=fails)
