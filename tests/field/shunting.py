"""Expressions against recursive descent over numbers without bound, reduced modulo 2^64."""

import re

import numpy as np

from field import Call, Option, octets, rng

OF = [(np.int64,), (), (np.int64,)]


class Wrong(Exception):
    pass


def wrapped(x):
    return (x + 2**63) % 2**64 - 2**63


def quotient(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


class Reader:
    """Pairs of a token and its position, read from the front."""

    def __init__(self, text):
        self.tokens = [(t.group(), t.start()) for t in re.finditer(r"\d+|\S", text)] + [("", len(text))]

    def take(self, wanted):
        if self.tokens[0][0] not in wanted:
            raise Wrong(self.tokens[0][1])
        return self.tokens.pop(0)[0]

    def factor(self):
        if self.tokens[0][0].isdigit():
            return wrapped(int(self.tokens.pop(0)[0]))
        self.take("(" if self.tokens[0][0] else [])
        value = self.sum()
        self.take([")"])
        return value

    def product(self):
        value = self.factor()
        while self.tokens[0][0] in ("*", "/"):
            times = self.tokens.pop(0)[0] == "*"
            other = self.factor()
            value = wrapped(value * other if times else quotient(value, other))
        return value

    def sum(self):
        value = self.product()
        while self.tokens[0][0] in ("+", "-"):
            sign = 1 if self.tokens.pop(0)[0] == "+" else -1
            value = wrapped(value + sign * self.product())
        return value


def result(text):
    reader = Reader(text)
    try:
        value = reader.sum()
        reader.take([""])
    except ZeroDivisionError:
        return Option("Result.DividedByZero", 1, (), OF)
    except Wrong as wrong:
        return Option("Result.Wrong", 2, (wrong.args[0],), OF)
    return Option("Result.Value", 0, (value,), OF)


def expression(r, depth):
    """A random expression, with and without brackets and blanks."""
    if depth == 0 or r.random() < 0.2:
        return str(r.choice([0, 1, 2, 7, 12, 2**31, 2**63 - 1]))
    blanks = " " * int(r.integers(0, 3))
    text = expression(r, depth - 1) + blanks + str(r.choice(list("+-*/"))) + blanks + expression(r, depth - 1)
    return f"({text})" if r.random() < 0.5 else text


def calls():
    r = rng("shunting")
    texts = [expression(r, 4) for _ in range(8)]
    texts += ["1", " 2 + 3*4 ", "1-2-3", "64/4/2", "9999999999999999999", "(0-9223372036854775807-1)/(0-1)", "(0-7)/2", "1/0", "4/(2-2)"]
    texts += ["", " ", "(", ")", "()", "1+", "1 2 +", "(1", "1)", "2(3)", "1 + x", "\0", "1 ++ 2"]
    for text in texts:
        yield Call("calculate", (octets(text),), result(text))
    yield Call("calculate", (octets(b"\xff"),), Option("Result.Wrong", 2, (0,), OF))
    deep = "(" * 300 + "5" + ")" * 300
    yield Call("calculate", (octets(deep),), Option("Result.Value", 0, (5,), OF))
