"""Random walks in plain Python."""

import numpy as np

from field import Call, Records, rng

M = (1 << 64) - 1


def rotl(x, k):
    return (x << k | x >> 64 - k) & M


class State:
    def __init__(self, a, b, draws):
        self.a, self.b, self.draws = a, b, draws

    def next(self):
        a, b = self.a, self.a ^ self.b
        result = self.a + self.b & M
        self.a, self.b = (rotl(a, 24) ^ b ^ b << 16) & M, rotl(b, 37)
        self.draws += 1
        return result

    def below(self, n):
        while True:
            m = (self.next() >> 32) * n
            if m & 0xFFFFFFFF >= (1 << 32) % n:
                return m >> 32


def walked(s, draws, who, limit, m):
    states = [State(int(a), int(b), int(d)) for (a, b), d in zip(s, draws)]
    count = len(who)
    visits, heat, ends = np.zeros((count, m), "u2"), np.zeros((count, m), "f4"), np.zeros(count, "i4")
    for i in range(count):
        at, steps, state = m // 2, 0, states[who[i]]
        while 0 <= at < m and steps < limit:
            visits[i, at] += 1
            heat[i, at] = np.float32(0.5) * heat[i, at] + np.float32(steps)
            at += 1 - state.below(3)
            if at == 0:
                at = state.below(m)
            steps += 1
        ends[i] = at
    s = np.array([(x.a, x.b) for x in states], "u8").reshape(count, 2)
    return Records("State", s=s, draws=np.array([x.draws for x in states], "u4")), visits, heat, ends


def calls():
    r = rng("walkers")
    for w, m, limit in ((0, 3, 5), (1, 1, 3), (1, 2, 0), (1, 5, 30), (2, 7, 100), (5, 13, 53)):
        s, draws = r.integers(0, M, (4 * w, 2), dtype="u8", endpoint=True), r.integers(0, 9, 4 * w).astype("u4")
        who = r.permutation(4 * w).astype("i4")
        yield Call("walk", (m, Records("State", s=s, draws=draws), who, np.int32(limit)), walked(s, draws, who, limit, m), rtol=1e-6)
    bad = who.copy()
    bad[6] = -1
    yield Call("walk", (m, Records("State", s=s, draws=draws), bad, np.int32(limit)), walked(s, draws, who, limit, m), fails="E0601")
