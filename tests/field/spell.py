"""For each word the nearest word of a dictionary, by edit distances, cell by cell."""

import numpy as np

from field import Call, Rows, UpTo, rng


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (x != y))
    return row[-1]


def words(r, lengths):
    return [bytes(r.choice(list(b"abcde"), n).astype("u1")) for n in lengths]


def nearest(some, dictionary):
    found = []
    for word in some:
        far = [distance(word, other) for other in dictionary]
        found.append((far.index(min(far)), min(far)) if far else (-1, -1))
    return Rows((np.array([line for line, _ in found], "i8"), np.array([edits for _, edits in found], "i4")))


def calls():
    r = rng("spell")
    lists = [
        (words(r, (3, 0, 5, 11, 1)), words(r, (2, 4, 5, 7, 0, 12))),
        (words(r, range(17)), words(r, r.integers(0, 20, 33))),
        (words(r, (280, 3)), words(r, (270, 290, 4))),
        (words(r, (3,)), []),
        ([], words(r, (3,))),
    ]
    for some, dictionary in lists:
        texts = [np.frombuffer(b"".join(word + b"\n" for word in list), "u1") for list in (some, dictionary)]
        yield Call("nearest", texts, UpTo(nearest(some, dictionary), texts[0].size))
