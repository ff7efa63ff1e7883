"""Rays against all spheres, without a tree."""

import numpy as np

from field import Call, rng


def tree(spheres):
    """Nodes in the order in which they are split at the median of the longest axis, and the spheres in the order of the leaves."""
    low, high, first, count, order, at = [], [], [], [], [], []
    low.append(None), high.append(None), first.append(0), count.append(0), at.append(np.arange(len(spheres)))
    k = 0
    while k < len(at):
        s = spheres[at[k]]
        low[k] = (s[:, :3] - s[:, 3:]).min(axis=0, initial=np.inf)
        high[k] = (s[:, :3] + s[:, 3:]).max(axis=0, initial=-np.inf)
        if len(s) > 3:
            axis = np.argmax(np.ptp(s[:, :3], axis=0))
            by = at[k][np.argsort(s[:, axis], kind="stable")]
            first[k] = len(at)
            for part in (by[: len(by) // 2], by[len(by) // 2 :]):
                low.append(None), high.append(None), first.append(0), count.append(0), at.append(part)
        else:
            first[k], count[k] = len(order), len(s)
            order += list(at[k])
        k += 1
    return np.float32(low), np.float32(high), np.int32(first), np.int32(count), spheres[order]


def distance(spheres, o, d):
    c = spheres[:, :3].astype("f8") - o
    along = c @ d
    inner = along**2 - (c**2).sum(axis=1) + spheres[:, 3].astype("f8") ** 2
    t = along - np.sqrt(np.maximum(inner, 0))
    return t[(inner >= 0) & (t > 0)].min(initial=1e9)


def calls():
    r = rng("ray_stacks")
    for m, n in ((1, 1), (3, 5), (40, 8), (150, 37)):
        spheres = np.concatenate([r.uniform(-5, 5, (m, 3)), r.uniform(0.3, 1, (m, 1))], axis=1).astype("f4")
        low, high, first, count, spheres = tree(spheres)
        o = r.uniform(8, 10, (n, 3)).astype("f4")
        d = r.uniform(-4, 4, (n, 3)) - o
        d = (d / np.linalg.norm(d, axis=1)[:, None]).astype("f4")
        want = np.array([distance(spheres, a.astype("f8"), b.astype("f8")) for a, b in zip(o, d)], dtype="f4")
        yield Call("distances", (low, high, first, count, spheres, o, d), want, rtol=2e-3)
