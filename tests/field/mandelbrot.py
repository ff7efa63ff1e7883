"""The Mandelbrot set against NumPy; sizes are powers of two, so that rounding differs nowhere."""

import numpy as np

from field import Call

LIMIT = 200


def steps(h, w, re, im, size):
    out = np.zeros((h, w), dtype="i4")
    for i in range(h):
        for j in range(w):
            a, b, x, y, k = re + size * j, im + size * i, 0.0, 0.0, 0
            while k < LIMIT and x * x + y * y <= 4:
                x, y = x * x - y * y + a, 2 * x * y + b
                k += 1
            out[i, j] = k
    return out


def calls():
    # Coarse grids have few steps and points with short fractions: contraction changes nothing there.
    for h, w, re, im, size in ((1, 1, 0.0, 0.0, 1.0), (3, 7, -2.0, -1.0, 0.5), (9, 13, -2.0, -1.0, 0.25), (5, 32, -4.0, -1.0, 0.5), (0, 3, 0.0, 0.0, 1.0)):
        want = steps(h, w, re, im, size)
        for entry in ("plain", "by_pattern", "by_loop"):
            yield Call(entry, (h, w, re, im, size), want)
        yield Call("area", (h, w, re, im, size), int((want == LIMIT).sum()))
        if w % 8 == 0:
            yield Call("by_value", (h, w // 8, re, im, size), want)
