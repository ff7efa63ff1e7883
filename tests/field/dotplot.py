"""Where the letters of two sequences agree."""

import numpy as np

from field import Call, rng


def calls():
    r = rng("dotplot")
    for n, m, size in ((83, 79, 41), (5, 1, 7), (0, 3, 2), (40, 40, 0), (12, 30, 1)):
        a = "".join(r.choice(list("ACGT"), n))
        b = (a[3:] + "".join(r.choice(list("ACGT"), m)))[:m]
        file = f">a\n{a}\n>b\n{b}\n"
        for width, least in ((1, 1), (5, 4)):
            plot = np.zeros((size, size), "u1")
            for i in range(size):
                for j in range(size):
                    same = sum(i + q < n and j + q < m and a[i + q] == b[j + q] for q in range(width))
                    plot[i, j] = 255 if same >= least else 0
            yield Call("dots", [width, np.int64(least), size, np.frombuffer(file.encode(), "u1")], plot)
