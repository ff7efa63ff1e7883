"""Clusters against NumPy."""

import numpy as np

from field import Call, UpTo, UpTos, rng


def nearest(centres, points):
    return np.argmin(((points[:, None] - centres) ** 2).sum(axis=2), axis=1)


def kmeans(steps, centres, points):
    for _ in range(steps):
        of = nearest(centres, points)
        centres = np.array([points[of == c].mean(axis=0) if (of == c).any() else old for c, old in enumerate(centres)])
    return centres


def calls():
    r = rng("kmeans")
    for n, k, d in ((0, 1, 1), (1, 2, 3), (7, 1, 2), (7, 5, 1), (31, 5, 2), (101, 7, 3)):
        points, centres = r.normal(size=(n, d)), 3 * r.normal(size=(k, d))
        for steps in (0, 1, 4):
            yield Call("kmeans", (steps, centres, points), kmeans(steps, centres, points), rtol=1e-10, atol=1e-12)
        of = nearest(centres, points)
        yield Call("used", (centres, points), UpTo(centres[np.unique(of)], k))
        yield Call("members", (centres, points), UpTos([np.flatnonzero(of == c) for c in range(k)], n, np.int64))
    yield Call("used", (np.zeros((0, 2)), np.zeros((3, 2))), UpTo(np.zeros((0, 2)), 0), fails="E0404")
