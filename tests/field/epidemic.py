"""An epidemic with whole arrays of NumPy."""

import numpy as np

from field import Call, Table, UpTo, rng


def day(grid, chance, p, length):
    ill = np.pad((grid > 0).astype("i4"), 1)
    h, w = grid.shape
    around = sum(ill[y : y + h, x : x + w] for y in range(3) for x in range(3))
    safe = np.power(np.float32(1) - np.float32(p), around.astype("f4"))
    next_ill = np.where(grid <= 1, -1, grid - 1)
    return np.where(grid == 0, np.where(chance >= safe, length, 0), np.where(grid < 0, -1, next_ill)).astype("i4")


def counts(grid):
    return int((grid == 0).sum()), int((grid > 0).sum()), int((grid < 0).sum())


def course(grid, length, days):
    """Everyone next to an ill one falls ill: p is 1."""
    found = []
    while len(found) < days:
        grid = day(grid, np.full(grid.shape, 0.5), 1.0, length)
        found.append(counts(grid))
        if not found[-1][1]:
            break
    columns = np.array(found, "i8").reshape(-1, 3).T
    return UpTo(Table("Counts", healthy=columns[0], ill=columns[1], immune=columns[2]), days)


def calls():
    r = rng("epidemic")
    for h, w in ((1, 1), (1, 7), (5, 1), (0, 3), (3, 0), (13, 17), (61, 64)):
        grid = r.choice([0, 0, 0, 1, 2, 5, -1, 2**31 - 1, -(2**31)], (h, w)).astype("i4")
        chance = (r.integers(0, 16, (h, w)) / 16 + 1 / 32).astype("f4")
        slow = h * w > 1000
        for p, length in ((0.5, 3), (0.0, 1), (1.0, 2**31 - 1)):
            yield Call("day", (grid, chance, np.float32(p), np.int32(length)), day(grid, chance, p, length), slow=slow)
        yield Call("counts", (grid,), counts(grid), slow=slow)
        start = np.where(grid > 5, 1, np.maximum(grid, -1)).astype("i4")
        for days in (0, 1, 40) if w else ():
            yield Call("course", (start, np.float32(1.0), np.int32(2), 7, days), course(start, 2, days), slow=h * w > 50)
