"""UTF-8 by Python's decoder, lower case and words by its bytes."""

import numpy as np

from field import Call, UpTo, octets, rng

WRONG = [
    b"\x80", b"\xbf", b"\xc0\x80", b"\xc1\xbf", b"\xc3", b"\xe0\x9f\xbf", b"\xe2\x82", b"\xed\xa0\x80", b"\xed\xbf\xbf",
    b"\xf0\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xff", b"\xf0\x9f\x98", b"\xc3\xc3\xa4", b"\xe2\x82\xac\x80",
]
RIGHT = ["\0", "\x7f", "\x80", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff"]


def is_valid(data):
    try:
        data.decode()
        return True
    except UnicodeDecodeError:
        return False


def calls():
    r = rng("utf8_lanes")
    texts = [b"", b"a", b"words \n and\n\n lines " * 9, *(c.encode() for c in RIGHT)]
    for k, wrong in enumerate(WRONG):
        texts += [wrong, b"x" * (5 + k) + wrong + b"y" * (k * 3), b"z" * (33 - len(wrong)) + wrong]
    for n in (15, 16, 17, 61, 256):
        text = "".join(r.choice([*RIGHT, "A", "z", "Z", "[", " ", "\n"], n))
        texts.append(text.encode())
        texts.append(text.encode()[: n - n % 16] + b"\xe2\x82")
    for text in texts:
        yield Call("valid", (octets(text),), is_valid(text), slow=len(text) > 40)
    for text in texts[:4] + texts[-10::2]:
        characters = sum(1 for b in text if b & 0xC0 != 0x80)
        yield Call("length", (octets(text),), characters)
        yield Call("lower", (octets(text),), octets(text.lower()))
        starts = np.array([0, *(i + 1 for i, b in enumerate(text) if b == 10)], "i8")
        yield Call("lines", (octets(text),), (UpTo(starts, len(text) + 1), len(text.replace(b"\n", b" ").split(b" ")) - text.replace(b"\n", b" ").split(b" ").count(b"")), slow=len(text) > 100)
