"""Signals and pictures of which each k-th element matters, against NumPy."""

import numpy as np

from field import Call, rng


def calls():
    r = rng("phases")
    for k, n, t in [(1, 5, 1), (2, 0, 3), (3, 7, 4), (4, 13, 2), (7, 1, 5), (2, 1000, 31)]:
        taps, xs = r.random(t).astype("f4"), r.random(n * k + t - 1).astype("f4")
        want = [sum(xs[i * k + j] * taps[j] for j in range(t)) for i in range(n)]
        yield Call("decimated", (k, taps, xs), np.array(want, "f4"), rtol=1e-5, sizes={"n": n})
    for k, n in [(1, 4), (2, 0), (2, 441), (5, 13)]:
        samples = r.integers(-(2**31), 2**31, n * k).astype("i4")
        yield Call("channels", (k, samples), samples.reshape(n, k).T, sizes={"n": n})
        yield Call("first_channel", (k, samples), samples[::k], sizes={"n": n})
    for h, w in [(0, 3), (1, 1), (5, 7), (16, 33)]:
        p = r.random((2 * h, 2 * w)).astype("f4")
        mean = (p[::2, ::2] + p[::2, 1::2] + p[1::2, ::2] + p[1::2, 1::2]) / 4
        yield Call("halved", (p,), (p[::2, ::2], mean), rtol=1e-5, sizes={"h": h, "w": w})
    for k, n in [(1, 3), (3, 0), (4, 7), (13, 2)]:
        xs = r.integers(-(2**62), 2**62, n * k).astype("i8")
        yield Call("sums_at", (k, xs), np.cumsum(xs)[::k], sizes={"n": n})
