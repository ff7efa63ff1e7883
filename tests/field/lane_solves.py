"""Solutions of small systems by NumPy."""

import numpy as np

from field import Call, rng


def swaps_of(a):
    a, swaps, n = a.copy(), 0, len(a)
    for k in range(n):
        p = k + int(np.argmax(abs(a[k:, k])))
        if not abs(a[p, k]) > 1e-9:
            return swaps, False
        if p != k:
            a[[p, k]] = a[[k, p]]
            swaps += 1
        for i in range(k + 1, n):
            a[i] -= a[i, k] / a[k, k] * a[k]
    return swaps, True


def calls():
    r = rng("lane_solves")
    for g, n in ((0, 3), (1, 0), (1, 1), (3, 2), (4, 3), (5, 7), (13, 11)):
        a = r.normal(size=(g, n, n)) + 0.1
        b = r.normal(size=(g, n))
        if g > 2:
            a[1] = 0
            a[2, 0, 0] = 0
        if g > 4:
            a[4] = 1
        found = [swaps_of(x) for x in a]
        fine = np.array([f for _, f in found], bool)
        want = np.array([np.linalg.solve(x, y) if f else 0 * y for x, y, f in zip(a, b, fine)]).reshape(g, n)
        yield Call("solved", (a, b), (want, fine, np.array([s for s, _ in found], "u1")), rtol=1e-8, atol=1e-10)
    a, b = r.normal(size=(3, 3, 4)), r.normal(size=(3, 4))
    a[:, :, 1] = 1
    found = [swaps_of(a[:, :, k]) for k in range(4)]
    want = np.array([np.linalg.solve(a[:, :, k], b[:, k]) if f else np.zeros(3) for k, (_, f) in enumerate(found)]).T
    yield Call("solved_3", (a, b), (want.copy(), np.array([f for _, f in found]), np.array([s for s, _ in found], "u1")), rtol=1e-8, atol=1e-10)
