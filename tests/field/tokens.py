"""Words against regular expressions."""

import re

import numpy as np

from field import Call, Table, UpTo, octets, rng


def calls():
    r = rng("tokens")
    texts = [b"", b"a", b" ", b"a b", b"to be, or not to be", b"Zz[`@{", b"abc" * 20, b"  " * 7, bytes(range(256))]
    texts += [bytes(r.choice(list(b"abZ  ,0"), n).tolist()) for n in (31, 101, 1000)]
    for text in texts:
        n = len(text)
        found = list(re.finditer(rb"[A-Za-z]+", text))
        starts = np.array([word.start() for word in found], dtype=np.int64)
        lengths = np.array([len(word[0]) for word in found], dtype=np.int64)
        yield Call("words", (octets(text),), UpTo(Table("Word", start=starts, length=lengths), n))
        yield Call("lengths", (octets(text),), UpTo(lengths, n))
        yield Call("longest", (octets(text),), UpTo(octets(max((word[0] for word in found), key=len, default=b"")), n))
        yield Call("initials", (octets(text),), UpTo(octets(bytes(word[0][0] for word in found)), n))
