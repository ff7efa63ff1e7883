"""Events of a time series against NumPy."""

import numpy as np

from field import Call, UpTo, rng


def calls():
    r = rng("events")
    level = np.float32(0.5)
    series = [r.random(n).astype("f4") for n in (0, 1, 3, 31, 1000)]
    series += [np.zeros(20, "f4"), (np.arange(41) % 2).astype("f4"), np.arange(20, dtype="f4")]
    for xs in series:
        n = len(xs)
        at = np.flatnonzero((xs[:-1] < level) & (xs[1:] >= level)) + 1
        yield Call("crossings", (level, xs), UpTo(at, n))
        yield Call("gaps", (level, xs), UpTo(np.diff(at), n))
        yield Call("peaks", (level, xs), UpTo(np.array([part.max() for part in np.split(xs, at)[1:]], "f4"), n))
        for radius in (0, 3):
            size = 2 * radius + 1
            windows = np.array([xs[i - radius : i + radius + 1] for i in at if radius <= i < n - radius], "f4").reshape(-1, size)
            yield Call("windows", (radius, level, xs), UpTo(windows, n))
            mean = windows.mean(axis=0) if len(windows) else np.zeros(size, "f4")
            yield Call("response", (radius, level, xs), mean, rtol=1e-5)
