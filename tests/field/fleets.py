"""Ships against loops of Python and NumPy."""

import math

import numpy as np

from field import Call, Table, UpTo, rng


def ports(steps, points, centres):
    group = np.zeros(len(points), "i4")
    for _ in range(steps):
        group = ((points[:, None] - centres[None]) ** 2).sum(axis=2).argmin(axis=1).astype("i4")
        centres = np.array([points[group == k].sum(axis=0) / (group == k).sum() if (group == k).any() else c for k, c in enumerate(centres)])
    return centres, group


def calls():
    r = rng("fleets")
    for n in (0, 1, 3, 59, 1009, 20011):
        slow = n > 100
        kinds, sizes = r.integers(0, 256, n, dtype="u1"), r.integers(0, 20, n).astype("f4") ** 2
        fuel = r.integers(-2, 5, n, dtype="i4")
        x, y = r.integers(-500, 500, n).astype("f4") / 4, r.integers(-99, 99, n).astype("f4")
        places = Table("Place", x=x, y=y)
        for wind in (4.0, -2.0):
            k, s = kinds % 3, np.sqrt(sizes * wind) if wind > 0 else 0 * sizes
            speed = np.where(k == 0, s, np.where(k == 1, np.where(fuel > 0, sizes, 0), 0.5 * abs(wind))).astype("f4")
            left = np.where(k == 1, np.maximum(fuel - 1, 0), 0).astype("i4")
            yield Call("hour", (kinds, sizes, fuel, places, np.float32(wind)), (Table("Place", x=x + speed, y=y), left, int((speed > 0).sum()), (x + speed).max(initial=np.float32(-np.inf))), slow=slow)
        a, b = r.integers(-3, 7, (2, n), dtype="i1")
        counts = np.array([math.comb(max(u, 0) + max(v, 0), max(u, 0)) for u, v in zip(a.tolist(), b.tolist())], "i8")
        yield Call("crossings", (a, b), (counts, int(np.gcd.reduce(counts))), slow=slow)
        i = np.iinfo("i8")
        values = r.integers(i.min, i.max, n, endpoint=True)
        low, high = np.full(64, i.max), np.full(64, i.min)
        np.minimum.at(low, values & 63, values)
        np.maximum.at(high, values & 63, values)
        yield Call("cells", (values,), (np.bincount(values & 63, minlength=64).astype("i4"), low, high), slow=slow)
        points, start = r.integers(-99, 99, (n, 2)).astype(float), r.integers(-99, 99, (5, 2)).astype(float)
        yield Call("ports", (3, points, start), ports(3, points, start), rtol=1e-12, slow=slow)
        north = np.flatnonzero(y > 10)
        north = north[np.argsort(x[north], kind="stable")]
        length = np.float32(x[north[-1]] - x[north[0]] if len(north) else -1)
        yield Call("convoy", (np.float32(10), places), (UpTo(Table("Place", x=x[north], y=y[north]), n), length), slow=slow)
