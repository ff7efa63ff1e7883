"""Lloyd's algorithm in NumPy."""

import numpy as np

from field import Call, rng



def nearest(points, centres):
    far = ((points[:, None].astype(float) - centres[None]) ** 2).sum(axis=2)
    return far.argmin(axis=1)


def means(points, centres, own):
    rows = [points[own == c].mean(axis=0, dtype=float) if (own == c).any() else centre for c, centre in enumerate(centres)]
    return np.array(rows).astype("f4").reshape(centres.shape)


def calls():
    r = rng("group_means")
    for n, k, d in ((0, 1, 2), (1, 1, 1), (61, 3, 2), (257, 5, 3)):
        corners = 100 * np.arange(k)[:, None] + np.zeros((1, d))
        points = (corners[r.integers(0, k, size=n)] + r.integers(-9, 10, size=(n, d))).astype("f4")
        start = (corners + 1).astype("f4")
        centres, own = start, np.zeros(n, "i8")
        for _ in range(3):
            own = nearest(points, centres)
            centres = means(points, centres, own)
        slow = n > 100
        yield Call("labels", (points, start), nearest(points, start), slow=slow)
        yield Call("kmeans", (3, points, start), (centres, own), rtol=1e-5, slow=slow)
        yield Call("kmeans_sums", (3, points, start), centres, rtol=1e-5, slow=slow)
