"""Primes and factors against trial division."""

import numpy as np

from field import Call, UpTo


def primes(n):
    return np.array([i for i in range(2, n) if all(i % j for j in range(2, int(i**0.5) + 1))], dtype=np.int64)


def factors(x):
    found, p = [], 2
    while p * p <= x:
        while x % p == 0:
            found.append(p)
            x //= p
        p += 1
    return np.array(found + [x] * (x > 1), dtype=np.int64)


def calls():
    for n in (0, 1, 2, 3, 4, 5, 10, 30, 31, 32, 1000):
        yield Call("primes", (n,), UpTo(primes(n), n))
        yield Call("gaps", (n,), UpTo(np.diff(primes(n)), n))
    for x in (-5, 0, 1, 2, 3, 4, 97, 360, 2**31 - 1, 2**40, 10**12 + 39):
        yield Call("factors", (x,), UpTo(factors(x), 64), slow=x > 10**9)
