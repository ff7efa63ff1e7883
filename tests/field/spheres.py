"""Spheres seen from the front against NumPy."""

import numpy as np

from field import Call, Struct, Table, rng

NOWHERE = np.float32(1000)


def nearest(centres, radii, x, y):
    """For each point the number of the nearest sphere, how far it is, and its normal there."""
    ids = np.full(len(x), -1, "i4")
    far = np.full(len(x), NOWHERE, "f4")
    normals = np.zeros((len(x), 3), "f8")
    for k, (c, r) in enumerate(zip(centres.astype("f8"), radii.astype("f8"))):
        oc = np.stack([x - c[0], y - c[1], np.full(len(x), -5.0) - c[2]], 1).astype("f8")
        d = oc[:, 2] ** 2 - (oc**2).sum(1) + r * r
        t = -oc[:, 2] - np.sqrt(np.maximum(d, 0))
        hit = (d > 0) & (t > 0.001) & (t < far)
        ids[hit] = k
        far[hit] = t[hit]
        normals[hit] = (oc[hit] + t[hit, None] * [0, 0, 1]) / r
    return ids, far, normals


def vec3(v):
    return Struct("Vec3", x=np.float32(v[0]), y=np.float32(v[1]), z=np.float32(v[2]))


def calls():
    r = rng("spheres")
    for n, m in ((1, 1), (5, 3), (12, 6)):
        # Points and spheres on grids of quarters: no point lies so near an edge that rounding
        # decides.
        centres = (r.integers(-8, 9, (n, 3)) / 4 + 0.03125).astype("f4")
        radii = (r.integers(1, 5, n) / 2 + 0.0078125).astype("f4")
        x, y = (r.integers(-10, 11, 8 * m) / 4).astype("f4"), (r.integers(-10, 11, 8 * m) / 4).astype("f4")
        cx, cy, cz = (centres[:, k].copy() for k in range(3))
        spheres = Table("Sphere", x=cx, y=cy, z=cz, radius=radii)
        ids, far, normals = nearest(centres, radii, x, y)
        yield Call("nearest", (spheres, x, y), (ids, far), rtol=1e-4, atol=1e-4)
        light = np.array([0.0, 0.6, -0.8], "f4")
        for floor in (False, True):
            behind = np.where(x * y > 0, 0.25, 0.5) if floor else np.full(8 * m, 0.1)
            want = np.where(ids >= 0, np.maximum(0, normals @ light), behind).astype("f4")
            yield Call("shaded", (spheres, x, y, vec3(light), floor), want, rtol=1e-3, atol=1e-3)
        turned = np.roll(ids.reshape(m, 8), -1, 1)
        packed = np.zeros((m, 8), "i4")
        for row, ids_of_row in zip(packed, turned):
            some = ids_of_row[ids_of_row >= 0]
            row[: len(some)] = some
        hits = (turned >= 0).sum(1).astype("i8")
        yield Call("packed", (spheres, x, y), (packed.ravel(), hits))
        k = np.maximum(ids, 0)
        yield Call("weights", (spheres, x, y), (k * (k + 1) // 2).astype("i4"))
