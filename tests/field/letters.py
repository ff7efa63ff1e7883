"""Statistics of texts against Python."""

import re

import numpy as np

from field import Call, octets, rng

TEXTS = [
    "a",
    "A man, a plan, a canal: Panama",
    "The 3 quick brown foxes\njump 20 times over 100 lazy dogs.\n",
    "no12numbers34 here\t007",
    "... --- ...",
]


def counts(text):
    words = re.findall(r"[A-Za-z0-9]+", text)
    letters = sum(c.isalpha() for c in text)
    digits = sum(c.isdigit() for c in text)
    blanks = sum(c in " \t" for c in text)
    longest = max(map(len, words), default=0)
    return tuple(map(np.int32, (letters, digits, blanks, text.count("\n"), len(words), longest)))


def histogram(text):
    return np.array([text.lower().count(chr(97 + k)) for k in range(26)], dtype="i4")


def palindrome(text):
    letters = [c for c in text.lower() if c.isalpha()]
    return letters == letters[::-1]


def calls():
    r = rng("letters")
    random = "".join(chr(c) for c in r.integers(32, 127, 400))
    for text in [*TEXTS, random]:
        table = histogram(text)
        yield Call("counts", (octets(text),), counts(text))
        yield Call("histogram", (octets(text),), table)
        yield Call("most_frequent", (octets(text),), (np.int32(table.argmax()), np.int32(table.max())))
        yield Call("sum_of_numbers", (octets(text),), sum(map(int, re.findall(r"[0-9]+", text))))
        yield Call("is_palindrome", (octets(text),), palindrome(text))
