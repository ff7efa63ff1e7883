"""Runs, escapes and bits against itertools and NumPy."""

from itertools import groupby

import numpy as np

from field import Call, Rows, UpTo, octets, rng


def runs(xs):
    """The values of the runs and their lengths."""
    return np.array([(x, len(list(run))) for x, run in groupby(xs.tolist())], dtype="i8").reshape(-1, 2).T.copy()


def calls():
    r = rng("packed")
    for n in (0, 1, 257, 16411):
        slow = n > 3000
        text = r.choice(np.array([0, 0, 0, 1, 128, 255], dtype="u1"), n)
        values, lengths = runs(text)
        values = values.astype("u1")
        yield Call("packed", (text,), UpTo(Rows((values, lengths)), n), slow=slow)
        yield Call("unpacked", (n, values, lengths), text, slow=slow)
        yield Call("twice", (text,), runs(lengths).shape[1], slow=slow)
        xs = np.cumsum(r.choice([-(2**40), -129, -128, 0, 127, 128], n))
        steps = np.diff(xs, prepend=0)
        at = np.flatnonzero((steps < -128) | (steps > 127))
        yield Call("escapes", (xs,), UpTo(Rows((at, steps[at])), n), slow=slow)
        count = int(np.unpackbits(text).sum())
        yield Call("bits", (text,), (count, np.arange(8 * n) < count), slow=slow)
    yield Call("unpacked", (2, octets("ab"), np.array([1, 2])), octets("ab"), fails="E0601")
