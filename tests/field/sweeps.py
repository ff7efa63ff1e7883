"""Sweeps against NumPy where a step has no earlier result of its own round, and against plain loops otherwise."""

import numpy as np

from field import Call, rng


def curve(control, t):
    a = control.astype(np.float64)
    while len(a) > 1:
        a = (1 - t) * a[:-1] + t * a[1:]
    return a[0]


def put(steps, spot, strike, up, p, discount):
    paid = lambda n: strike - spot * up ** (2.0 * np.arange(n + 1) - n)
    v = np.maximum(paid(steps), 0)
    for n in range(steps - 1, -1, -1):
        v = np.maximum(discount * ((1 - p) * v[:-1] + p * v[1:]), paid(n))
    return float(v[0])


def differences(x, rounds):
    a = x.copy()
    for j in range(min(rounds, len(x))):
        m = len(x) - 1 - j
        a[:m] = a[1 : m + 1] - a[:m]
    return a


def smoothed(x, rounds):
    a = x.copy()
    for _ in range(rounds):
        a[:-1] = np.float32(0.5) * (a[:-1] + a[1:])
    return a


def carried(x, rounds):
    a = x.copy()
    for _ in range(rounds):
        for k in range(1, len(a)):
            a[k] = np.float32(0.5) * (a[k] + a[k - 1])
    return a


def pinched(x):
    a = x.copy()
    for j in range(len(x) // 2):
        now, after = a[j : len(x) - 1 - j], a[j + 1 : len(x) - j]
        a[j : len(x) - 1 - j] = np.where(now > after, now, after) - 1
    return a


def calls():
    r = rng("sweeps")
    for n in (1, 2, 3, 17, 65):
        control = r.integers(-9, 10, (n, 8)).astype(np.float32)
        t = (r.integers(0, 9, 8) / 8).astype(np.float32)
        points = curve(control, t).astype(np.float32)
        yield Call("beziers", (control.ravel(), t), points, rtol=1e-5, atol=1e-5)
        yield Call("bezier", (control[:, 0].astype(np.float64), 0.625), float(curve(control[:, 0], 0.625)), rtol=1e-12, atol=1e-12)
    yield Call("bezier", (np.zeros(0), 0.5), 0.0, fails="E0404")
    for steps in (0, 1, 2, 16, 33, 100):
        tree = (steps, 100.0, 110.0, 1.03125, 0.5, 0.9921875)
        yield Call("put", tree, put(*tree), rtol=1e-11, slow=steps > 40)
    for n, rounds in ((0, 3), (1, 1), (2, 0), (16, 5), (17, 40), (64, -1), (1000, 9)):
        x = r.integers(-(2**31), 2**31, n).astype(np.int32)
        yield Call("differences", (x, rounds), differences(x, rounds))
        f = r.integers(-9, 10, n).astype(np.float32)
        if n == 17:
            f[[3, 9]] = np.nan, np.inf
        if n:
            yield Call("smoothed", (f, rounds), smoothed(f, rounds))
        yield Call("carried", (f, rounds), carried(f, rounds))
    for n in (0, 1, 2, 33, 65, 200):
        octets = r.integers(0, 256, n).astype(np.uint8)
        yield Call("bubbled", (octets,), np.sort(octets), slow=n > 100)
        x = r.choice(np.array([-5, 0, 1, 8, 9, np.nan, np.inf, -np.inf]), n)
        yield Call("pinched", (x,), pinched(x), slow=n > 100)
