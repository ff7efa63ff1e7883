"""Searching against the strings of Python."""

import fnmatch

from field import Call, octets, rng


def calls():
    r = rng("search")
    text = "".join(r.choice(list("ab \n"), 500))
    for t, p in (("", "a"), ("a", "a"), ("aaaa", "aa"), ("abcabcabd", "abcabd"), (text, "abab"), (text, text[100:140]), ("xy", "xyz")):
        starts = [i for i in range(len(t)) if t.startswith(p, i)]
        yield Call("first", (octets(t), octets(p)), t.find(p))
        yield Call("count", (octets(t), octets(p)), len(starts))
    for t in ("", " ", "one", "one two\n", "\n\n x\ty\r\nz", text):
        yield Call("wc", (octets(t),), (t.count("\n"), len(t.split()), len(t)))
    for t, p in (("", ""), ("", "*"), ("abc", "a?c"), ("abc", "*c"), ("abc", "*b"), ("aXbXc", "a*X?"), ("mississippi", "m*iss*pi"), ("ab", "a**b*"), ("a", "")):
        yield Call("matches", (octets(t), octets(p)), fnmatch.fnmatchcase(t, p))
    yield Call("count", (octets("ab"), octets("")), 0, fails="E0404")
