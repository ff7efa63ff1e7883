"""Prices against formulas of Python's math, exact cents against Fraction."""

import math
from fractions import Fraction

import numpy as np

from field import Call, Struct, Table, rng


def price(s, k, t, r, v):
    d = (math.log(s / k) + (r + v * v / 2) * t) / (v * math.sqrt(t))
    n = lambda x: 0.5 * math.erfc(-x / math.sqrt(2))
    return s * n(d) - k * math.exp(-r * t) * n(d - v * math.sqrt(t))


def american(s, k, t, r, v, steps):
    dt = t / steps
    up = math.exp(v * math.sqrt(dt))
    p = (math.exp(r * dt) - 1 / up) / (up - 1 / up)
    grid = [max(0.0, k - s * up ** (2 * i - steps)) for i in range(steps + 1)]
    for n in range(steps, 0, -1):
        grid = [max(max(0.0, k - s * up ** (2 * i - n + 1)), math.exp(-r * dt) * (p * grid[i + 1] + (1 - p) * grid[i])) for i in range(n)]
    return grid[0]


def loan(cents, ppm, payment, months):
    out = []
    for _ in range(months):
        cents += round(Fraction(cents * ppm, 12 * 10**6))
        cents -= min(cents, payment)
        out.append(cents)
    return np.array(out, dtype="i8")


def calls():
    r = rng("finance")
    for s, k, t in ((100.0, 100.0, 1.0), (80.0, 120.0, 0.25), (150.0, 90.0, 3.0)):
        option = Struct("Option", spot=s, strike=k, years=t)
        yield Call("implied", (option, 0.03, price(s, k, t, 0.03, 0.35)), 0.35, atol=1e-8)
        for steps in (1, 2, 50):
            yield Call("american_put", (option, 0.05, 0.3, steps), american(s, k, t, 0.05, 0.3, steps), rtol=1e-10)
    for n in (0, 1, 9):
        options = Table("Option", spot=r.uniform(50, 150, n), strike=r.uniform(50, 150, n), years=r.uniform(0.1, 5, n))
        want = np.array([price(*o, 0.02, 0.4) for o in zip(*options.fields.values())])
        yield Call("calls", (options, 0.02, 0.4), want, rtol=1e-9, atol=1e-9)
    for n in (2, 3, 12):
        payments = np.concatenate([[-1000.0], r.uniform(100, 2000, n - 1)])
        rate = max((x.real for x in np.roots(payments[::-1]) if abs(x.imag) < 1e-9 and x.real > 0), key=lambda x: -abs(np.polyval(payments[::-1], x)))
        yield Call("internal_rate", (payments,), 1 / rate - 1, rtol=1e-8)
    yield Call("loan", (10_000_000, 35_000, 50_000, 360), loan(10_000_000, 35_000, 50_000, 360))
    yield Call("loan", (600_000_000, 2, 1, 0), np.zeros(0, dtype="i8"))
    yield Call("loan", (6_000_000, 1, 0, 24), loan(6_000_000, 1, 0, 24))
