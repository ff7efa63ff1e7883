"""Ratios of averages against sums of each window, picks against a search in the signs."""

import numpy as np

from field import Call, Table, UpTo, rng


def centred(x):
    good = np.isfinite(x) | np.isinf(x)
    return np.where(good, x - (x[good].mean() if good.any() else 0), 0)


def ratios(x, short, long):
    e = centred(x) ** 2
    want = np.zeros(len(x))
    for i in range(long - 1, len(x)):
        s, l = e[i + 1 - short : i + 1].mean(), e[i + 1 - long : i + 1].mean()
        want[i] = s / l if l > 0 else 0
    return want


def picks(ratio, on, off):
    found, i = [], 0
    while i < len(ratio):
        if not ratio[i] >= on:
            i += 1
            continue
        end = next((j for j in range(i + 1, len(ratio)) if ratio[j] < off), len(ratio))
        found.append((i, end, np.fmax.reduce(ratio[i:end])))
        i = end + 1
    columns = zip(*found) if found else ((), (), ())
    start, end, peak = (np.array(c, t) for c, t in zip(columns, ("i8", "i8", "f8")))
    return UpTo(Table("Pick", start=start, end=end, peak=peak), len(ratio))


def calls():
    r = rng("seismic")
    for n, short, long in ((0, 1, 2), (1, 1, 2), (2, 1, 2), (37, 3, 7), (101, 5, 20), (4001, 17, 300)):
        x = r.normal(size=n)
        x[n // 2 : n // 2 + n // 5] *= 9
        if n > 30:
            x[n // 7] = np.nan
        yield Call("ratios", (x, short, long), ratios(x, short, long), rtol=1e-7, atol=1e-9, slow=n > 1000)
        for on, off in ((2.0, 1.0), (0.5, 0.5), (100.0, 1.0)):
            ratio = np.abs(r.normal(size=n)) * 2
            yield Call("picks", (ratio, on, off), picks(ratio, on, off), slow=n > 1000)
        for c in (1, 3):
            channels = r.integers(-50, 50, (c, n)).astype("f4")
            channels[r.random((c, n)) < 0.2] = np.nan
            missing = np.isnan(channels)
            filled = np.where(missing, 0, channels)
            with np.errstate(invalid="ignore"):
                mean = filled.sum(1, dtype="f4") / np.float32(n)
            want = (mean, np.abs(filled).max(1, initial=0), missing.sum(1))
            yield Call("summary", (channels,), want, rtol=1e-5, slow=n > 1000, fails=None if n else "E0404")
    yield Call("picks", (np.full(3, np.nan), 1.0, 0.5), picks(np.full(3, np.nan), 1.0, 0.5))
    yield Call("ratios", (np.full(3, np.nan), 1, 2), np.zeros(3))
    yield Call("ratios", (np.zeros(3), 2, 2), np.zeros(3), fails="E0404")
