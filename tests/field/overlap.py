"""Overlaps of reads of one sequence, by the table of scores, cell by cell."""

import numpy as np

from field import Call, Rows, UpTo, rng


def score(a, b):
    """The best alignment of an end of one with the beginning of the other, or of all of one."""
    above = [0] * (len(b) + 1)
    best = 0
    for i, x in enumerate(a, 1):
        row = [0]
        for j, y in enumerate(b, 1):
            row.append(max(above[j - 1] + (2 if x == y else -3), above[j] - 4, row[j - 1] - 4))
        best = max(best, row[-1])
        above = row
    return max(best, *above)


def calls():
    r = rng("overlap")
    for count, size in ((0, 1), (1, 30), (7, 60), (12, 150)):
        whole = "".join(r.choice(list("ACGT"), 300))
        reads = [whole[at : at + r.integers(0, size)] for at in r.integers(0, 150, count)]
        file = "".join(f">read {i}\n{read.lower() if i % 2 else read}\n" for i, read in enumerate(reads))
        found = [(i, j, score(reads[i], reads[j])) for i in range(count) for j in range(i + 1, count)]
        found = [row for row in found if row[2] >= 20]
        columns = Rows(np.array([row[k] for row in found], "i8" if k < 2 else "i4") for k in range(3))
        yield Call("overlaps", [np.frombuffer(file.encode(), "u1"), np.int32(20)], UpTo(columns, (len(file) + 1) ** 2))
