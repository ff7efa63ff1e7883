"""Particles as records of NumPy."""

import numpy as np

from field import Call, Record, Records, UpTo, rng

VEC = np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4")], align=True, metadata={"struct": "Vec3"})


def vectors(a):
    return np.ascontiguousarray(a, "f4").view(VEC).reshape(len(a))


def plain(v):
    return v.view("f4").reshape(len(v), 3)


def records(p):
    return Records("Particle", **p)


def cells(p):
    out = []
    for row in plain(p["place"]):
        code = 0
        for axis, x in enumerate(row):
            x = 2 * float(x)
            k = 0 if np.isnan(x) else int(max(-(2**31), min(2**31 - 1, x)))
            k = (k + 1048576 + 2**31) % 2**32 - 2**31
            k = min(max(k, 0), 2097151)
            code |= sum((k >> b & 1) << (3 * b + axis) for b in range(21))
        out.append(code)
    return np.array(out, "u8")


def calls():
    r = rng("swarm")
    for n in (0, 1, 8, 29, 203):
        p = dict(
            place=vectors(r.normal(size=(n, 3)) * 3),
            kind=r.integers(0, 256, n, dtype="u1"),
            alive=r.random(n) < 0.7,
            speed=vectors(r.normal(size=(n, 3))),
            age=r.integers(-32768, 32768, n, dtype="i2"),
            charge=r.normal(size=(n, 2)),
            id=r.integers(0, 2**64, n, dtype="u8"),
        )
        p["age"][:1] = 32767
        slow = n > 50
        dt, limit = np.float32(0.25), np.float32(3)
        place = plain(p["place"]) + plain(p["speed"]) * dt
        speed = np.where(np.abs(place) > limit, -plain(p["speed"]), plain(p["speed"]))
        want = dict(p, place=vectors(place), speed=vectors(speed), age=np.minimum(p["age"].astype("i4") + 1, 32767).astype("i2"))
        yield Call("moved", (records(p), dt, limit), records(want), rtol=1e-5, atol=1e-5, slow=slow)
        p = dict(p, place=p["place"].copy())
        if n > 8:
            p["place"]["x"][:5] = [np.nan, np.inf, -np.inf, 1e30, -3e38]
        codes = cells(p)
        yield Call("cells", (records(p),), codes, slow=slow)
        alive = np.flatnonzero(p["alive"])
        order = alive[np.argsort(codes[alive], kind="stable")]
        yield Call("ordered", (records(p),), UpTo(records({k: v[order] for k, v in p.items()}), n), slow=slow)
        kinds = np.full(256, -1)
        for i in reversed(range(n)):
            kinds[p["kind"][i]] = i
        yield Call("first_of_kind", (records(p),), kinds, slow=slow)
        p = dict(p, place=p["place"].copy())
        p["place"]["x"][:5] = 1
        living = {k: v[alive] for k, v in p.items()}
        mean = lambda v: vectors(plain(v).astype("f8").mean(axis=0)[None] if len(alive) else np.zeros((1, 3)))[0]
        if n <= 1:
            continue
        one = Record(
            "Particle",
            place=mean(living["place"]), kind=living["kind"].max(), alive=np.bool_(True), speed=mean(living["speed"]),
            age=living["age"].max(), charge=living["charge"].sum(axis=0), id=np.bitwise_or.reduce(living["id"]),
        )
        yield Call("merged", (records(p),), one, rtol=1e-4, atol=1e-4, slow=slow)
