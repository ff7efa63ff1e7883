"""Bodies against the same method in NumPy."""

import numpy as np

from field import Call, rng


def after(steps, dt, soft, p, v, m):
    def pull(p):
        d = p[None] - p[:, None]
        r2 = (d**2).sum(axis=2) + soft**2
        return (d * (m / r2**1.5)[..., None]).sum(axis=1)

    for _ in range(steps):
        v = v + dt / 2 * pull(p)
        p = p + dt * v
        v = v + dt / 2 * pull(p)
    return p, v


def calls():
    r = rng("nbody")
    for n, steps in ((0, 3), (1, 2), (2, 10), (5, 0), (17, 5), (60, 3)):
        p, v, m = r.normal(size=(n, 3)), r.normal(size=(n, 3)), r.uniform(0.1, 2, n)
        yield Call("after", (steps, 0.01, 0.1, p, v, m), after(steps, 0.01, 0.1, p, v, m), rtol=1e-9, atol=1e-11, slow=n > 20)
