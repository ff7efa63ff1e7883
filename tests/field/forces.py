"""All pairs in NumPy."""

import numpy as np

from field import Call, Rows, Table, rng



def pulls(places, masses):
    d = places[None] - places[:, None]
    s = (d**2).sum(axis=2) + 0.01
    return (d * (masses / (s * np.sqrt(s)))[..., None]).sum(axis=1).reshape(places.shape)


def calls():
    r = rng("forces")
    for n in (0, 1, 2, 61, 257):
        slow = n > 100
        places, masses = r.normal(size=(n, 3)), r.random(size=n)
        bodies = Table("Body", place=places.astype("f4"), mass=masses.astype("f4"))
        yield Call("accelerations", (bodies,), pulls(places, masses).astype("f4"), rtol=1e-3, atol=1e-3, slow=slow)
        speeds = r.normal(size=(n, 3))
        p, v = places, speeds
        for _ in range(2):
            v = v + 0.001 * pulls(p, masses)
            p = p + 0.001 * v
        want = (p.astype("f4"), v.astype("f4"))
        yield Call("simulate", (2, np.float32(0.001), bodies, speeds.astype("f4")), want, rtol=1e-3, atol=1e-3, slow=slow)
        x, y, u, v, w = r.normal(size=(5, n))
        far = np.sqrt((x[:, None] - u) ** 2 + (y[:, None] - v) ** 2 + 1)
        yield Call("potentials", (Rows((x, y)), Rows((u, v, w))), (w / far).sum(axis=1), rtol=1e-9, atol=1e-12, slow=slow)
        xs = r.integers(-(2**63), 2**63, size=n, dtype="i8")
        yield Call("ranks", (xs,), (xs[None] < xs[:, None]).sum(axis=1), slow=slow)
