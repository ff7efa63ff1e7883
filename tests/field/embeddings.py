"""One number for each row of a matrix, by NumPy."""

import numpy as np

from field import Call, rng

SPECIAL = (np.nan, np.inf, -np.inf, -0.0, 1e38, -1e38)


def calls():
    r = rng("embeddings")
    shapes = [(n, m) for n in (0, 1, 2, 3, 4, 5, 7, 8, 13) for m in (0, 1, 3, 7, 13)] + [(4, 16), (5, 17), (9, 64), (13, 101), (331, 13), (97, 33)]
    for k, (n, m) in enumerate(shapes):
        f = r.normal(size=(n, m)).astype("f4")
        g = r.normal(size=(n, m))
        x = r.normal(size=m).astype("f4")
        if k % 3 == 0 and f.size:
            for _ in range(3):
                f.flat[r.integers(f.size)] = r.choice(SPECIAL)
                g.flat[r.integers(g.size)] = r.choice(SPECIAL)
        i = r.integers(-(2**31), 2**31, (n, m)).astype("i4")
        c, q = r.integers(0, 256, (n, m)).astype("u1"), r.integers(0, 256, m).astype("u1")
        with np.errstate(all="ignore"):
            f8, x8 = f.astype("f8"), x.astype("f8")
            special = not np.isfinite(f).all() or np.abs(f).max(initial=0) > 1e30
            if not special:
                yield Call("scores", [f, x], (f8 @ x8).astype("f4"), rtol=2e-4, atol=1e-4)
                yield Call("distances", [f, x], np.sqrt(((f8 - x8) ** 2).sum(1)).astype("f4"), rtol=1e-4)
                if m:
                    pages = np.stack([f, -f])
                    p8 = pages.astype("f8")
                    yield Call("cosines", [pages, x], ((p8 @ x8) / (np.sqrt((p8**2).sum(2)) * np.sqrt(x8 @ x8))).astype("f4"), rtol=1e-3, atol=1e-4)
                    yield Call("log_sums", [g], np.log(np.exp(g - g.max(1, initial=-np.inf, keepdims=True)).sum(1)) + g.max(1, initial=-np.inf), rtol=1e-9, atol=1e-12)
                yield Call("form", [r.normal(size=n) * 0 + 1, g, x8], g.sum(0) @ x8, rtol=1e-6, atol=1e-9)
            if not special or k % 2 == 0:
                top = f8.max(1, initial=-np.inf, keepdims=True)
                e = np.exp(f8 - top)
                if not np.isnan(f).any():
                    yield Call("softmax", [f], (e / e.sum(1, keepdims=True)).astype("f4"), rtol=1e-4, atol=1e-6)
            yield Call("lengths", [g], np.sqrt((g * g).sum(1)), rtol=1e-10)
            if not np.isnan(g).any():
                yield Call("spans", [g], (np.abs(g).sum(1), np.abs(g).max(1, initial=0)), rtol=1e-10)
            if m:
                yield Call("extremes", [f], (f.min(1), f.max(1)))
            bad = ~np.isfinite(f)
            yield Call("finite", [f], (~bad.any(1), bad.sum(1).astype("i4")))
            yield Call("sums", [i], (i.sum(1, dtype="i4"), i.min(1, initial=2**31 - 1)))
            d = c.astype("i4") - q.astype("i4")
            yield Call("codes", [c, q], (d * d).sum(1, dtype="i4"))
