"""Motion by all differences in NumPy."""

import numpy as np

from field import Call, Table, rng


def motions(r, before, now):
    n, m = now.shape[0] // 8, now.shape[1] // 8
    out = []
    for i in range(n):
        for j in range(m):
            block = now[8 * i : 8 * i + 8, 8 * j : 8 * j + 8].astype("i4")
            found = []
            for dy in range(-r, r + 1):
                for dx in range(-r, r + 1):
                    y, x = 8 * i + dy, 8 * j + dx
                    if y >= 0 and x >= 0 and y + 8 <= 8 * n and x + 8 <= 8 * m:
                        found.append((int(np.abs(block - before[y : y + 8, x : x + 8]).sum()), abs(dy) + abs(dx), len(found), dy, dx))
            cost, _, _, dy, dx = min(found)
            out.append((dy, dx, cost))
    columns = np.array(out, "i8").reshape(n, m, 3)
    return Table("Motion", dy=columns[..., 0].astype("i1"), dx=columns[..., 1].astype("i1"), cost=columns[..., 2].astype("i4"))


def calls():
    r = rng("motion")
    for n, m, reach in ((0, 3, 2), (1, 1, 0), (1, 2, 3), (3, 2, 4)):
        before = r.integers(0, 256, (8 * n, 8 * m), dtype="u1")
        before[:8, :5] = 255
        now = np.roll(before, (1, -2), (0, 1)) ^ r.integers(0, 2, before.shape, dtype="u1")
        yield Call("motions", (reach, before, now), motions(reach, before, now), sizes={"n": n, "m": m}, slow=n * m > 2)
    for n in (0, 1, 31, 32, 33, 257, 1000):
        a, b = r.integers(0, 256, (2, n), dtype="u1")
        a[:40], b[:40] = 255, 0
        yield Call("difference", (a, b), int(np.abs(a.astype("i8") - b).sum()), slow=n > 100)
    for n, m in ((0, 0), (1, 1), (3, 17), (13, 70)):
        a, b = r.integers(0, 256, (2, n, m), dtype="u1")
        for limit in (0, 60, 255):
            far = np.abs(a.astype("i4") - b) > limit
            want = np.where(far, a, (a.astype("i4") + b + 1) // 2).astype("u1")
            yield Call("between", (a, b, np.uint8(limit)), want, slow=n > 3)
        g = r.integers(0, 256, (n + 1, m + 1)).astype("i4")
        rows = (g[:, :-1] + g[:, 1:] + 1) // 2
        yield Call("halfway", (g.astype("u1"),), ((rows[:-1] + rows[1:] + 1) // 2).astype("u1"), sizes={"n": n, "m": m}, slow=n > 3)
