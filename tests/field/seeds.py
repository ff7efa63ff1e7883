"""Extensions from seeds, cell by cell, leaving out what falls too far below the best score."""

import numpy as np

from field import Call, UpTo, rng

SAME, DIFFERENT, OPEN, MORE, LOW = 1, -2, 3, 1, -(10**9)


def extension(a, b, drop):
    """The score of the best beginnings, and how many letters they have."""
    m = len(b)
    best = (0, 0, 0)
    above, down = [LOW] * (m + 1), [LOW] * (m + 1)
    for i in range(len(a) + 1):
        gap, h, diagonal = LOW, LOW, LOW
        alive = False
        for j in range(m + 1):
            over = above[j]
            down[j] = max(down[j] - MORE, over - OPEN)
            gap = max(gap - MORE, h - OPEN)
            pair = diagonal + (SAME if a[i - 1] == b[j - 1] else DIFFERENT) if i and j else LOW
            h = 0 if i == j == 0 else max(pair, down[j], gap)
            if h > best[0]:
                best = (h, i, j)
            elif h < best[0] - drop and i + j > 0:
                h = gap = down[j] = LOW
            alive |= h > LOW // 2
            diagonal, above[j] = over, h
        if not alive:
            break
    return best


def calls():
    r = rng("seeds")
    acgt = np.frombuffer(b"ACGT", "u1")
    for k in range(60):
        n = int(r.choice([1, 2, 7, 16, 31, 60]))
        some = 1 if k % 7 == 0 else 4
        a = acgt[r.integers(0, some, n)].copy()
        b = np.array([c for c in a if r.random() > 0.07 for c in ([c, acgt[r.integers(some)]] if r.random() < 0.07 else [c])], "u1")
        b[r.random(len(b)) < 0.06] = ord("A")
        drop = int(r.choice([0, 1, 3, 5, 8, 20, 2**31 - 1, -1]))
        if k % 3 == 0:
            b = b[: len(b) // 2]
        score, i, j = extension(a, b, drop)
        yield Call("score", [np.int32(drop), a, b], (np.int32(score), np.array([i, j])))
        if min(n, len(b)) > 3:
            size = int(r.integers(0, 4))
            at, place = int(r.integers(n - size + 1)), int(r.integers(len(b) - size + 1))
            left = extension(a[:at][::-1], b[:place][::-1], drop)
            right = extension(a[at + size :], b[place + size :], drop)
            yield Call("placed", [np.int32(drop), size, a, at, b, place], (np.int32(left[0] + size + right[0]), np.array([at - left[1], at + size + right[1]]), np.array([place - left[2], place + size + right[2]])))
    for n, m in ((0, 0), (0, 3), (3, 0)):
        a, b = acgt[:n].copy(), acgt[:m].copy()
        yield Call("extended", [np.int32(9), a, b], (np.int32(0), True, UpTo(np.frombuffer(b"3S" if n else b"", "u1"), 20 * (n + m + 2))))
    a = np.frombuffer(b"GATTACAGATTACATTTT", "u1")
    b = np.frombuffer(b"GATTACAGGATTACACCCCCC", "u1")
    yield Call("extended", [np.int32(9), a, b], (np.int32(11), True, UpTo(np.frombuffer(b"7=1D7=4S", "u1"), 20 * (len(a) + len(b) + 2))))
    yield Call("extended", [np.int32(1), a, b], (np.int32(8), True, UpTo(np.frombuffer(b"8=10S", "u1"), 20 * (len(a) + len(b) + 2))))
    for size, at, place in ((3, 16, 0), (-1, 0, 0), (2**63 - 1, 1, 1), (1, -1, 0), (0, 0, 22)):
        yield Call("placed", [np.int32(9), size, a, at, b, place], (np.int32(0), np.zeros(2, int), np.zeros(2, int)), fails="E0614")
