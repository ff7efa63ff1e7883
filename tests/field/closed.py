"""How far it is to a closed surface from inside, in each direction towards its edges and triangles."""

import numpy as np

from field import Call, rng


def ball(r, rings, parts, rough):
    """A bumpy ball: its corners and triangles."""
    up = np.linspace(0, np.pi, rings + 2)[1:-1, None]
    turn = np.linspace(0, 2 * np.pi, parts, endpoint=False)[None]
    ring = np.stack([np.sin(up) * np.cos(turn), np.sin(up) * np.sin(turn), np.cos(up) + 0 * turn], -1).reshape(-1, 3)
    corners = np.concatenate([ring, [[0, 0, 1], [0, 0, -1]]]) * r.uniform(1, 1 + rough, (rings * parts + 2, 1))
    top, bottom = rings * parts, rings * parts + 1
    triangles = []
    for i in range(parts):
        j = (i + 1) % parts
        triangles += [(top, i, j), (bottom, (rings - 1) * parts + j, (rings - 1) * parts + i)]
        for k in range(rings - 1):
            a, b, c, d = k * parts + i, k * parts + j, (k + 1) * parts + i, (k + 1) * parts + j
            triangles += [(a, c, b), (b, c, d)]
    return corners.astype("f4"), np.array(triangles, "i4")


def brute(corners, triangles, start, to):
    a, b, c = (corners[triangles[:, k]].astype("f8") for k in range(3))
    far = np.empty(len(to))
    with np.errstate(all="ignore"):
        for i, target in enumerate(to.astype("f8")):
            d, s = target - start, start - a
            p = np.cross(d, c - a)
            det = (p * (b - a)).sum(1)
            q = np.cross(s, b - a)
            u, v, t = (s * p).sum(1) / det, (q * d).sum(1) / det, (q * (c - a)).sum(1) / det
            hit = (u > -1e-5) & (v > -1e-5) & (u + v < 1 + 1e-5) & (t > 0)
            far[i] = np.where(hit, t, np.inf).min(initial=np.inf)
    return far.astype("f4")


def calls():
    r = rng("closed")
    for rings, parts, rough in ((1, 3, 0.0), (2, 4, 0.0), (5, 7, 0.3), (13, 17, 0.1)):
        corners, triangles = ball(r, rings, parts, rough)
        triangles = r.permutation(triangles)
        if rings == 5:
            triangles = np.concatenate([triangles, triangles[:9], triangles[:5, [0, 0, 1]]])  # twice, and without area
        start = np.array([0.01, 0.02, -0.03], "f4")
        if rings < 5:
            start[:] = corners.mean(0)
        a, b, c = (corners[triangles[:, k]] for k in range(3))
        to = np.concatenate([(a + b) / 2, a * np.float32(0.3) + b * np.float32(0.7), (a + b + c) / 3])
        to = to[r.permutation(len(to))[:300]].astype("f4")
        to = np.concatenate([to, corners])  # rays to a corner pass between more triangles than two
        yield Call("ways", [corners, triangles, start, to], (brute(corners, triangles, start.astype("f8"), to), 0), rtol=1e-4)
    none = np.zeros((0, 3), "f4"), np.zeros((0, 3), "i4")
    yield Call("ways", [*none, np.zeros(3, "f4"), np.eye(3, dtype="f4")], (np.full(3, np.inf, "f4"), 3))
    bad = np.array([[0, 1, 3]], "i4")
    yield Call("ways", [np.eye(3, dtype="f4"), bad, np.zeros(3, "f4"), np.eye(3, dtype="f4")], (np.zeros(3, "f4"), 0), fails="E0614")
    bent = np.array([[np.nan, 0, 1], [1, 0, 1], [0, np.inf, 1], [-1, -1, 2], [2, 0, 2], [0, 2, 2]], "f4")
    yield Call("ways", [bent, np.array([[0, 1, 2], [3, 4, 5], [3, 4, 0], [5, 5, 5]], "i4"), np.zeros(3, "f4"), np.array([[0, 0, 1], [0, 0, -1], [np.nan, 0, 1], [0, 0, 0]], "f4")], (np.array([2, np.inf, np.inf, np.inf], "f4"), 3))
