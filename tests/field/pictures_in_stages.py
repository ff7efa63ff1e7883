"""Stages of stencils and loops on threads against NumPy."""

import numpy as np

from field import Call, Table, rng


def correlate(a, weights, axis, mode):
    k = len(weights) // 2
    width = [(0, 0)] * a.ndim
    width[axis] = (k, k)
    padded = np.pad(a, width, mode=mode)
    return sum(w * np.take(padded, range(i, i + a.shape[axis]), axis=axis) for i, w in enumerate(weights))


def around(a, mode, **more):
    """The nine neighbours of each element, row by row."""
    p = np.pad(a, 1, mode=mode, **more)
    h, w = a.shape
    return [[p[i : i + h, j : j + w] for j in range(3)] for i in range(3)]


def edges(picture):
    weights = [1, 4, 6, 4, 1]
    smooth = correlate(correlate(picture.astype("i4"), weights, 1, "symmetric"), weights, 0, "symmetric") // 256
    v = around(smooth, "edge")
    across = v[0][2] - v[0][0] + 2 * (v[1][2] - v[1][0]) + v[2][2] - v[2][0]
    down = v[2][0] - v[0][0] + 2 * (v[2][1] - v[0][1]) + v[2][2] - v[0][2]
    return (abs(across) + abs(down)).astype("i4")


def opened(picture):
    eroded = np.min([c for row in around(picture, "edge") for c in row], axis=0)
    return np.max([c for row in around(eroded, "edge") for c in row], axis=0)


def blobs(picture):
    grey = picture.astype(float).mean(axis=2)
    sides = [[0.25, 0.5, 0.25], [0.05, 0.1, 0.2, 0.3, 0.2, 0.1, 0.05]]
    narrow, wide = (correlate(correlate(grey, w, 1, "edge"), w, 0, "edge") for w in sides)
    return (narrow - wide).astype("f4")


def wave(z, v, steps):
    z, v = z.copy(), v.copy()
    for _ in range(steps):
        inner = z[:-2, 1:-1] + z[2:, 1:-1] + z[1:-1, :-2] + z[1:-1, 2:] - 4 * z[1:-1, 1:-1]
        v[1:-1, 1:-1] = 0.99 * v[1:-1, 1:-1] + 0.2 * inner
        z += v
    return z, v


def volume(t):
    p = np.pad(t.astype(float), ((0, 0), (1, 1), (1, 1)))
    planes = 0.6 * t + 0.1 * (p[:, :-2, 1:-1] + p[:, 2:, 1:-1] + p[:, 1:-1, :-2] + p[:, 1:-1, 2:])
    q = np.pad(planes, ((1, 1), (0, 0), (0, 0)))
    return (0.5 * planes + 0.25 * (q[:-2] + q[2:])).astype("f4")


def upwind(u, s):
    before, behind = s[[0, *range(96)]], s[[*range(1, 97), 96]]
    return s - abs(u) * (s - np.where(u > 0, before, behind))


def blown(u, a):
    second = upwind(u, np.sqrt(a * a + 1) * u)
    third = second[:, [0, *range(99)]] - u * second[:, [*range(1, 100), 99]]
    return upwind(u, third)


def calls():
    r = rng("pictures_in_stages")
    for h, w in ((1, 1), (2, 7), (3, 2), (5, 1), (33, 17), (66, 31), (129, 64)):
        slow = h * w > 600
        picture = r.integers(0, 256, size=(h, w)).astype("u1")
        if h > 1 and w > 1:  # NumPy mirrors no more elements than there are
            yield Call("edges", (picture,), edges(picture), slow=slow)
        yield Call("opened", (picture,), opened(picture), slow=slow)
        colours = r.random(size=(h, w, 3)).astype("f4")
        yield Call("blobs", (colours,), blobs(colours), rtol=1e-4, atol=1e-5, slow=slow)
    for h, w in ((0, 0), (1, 5), (2, 2), (3, 3), (40, 23)):
        z, v = r.normal(size=(h, w)), r.normal(size=(h, w))
        for steps in (0, 1, 6):
            want = wave(z, v, steps) if min(h, w) > 1 else (z + steps * v, v)
            yield Call("wave", (z, v, np.int64(steps)), want, rtol=1e-9, atol=1e-9)
    for d, h, w in ((0, 2, 2), (1, 1, 1), (3, 0, 4), (65, 3, 5), (7, 12, 13)):
        t = r.normal(size=(d, h, w)).astype("f4")
        yield Call("volume", (t,), volume(t), rtol=1e-4, atol=1e-5, slow=d > 60)
    for n, m in ((0, 3), (2, 0), (3, 1), (17, 33), (5, 1000)):
        a = r.normal(size=(n, m)).astype("f4")
        least, greatest = a.min(axis=1, initial=3e38).astype("f4"), a.max(axis=1, initial=-3e38).astype("f4")
        counts = np.full(n, m, dtype="i8")
        want = Table("Summary", least=least, greatest=greatest, sum=a.astype(float).sum(axis=1), count=counts)
        yield Call("summaries", (a,), want, rtol=1e-9, atol=1e-9, slow=m > 500)
    u, a = r.uniform(-0.5, 0.5, size=(97, 100)), r.normal(size=(97, 100))
    yield Call("blown", (u, a), (blown(u, a),), rtol=1e-9, atol=1e-9)
