"""The stack machine in plain Python."""

import numpy as np

from field import Call, rng


def wrap(x):
    return (x + (1 << 63)) % (1 << 64) - (1 << 63)


def quotient(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def run(code, limit):
    """(kind, number), where it stopped, steps."""
    stack, calls, at = [], [], 0
    for step in range(limit):
        def failed(why):
            return (10 + why, at), at, step + 1
        if not 0 <= at < len(code):
            return failed(2)
        op, data = code[at]
        if op in (2, 3, 4, 10):
            if op == 10 and stack and stack[-1] == 0:
                return failed(4)
            if len(stack) < 2:
                return failed(1)
            b, a = stack.pop(), stack.pop()
            stack.append(wrap({2: a + b, 3: a * b, 4: a - b, 10: quotient(a, b) if op == 10 else 0}[op]))
        elif op in (1, 5, 11):
            need = {1: 0, 5: 1, 11: 2}[op]
            if len(stack) < need:
                return failed(1)
            if len(stack) == 12:
                return failed(3)
            stack.append(data if op == 1 else stack[-need])
        elif op == 6:
            if len(stack) < 2:
                return failed(1)
            stack[-2:] = stack[:-3:-1]
        elif op == 7:
            if not stack:
                return failed(1)
            if stack.pop() != 0:
                at = data
                continue
        elif op == 8:
            if len(calls) == 4:
                return failed(5)
            calls.append(at + 1)
            at = data
            continue
        elif op == 9:
            if not calls:
                return failed(5)
            at = calls.pop()
            continue
        elif op == 0:
            return (1, stack[-1] if stack else 0), at, step + 1
        else:
            return failed(6)
        at += 1
    return (0, 0), at, limit


FACTORIAL = [(1, 10), (1, 1), (11, 0), (3, 0), (6, 0), (1, 1), (4, 0), (6, 0), (11, 0), (7, 2), (0, 0)]
DEEP = [(8, 1), (8, 2), (8, 3), (8, 4), (8, 0)]
SQUARES = [(1, 7), (8, 4), (8, 4), (0, 0), (5, 0), (3, 0), (9, 0)]
LEAST = [(1, -(1 << 63)), (1, -1), (10, 0), (0, 0)]
ENDLESS = [(1, 1), (7, 0)]
KNOWN = [FACTORIAL, DEEP, SQUARES, LEAST, ENDLESS, [(1, 5), (1, 0), (10, 0)], [(5, 0)], [(77, 0)], [(1, 1), (7, -3)], [(1, 3), (5, 0)] + [(5, 0)] * 12]


def calls():
    r = rng("lane_machines")
    for g, n, limit in ((0, 3, 2), (1, 0, 5), (1, 1, 7), (2, 16, 200), (3, 11, 53), (5, 29, 31)):
        ops = r.choice([0, 1, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], (8 * g, n)).astype("u1")
        data = r.integers(-1, n + 2, (8 * g, n)).astype("i8")
        for row, code in enumerate(KNOWN[:8 * g]):
            if n >= len(code):
                ops[row, :len(code)], data[row, :len(code)] = zip(*code)
        found = [run(list(zip(o, d)), limit) for o, d in zip(ops.tolist(), data.tolist())]
        kinds, values = np.array([f[0][0] for f in found], "u1"), np.array([f[0][1] for f in found], "i8")
        want = kinds, values, np.array([f[1] for f in found], "i4"), np.array([f[2] for f in found], "i4")
        yield Call("run_all", (ops, data, np.int32(limit)), want)
