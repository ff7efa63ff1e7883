"""Small systems of linear equations, against NumPy."""

import numpy as np

from field import Call, rng


def factored(value, slope):
    """The factors, by complex steps: a value and its derivative in one number."""
    step = 1e-30
    a = value + 1j * step * slope
    for k in range(5):
        column = a[:, :, k].copy()
        a[:, k + 1 :, k] = column[:, k + 1 :] / column[:, k, None]
        a[:, k + 1 :, k + 1 :] -= a[:, k + 1 :, k, None] * column[:, None, k + 1 :]
    a = np.tril(a)
    return a.real.copy(), a.imag / step


def powers(e, a):
    out = np.tile(np.eye(6, dtype="u8"), (len(a), 1, 1))
    while e:
        if e % 2:
            out = out @ a
        a = a @ a
        e //= 2
    return out


def calls():
    r = rng("small_systems")
    for h in (0, 1, 2, 5):
        a = r.normal(size=(h, 7, 7)).astype("f4") + 3 * np.eye(7, dtype="f4")[::-1]
        x = r.normal(size=(h, 7)).astype("f4")
        b = np.einsum("hij,hj->hi", a, x)
        det = np.linalg.det(a.astype("f8")).astype("f4")
        if h == 5:
            a[3, 2] = 0
            a[4, :, 6] = 0
            x[3:], det[3:] = 0, 0
        yield Call("solved", [a, b], (x, det), rtol=1e-2, atol=1e-2, slow=h > 1)
        m = r.normal(size=(h, 5, 5))
        value = m @ m.transpose(0, 2, 1) + np.eye(5)
        slope = r.normal(size=(h, 5, 5))
        slope = slope + slope.transpose(0, 2, 1)
        yield Call("factored", [value, slope], factored(value, slope), rtol=1e-8, atol=1e-8, slow=h > 1)
        if h == 5:
            for bad in (-1.0, np.nan, 0.0):
                wrong = value.copy()
                wrong[2, 3, 3] = bad
                yield Call("factored", [wrong, slope], factored(value, slope), fails="E0614")
        for e in (0, 1, 13, 2**32 - 1):
            u = r.integers(0, 2**64, (h, 6, 6), np.uint64, endpoint=False)
            yield Call("powers", [np.uint32(e), u], powers(e, u), slow=h > 1)
