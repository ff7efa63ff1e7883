"""Filters in stages against NumPy's padded and shifted pictures."""

from functools import reduce

import numpy as np

from field import Call, rng

NINE = np.array([0.028, 0.066, 0.122, 0.179, 0.21, 0.179, 0.122, 0.066, 0.028])
ONE = np.float32(1)


def pad(a, left, right, border, axis=0, value=0):
    """`a` with a border along an axis, as wide as one likes."""
    n, at = a.shape[axis], np.arange(-left, a.shape[axis] + right)
    if border == "const":
        return np.pad(a, [(left, right) if k == axis else (0, 0) for k in range(a.ndim)], constant_values=value)
    if border == "mirror":
        at = at % (2 * n)
        at = np.minimum(at, 2 * n - 1 - at)
    return a.take(np.clip(at, 0, n - 1) if border == "clamp" else at % n, axis)


def windows(a, size, axis=0):
    """The elements at each place of a window."""
    n = a.shape[axis] - size + 1
    return [a.take(np.arange(k, k + n), axis) for k in range(size)]


def around(a, reach=1, border="clamp", axis=0, value=0):
    return windows(pad(a, reach, reach, border, axis, value), 2 * reach + 1, axis)


def weighed(a, weights, border="clamp", axes=(1, 0), values=(0, 0)):
    """Weighted sums along one axis after the other."""
    for axis, value in zip(axes, values):
        a = reduce(np.add, [c * x for c, x in zip(weights, around(a, len(weights) // 2, border, axis, value))])
    return a


def extreme(a, op, reach, border, axes):
    for axis in axes:
        a = reduce(op, around(a, reach, border, axis))
    return a


def soft(a, border, values=(0, 0)):
    return weighed(a, [0.25, 0.5, 0.25], border, values=values)


def mixed(a):
    r = around(a, 2, "const", value=0.5)
    b = np.sqrt(abs(r[0] + r[1] - 3 * r[2] + r[3] + r[4]))
    r = windows(pad(b, 3, 0, "mirror"), 4)
    c = np.sqrt(r[0] * r[3] + r[1] * r[2])
    r = windows(pad(c, 0, 1, "clamp"), 2)
    return r[0] - 0.5 * r[1]


def ridges(a):
    h, w = a.shape
    p = np.pad(weighed(a, np.array([1, 4, 6, 4, 1], "f4") / 16), 1, "edge")
    q = [[p[i : i + h, j : j + w] for j in range(3)] for i in range(3)]
    x = q[0][2] - q[0][0] + 2 * ONE * (q[1][2] - q[1][0]) + q[2][2] - q[2][0]
    y = q[2][0] - q[0][0] + 2 * ONE * (q[2][1] - q[0][1]) + q[2][2] - q[0][2]
    m, limit = np.sqrt(x * x + y * y), np.float32(0.4142135)
    flat, steep = abs(y) <= limit * abs(x), abs(x) <= limit * abs(y)
    way = np.where(flat, 0, np.where(steep, 1, np.where(x * y > 0, 2, 3)))
    p, out = np.pad(m, 1), np.zeros_like(m)
    for k, (i, j) in enumerate(((0, 1), (1, 0), (1, 1), (1, -1))):
        before, after = p[1 - i : 1 - i + h, 1 - j : 1 - j + w], p[1 + i : 1 + i + h, 1 + j : 1 + j + w]
        out = np.where((way == k) & (m >= before) & (m > after), m, out)
    return out


def corners(a):
    x, y = (r[2] - r[0] for r in (around(a, axis=1), around(a)))
    xx, xy, yy = (weighed(p, [1, 1, 1], "const") for p in (x * x, x * y, y * y))
    return xx * yy - xy * xy - 0.04 * (xx + yy) ** 2


def dog(a):
    a = a.astype("i8")
    fine, coarse = weighed(a, [1, 2, 1], "mirror") // 16, weighed(a, [1, 4, 6, 4, 1], "mirror") // 256
    return np.clip(fine - coarse + 128, 0, 255).astype("u1")


def dog16(a):
    a = a.astype("i8")
    b = a[:, :-2] + 2 * a[:, 1:-1] + a[:, 2:]
    fine = (b[:-2] + 2 * b[1:-1] + b[2:]) // 16
    coarse = weighed(weighed(fine, [1, 2, 1], axes=(0,)) // 4, [1, 2, 1], axes=(1,)) // 4
    return np.pad(fine - coarse, 1).astype("i2")


def small(a):
    for _ in range(3):
        r = windows(pad(a, 1, 2, "wrap"), 4)
        a = r[0] * r[1] + np.int8(3) * r[2] - r[3] * np.int8(5) + np.int8(7)
    return a


def unsharp(a, amount):
    grey = a.astype("f4")
    blurred = weighed(grey, np.array([0.25, 0.5, 0.25], "f4"))
    return np.clip(grey + amount * (grey - blurred) + ONE / 2, 0, 255).astype("u1")


def shaded(a):
    x, _, y = around(a @ np.array([0.299, 0.587, 0.114]), 1, "mirror")
    return a * sum(around(np.sqrt(abs(y - x)), 1, "mirror"))[:, :, None]


def spread(k, a):
    return a + k * (sum(x for axis in range(3) for x in around(a, axis=axis)[::2]) - 6 * a)


def thick(a):
    for _ in range(2):
        a = np.sqrt(abs(a[:-2] + 2 * a[1:-1] + a[2:]))
    return a


def waves(steps, c, u):
    u, vx, vy = u.copy(), np.zeros_like(u), np.zeros_like(u)
    for _ in range(steps):
        vx[:, :-1] -= c * np.diff(u, axis=1)
        vy[:-1] -= c * np.diff(u, axis=0)
        u[1:, 1:] -= c * (vx[1:, 1:] - vx[1:, :-1] + vy[1:, 1:] - vy[:-1, 1:])
    return u, vy


def by_loops(a):
    p, q, r = (np.zeros_like(a) for _ in range(3))
    p[:, 1:-1] = np.sqrt(abs(a[:, :-2] + a[:, 1:-1] + a[:, 2:]))
    q[1:-1] = np.sqrt(p[:-2] + p[1:-1] + p[2:])
    r[2:-2] = q[1:-3] * q[3:-1] - q[2:-2] + p[2:-2]
    return r


def upwind(a, c, axis, border):
    before, _, after = around(a, 1, border, axis)
    return a - abs(c) * (a - np.where(c > 0, before, after))


def blown(u, v, a):
    for _ in range(2):
        a = upwind(upwind(a, u, 1, "clamp"), v, 0, "clamp")
    return a


def holes(a):
    for reach in (1, 2, 4):
        r = around(a, reach)
        a = np.sqrt(abs(0.25 * r[0] + 0.5 * a + 0.25 * r[-1]))
    return a


def lengths(a):
    x, y, z = around(a, axis=1)
    return np.sqrt(x * x + y + z * z)


def two_readers(a):
    x, y, z = around(lengths(a))
    return z - x, x + 2 * y + z


def joined(a):
    b = lengths(a)
    x, _, y = around(b)
    r = around(b, 2)
    down, mean = around(np.sqrt(abs(y - x))), around(np.sqrt(r[0] + 2 * r[2] + r[4]))
    return down[0] * mean[2] + down[2] * mean[0] - down[1] * mean[1]


def both_ways(a):
    b = lengths(a)
    (x, y, z), (u, _, v) = around(b), around(b[::-1])
    return x + y - z + u * v


def bell(x):
    return np.sqrt(x * x + 1) / (x * x + 2)


def upwards(a):
    x, y, z = around(bell(a), 1, "mirror")
    return (x + y - z)[::-1]


def band(a):
    x, y, z = windows(np.sqrt(abs(a)) + a * a, 3)
    x, _, z = windows(np.sqrt(abs(x + y - z))[3:-1], 3)
    return x + z


def sliced(a):
    b = np.sqrt(sum(x * x for x in windows(a[1:-1], 3, 1)))
    x, y, z = windows(b[:-2] + b[2:], 3)
    return (x + y * z)[:, 1:-1]


def halves(a):
    x, y, z = around(a, axis=1)
    b, h = np.sqrt(x * x + y * y + z), len(a) // 2
    return np.concatenate([sum(around(b[:h])), b[h:]])


def known(a):
    b = np.sqrt(sum(x * x for x in around(a, axis=1)))
    x, y, z = windows(np.sqrt(sum(windows(b, 3))), 3)
    return x + y * z


def halved(a):
    x, y, z = around(sum(around(a, axis=1)) * np.float16(0.25), 1, "mirror")
    return x + y * np.float16(0.5) - z


def normed(a):
    x, y, z = around(a / (1 + (a * a).sum(axis=1, keepdims=True)))
    return x + y - z


def prefix(a):
    x, _, z = around(sum(around(np.cumsum(a, axis=1, dtype="i4"))))
    return z - x


def carry(a):
    p, q, c = np.zeros_like(a), np.zeros_like(a[2:]), 0.0
    for at in np.ndindex(a.shape):
        c = 0.5 * c + a[at]
        p[at] = bell(c)
    for i, j in np.ndindex(q.shape):
        c = 0.25 * c + p[i + 1, j]
        q[i, j] = p[i, j] + p[i + 2, j] + c
    return q, np.float64(c)


def reach(r, a):
    v = around(bell(a), r)
    v = around(np.sqrt(v[0] + v[r] + v[2 * r]), r)
    return v[0] - v[2 * r]


def kept(a):
    p = bell(a)
    x, _, y = around(p)
    x, _, y = around(np.sqrt(x + y))
    return p, x - y


def settle(limit, a):
    for n in range(1, 21):
        before, a = a, 0.1 * sum(around(a + np.sqrt(a * a + 1)))
        if abs(a - before).max(initial=0) < limit:
            break
    return a, n


def summary(a):
    x, y, z = windows(a, 3)
    x, y, z = windows(np.sqrt(abs(x + y * z)), 3)
    q = np.sqrt(abs(x - y * z))
    return float(q.sum()), float(q.max(initial=0))


def turned(a):
    p = np.sqrt(sum(x * x for x in windows(a, 3, 1)))
    return np.ascontiguousarray((p[:-2] + p[2:]).T)


def marks(limit, a):
    bits = (a * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)) >> np.uint64(7) > limit
    x, y, z = around(bits)
    x, _, z = around(x & y | y & z | x & z)
    return x != z


def many(a):
    p = np.sqrt(abs(a[:, :-2] + a[:, 2:]))
    return p[:, :-2] - p[:, 2:]


def step(u):
    p, _, q = around(bell(u))
    return p + 0.5 * q


def partly(k, a):
    a = a.copy()
    for _ in range(k):
        a[2:-2] = step(a[2:-2])
    return a


def slid(k, a):
    a = a.copy()
    for _ in range(k):
        a[4:] = step(a[:-4])
        a[:-4] = step(a[3:-1])
    return a


def wave(k, a):
    before = now = a
    for _ in range(k):
        x, y, z = around(now)
        x, _, z = around(np.sqrt(abs(x - 2 * y + z)))
        before, now = now, 1.5 * now - 0.5 * before + 0.1 * (x - z)
    return now


def behind(k, a):
    a = a.copy()
    for _ in range(k):
        p = bell(a)
        a[:-2] = p[:-2] + 0.5 * p[2:]
    return a


def sweep(a):
    p = bell(a)
    q = p[:-2] + 0.5 * p[2:]
    for i in range(1, len(q)):
        q[i] += 0.25 * q[i - 1]
    return q


def divided(a, b):
    a, b = a.astype("i8"), b.astype("i8")
    q = abs(a) // abs(b) * np.sign(a) * np.sign(b)
    p = (q + a - q * b).astype("i4")
    return p[:-2] + np.int32(3) * p[2:]


def single(value):
    """The same with f32 for f64."""
    if isinstance(value, tuple):
        return tuple(single(v) for v in value)
    return value.astype("f4") if isinstance(value, (np.ndarray, np.generic)) and value.dtype == np.float64 else value


def in_single(entry, reference, *args, tolerance=1e-3, **more):
    """A call with f32, whose reference computes with f64."""
    with np.errstate(all="ignore"):
        want = reference(*[a.astype("f8") if isinstance(a, np.ndarray) else a for a in args])
    slow = more.pop("slow", False) or max(np.size(a) for a in args) > 1500
    return Call(entry, single(args), single(want), rtol=tolerance, atol=tolerance, slow=slow, **more)


def rows_of(kind, h, w, r):
    """Calls of the entries for floats with pictures of this size."""

    def picture(*shape):
        return r.random(shape, dtype="f4")

    if kind == 0:
        yield in_single("three", lambda a: soft(soft(soft(a, "clamp"), "mirror"), "wrap"), picture(h, w))
        yield in_single("mixed", mixed, picture(h, w))
        yield in_single("nine", lambda a: weighed(a, NINE), picture(h, w))
        yield in_single("holes", holes, picture(h, w))
        yield in_single("two_readers", two_readers, picture(h, w))
        yield in_single("halves", halves, picture(2 * h, w), sizes={"h": h})
        yield in_single("reach", reach, 2, picture(h, w))
        yield in_single("slid", slid, 2, picture(h + 4, w))
    elif kind == 1:
        yield in_single("joined", joined, picture(h, w))
        yield in_single("both_ways", both_ways, picture(h, w))
        yield in_single("upwards", upwards, picture(h, w))
        yield in_single("kept", kept, picture(h, w))
        yield in_single("partly", partly, 2, picture(h + 4, w))
        yield in_single("wave", wave, 3, picture(h, w))
        yield in_single("normed", normed, picture(h, w))
        yield in_single("corners", corners, r.integers(0, 9, (h, w)).astype("f4"), tolerance=1e-2)
    else:
        yield in_single("dark", lambda a: soft(soft(a, "const"), "const", (1, -1)), picture(h, w))
        yield in_single("band", band, picture(h + 8, w))
        yield in_single("behind", behind, 2, picture(h + 2, w))
        yield in_single("sweep", sweep, picture(h + 2, w))
        yield in_single("turned", turned, picture(h + 2, w + 2))
        yield in_single("carry", carry, picture(h + 2, w), slow=True)


def calls():
    r = rng("stages")
    for kind, h, w in ((0, 1, 1), (0, 3, 2), (0, 33, 7), (0, 129, 530), (1, 2, 3), (1, 65, 31), (1, 100, 640), (2, 0, 3), (2, 32, 5), (2, 66, 900)):
        yield from rows_of(kind, h, w, r)
    for h, w in ((3, 5), (97, 300)):
        slow = h * w > 500
        a = r.integers(0, 16, (h, w)).astype("f4")
        if h > 64:
            a[31, 5], a[0, 3] = np.nan, np.inf
        with np.errstate(all="ignore"):
            want = ridges(a)
        yield Call("ridges", (a,), want, rtol=1e-5, atol=1e-5, slow=slow)
        yield Call("thinned", (a,), want, rtol=1e-5, atol=1e-5, slow=slow)
        a = r.integers(0, 256, (h, w)).astype("u1")
        yield Call("dog", (a,), dog(a), slow=slow)
        yield Call("unsharp", (a, 1.5 * ONE), unsharp(a, 1.5 * ONE), slow=slow)
        opened = extreme(extreme(a, np.minimum, 2, "mirror", (0,)), np.maximum, 2, "mirror", (0,))
        cleaned = extreme(extreme(opened, np.maximum, 2, "mirror", (0,)), np.minimum, 2, "mirror", (0,))
        yield Call("cleaned", (a,), cleaned, slow=slow)
        yield Call("dog16", (a,), dog16(a), slow=slow)
        a = r.integers(-128, 128, (h, w)).astype("i1")
        yield Call("small", (a,), small(a), slow=slow)
        a = r.integers(-(2**31), 2**31, (h, w)).astype("i4")
        yield Call("prefix", (a,), prefix(a), slow=slow)
        b = r.integers(1, 99, (h + 2, w)).astype("i4")
        a = r.integers(-(2**31), 2**31, (h + 2, w)).astype("i4")
        yield Call("divided", (a, b), divided(a, b), slow=slow)
        zero = b.copy()
        zero[h, 1] = 0
        yield Call("divided", (a, zero), a[2:], fails="E0602", slow=slow)
        a = r.integers(0, 2**63, (h, w)).astype("u8")
        yield Call("marks", (2**56, a), marks(2**56, a), slow=slow)
        a = r.random((h, w), dtype="f4")
        yield Call("opened", (a,), extreme(extreme(a, np.minimum, 1, "clamp", (1, 0)), np.maximum, 1, "clamp", (1, 0)), slow=slow)
        a = a.astype("f2")
        yield Call("halved", (a,), halved(a), rtol=2e-3, atol=2e-3, slow=slow)
        yield in_single("waves", waves, 3, np.float32(0.4), r.random((h, w), dtype="f4"))
        yield in_single("settle", settle, np.float32(0.004), r.random((h, w), dtype="f4"))
        a, u, v = r.uniform(-0.4, 0.4, (3, h, w))
        moved = upwind(upwind(a, 0.3, 1, "wrap"), -0.4, 0, "wrap")
        yield Call("carried", (0.3, -0.4, a), moved, rtol=1e-9, atol=1e-11, slow=slow)
        yield Call("blown", (u, v, a), blown(u, v, a), rtol=1e-9, atol=1e-11, slow=slow)
        a = r.normal(size=(h + 6, w + 4))
        yield Call("sliced", (a,), sliced(a), rtol=1e-9, atol=1e-9, slow=slow)
        yield Call("summary", (a,), summary(a), rtol=1e-9, atol=1e-9, slow=slow)
        if h > 4:
            yield in_single("by_loops", by_loops, r.random((h, w), dtype="f4"))
        yield in_single("pixels", lambda a: soft(a, "clamp"), r.random((h, w, 3), dtype="f4"))
        yield in_single("shaded", shaded, r.random((h, w, 3), dtype="f4"))
        yield in_single("planes", lambda a: weighed(a, [0.25, 0.5, 0.25], axes=(2, 1)), r.random((3, h, w), dtype="f4"))
    yield in_single("known", known, r.random((70, 100), dtype="f4"))
    for b, h, w in ((0, 2, 3), (1, 5, 4), (3, 67, 40)):
        yield in_single("batch", lambda a: weighed(weighed(a, [0.25, 0.5, 0.25], axes=(2, 1)), [0.25, 0.5, 0.25], axes=(2, 1)), r.random((b, h, w), dtype="f4"))
        yield in_single("many", many, r.random((b, h + 4, w), dtype="f4"))
        a = r.normal(size=(h + 4, b + 1, w))
        yield Call("thick", (a,), thick(a), rtol=1e-9, atol=1e-9, slow=a.size > 500)
        yield in_single("twice", lambda k, a: spread(k, spread(k, a)), np.float32(0.1), r.random((h, b + 1, w), dtype="f4"))
    special = r.random((40, 70), dtype="f4")
    special[20, 35], special[3, 4], special[0, 69] = np.nan, np.inf, -np.inf
    yield in_single("three", lambda a: soft(soft(soft(a, "clamp"), "mirror"), "wrap"), special)
    yield in_single("mixed", mixed, special)
    yield Call("three", (np.zeros((0, 3), "f4"),), np.zeros((0, 3), "f4"), fails="E0404")
