"""Expressions against eval()."""

import numpy as np

from field import Call, Option, octets

DATA = [(np.float64,), (np.int64,)]


def calls():
    for text in ("1", " 2 + 3*4 ", "(2+3)*4", "-(1.5-2)/4", "2*(3+-4)/5", "((((7))))", "1-2-3", "8/4/2", "--3", "1.25*1.5-0.125"):
        yield Call("compute", (octets(text),), Option("Result.Value", 0, (eval(text) * 1.0,), DATA), rtol=1e-14)
    for text, at in (("", 0), ("1+", 2), ("(1", 2), ("1)", 1), ("2 2", 2), ("*", 0), ("1+x", 2), ("()", 1)):
        yield Call("compute", (octets(text),), Option("Result.Wrong", 1, (at,), DATA))
    yield Call("compute", (octets("1/0"),), Option("Result.Value", 0, (np.inf,), DATA))
