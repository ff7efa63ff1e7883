"""Gotoh's algorithm in Python, on Biopython's kind of table."""

import re
from pathlib import Path

import numpy as np

from field import Call, UpTo, octets, rng

ORDER = "ARNDCQEGHILKMFPSTWYVBZX*"
TEXT = (Path(__file__).parent / "proteins.adz").read_text()
ROWS = re.search(r"BLOSUM62: .*? = \[\n(.*?)\n\]", TEXT, re.S)[1]
TABLE = np.array([int(x) for x in re.findall(r"-?\d+", ROWS)]).reshape(24, 24)


def best(a, b, open_, extend, local=False, a_free=False, b_free=False, a_end=False, b_end=False):
    place = lambda c: ORDER.find(c) if c in ORDER else 22
    n, m, low = len(a), len(b), -(10**9)
    cost = lambda k: -(open_ + (k - 1) * extend) if k else 0
    h = [[0] * (m + 1) for _ in range(n + 1)]
    e = [[low] * (m + 1) for _ in range(n + 1)]
    f = [[low] * (m + 1) for _ in range(n + 1)]
    for i in range(n + 1):
        for j in range(m + 1):
            if i == 0 or j == 0:
                h[i][j] = 0 if local or (i == 0 and b_free) or (j == 0 and a_free) else cost(i + j)
                continue
            e[i][j] = max(e[i][j - 1] - extend, h[i][j - 1] - open_)
            f[i][j] = max(f[i - 1][j] - extend, h[i - 1][j] - open_)
            h[i][j] = max(h[i - 1][j - 1] + int(TABLE[place(a[i - 1])][place(b[j - 1])]), e[i][j], f[i][j])
            if local:
                h[i][j] = max(h[i][j], 0)
    if local:
        return max(map(max, h))
    ends = [h[n][m]] + (h[n] if b_end else []) + ([row[m] for row in h] if a_end else [])
    return max(ends)


def calls():
    r = rng("proteins")
    assert (TABLE == TABLE.T).all()
    protein = lambda n: "".join(r.choice(list(ORDER[:20] + "BZXJ"), n))
    for n, m in ((0, 0), (0, 5), (7, 0), (1, 1), (13, 40), (67, 35)):
        a = protein(n)
        b = (protein(m) if n < 60 else a[10:40] + protein(m))[:m]
        modes = [best(a, b, 11, 1), best(a, b, 11, 1, local=True), best(a, b, 11, 1, b_free=True, b_end=True), best(a, b, 11, 1, False, True, True, True, True)]
        yield Call("all_modes", (octets(a), octets(b)), np.array(modes, "i4"), slow=n > 20)
    for a, b, steps in (("", "", ""), ("W", "W", "="), ("", "AR", "DD"), ("WWWCHC", "WWWHC", "===I=="), ("HEAG", "HEAA", "===X")):
        share = steps.count("=") / len(steps) if steps else 0.0
        yield Call("aligned", (octets(a), octets(b)), (np.int32(best(a, b, 11, 1)), UpTo(octets(steps), len(a + b)), share))
