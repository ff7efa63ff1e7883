"""Transcripts whose exons are cut from a genome: the places are known, the scores are those of the table, cell by cell."""

import numpy as np

from field import Call, Rows, UpTo, rng

LOW = -(10**6)


def best(a, b):
    """The best score of all of a in a part of b, where a gap of k letters costs the least of 5 + 2 (k - 1) and 14."""
    h = [0] * (len(b) + 1)
    down = [[LOW, LOW] for _ in h]
    for i, x in enumerate(a, 1):
        gap = [LOW, LOW]
        diagonal, left = h[0], LOW
        for j in range(len(b) + 1):
            over = h[j]
            down[j] = [max(down[j][0] - 2, over - 5), max(down[j][1], over - 14)]
            gap = [max(gap[0] - 2, left - 5), max(gap[1], left - 14)]
            pair = diagonal + (2 if x == b[j - 1] else -3) if j else LOW
            diagonal, h[j] = over, max(*down[j], *gap, pair)
            left = h[j]
    return max(h)


def fasta(r, names, texts):
    width = int(r.choice([1, 13, 60]))
    return np.frombuffer("".join(f">{n} of a test\n" + "".join(t[i : i + width] + "\n" for i in range(0, len(t), width)) for n, t in zip(names, texts)).encode(), "u1")


def calls():
    r = rng("introns")
    for exons, size, long in ((1, 5, 0), (2, 20, 40), (3, 24, 50), (2, 61, 300)):
        letters = lambda n: "".join(r.choice(list("CG"), n))
        parts = ["A" + "".join(r.choice(list("ACGT"), size)) + "C" for _ in range(exons)]
        gaps = ["T" + letters(long) + "T" for _ in range(exons - 1)]
        genome = "GGCC" + parts[0] + "".join(g + p for g, p in zip(gaps, parts[1:])) + "GGT"
        read = "".join(parts)
        score = best(read, genome)
        steps, times = [], []
        for i, p in enumerate(parts):
            if i:
                steps.append(ord("N"))
                times.append(len(gaps[i - 1]))
            steps.append(ord("="))
            times.append(len(p))
        assert score == 2 * len(read) - 14 * (exons - 1)
        files = fasta(r, ["t1", "t2"], [read, "ACGT"]), fasta(r, ["chr1"], [genome])
        bound = len(files[0]) + len(files[1])
        yield Call("spliced", [20, *files], (np.int32(score), np.array([4, len(genome) - 3]), True, UpTo(Rows((np.array(steps, "u1"), np.array(times))), bound)))
    nothing = np.zeros(0, "u1")
    some = np.frombuffer(b">x\nACGT", "u1")
    for t, g in ((nothing, some), (some, nothing), (np.frombuffer(b">x\nAC!T", "u1"), some), (np.frombuffer(b"ACGT", "u1"), some)):
        yield Call("spliced", [20, t, g], (np.int32(0), np.zeros(2, int), True, UpTo(Rows((nothing, np.zeros(0, int))), len(t) + len(g))), fails="E0614")
    yield Call("spliced", [20, np.frombuffer(b">x\n>y\n", "u1"), some], (np.int32(0), np.zeros(2, int), True, UpTo(Rows((nothing, np.zeros(0, int))), 6 + len(some))))
