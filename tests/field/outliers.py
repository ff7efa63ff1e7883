"""Statistics without outliers against NumPy."""

import numpy as np

from field import Call, UpTo, UpTos, rng


def cleaned(width, xs):
    valid = xs[~np.isnan(xs)]
    if not len(valid):
        return valid
    far = np.abs(valid - np.median(valid))
    return valid[far <= width * (1.4826 * np.median(far))]


def summary(xs):
    return (len(xs), float(np.mean(xs)), float(np.median(xs)), float(np.std(xs))) if len(xs) else (0, 0.0, 0.0, 0.0)


def measured(r, n, kind):
    xs = r.normal(size=n)
    if kind == "wrong":
        xs[r.random(n) < 0.2] = 1e6
    elif kind == "missing":
        xs[r.random(n) < 0.3] = np.nan
    elif kind != "normal":
        xs[:] = float(kind)
    return xs


def calls():
    r = rng("outliers")
    for n in (0, 1, 2, 7, 31, 501):
        for kind in ("normal", "wrong", "missing", "nan", "2.5") if n == 31 else ("missing",):
            xs = measured(r, n, kind)
            kept = cleaned(3.0, xs)
            yield Call("cleaned", (3.0, xs), UpTo(kept, n))
            yield Call("summary", (3.0, xs), summary(kept), rtol=1e-12, atol=1e-12)
    for n, m in ((0, 3), (1, 1), (3, 7), (5, 31)):
        rows = np.array([measured(r, m, ("wrong", "missing", "nan")[k % 3]) for k in range(n)]).reshape(n, m)
        kept = [cleaned(2.0, row) for row in rows]
        yield Call("row_means", (2.0, rows), np.array([np.mean(row) if len(row) else 0.0 for row in kept]), rtol=1e-12, atol=1e-12)
        yield Call("cleaned_rows", (2.0, rows), UpTos(kept, m, np.float64))
