"""Flow on terrains against paths that are followed cell by cell."""

import numpy as np

from field import Call, Index, Option, rng

STEPS = [(0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1)]


def flow(g, r, c):
    best, steepest = None, np.float32(0)
    for d, (y, x) in enumerate((r + dr, c + dc) for dr, dc in STEPS):
        if 0 <= y < g.shape[0] and 0 <= x < g.shape[1]:
            slope = (g[r, c] - g[y, x]) / np.float32(1 if d % 2 == 0 else 1.41421356)
            if slope > steepest:
                best, steepest = d, slope
    return best


def targets(g):
    to = np.zeros(g.shape, "i8")
    for r, c in np.ndindex(g.shape):
        d = flow(g, r, c)
        y, x = (r, c) if d is None else (r + STEPS[d][0], c + STEPS[d][1])
        to[r, c] = y * g.shape[1] + x
    return to


def basins(g):
    to = targets(g).ravel()
    area, basin = np.zeros(g.size, "i8"), np.zeros(g.size, "i8")
    for cell in range(g.size):
        at = cell
        area[at] += 1
        while to[at] != at:
            at = to[at]
            area[at] += 1
        basin[cell] = at
    return area.reshape(g.shape), basin.reshape(g.shape)


def calls():
    r = rng("watershed")
    for h, w in ((1, 1), (1, 7), (5, 1), (3, 3), (13, 11), (29, 31)):
        ground = (r.integers(0, 64, (h, w)) / 4).astype("f4")
        if h * w > 30:
            ground[h // 2, w // 2] = np.nan
        yield Call("targets", (ground,), targets(ground))
        if not np.isnan(ground).any():
            yield Call("basins", (ground,), basins(ground))
        y, x = int(r.integers(h)), int(r.integers(w))
        d = flow(ground, y, x)
        want = Option("Flow.Sink", 1, (), [(np.uint8,), ()]) if d is None else Option("Flow.To", 0, (np.uint8(d),), [(np.uint8,), ()])
        yield Call("direction", (ground, Index(y, h), Index(x, w)), want)
    slopes = np.add.outer(np.arange(60), np.arange(50) * 2).astype("f4")
    yield Call("basins", (slopes,), basins(slopes), slow=True)
    yield Call("basins", (np.zeros((0, 5), "f4"),), (np.zeros((0, 5), "i8"),) * 2)
