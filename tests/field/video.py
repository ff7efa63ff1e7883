"""Motion against loops of NumPy."""

import numpy as np

from field import Call, rng


def moving(frames, rate, limit):
    b, masks = frames[0].copy(), []
    for x in frames:
        masks.append(abs(x - b) > limit)
        b = b + rate * (x - b)
    return np.array(masks)


def motion(before, now):
    h, w = before.shape
    vectors = np.zeros((h // 8, w // 8, 2), dtype="i4")
    for by in range(h // 8):
        for bx in range(w // 8):
            best = 2**31 - 1
            for dy in range(-4, 5):
                for dx in range(-4, 5):
                    y, x = 8 * by + dy, 8 * bx + dx
                    if 0 <= y <= h - 8 and 0 <= x <= w - 8:
                        d = abs(before[y : y + 8, x : x + 8].astype(int) - now[8 * by : 8 * by + 8, 8 * bx : 8 * bx + 8]).sum()
                        if d < best:
                            best, vectors[by, bx] = d, (dy, dx)
    return vectors


def calls():
    r = rng("video")
    for shape in ((1, 1, 1), (2, 3, 4), (9, 13, 7)):
        frames = r.random(shape, dtype="f4")
        yield Call("moving", (frames, np.float32(0.25), np.float32(0.4)), moving(frames, np.float32(0.25), np.float32(0.4)))
        flat = frames.reshape(shape[0], -1)
        padded = np.concatenate([flat[:1], flat, flat[-1:]]).astype(float)
        yield Call("smoothed", (flat,), ((padded[:-2] + padded[1:-1] + padded[2:]) / 3).astype("f4"), rtol=1e-6)
    for h, w in ((8, 8), (19, 27)):
        before = r.integers(0, 256, (h, w), dtype="u1")
        now = np.roll(before, (2, -3), axis=(0, 1))[: h // 8 * 8, : w // 8 * 8]
        yield Call("motion", (before, np.ascontiguousarray(now)), motion(before, now), sizes={"h": h, "w": w})
