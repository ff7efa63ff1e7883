"""What rays meet among all triangles of all instances. Rays near an edge or near two triangles at once are left out."""

import numpy as np

from field import Call, rng

EDGE, APART = 1e-3, 1e-2


def meetings(triangles, origin, direction):
    """The distance at which a ray meets each triangle's plane, and how far inside of the triangle."""
    a, b, c = (triangles[:, k] for k in range(3))
    p = np.cross(direction, c - a)
    det = (p * (b - a)).sum(1)
    q = np.cross(origin - a, b - a)
    u, v, t = ((origin - a) * p).sum(1) / det, (q * direction).sum(1) / det, (q * (c - a)).sum(1) / det
    return t, np.minimum(np.minimum(u, v), 1 - u - v)


def met(t, u, places, second, rays):
    """The results, and which rays are clear cases."""
    shapes = [u if s else t for s in second]
    world = [np.einsum("ij,nkj->nki", p[:, :3].astype("f8"), s.astype("f8")) + p[:, 3] for p, s in zip(places, shapes)]
    owner = np.repeat(np.arange(len(shapes)), [len(s) for s in shapes])
    number = np.concatenate([np.arange(len(s)) for s in shapes] + [np.zeros(0, int)])
    world = np.concatenate(world + [np.zeros((0, 3, 3))])
    r = len(rays)
    instance, triangle, far, other, clear = np.full(r, -1, "i4"), np.full(r, -1, "i4"), np.full(r, np.inf, "f4"), np.zeros(r, bool), np.ones(r, bool)
    for i, (origin, direction) in enumerate(rays.astype("f8")):
        if not np.isfinite(rays[i]).all() or not direction.any():
            continue
        with np.errstate(all="ignore"):
            at, inside = meetings(world, origin, direction)
        sure, maybe = (inside > EDGE) & (at > EDGE), (inside > -EDGE) & (at > -EDGE)
        clear[i] = (sure == maybe).all()
        if sure.any():
            best = np.argmin(np.where(sure, at, np.inf))
            near = sure & (at < at[best] + APART)
            clear[i] &= near.sum() == 1
            instance[i], triangle[i], far[i] = owner[best], number[best], at[best]
            other[i] = (sure & (owner != owner[best])).any()
    return (instance, triangle, far, other), clear


def calls():
    r = rng("forest")
    for n, m, k, count in ((1, 1, 0, 3), (1, 1, 1, 8), (1, 3, 2, 20), (7, 2, 3, 31), (13, 60, 5, 60), (101, 40, 17, 60), (5, 5, 211, 60)):
        t = (r.uniform(-1, 1, (n, 1, 3)) + r.normal(size=(n, 3, 3)) * 0.5).astype("f4")
        u = (r.uniform(-1, 1, (m, 1, 3)) + r.normal(size=(m, 3, 3)) * 0.2).astype("f4")
        places = np.concatenate([r.normal(size=(k, 3, 3)) * 0.4 + np.eye(3), r.uniform(-3, 3, (k, 3, 1))], 2).astype("f4")
        if k == 3:
            places[1] = np.diag([-1, 1, 2])[:, [0, 1, 2, 2]] * np.array([1, 1, 1, 0])  # mirrored and stretched
        second = r.random(k) < 0.5
        rays = np.stack([r.uniform(-4, 4, (count, 3)), r.normal(size=(count, 3))], 1).astype("f4")
        rays[: count // 6, 1] = np.eye(3)[r.integers(0, 3, count // 6)] * -1.0
        rays[count // 6 : count // 5, 1, 0] = r.choice([np.nan, np.inf])
        rays[count // 5 : count // 4, 1] = 0
        _, clear = met(t, u, places, second, rays)
        rays = rays[clear]
        yield Call("met", [t, u, places, second, rays], met(t, u, places, second, rays)[0], rtol=2e-3)
    flat = np.array([[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]], "f4")
    yield Call("met", [t, u, flat, second[:1], rays], met(t, u, places, second, rays)[0], fails="E0614")
    none = np.zeros((0, 3, 3), "f4")
    same = np.eye(3, 4, dtype="f4")[None]
    for one, two in ((none, none), (none, u), (t, none)):  # instances of an empty tree, and of the other one
        for which in ([False], [True], [True, False, True]):
            at = np.concatenate([same, places])[: len(which)]
            _, clear = met(one, two, at, which, rays)
            yield Call("met", [one, two, at, np.array(which), rays[clear]], met(one, two, at, which, rays[clear])[0], rtol=2e-3)
