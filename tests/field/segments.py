"""Sorted rows by NumPy, the calls and moves by plain Python."""

import numpy as np

from field import Call, Rows, rng


def splits(xs):
    """How many parts of at least two elements the quicksort sorts."""
    if len(xs) < 2:
        return 0
    mid, last = len(xs) // 2, len(xs) - 1
    xs = list(xs)
    xs[mid], xs[last] = xs[last], xs[mid]
    k = 0
    for i in range(last):
        if xs[i] < xs[last]:
            xs[i], xs[k] = xs[k], xs[i]
            k += 1
    xs[k], xs[last] = xs[last], xs[k]
    return 1 + splits(xs[:k]) + splits(xs[k + 1:])


def inversions(xs):
    return sum(x > y for i, x in enumerate(xs) for y in xs[i + 1:])


def calls():
    r = rng("segments")
    for p, n in ((0, 4), (1, 0), (1, 1), (3, 2), (5, 7), (8, 17), (11, 31)):
        xs = (r.integers(-9, 9, (p, n)) / 2).astype("f4")
        order, length = r.permutation(p).astype("i4"), r.integers(0, n + 1, p)
        want, depths = xs.copy(), np.zeros(p, "i4")
        for i in range(p):
            row, k = order[i], length[i]
            depths[i], want[row, :k] = splits(xs[row, :k]), np.sort(xs[row, :k])
        yield Call("sort_rows", (xs, order, length), (want, depths))
        yield Call("sort_copies", (xs,), Rows((np.sort(xs, 1), np.array([splits(x) for x in xs], "i4"))))
        if n >= 3:
            want = xs.copy()
            want[:, 1:n - 2] = np.sort(xs[:, 1:n - 2], 1)
            yield Call("sort_inner", (xs,), (want, np.array([inversions(x[1:n - 2]) for x in xs], "i4")))
    for i, bad in ((2, -1), (9, 11)):
        wrong = order.copy()
        wrong[i] = bad
        yield Call("sort_rows", (xs, wrong, length), (xs, depths), fails="E0601")
    length = length.copy()
    length[4] = 32
    yield Call("sort_rows", (xs, order, length), (xs, depths), fails="E0601")
