"""Scans and sorts of blocks, against NumPy."""

import numpy as np

from field import Call, rng


def blocks(keys):
    out, places = keys.copy(), np.zeros(len(keys), "i4")
    for at in range(0, len(keys), 128):
        order = np.argsort(keys[at : at + 128], kind="stable")
        out[at : at + 128] = keys[at : at + 128][order]
        places[at : at + 128] = order
    return out, places


def calls():
    r = rng("tile_scans")
    for n in (0, 1, 2, 63, 64, 65, 127, 131, 257):
        slow = n > 65
        xs = r.integers(-(2**63), 2**63 - 1, n)
        with np.errstate(over="ignore"):
            yield Call("running_i64", [xs], np.cumsum(xs), slow=slow)
        fs = r.normal(size=n)
        yield Call("running_f64", [fs], np.cumsum(fs), rtol=1e-9, atol=1e-9, slow=slow)
        if n == 131:
            fs = fs.copy()
            fs[70] = np.nan
            fs[100] = np.inf
            yield Call("running_f64", [fs], np.cumsum(fs), rtol=1e-9, atol=1e-9, slow=slow)
        for keys in (r.integers(0, 5, n), r.choice([0, 1, 2**32 - 1, 2**31], n), r.integers(0, 2**32, n)):
            keys = keys.astype("u4")
            if n < 200:
                yield Call("sorted_blocks", [keys], blocks(keys), slow=True)
    for h in (0, 1, 3, 11):
        rows = r.integers(-128, 128, (h, 37)).astype("i1")
        yield Call("descending", [rows], np.sort(rows, axis=1)[:, ::-1].copy(), slow=h > 1)
