"""Words, letters and suffixes against plain Python."""

import re
from collections import Counter

import numpy as np

from field import Call, Rows, UpTo, octets, rng


def calls():
    r = rng("words")
    texts = [bytes(r.choice(octets(letters), n)) for n, letters in ((0, "a"), (1, "z"), (257, "`az{ \n"), (16411, "abcdefgh XYZ "))]
    for text in [*texts, b"  aa  aaaa "]:
        n, slow = len(text), len(text) > 3000
        begins = [word.start() for word in re.finditer(rb"[^ ]+", text)]
        yield Call("begins", (octets(text),), UpTo(np.array(begins, dtype="i8"), n), slow=slow)
        counts = sorted(Counter(re.sub(rb"[^a-z]", b"", text)).items())
        columns = np.array(counts, dtype="i8").reshape(-1, 2).T
        yield Call("letters", (octets(text),), UpTo(Rows((columns[0].astype("u1"), columns[1].copy())), n), slow=slow)
        yield Call("suffixes", (octets(text),), np.array(sorted(range(n), key=lambda i: text[i:]), dtype="i8"), slow=slow)
