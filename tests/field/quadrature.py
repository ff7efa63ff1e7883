"""Adaptive quadrature against the same rule in Python."""

import numpy as np

from field import Call, UpTo


def f(x):
    return 1 / (1e-3 + (x - 0.3) ** 2)


def simpson(a, b):
    return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b))


def coarse(tolerance, a, b):
    m = (a + b) / 2
    return abs(simpson(a, m) + simpson(m, b) - simpson(a, b)) > tolerance * (b - a)


def integral(tolerance, a, b, depth=40):
    if depth == 0 or not coarse(tolerance, a, b):
        return simpson(a, b)
    return integral(tolerance, a, (a + b) / 2, depth - 1) + integral(tolerance, (a + b) / 2, b, depth - 1)


def mesh(most, tolerance, a, b):
    intervals, i = [(a, b)], 0
    while i < len(intervals):
        l, r = intervals[i]
        if len(intervals) <= most and coarse(tolerance, l, r):
            intervals[i] = (l, (l + r) / 2)
            intervals.append(((l + r) / 2, r))
        else:
            i += 1
    return np.array([l for l, _ in intervals])


def calls():
    for tolerance in (1e-6, 1e-3, 1.0, 1e9):
        for a, b in ((0.0, 1.0), (-2.0, 0.31)):
            yield Call("integral", (tolerance, a, b), integral(tolerance, a, b), rtol=1e-10)
            for most in (0, 1, 7, 100):
                yield Call("mesh", (most, tolerance, a, b), UpTo(mesh(most, tolerance, a, b), most + 1))
