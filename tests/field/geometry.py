"""Points in the plane against Python."""

import numpy as np

from field import Call, Rows, rng


def rows(points):
    p = np.asarray(points, dtype=float).reshape(-1, 2)
    return Rows((p[:, 0].copy(), p[:, 1].copy()))


def hull(points):
    """By definition: a point is on the hull if some direction is best for it; ordered by angle."""
    def cross(o, a, b):
        return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])

    pts = sorted(map(tuple, points))
    edge = {}
    for a in pts:
        for b in pts:
            if a != b and all(cross(a, b, c) > 0 for c in pts if c not in (a, b)):
                edge[a] = b
    out = [pts[0]]
    while edge and edge[out[-1]] != pts[0]:
        out.append(edge[out[-1]])
    return out


def calls():
    r = rng("geometry")
    for n in (3, 4, 10, 40):
        points = r.normal(size=(n, 2))
        points = points[np.lexsort((points[:, 1], points[:, 0]))]
        h = hull(points)
        x, y = np.array(h).T
        yield Call("area", (rows(h),), float(0.5 * (x @ np.roll(y, -1) - y @ np.roll(x, -1))), rtol=1e-12)
        at = r.normal(size=(n, 2))
        good = [all((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0 for a, b in zip(h, h[1:] + h[:1])) for p in at]
        yield Call("inside", (rows(h), rows(at)), np.array(good))
        classes = r.integers(0, 3, n, dtype="i4")
        for k in (0, 1, 5):
            want = []
            for p in at:
                near = np.argsort(((points - p) ** 2).sum(axis=1), kind="stable")[:k]
                want.append(np.argmax(np.bincount(classes[near], minlength=3)))
            yield Call("nearest", (rows(points), classes, 3, k, rows(at)), np.array(want, dtype="i4"))
        yield Call("hull_points", (rows(points),), rows(h + [(0.0, 0.0)] * (n + 1 - len(h))))
    yield Call("area", (rows([]),), 0.0)
    yield Call("inside", (rows([]), rows([(0.0, 0.0)])), np.array([False]))
    yield Call("hull_points", (rows([(1.0, 2.0)]),), rows([(1.0, 2.0), (0.0, 0.0)]))
