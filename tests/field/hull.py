"""Hulls and points in polygons against plain Python; coordinates are small whole numbers or halves, so that results are exact."""

import numpy as np

from field import Call, Index, Rows, UpTo, rng


def turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def hull(points):
    """The corners and twice the area, by wrapping: the next corner is the one that has no point on its right, the farthest of several."""
    points = set(points)
    first = corner = min(points)
    corners, area = 0, 0.0
    while corners == 0 or corner != first:
        best = None
        for p in points - {corner}:
            side = turn(corner, best, p) if best else -1
            if side < 0 or side == 0 and abs(p[0] - corner[0]) + abs(p[1] - corner[1]) > abs(best[0] - corner[0]) + abs(best[1] - corner[1]):
                best = p
        area += corner[0] * best[1] - corner[1] * best[0]
        corners, corner = corners + 1, best
    return corners, area


def calls():
    r = rng("hull")
    corners = Rows((np.array([0.0, 8.0, 8.0, 4.0, 0.0]), np.array([0.0, 0.0, 8.0, 2.0, 8.0])))
    for n in (0, 3, 101, 16411):
        slow = n > 3000
        x, y = r.integers(-64, 65, (2, n)) / 4
        points = Rows((x, y))
        if n > 2:
            yield Call("hull", (points,), hull(list(zip(x.tolist(), y.tolist()))), slow=slow)
        x, y = (2 * r.integers(-2, 40, (2, n)) + 1) / 8
        below = y < np.where(x < 4, 8 - 1.5 * x, 1.5 * x - 4)
        yield Call("inside", (corners, Rows((x, y))), UpTo(np.flatnonzero((x > 0) & (x < 8) & (y > 0) & below), n), slow=slow)
        x, y = points
        left = turn((0, 1), (2, 2), points) > 0
        order = np.concatenate([np.flatnonzero(left), np.flatnonzero(~left)])
        yield Call("split_by_line", ((0.0, 1.0), (2.0, 2.0), points), (Index(int(left.sum()), n + 1), x[order], y[order]), slow=slow)
        close = x * x + y * y < 100
        yield Call("near", (10.0, points), UpTo(Rows((x[close], y[close])), n), slow=slow)
