"""Blurs and slopes of pictures that are padded by NumPy."""

import numpy as np

from field import Call, rng


def padded(a, mode, **more):
    """A picture with 3 more pixels on each side."""
    return np.pad(a, 3, mode=mode, **more) if a.size else np.zeros((a.shape[0] + 6, a.shape[1] + 6), a.dtype)


def blurred(p):
    """The blur of all pixels but those near the border: 1 above and below, 2 on the left, 1 on the right."""
    rows = p[:, :-3] + 2 * p[:, 2:-1] + p[:, 3:]
    return rows[:-2] + rows[1:-1] + 3 * rows[2:]


def calls():
    r = rng("edges")
    for h, w in ((0, 5), (1, 2), (17, 33), (131, 127)):
        slow = h > 100
        a = r.integers(-1000, 1000, (h, w), dtype="i4")
        part = (slice(2, 2 + h), slice(1, 1 + w))
        yield Call("mirrored", (a,), blurred(padded(a, "symmetric"))[part].copy(), slow=slow)
        yield Call("clamped", (a,), blurred(padded(a, "edge"))[part].copy(), slow=slow)
        yield Call("wrapped", (a,), blurred(padded(a, "wrap"))[part].copy(), slow=slow)
        yield Call("framed", (-7, a), blurred(padded(a, "constant", constant_values=-7))[part].copy(), slow=slow)
        b = blurred(padded(a, "edge"))
        across = np.abs(b[2 : 2 + h, 2 : 2 + w] - b[2 : 2 + h, :w])
        down = np.abs(b[3 : 3 + h, 1 : 1 + w] - b[1 : 1 + h, 1 : 1 + w])
        yield Call("edges", (a,), across + down, slow=slow)
