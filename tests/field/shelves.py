"""Filled rows and lists of positions against NumPy."""

import numpy as np

from field import Call, rng


def listed(found):
    """The positions, followed by -1, and their number."""
    at = np.full(len(found), -1, np.int32)
    at[: found.sum()] = np.flatnonzero(found)
    return at, int(found.sum())


def calls():
    r = rng("shelves")
    for h, w in ((1, 1), (2, 3), (3, 17), (65, 31), (5, 1000)):
        row = np.arange(h)[:, None]
        for aisle in (0, 2) if h < 33 else (7,):
            plan = np.where((row + 1) % max(aisle, 1) == 0, -1, row) if aisle else row
            yield Call("plan", (h, w, aisle), np.broadcast_to(plan, (h, w)).astype(np.int32))
        framed = np.full((h, w), 9, np.uint8)
        framed[1:-1, 1:-1] = 0
        yield Call("framed", (h, w, np.uint8(9)), framed)
    yield Call("plan", (2, 0, 1), np.zeros((2, 0), np.int32))
    yield Call("plan", (0, 2, 1), np.zeros((0, 2), np.int32), fails="E0404")
    yield Call("framed", (2, 0, np.uint8(9)), np.zeros((2, 0), np.uint8), fails="E0404")
    for n in (0, 1, 17, 65):
        yield Call("stairs", (n, -0.5), np.where(np.tri(n) > 0, 1.0, -0.5))
    for rows, w, k in ((0, 3, 0), (3, 0, 2), (7, 19, 3), (16, 65, 300)):
        level = np.arange(rows, dtype=np.float32) - 2
        level[1:2] = np.nan
        yield Call("warmed", (w, level), np.repeat(level[:, None], w, axis=1))
        colour, choice = r.integers(-(2**15), 2**15, k).astype(np.int16), r.integers(0, max(k, 1), rows).astype(np.int32)
        yield Call("painted", (w, colour, choice), np.repeat(colour[choice][:, None], w, axis=1))
    for wrong in (3, -1, 2**31 - 1):
        painted = (np.zeros(3, np.int16), np.array([0, 1, 2, wrong], np.int32))
        yield Call("painted", (2, *painted), np.zeros((4, 2), np.int16), fails="E0601")
        # Without columns nothing is read.
        yield Call("painted", (0, *painted), np.zeros((4, 0), np.int16))
    for n in (0, 1, 16, 33, 1000):
        stock = r.choice(np.array([0, 1, 999, 1000, 1001, 40000, 65535], np.uint16), n)
        yield Call("short", (stock, np.uint16(1000)), listed(stock < 1000))
        x = r.choice(np.array([-1, -0.0, 0, 2, np.nan, np.inf, -np.inf], np.float32), n + 1)
        yield Call("crossings", (x,), listed((x[:-1] < 0) & (x[1:] >= 0)))
