"""Which atom each one sees in some directions, by all pairs. Molecules are made until no case is close."""

import numpy as np

from field import Call, rng

NEAR = 2e-3


def seen(atoms, directions, far):
    """The results, and whether all of them are clear."""
    n, k = len(atoms), len(directions)
    ids, at, clear = np.full((n, k), -1, "i4"), np.full((n, k), far, "f4"), True
    c, r = atoms[:, :3].astype("f8"), atoms[:, 3].astype("f8")
    good = np.isfinite(atoms).all(1) & (r > 0)
    for i in range(n):
        for j in range(k):
            d = directions[j].astype("f8")
            if not np.isfinite(c[i]).all() or not np.isfinite(d).all() or not d.any():
                continue
            with np.errstate(all="ignore"):
                s = c - c[i]
                along = (s @ d) / (d @ d)
                depth = r * r - ((s - along[:, None] * d) ** 2).sum(1)
                half = np.sqrt(np.maximum(depth, 0) / (d @ d))
                first = np.where(along - half > 0, along - half, along + half)
                others = good & (np.arange(n) != i)
                meets = others & (depth > 0) & (first > 0) & (first < far)
                doubt = np.abs(depth) < NEAR * r, np.abs(along - half) < NEAR, np.abs(along + half) < NEAR, np.abs(first - far) < NEAR
                clear &= not (others & (depth > -NEAR * r) & (doubt[0] | doubt[1] & (along > 0) | doubt[2] | doubt[3])).any()
            if meets.any():
                t = np.where(meets, first, np.inf)
                ids[i, j], at[i, j] = np.argmin(t), t.min()
                clear &= np.sort(t)[1] > t.min() + NEAR if n > 1 else True
    return (ids, at, (ids < 0).sum(1).astype("i4")), clear


def calls():
    r = rng("molecules")
    for n, k, far in ((0, 3, 9), (1, 0, 9), (1, 2, 9), (2, 3, 9), (3, 5, 4), (5, 7, np.inf), (13, 11, 100), (101, 7, np.inf), (31, 5, 2)):
        clear = False
        while not clear:
            atoms = np.concatenate([r.normal(size=(n, 3)) * 3, r.uniform(0.2, 1.2, (n, 1))], 1).astype("f4")
            directions = r.normal(size=(k, 3)).astype("f4")
            if n > 12:
                atoms[3, 3], atoms[4, 3], atoms[5, 0], atoms[6, 3] = 0, -1, np.nan, np.inf
                directions[:3] = ((0, 0, -1), (0, -0.0, 0), (np.nan, 1, 0))
            out, clear = seen(atoms, directions, np.float32(far))
        yield Call("seen", [atoms, directions, np.float32(far)], out, rtol=1e-3)
