"""Cosine transforms and wavelets against NumPy."""

import numpy as np

from field import Call, rng


def matrix():
    k, i = np.arange(8)[:, None], np.arange(8)
    c = 0.5 * np.cos(np.pi * (2 * i + 1) * k / 16)
    c[0] = np.sqrt(0.125)
    return c


def zigzag():
    return sorted(((y, x) for y in range(8) for x in range(8)), key=lambda p: (p[0] + p[1], p[0] if (p[0] + p[1]) % 2 else p[1]))


def calls():
    r = rng("wavelets")
    c, order = matrix(), zigzag()
    at = [8 * y + x for y, x in order]
    for h, w in ((0, 1), (1, 1), (2, 3)):
        image = r.integers(0, 256, (8 * h, 8 * w), dtype="u1")
        blocks = (image.astype(float) - 128).reshape(h, 8, w, 8).transpose(0, 2, 1, 3)
        t = np.round((c @ blocks @ c.T).reshape(h, w, 64)[:, :, at] / 7.3).astype("i2")
        yield Call("compress", (image, 7.3), t)
        flat = np.zeros((h, w, 64))
        flat[:, :, at] = t * 7.3
        back = (c.T @ flat.reshape(h, w, 8, 8) @ c).transpose(0, 2, 1, 3).reshape(8 * h, 8 * w)
        yield Call("decompress", (t, 7.3), np.clip(np.round(back + 128), 0, 255).astype("u1"))
    for n in (1, 2, 5, 40):
        x = r.integers(-1000, 1000, 2 * n, dtype="i4")
        even, odd = x[::2], x[1::2]
        detail = odd - ((even + np.append(even[1:], even[-1])) >> 1)
        smooth = even + ((np.append(detail[0], detail[:-1]) + detail + 2) >> 2)
        y = np.concatenate([smooth, detail])
        yield Call("analyse", (x,), y)
        yield Call("synthesise", (y,), x)
