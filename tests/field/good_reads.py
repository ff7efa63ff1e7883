"""Reads of a FASTQ file with a high mean quality."""

import numpy as np

from field import Call, UpTo, rng


def text(records):
    return "".join(f"@{title}\n{letters}\n+\n{''.join(chr(33 + q) for q in qualities)}\n" for title, letters, qualities in records)


def calls():
    r = rng("good_reads")
    records = []
    for i, n in enumerate((7, 0, 1, 2, 31, 61, 100)):
        qualities = [int(q) for q in (r.integers(0, 94, n) if i % 3 else r.integers(20, 50, n))]
        if n > 1:
            qualities[:2] = [ord("@") - 33, ord("+") - 33]
        records.append((f"r{i} x=1", "".join(r.choice(list("ACGTN"), n)), qualities))
    broken = ""  # on several lines, which end as in DOS
    for title, letters, qualities in records:
        signs = "".join(chr(33 + q) for q in qualities)
        parts = [line[k : k + 13] + "\r\n" for line in (letters, "+", signs) for k in range(0, len(line), 13)]
        broken += f"@{title}\r\n" + "".join(parts)
    for file in (text(records), broken[:-2], ""):
        for limit in (0.0, 30.5, 46.5, 93.0):
            good = text(record for record in records if file and record[1] and np.mean(record[2]) >= limit)
            result = UpTo(np.frombuffer(good.encode(), "u1"), 2 * len(file) + 8)
            yield Call("good", [np.float64(limit), np.frombuffer(file.encode(), "u1")], result)
