"""Run-length coding against itertools."""

from itertools import groupby

import numpy as np

from field import Call, Rows, UpTo, octets, rng


def encode(text):
    runs = np.array([(byte, len(list(run))) for byte, run in groupby(text.tolist())], dtype=np.int64).reshape(-1, 2)
    return Rows((runs[:, 0].astype(np.uint8), runs[:, 1].copy()))


def calls():
    r = rng("rle")
    texts = [octets("a"), np.full(300, 255, dtype=np.uint8), (np.arange(600) % 256).astype(np.uint8)]
    texts += [r.integers(0, 2, n).astype(np.uint8) for n in (0, 3, 31, 1000)]
    for text in texts:
        n, runs = len(text), encode(text)
        yield Call("encode", (text,), UpTo(runs, n))
        for most in (n, n + 3):
            yield Call("decode", (most, runs), UpTo(text, most))
        if n:
            yield Call("decode", (n - 1, runs), UpTo(text[1:], n - 1), fails="E0601")
        yield Call("round_trip", (text,), True)
        yield Call("longest", (text,), int(max(runs[1], default=0)))
        long = runs[1] >= 2
        yield Call("long_runs", (2, text), (int(long.sum()), UpTo(np.repeat(runs[0][long], runs[1][long]), n)))
    yield Call("decode", (5, Rows((octets("ab"), np.array([3, -4])))), UpTo(octets(""), 5), fails="E0601")
