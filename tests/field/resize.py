"""Scaled pictures against the formula on NumPy grids."""

import numpy as np

from field import Call, rng


def resized(image, rows, columns):
    h, w = image.shape
    y = (np.arange(rows) + 0.5) * h / max(rows, 1) - 0.5
    x = (np.arange(columns) + 0.5) * w / max(columns, 1) - 0.5
    y0, x0 = np.floor(y), np.floor(x)
    fy, fx = (y - y0)[:, None], x - x0

    def at(i, j):
        return image[np.ix_(np.clip(i, 0, h - 1).astype(int), np.clip(j, 0, w - 1).astype(int))].astype(float)

    top = at(y0, x0) * (1 - fx) + at(y0, x0 + 1) * fx
    bottom = at(y0 + 1, x0) * (1 - fx) + at(y0 + 1, x0 + 1) * fx
    return (top * (1 - fy) + bottom * fy).astype("f4")


def calls():
    r = rng("resize")
    for (h, w), (rows, columns) in (((1, 1), (3, 2)), ((2, 3), (4, 6)), ((7, 5), (3, 8)), ((20, 31), (13, 17)), ((4, 4), (0, 3))):
        image = r.random((h, w), dtype="f4")
        yield Call("resized", (image, rows, columns), resized(image, rows, columns), rtol=1e-4, atol=1e-5)
    for h, w in ((0, 0), (1, 1), (3, 5), (16, 33)):
        image = r.integers(0, 256, (2 * h, 2 * w), dtype="u1")
        means = image.reshape(h, 2, w, 2).astype(float).mean(axis=(1, 3))
        yield Call("halved", (image,), np.rint(means).astype("u1"))
    image = r.random((24, 10, 3), dtype="f4")
    planes = [resized(image[:, :, c], 8, 8) for c in range(3)]
    yield Call("thumbnail", (image,), np.stack(planes, axis=2), rtol=1e-4, atol=1e-5)
