"""Statistics by sorting against NumPy."""

from collections import Counter

import numpy as np

from field import Call, rng


def calls():
    r = rng("quantiles")
    for n in (0, 1, 101, 16411):
        slow = n > 3000
        xs = r.random(n).round(3)
        if n:
            qs = np.array([0.0, 1.0, 0.5, 0.25, 0.999, *r.random(3)])
            yield Call("quantiles", (qs, xs), np.quantile(xs, qs), rtol=1e-12, atol=1e-12, slow=slow)
            away = np.abs(xs - np.sort(xs)[n // 2])
            yield Call("spread", (xs,), float(np.sort(away)[n // 2]), slow=slow)
        special = xs.copy()
        special[::7] = r.choice([np.inf, -np.inf, -0.0, 1.0, -3.0], len(xs[::7]))
        yield Call("ranked", (special,), np.searchsorted(np.sort(special), special), slow=slow)
        b = n % 13
        yield Call("bins", (b, special), np.diff(np.searchsorted(np.sort(special), np.arange(b + 1) / max(b, 1))), slow=slow)
        whole = r.choice(np.array([-(2**15), 2**15 - 1, 0, -1, *r.integers(-99, 99, 20)], dtype="i2"), n)
        value, number = min(Counter(whole.tolist()).items(), key=lambda c: (-c[1], c[0]), default=(0, 0))
        yield Call("mode", (whole,), (np.int16(value), number), slow=slow)
        if n >= 5:
            missing = special.copy()
            missing[: n - 3] = np.where(r.random(n - 3) < 0.5, np.nan, missing[: n - 3])
            yield Call("best", (missing,), np.concatenate([np.sort(missing[~np.isnan(missing)])[::-1], np.full(5, np.nan)])[:5], slow=slow)
