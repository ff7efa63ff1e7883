"""Thresholds by a search over all, regions by union of neighbours."""

import numpy as np

from field import Call, rng


def otsu(picture):
    values = (picture.ravel().astype("i8")) // 256
    best, at = -1.0, 0
    for limit in range(256):
        low, high = values[values <= limit], values[values > limit]
        if len(low) and len(high):
            d = low.sum() / len(low) - high.sum() / len(high)
            between = float(len(low)) * float(len(high)) * d * d
            if between > best:
                best, at = between, limit
    return np.uint16(256 * (at + 1) - 1)


def label(picture, limit):
    h, w = picture.shape
    to = np.arange(h * w)

    def root(i):
        while to[i] != i:
            i = to[i]
        return i

    bright = picture > limit
    for r, c in np.argwhere(bright):
        for y, x in ((r - 1, c), (r, c - 1)):
            if y >= 0 and x >= 0 and bright[y, x]:
                a, b = sorted((root(r * w + c), root(y * w + x)))
                to[b] = a
    numbers, labels = {}, np.zeros((h, w), "i4")
    for r, c in np.argwhere(bright):
        labels[r, c] = numbers.setdefault(root(r * w + c), len(numbers) + 1)
    return labels, np.int32(len(numbers))


def calls():
    r = rng("threshold")
    for h, w in ((0, 0), (0, 3), (1, 1), (1, 13), (17, 1), (23, 29), (64, 61)):
        picture = r.integers(0, 65536, (h, w)).astype("u2")
        picture[r.random((h, w)) < 0.5] //= 5
        slow = h * w > 1000
        yield Call("otsu", (picture,), otsu(picture) if h * w else np.uint16(255), slow=slow)
        for limit in (0, 20000, 65535):
            yield Call("label", (picture, np.uint16(limit)), label(picture, limit), slow=slow)
        wide = picture.astype("u8")
        low, high = wide.min(initial=65535), wide.max(initial=0)
        want = (wide - low) * 65535 // (high - low) if high > low else wide
        yield Call("stretched", (picture,), want.astype("u2"), slow=slow)
        grey = np.repeat((picture >> 8).astype("u1")[..., None], 3, axis=2)
        yield Call("marked", (picture, np.uint16(9999)), np.where((picture > 9999)[..., None], np.array([255, 0, 0], "u1"), grey), slow=slow)
    yield Call("stretched", (np.array([[0, 65535]], "u2"),), np.array([[0, 65535]], "u2"))
