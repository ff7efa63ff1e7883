"""Particles in cells against NumPy."""

import numpy as np

from field import Call, Table, UpTo, rng


def calls():
    r = rng("particles")
    for n, side in ((0, 2), (211, 8), (16411, 31)):
        slow = n > 3000
        x, y, speed = r.uniform(-0.1, 1.1, n), r.uniform(-0.1, 1.1, n), r.integers(-64, 65, n) / 64
        x[::3] = r.integers(-16, 80, len(x[::3])) / 64

        def particles(which):
            return Table("Particle", x=x[which], y=y[which], speed=speed[which])

        every = particles(slice(None))
        row, column = (np.clip(np.floor(v * side), 0, side - 1).astype("i8") for v in (y, x))
        cells = row * side + column
        at = np.append(0, np.cumsum(np.bincount(cells, minlength=side * side)))
        order = np.argsort(cells, kind="stable")
        yield Call("sorted", (side, every), (at, particles(order)), slow=slow)
        speeds = [speed[cells == c] for c in range(side * side)]
        rest = np.concatenate([part - part.mean() if len(part) else part for part in speeds])
        yield Call("thermal", (at, speed[order]), (np.array([part.sum() for part in speeds]), rest), rtol=1e-12, atol=1e-12, slow=slow)
        for steps in (0, 3):
            left = (x + steps * speed < 1) & (y >= 0) if steps else np.ones(n, bool)
            yield Call("escape", (steps, every), int(left.sum()), slow=slow)
        found = np.flatnonzero(speed > 0.25)
        yield Call("fast", (0.25, every), UpTo(particles(found[np.argsort(-speed[found], kind="stable")]), n), slow=slow)
