"""Scores of reads that overlap a window of a reference, in a band, cell by cell."""

import numpy as np

from field import Call, rng

LOW = -(10**6)


def overlap(a, b, half):
    """The best score where the letters at the ends of both are free, with a band of 2 * half + 1 diagonals."""
    n, m = len(a), len(b)
    h, down, best = [LOW] * (m + 1), [LOW] * (m + 1), LOW
    for i in range(n + 1):
        diagonal, left, gap = LOW, LOW, LOW
        for j in range(m + 1):
            over, cell = h[j], LOW
            down[j] = max(down[j] - 1, over - 2)
            gap = max(gap - 1, left - 2)
            if abs(j - i) <= half:
                cell = max(0 if i == 0 or j == 0 else LOW, down[j], gap)
                if i and j:
                    cell = max(cell, diagonal + (1 if a[i - 1] == b[j - 1] else -1))
                if i == n or j == m:
                    best = max(best, cell)
            else:
                gap = down[j] = LOW
            diagonal, h[j], left = over, cell, cell
    return best


def text_of(reads, end="\n"):
    return "".join(f"@read {i}{end}{s}{end}+{end}{'I' * len(s)}{end}" for i, s in enumerate(reads))


def call(reads, places, reference, half, which, end="\n", width=60, fails=""):
    lines = end.join(reference[i : i + width] for i in range(0, len(reference), width))
    fasta, fastq = f">chr1 test{end}{lines}{end}", text_of(reads, end)
    size, scores = len(reference), []
    for s, p in zip(reads, places):
        start = max(min(int(p), size), 0)
        scores.append(overlap(s.upper().replace("U", "T"), reference.upper()[start : min(start + len(s), size)], half))
    wanted = (np.array(scores, "i4"), np.int32(scores[which]), True, True)
    arguments = [half, which, np.frombuffer(fastq.encode(), "u1"), np.array(places, "i8"), np.frombuffer(fasta.encode(), "u1")]
    return Call("mapped", arguments, wanted, fails=fails)


def calls():
    r = rng("mapped")
    for count, longest, size, half in ((1, 5, 9, 0), (2, 13, 40, 2), (17, 31, 200, 3), (33, 47, 300, 7), (16, 20, 80, 100)):
        reference = "".join(r.choice(list("ACGT"), size))
        reads, places = [], []
        for _ in range(count):
            p, n = int(r.integers(size)), int(r.integers(longest + 1))
            s = [c if r.random() > 0.1 else r.choice(list("ACGTacgt")) for c in reference[p : p + n]]
            reads.append("".join(s))
            places.append(p + int(r.integers(-1, 2)))
        reads[0] = reads[0].lower() or "a"
        yield call(reads, places, reference, half, int(r.integers(count)), "\r\n" if count == 2 else "\n", int(r.choice([1, 7, 60])))
    yield call(["", "A", "AAAA"], [0, 10**12, -(2**63)], "AAAAAAA", 1, 2)
    yield call(["", ""], [0, 3], "", 1, 0)
    yield call(["ACX"], [0], "ACGT", 1, 0, fails="E0614")
    yield call(["ACG"], [0], "AC-GT", 1, 0, fails="E0614")
    yield call(["ACG"], [0], "ACGT", -1, 0, fails="E0614")
