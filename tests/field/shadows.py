"""Which points see a lamp, by all triangles. Lamps are moved until no way passes near an edge."""

import numpy as np

from field import Call, rng

EDGE = 1e-4


def dark(corners, triangles, glass, lamp, step, h, w):
    """Whether each point is in the dark, and whether that is clear everywhere."""
    out, clear = np.zeros((h, w), bool), True
    t = corners.astype("f8")[triangles]
    a, b, c = t[:, 0], t[:, 1], t[:, 2]
    for i in range(h):
        for j in range(w):
            p = np.array([step * j, step * i, 0], "f4").astype("f8")
            d, s = lamp.astype("f8") - p, p - a
            with np.errstate(all="ignore"):
                q = np.cross(d, c - a)
                det = (q * (b - a)).sum(1)
                v = np.cross(s, b - a)
                x, y, at = (s * q).sum(1) / det, (v * d).sum(1) / det, (v * (c - a)).sum(1) / det
                inside = np.minimum(np.minimum(np.minimum(x, y), 1 - x - y), np.minimum(at, 1 - at))
            sure, maybe = (inside > EDGE) & ~glass, (inside > -EDGE) & ~glass
            out[i, j] = sure.any()
            clear &= sure.any() == maybe.any()
    return out, clear


def calls():
    r = rng("shadows")
    for n, h, w in ((0, 3, 2), (1, 1, 1), (2, 1, 7), (3, 0, 5), (3, 5, 0), (5, 7, 9), (13, 5, 17), (101, 11, 13), (331, 7, 8)):
        m = 3 * n
        corners = r.uniform(0, 4, (m, 3)) + [0, 0, 0.2]
        corners[1::3] = corners[0::3] + r.normal(size=(n, 3)) * [0.3, 0.3, 0.1]  # thin ones
        triangles = np.arange(m, dtype="i4").reshape(n, 3)
        corners, glass = corners.astype("f4"), r.random(n) < 0.3
        if n > 12:
            triangles[3], triangles[4] = triangles[2], triangles[2, [0, 0, 1]]  # the same one, and one without area
            corners[3 * 7] = (np.nan, np.inf, 0)
        step = np.float32(4 / max(h, w, 1))
        clear = False
        while not clear:
            lamp = r.uniform((0, 0, 3.0), (4, 4, 6.0)).astype("f4")
            shade, clear = dark(corners, triangles, glass, lamp, step, h, w)
        yield Call("lit", [h, w, corners, triangles, glass, lamp, step], ~shade)
    yield Call("lit", [2, 2, corners, np.array([[0, 1, -1]], "i4"), glass[:1], lamp, step], np.zeros((2, 2), bool), fails="E0614")
