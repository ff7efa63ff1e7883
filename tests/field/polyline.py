"""Simplified lines against the recursion in NumPy."""

import numpy as np

from field import Call, UpTo, rng


def distance(p, a, b):
    (x, y), (u, v) = p - a, b - a
    length = np.sqrt(u * u + v * v)
    return np.sqrt(x * x + y * y) if length == 0 else abs(x * v - y * u) / length


def simplified(tolerance, points):
    if len(points) <= 2:
        return points
    far = [distance(p, points[0], points[-1]) for p in points]
    i = int(np.argmax(far))
    if i in (0, len(points) - 1) or far[i] <= tolerance:
        return points[[0, -1]]
    return np.concatenate([simplified(tolerance, points[: i + 1])[:-1], simplified(tolerance, points[i:])])


def calls():
    r = rng("polyline")
    for n in (0, 1, 2, 3, 31, 301):
        points = np.stack([np.arange(n), r.random(n)], axis=1)
        for tolerance in (0.05, 0.5, 10.0):
            kept = simplified(tolerance, points)
            yield Call("simplified", (tolerance, points), UpTo(kept, n))
            length = float(np.hypot(*np.diff(kept, axis=0).T).sum()) if n else 0.0
            yield Call("length", (tolerance, points), length, rtol=1e-12)
    ring = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]])
    yield Call("simplified", (0.5, ring), UpTo(simplified(0.5, ring), 5))
    yield Call("simplified", (0.5, np.ones((9, 2))), UpTo(np.ones((2, 2)), 9))
