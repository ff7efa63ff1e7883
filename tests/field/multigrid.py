"""Relaxation against slices of NumPy."""

import numpy as np

from field import Call, rng


def neighbours(u):
    inside = (slice(1, -1),) * u.ndim
    total = np.zeros_like(u)[inside]
    for axis in range(u.ndim):
        for way in (-1, 1):
            total = total + np.roll(u, way, axis=axis)[inside]
    return total, inside


def relaxed(right, u):
    if min(u.shape) < 3:
        return u
    total, inside = neighbours(u)
    u = u.copy()
    u[inside] += 0.8 * ((total + right[inside]) / (2 * u.ndim) - u[inside])
    return u


def calls():
    r = rng("multigrid")
    for shape in ((1,), (2,), (9,), (1, 3), (3, 3), (12, 7), (3, 3, 3), (6, 6, 6)):
        right, start = r.normal(size=shape), r.normal(size=shape)
        for rounds in (0, 1, 4):
            u = start
            for _ in range(rounds):
                u = relaxed(right, u)
            yield Call(f"relax{len(shape)}", (rounds, right, start), u, rtol=1e-10, atol=1e-12)
        if len(shape) == 2:
            total, inside = neighbours(start)
            wrong = abs(total + right[inside] - 4 * start[inside])
            yield Call("residual", (right, start), float(wrong.max(initial=0.0)), rtol=1e-10)
    for n, m in ((0, 2), (1, 1), (5, 8)):
        a = r.normal(size=(2 * n, 2 * m))
        yield Call("restricted", (a,), a.reshape(n, 2, m, 2).mean(axis=(1, 3)), rtol=1e-12, atol=1e-14)
