"""UTF-8 against the codecs of Python."""

import numpy as np

from field import Call, octets, rng


def calls():
    r = rng("unicode")
    texts = ["", "abc", "Grüße, Ωmega", "€𝄞\U0010ffff\u07ff\u0800\uffff", "".join(chr(int(c)) for c in r.integers(32, 0xD000, 100))]
    for text in texts:
        data, points = text.encode(), np.array([ord(c) for c in text], dtype="u4")
        yield Call("decode", (octets(data),), (np.append(points, np.zeros(len(data) - len(points), "u4")), len(points)))
        yield Call("encode", (points,), (octets(data.ljust(4 * len(points), b"\0")), len(data)))
    for wrong in (b"\xff", b"a\x80", b"ab\xc0\x80", b"\xc3", b"\xe2\x82", b"\xe0\x80\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xf0\x80\x80\x80", b"x\xc3("):
        try:
            wrong.decode()
        except UnicodeDecodeError as e:
            yield Call("decode", (octets(wrong),), (np.zeros(len(wrong), "u4"), -1 - e.start))
    text = b"The quick brown fox {jumps} over @ the lazy dog" * 3
    counts = np.bincount([c - 97 for c in text.lower() if 97 <= c < 123], minlength=26).astype("i4")
    yield Call("letters", (octets(text),), counts)
    yield Call("letters", (octets(b""),), np.zeros(26, "i4"))
