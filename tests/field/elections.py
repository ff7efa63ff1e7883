"""Elections counted with dictionaries."""

import numpy as np

from field import Call, Index, Option, rng

OF = [(np.int32, np.int32), (), (np.int32, np.int32)]


def won(who, rounds):
    return Option("Outcome.Won", 0, (np.int32(who), np.int32(rounds)), OF)


def runoff(ballots, c):
    left = list(range(c))
    for rounds in range(1, c + 1):
        votes = dict.fromkeys(left, 0)
        for ballot in ballots.tolist():
            who = next((b for b in ballot if b in votes), None)
            if who is not None:
                votes[who] += 1
        total = sum(votes.values())
        if not total:
            return Option("Outcome.Open", 1, (), OF)
        best = max(left, key=lambda w: (votes[w], -w))
        if 2 * votes[best] > total:
            return won(best, rounds)
        if len(left) == 2:
            other = left[1 - left.index(best)]
            return Option("Outcome.Tied", 2, (np.int32(best), np.int32(other)), OF)
        left.remove(min(left, key=lambda w: (votes[w], -w)))
    raise AssertionError


def pairs(ballots, c):
    want = np.zeros((c, c), "i4")
    for ballot in ballots.tolist():
        place = {who: i for i, who in enumerate(ballot) if who < c}
        for a in place:
            for b in range(c):
                want[a, b] += place[a] < place.get(b, 255)
    return want


def calls():
    r = rng("elections")
    for v, c in ((0, 1), (0, 3), (1, 1), (2, 2), (7, 3), (13, 4), (100, 5), (1009, 7), (60, 2)):
        ballots = np.array([r.permutation(c) for _ in range(v)], "u1").reshape(v, c)
        ballots[np.arange(c) >= r.integers(0, c + 1, (v, 1))] = 255
        if v == 60:
            ballots[:] = np.where(np.arange(60)[:, None] < 30, (0, 1), (1, 0))
        yield Call("runoff", (ballots,), runoff(ballots, c), slow=v > 100)
        yield Call("pairs", (ballots,), pairs(ballots, c), slow=v > 100)
        sums = np.zeros(c, "i8")
        for ballot in ballots.tolist():
            for j, who in enumerate(ballot):
                if who < c:
                    sums[who] += c - 1 - j
        yield Call("points", (ballots,), (sums, Index(int(sums.argmax()), c)), slow=v > 100)
    yield Call("runoff", (np.zeros((3, 0), "u1"),), won(0, 0), fails="E0404")
