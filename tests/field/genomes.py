"""Alignments by the recurrences of Gotoh, a row at a time."""

import numpy as np

from field import Call, rng

OPEN, MORE, LOW = 3, 1, -(10**6)


def scores(a, b, free=(False,) * 4, local=False):
    """The best score of all alignments."""
    n, m = len(a), len(b)
    a_start, a_end, b_start, b_end = free
    j = np.arange(m + 1)
    h = np.zeros(m + 1, int) if local or b_start else np.where(j > 0, -OPEN - MORE * (j - 1), 0)
    down = np.full(m + 1, LOW)
    best = h.max() if local else max(h[m] if a_end or n == 0 else LOW, h.max() if b_end and n == 0 else LOW)
    for i in range(1, n + 1):
        down = np.maximum(down - MORE, h - OPEN)
        first = 0 if local or a_start else -OPEN - MORE * (i - 1)
        s = np.where(b == a[i - 1], 2, -1)
        cell = np.concatenate([[first], np.maximum(h[:-1] + s, down[1:])])
        if local:
            cell = np.maximum(cell, 0)
        # A gap in the row: the best of cell[k] - OPEN - MORE * (j - k - 1) for k < j; gaps of gaps never help.
        run = np.maximum.accumulate(cell + MORE * j)
        cell[1:] = np.maximum(cell[1:], run[:-1] - OPEN - MORE * (j[1:] - 1))
        h = cell
        if local:
            best = max(best, h.max())
        elif i == n:
            best = max(best, h.max() if b_end else h[m])
        elif a_end:
            best = max(best, h[m])
    return np.int32(best)


def relative(r, a, much):
    """Letters like those of a, with some left out, put in and changed."""
    out = []
    for c in a:
        x = r.random()
        if x < much:
            continue
        if x < 2 * much:
            out.append(r.integers(4))
        out.append(c if x < 1 - much else r.integers(4))
    return np.frombuffer(b"ACGT", "u1")[np.array(out, int)].copy() if out else np.zeros(0, "u1")


def calls():
    r = rng("genomes")
    acgt = np.frombuffer(b"ACGT", "u1")
    for k, n in enumerate((0, 1, 2, 3, 17, 47, 64, 65, 127, 211, 1031, 2500)):
        codes = r.integers(0, 4, n) if k % 4 else np.zeros(n, int)
        a = acgt[codes].copy()
        for b in (relative(r, codes, 0.06), acgt[r.integers(0, 4, (3 * n + 1) // 4)].copy(), np.zeros(0, "u1")):
            if len(a) > 300 and not len(b):
                continue
            free = tuple(bool(x) for x in r.integers(0, 2, 4))
            memory, threads = int(r.choice([0, 1, 5000, 10**6, 2**62])), np.int32(r.choice([1, 2, 3, 7]))
            for local, ends in ((False, (False,) * 4), (False, free), (True, free)):
                yield Call("aligned", [threads, memory, local, np.array(ends), a, b], (scores(a, b, ends, local), True, True), slow=n > 60)
        more = np.concatenate([a[: n // 3], np.full(40, ord("N"), "u1"), a[n // 3 :]])
        if n > 2:
            yield Call("aligned", [np.int32(2), 0, False, np.zeros(4, bool), a, more], (np.int32(2 * n - OPEN - 39 * MORE), True, True), slow=n > 60)
    few = np.frombuffer(b"ACGTACGT", "u1")
    for threads, memory in ((0, 0), (-1, 0), (2, -1), (-(2**31), 100), (1, -(2**63))):
        yield Call("aligned", [np.int32(threads), memory, True, np.zeros(4, bool), few, few], (np.int32(0), True, True), fails="E0614")
