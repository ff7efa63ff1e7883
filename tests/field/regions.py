"""Regions against a search in Python."""

import numpy as np

from field import Call, rng


def around(i, j, shape):
    for y, x in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
        if 0 <= y < shape[0] and 0 <= x < shape[1]:
            yield y, x


def spread(good, start):
    seen, todo = {start}, [start]
    while todo:
        for p in around(*todo.pop(), good.shape):
            if good[p] and p not in seen:
                seen.add(p)
                todo.append(p)
    return seen


def label(good):
    labels, count = np.zeros(good.shape, dtype="i4"), 0
    for p in zip(*np.nonzero(good)):
        if labels[p] == 0:
            count += 1
            for q in spread(good, p):
                labels[q] = count
    return labels, np.int32(count)


def calls():
    r = rng("regions")
    for h, w in ((0, 3), (1, 1), (2, 2), (5, 7), (24, 31)):
        good = r.random((h, w)) < 0.6
        yield Call("label", (good,), label(good))
        if h:
            image = r.integers(0, 2, (h, w), dtype="u1")
            want = image.copy()
            for p in spread(image == image[h // 2, w // 2], (h // 2, w // 2)):
                want[p] = 7
            yield Call("fill", (image, h // 2, w // 2, np.uint8(7)), want)
            yield Call("fill", (image, 0, 0, image[0, 0]), image)
    yield Call("fill", (np.zeros((2, 2), "u1"), 0, 2, np.uint8(1)), np.zeros((2, 2), "u1"), fails="E0601")
    spiral = np.ones((9, 9), dtype=bool)
    spiral[1, :8] = spiral[1:8, 7] = spiral[7, 1:8] = spiral[3:8, 1] = spiral[3, 1:6] = spiral[3:6, 5] = False
    yield Call("label", (spiral,), label(spiral))
