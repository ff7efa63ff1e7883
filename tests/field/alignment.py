"""Local alignment scores against the recurrences, cell by cell."""

import numpy as np

from field import Call, rng

OPEN, EXTEND, LOW = 3, 1, -8192


def score(a, b):
    h, f, best = [0] * (len(b) + 1), [LOW] * (len(b) + 1), 0
    for x in a:
        diagonal, e, left = 0, LOW, 0
        for j, y in enumerate(b, 1):
            e = max(e - EXTEND, left - OPEN)
            f[j] = max(f[j] - EXTEND, h[j] - OPEN)
            here = max(diagonal + (2 if x == y else -1), e, f[j], 0)
            diagonal, h[j], left, best = h[j], here, here, max(best, here)
    return np.int16(best)


def calls():
    r = rng("alignment")
    for n, m in ((0, 0), (0, 5), (1, 1), (7, 40), (16, 16), (33, 31), (50, 97)):
        a = r.integers(0, 4, n).astype("u1")
        b = r.integers(0, 4, m).astype("u1")
        b[: min(n, m) // 2] = a[: min(n, m) // 2]
        for name in ("score16", "score32"):
            yield Call(name, [a, b], score(a, b))
