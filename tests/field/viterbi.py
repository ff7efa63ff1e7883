"""Hidden Markov models against all sequences of states, or matrices."""

import itertools

import numpy as np

from field import Call, Struct, rng


def calls():
    r = rng("viterbi")
    for k, v, n in ((1, 1, 1), (2, 3, 5), (3, 2, 7), (4, 4, 3), (2, 2, 0)):
        start, step, emit = r.dirichlet(np.ones(k)), r.dirichlet(np.ones(k), k), r.dirichlet(np.ones(v), k)
        seen = r.integers(0, v, n, dtype="i4")
        model = Struct("Model", start=start, step=step, emit=emit)
        if n == 0:
            yield Call("likelihood", (model, seen), 0.0, atol=1e-12)
            continue
        chances = {}
        for states in itertools.product(range(k), repeat=n):
            p = start[states[0]] * emit[states[0], seen[0]]
            for a, b, o in zip(states, states[1:], seen[1:]):
                p *= step[a, b] * emit[b, o]
            chances[states] = p
        best = max(chances, key=chances.get)
        yield Call("likelihood", (model, seen), float(np.log(sum(chances.values()))), rtol=1e-9)
        yield Call("decode", (model, seen), (np.array(best, dtype="i4"), float(np.log(chances[best]))), rtol=1e-9)
    never = Struct("Model", start=np.array([1.0, 0.0]), step=np.eye(2), emit=np.eye(2))
    yield Call("likelihood", (never, np.array([0, 1], dtype="i4")), -np.inf)
    yield Call("likelihood", (never, np.array([0, 2], dtype="i4")), -np.inf, fails="E0601")
    long = r.integers(0, 2, 200, dtype="i4")
    yield Call("decode", (Struct("Model", start=np.array([0.5, 0.5]), step=np.eye(2), emit=np.array([[0.5, 0.5], [0.25, 0.75]])), long),
               (np.full(200, int(long.mean() > np.log(2) / np.log(3)), dtype="i4"), max(200 * np.log(0.5), (long == 0).sum() * np.log(0.25) + long.sum() * np.log(0.75)) + np.log(0.5)), rtol=1e-9)
