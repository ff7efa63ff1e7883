"""Stencils against NumPy."""

import numpy as np

from field import Call, rng



def plate(u, steps):
    for _ in range(steps):
        p = np.pad(u, 1, mode="edge")
        u = u + 0.1 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4 * u)
    return u


def block(u, steps):
    i = slice(1, -1)
    for _ in range(steps):
        p = np.pad(u, 1)
        around = p[:-2, i, i] + p[2:, i, i] + p[i, :-2, i] + p[i, 2:, i] + p[i, i, :-2] + p[i, i, 2:]
        u = u + 0.1 * (around - 6 * u)
    return u


def calls():
    r = rng("heated")
    for n, m in ((1, 1), (2, 9), (9, 10), (33, 32), (61, 67)):
        u = r.normal(size=(n, m)).astype("f4")
        for steps in (0, 1, 3):
            want = plate(u.astype(float), steps).astype("f4")
            for entry in ("plate", "plate_in_groups"):
                yield Call(entry, (steps, u), want, rtol=1e-4, atol=1e-5, slow=n > 40)
        a = r.integers(-(2**63), 2**63, size=(n, m), dtype="i8")
        p = np.pad(a, 2, mode="wrap")
        yield Call("ring", (a,), p[:-4, :-4] + 3 * p[4:, 4:] - p[2:-2, 1:-3] * p[2:-2, 2:-2], slow=n > 40)
    flat = np.full((3, 4), 2.0, "f4")
    yield Call("settle", (np.float32(0.5), 10, flat), (1, np.float32(0), flat), atol=1e-6)
    for n, m, k in ((1, 1, 1), (9, 10, 9), (11, 33, 35)):
        u = r.normal(size=(n, m, k))
        for steps in (0, 1, 2):
            yield Call("block", (steps, u), block(u, steps), rtol=1e-9, atol=1e-12, slow=n > 10)
