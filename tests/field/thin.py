"""Products with few rows against NumPy."""

import numpy as np

from field import Call, rng


def calls():
    r = rng("thin")
    for m, n, k in ((0, 3, 200), (1, 1, 128), (2, 5, 0), (3, 17, 130), (12, 66, 129), (13, 9, 131), (7, 300, 700), (25, 70, 600)):
        slow = m * n * k > 100000
        a, w = r.normal(size=(m, k)), r.normal(size=(n, k))
        product = a @ w.T
        single, b = a.astype("f4"), np.ascontiguousarray(w.T).astype("f4")
        yield Call("product", (single, b), product.astype("f4"), rtol=1e-3, atol=1e-3, slow=slow)
        bias = r.normal(size=n)
        yield Call("dense", (a, w, bias), np.maximum(product + bias, 0), rtol=1e-9, atol=1e-9, slow=slow)
        p, q = r.integers(-(2**31), 2**31, (m, k)).astype("i4"), r.integers(-(2**31), 2**31, (k, n)).astype("i4")
        sums = p[:, :, None] + q[None]
        yield Call("longest", (p, q), sums.max(axis=1, initial=-2000000000), slow=slow)
