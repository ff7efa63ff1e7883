"""Numbers of any size against those of Python."""

import numpy as np

from field import Call, rng


def words(x, n):
    return np.array([x >> 32 * i & 0xFFFFFFFF for i in range(n)], dtype="u4")


def calls():
    r = rng("bignum")
    for n, m in ((0, 0), (1, 0), (1, 1), (3, 2), (20, 33)):
        a, b, c = (int.from_bytes(r.bytes(4 * k), "little") for k in (n, m, n))
        if n == 3:
            a = c = 2**96 - 1
        yield Call("sum", (words(a, n), words(c, n)), words(a + c, n + 1))
        yield Call("product", (words(a, n), words(b, m)), words(a * b, n + m))
        for d in (1, 10, 2**32 - 1):
            yield Call("divided", (words(a, n), np.uint32(d)), (words(a // d, n), np.uint32(a % d)))
    yield Call("divided", (words(5, 1), np.uint32(0)), (words(0, 1), np.uint32(0)), fails="E0602")
    primes = [n for n in range(2000) if n > 1 and all(n % k for k in range(2, int(n**0.5) + 1))]
    for n in (0, 1, 2, 3, 10, 2000):
        sieve = np.zeros(n, dtype=bool)
        sieve[[p for p in primes if p < n]] = True
        yield Call("sieve", (n,), sieve)
    for n, prime in ((0, False), (1, False), (2, True), (37, True), (39, False), (561, False), (2**31 - 1, True), (2**61 - 1, True),
                     (3215031751, False), (2**64 - 59, True), (2**64 - 1, False), (4294967291 * 4294967279, False)):
        yield Call("is_prime", (np.uint64(n),), prime)
