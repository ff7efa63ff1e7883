"""First extremes, with ties, against NumPy."""

import numpy as np

from field import Call, rng


def calls():
    r = rng("extremes")
    for n, kinds in ((1, 1), (2, 9), (7, 3), (33, 40), (255, 90), (257, 5), (1023, 900), (1024, 1000), (1500, 90), (2049, 2000)):
        x = r.integers(-kinds, kinds + 1, n)
        y = r.integers(-kinds, kinds + 1, n)
        squares = x * x
        distances = (x - 2) ** 2 + (y + 1) ** 2
        at = int(np.argmin(distances))
        yield Call("loudest", (x.astype(np.float32),), (int(np.argmax(squares)), int(np.argmin(squares))))
        yield Call("both", (x.astype(np.float64),), (int(np.argmin(x)), int(np.argmax(x))))
        yield Call("nearest", (x.astype(np.float32), y.astype(np.float32), np.float32(2), np.float32(-1)), (at, np.float32(distances[at])))
        pixels = r.integers(0, min(kinds, 250) + 1, n).astype(np.uint8)
        yield Call("darkest_or_brightest", (pixels, True), int(np.argmin(pixels)))
        yield Call("darkest_or_brightest", (pixels, False), int(np.argmax(pixels)))
    for n, m in ((1, 1), (3, 7), (31, 5), (5, 300)):
        scores = r.integers(0, 20, (n, m))
        yield Call("classes", (scores.astype(np.float32),), np.argmax(scores, axis=1).astype(np.int64))
        yield Call("cheapest", (scores.astype(np.int32),), np.argmin(scores, axis=0).astype(np.int64))
