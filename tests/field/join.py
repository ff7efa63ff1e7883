"""Joins and groups against dictionaries of Python."""

import numpy as np

from field import Call, Rows, UpTo, rng


def calls():
    r = rng("join")
    for n, c in ((0, 3), (1, 0), (101, 31), (16411, 1009)):
        slow = n > 3000
        ids = np.sort(r.permutation(3 * c)[:c])
        regions = r.integers(0, 256, c, dtype="u1")
        customers = r.integers(-2, 3 * c + 2, n)
        cents = r.integers(-(10**12), 10**12, n)
        region = dict(zip(ids.tolist(), regions.tolist()))
        known = np.array([x in region for x in customers.tolist()], dtype=bool)
        found = np.array([region[x] for x in customers[known].tolist()], dtype="u1")
        yield Call("joined", (ids, regions, customers, cents), UpTo(Rows((found, cents[known])), n), slow=slow)
        groups = {}
        for x, price in zip(customers.tolist(), cents.tolist()):
            groups.setdefault(x, []).append(price)
        keys = sorted(groups)
        rows = np.array([(x, len(groups[x]), sum(groups[x])) for x in keys], dtype="i8").reshape(-1, 3).T.copy()
        yield Call("totals", (customers, cents), UpTo(Rows(rows), n), slow=slow)
        yield Call("ranks", (customers,), np.array([k + 1 for x in keys for k in range(len(groups[x]))], dtype="i8"), slow=slow)
        yield Call("best", (customers, cents), UpTo(np.array([max(groups[x]) for x in keys], dtype="i8"), n), slow=slow)
