"""Discs that rays meet first, by trying all of them. Rays that pass near an edge, or near two discs at once, are left out."""

import numpy as np

from field import Call, rng

MARGIN = 1e-3


def meetings(discs, rays):
    """For each ray and disc the distance, and by how much the ray meets it."""
    c, n, radius = (discs[:, :3], discs[:, 3:6], discs[:, 6])
    o, d = rays[:, None, :3], rays[:, None, 3:6]
    t = ((c - o) * n).sum(-1) / (d * n).sum(-1)
    off = np.sqrt(((o + t[..., None] * d - c) ** 2).sum(-1))
    return t, radius - off


def first(discs, rays):
    """Which disc each ray meets, where, and which rays are clear cases."""
    r = len(rays)
    ids, far, clear = np.full(r, -1, "i4"), rays[:, 7].astype("f4"), np.ones(r, bool)
    with np.errstate(all="ignore"):
        t, margin = meetings(discs.astype("f8"), rays.astype("f8")) if len(discs) else (np.zeros((r, 0)), np.zeros((r, 0)))
        alive = np.isfinite(rays[:, :7]).all(1) & ~np.isnan(rays[:, 7]) & rays[:, 3:6].any(1) & (rays[:, 6] <= rays[:, 7])
        for i in np.flatnonzero(alive):
            near, end = float(rays[i, 6]), float(rays[i, 7])
            maybe = (margin[i] > -MARGIN) & (t[i] > near - MARGIN) & (t[i] < end + MARGIN)
            sure = (margin[i] > MARGIN) & (t[i] > near + MARGIN) & (t[i] < end - MARGIN)
            if not sure.any():
                clear[i] = not maybe.any()
                continue
            at = np.argmin(np.where(sure, t[i], np.inf))
            before = maybe & (t[i] < t[i, at] + 10 * MARGIN)
            before[at] = False
            clear[i] = not before.any()
            ids[i], far[i] = at, t[i, at]
    return ids, far, clear


def random_rays(r, count):
    rays = np.zeros((count, 8), "f4")
    rays[:, :3] = r.uniform(-2, 2, (count, 3))
    rays[:, 3:6] = r.normal(size=(count, 3))
    rays[:, 6] = r.choice([0, 0.5], count)
    rays[:, 7] = r.choice([np.inf, 100, 1.5, 0], count, p=[0.6, 0.2, 0.1, 0.1])
    for ray in rays[: count // 3]:
        kind = r.integers(5)
        if kind == 0:
            ray[3:6] = np.eye(3)[r.integers(3)] * r.choice([1, -1])
        elif kind == 1:
            ray[r.integers(7)] = r.choice([np.nan, np.inf, -np.inf])
        elif kind == 2:
            ray[3:6] = (0, -0.0, 0)
        elif kind == 3:
            ray[3:6] *= r.choice([1e-2, 1e2])
        else:
            ray[3 + r.integers(3)] = -0.0
    return rays


def calls():
    r = rng("lenses")
    for n, count in ((0, 9), (1, 0), (1, 1), (1, 17), (3, 8), (5, 13), (31, 97), (211, 101), (2003, 30)):
        normal = r.normal(size=(n, 3))
        normal /= np.sqrt((normal**2).sum(1, keepdims=True))
        size = 0.4 if n < 100 else 0.1
        discs = np.concatenate([r.uniform(-1, 1, (n, 3)), normal, r.uniform(size / 2, size, (n, 1))], 1).astype("f4")
        rays = random_rays(r, count)
        _, _, clear = first(discs, rays)
        rays = rays[clear]
        ids, far, _ = first(discs, rays)
        yield Call("seen", [discs, rays], (ids, far), rtol=1e-3)
