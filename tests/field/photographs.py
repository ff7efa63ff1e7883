"""Pictures against NumPy."""

import numpy as np

from field import Call, rng


def equalise(image):
    if image.size == 0:
        return image
    counts = np.bincount(image.ravel(), minlength=256)
    sums, base = np.cumsum(counts), counts[image.min()]
    span = image.size - base
    return (((sums[image] - base) * 255 + span // 2) // span).astype("u1") if span else image


def threshold(image):
    counts = np.bincount(image.ravel(), minlength=256).astype("i8")
    best, limit = -1.0, 0
    for t in range(255):
        dark, light = int(counts[: t + 1].sum()), int(counts[t + 1 :].sum())
        if dark and light:
            low, high = (counts[: t + 1] * np.arange(t + 1)).sum(), (counts[t + 1 :] * np.arange(t + 1, 256)).sum()
            gap = float(low) / dark - float(high) / light
            score = float(dark) * light * gap * gap
            if score > best:
                best, limit = score, t
    return np.int32(limit), image > limit


def blurred(image):
    a = np.pad(image.astype("u4"), 4, mode="symmetric")
    for axis in (0, 1):
        a = np.lib.stride_tricks.sliding_window_view(a, 9, axis=axis).sum(axis=-1, dtype="u4")
    return ((a + 40) // 81).astype("u1")


def slopes(image):
    a = np.pad(image.astype("i4"), 1)
    x = (a[:-2] + 2 * a[1:-1] + a[2:])
    x = x[:, 2:] - x[:, :-2]
    y = (a[:, :-2] + 2 * a[:, 1:-1] + a[:, 2:])
    y = y[2:] - y[:-2]
    return np.minimum(32767, np.abs(x) + np.abs(y)).astype("i2")


def calls():
    r = rng("photographs")
    for h, w in ((0, 5), (1, 1), (7, 11), (64, 67), (149, 521), (521, 37)):
        slow = h * w > 500
        image = np.clip(r.normal(120, 40, (h, w)), 0, 255).astype("u1")
        yield Call("equalise", (image,), equalise(image), slow=slow)
        yield Call("threshold", (image,), threshold(image), slow=slow)
        if h and w:
            yield Call("blurred", (image,), blurred(image), slow=slow)
        numbers = r.integers(-(2**15), 2**15, (h, w), dtype="i2")
        yield Call("slopes", (numbers,), slopes(numbers), slow=slow)
        colours = r.integers(0, 256, (h, w, 3), dtype="u1")
        yield Call("planes", (colours,), colours.transpose(2, 1, 0)[:, :, ::-1].copy(), slow=slow)
        wide = r.integers(0, 2**16, (h, w), dtype="u2")
        y, x = h // 3, w // 2
        want = wide.astype("u8").cumsum(axis=0).cumsum(axis=1), np.uint64(wide[y:h, x : w - 1].sum())
        yield Call("integral", (wide, y, x, h, w - 1) if w > 1 else (wide, 0, 0, h, w), want if w > 1 else (want[0], np.uint64(wide.sum())), slow=slow)
    flat = np.full((3, 4), 200, "u1")
    yield Call("equalise", (flat,), flat)
