"""Options against NumPy, with random numbers from an independent Philox."""

import math

import numpy as np

from field import Call, Struct
from montecarlo import normal


def market(spot, rate, volatility, years):
    return Struct("Market", spot=spot, rate=rate, volatility=volatility, years=years)


def price(blocks, steps, seed, m, strike, barrier):
    spot, rate, volatility, years = m
    dt = years / steps
    z = normal(np.arange(8 * blocks * steps), seed).reshape(8 * blocks, steps)
    path = spot * np.exp(np.cumsum((rate - volatility**2 / 2) * dt + volatility * np.sqrt(dt) * z, axis=1))
    paid = np.where(np.all(path < barrier, axis=1), np.maximum(path[:, -1] - strike, 0.0), 0.0) * np.exp(-rate * years)
    return float(paid.mean()), float(paid.std() / np.sqrt(len(paid)))


def exact(m, strike):
    spot, rate, volatility, years = m
    below = lambda x: (1 + math.erf(x / math.sqrt(2))) / 2
    spread = volatility * math.sqrt(years)
    d = (math.log(spot / strike) + (rate + volatility**2 / 2) * years) / spread
    return spot * below(d) - strike * math.exp(-rate * years) * below(d - spread)


def calls():
    markets = ((100.0, 0.05, 0.2, 1.0), (20.0, 0.0, 0.5, 0.25), (80.0, 0.1, 0.05, 3.0))
    for k, m in enumerate(markets):
        for ratio in (0.5, 1.1):
            yield Call("exact", (market(*m), ratio * m[0]), exact(m, ratio * m[0]), rtol=1e-11, atol=1e-12)
        for blocks, steps in ((1, 1), (25, 8), (301, 4)):
            for barrier in (1.2 * m[0], 1e30):
                seed = 7 + k
                yield Call("price", (blocks, steps, np.uint64(seed), market(*m), m[0], barrier),
                           price(blocks, steps, seed, m, m[0], barrier), rtol=1e-8, atol=1e-7, slow=blocks > 25)
    yield Call("price", (0, 8, np.uint64(7), market(*markets[0]), 100.0, 130.0), (0.0, 0.0), fails="E0404")
