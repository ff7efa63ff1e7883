"""Lines, words and letters against the bytes of Python."""

import numpy as np

from field import Call, octets, rng


def longest_line(text):
    lines = text.split(b"\n")
    longest = max(lines, key=len)
    return (text.index(longest) if not longest else sum(len(line) + 1 for line in lines[: lines.index(longest)]), len(longest))


def calls():
    r = rng("wordcount")
    drawn = bytes(r.choice(list(b"aeE \n\t\rtx."), 400).tolist())
    texts = (b"", b"a", b"\n\n\n", b"one two\nthree four five\n", bytes(range(256)), "naïve é\n".encode(), b"incomprehensibility " * 2, drawn)
    for text in texts:
        lines = text.count(b"\n") + (text[-1:] not in (b"", b"\n"))
        yield Call("wc", (octets(text),), (lines, len(text.split()), len(text)))
        yield Call("longest_line", (octets(text),), longest_line(text))
        yield Call("letters", (octets(text),), np.array([text.lower().count(bytes([c])) for c in range(97, 123)]))
        lengths = np.array([min(len(word), 16) for word in text.split()], dtype=np.int64)
        yield Call("word_lengths", (octets(text),), np.bincount(lengths, minlength=17))
        for word in (b"e ", text[:3]):
            if word:
                yield Call("occurrences", (octets(text), octets(word)), text.count(word))
    yield Call("occurrences", (octets("abc"), octets("")), 0, fails="E0404")
