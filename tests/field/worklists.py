"""Lists that shrink or grow from one call to the next: sieving, selection, rewriting, against Python."""

import numpy as np

from field import Call, UpTo, rng


def reduced(word):
    out = []
    for x in word:
        if out and out[-1] == -x:
            out.pop()
        else:
            out.append(x)
    return out


def divisible(xs, k):
    for _ in range(k):
        xs = [x // 2 for x in xs if x % 2 == 0]
    return np.array(xs, dtype="i8")


def calls():
    r = rng("worklists")
    for limit in (0, 1, 2, 3, 30, 541):
        primes = sum(all(p % d for d in range(2, int(p**0.5) + 1)) for p in range(2, limit + 1))
        yield Call("number_of_primes", (limit,), primes)
    for n in (1, 2, 7, 64, 101):
        xs = r.integers(0, n, size=n).astype("f4")
        for k in {0, n // 2, n - 1}:
            yield Call("select", (k, xs), np.float32(np.sort(xs)[k]))
        ints = r.integers(0, 2**62, size=n)
        for k in (0, 1, 3):
            want = divisible(ints.tolist(), k)
            yield Call("divisible", (k, ints), UpTo(want, n))
            yield Call("divisible_k", (k, ints), UpTo(want, n))
        yield Call("divisible3", (ints,), UpTo(divisible(ints.tolist(), 3), n))
        word = r.choice([-2, -1, 1, 2], size=n).astype("i4")
        yield Call("reduced_word", (word,), UpTo(np.array(reduced(word.tolist()), dtype="i4"), n))
