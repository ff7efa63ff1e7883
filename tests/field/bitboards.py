"""Sets of squares against pieces that walk on a board, and a checksum bit by bit."""

import numpy as np

from field import Call, UpTo, octets, rng

ROOK = [(1, 0), (0, 1), (-1, 0), (0, -1)]
KNIGHT = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]


def attack(square, knight, taken):
    found = 0
    for dx, dy in KNIGHT if knight else ROOK:
        x, y = square % 8 + dx, square // 8 + dy
        while 0 <= x < 8 and 0 <= y < 8:
            found |= 1 << (8 * y + x)
            if knight or taken >> (8 * y + x) & 1:
                break
            x, y = x + dx, y + dy
    return found


def crc(data):
    value = int.from_bytes(data, "big") << 64
    for bit in range(8 * len(data) + 63, 63, -1):
        if value >> bit & 1:
            value ^= (1 << 64 | 0x42F0E1EBA9EA3693) << (bit - 64)
    return np.uint64(value)


def calls():
    r = rng("bitboards")
    for n in (0, 1, 2, 13, 64, 1009):
        squares, knight = r.integers(0, 64, n, dtype="u1"), r.random(n) < 0.5
        for taken in (0, 2**64 - 1, int(r.integers(0, 2**64, dtype="u8") & r.integers(0, 2**64, dtype="u8"))):
            want = np.array([attack(int(s), k, taken) for s, k in zip(squares, knight)], "u8")
            yield Call("attacks", (squares, knight, np.uint64(taken)), want, slow=n > 100)
        sets = r.integers(0, 2**64, n, dtype="u8")
        sets[:1] = 2**64 - 1
        sizes = np.array([bin(s).count("1") for s in sets.tolist()], "i4")
        want = (sizes, np.bitwise_or.reduce(sets), np.bitwise_and.reduce(sets) if n else np.uint64(2**64 - 1))
        yield Call("count", (sets,), want, slow=n > 100)
    for value in (0, 1, 2**63, 2**63 - 1, 2**64 - 1, 0x8100000000000081):
        yield Call("list", (np.uint64(value),), UpTo(np.array([s for s in range(64) if value >> s & 1], "u1"), 64))
    for text in (b"", b"\0", b"123456789", bytes(range(256)), bytes(r.integers(0, 256, 1009, dtype="u1"))):
        yield Call("crc", (octets(text),), crc(text), slow=len(text) > 100)
