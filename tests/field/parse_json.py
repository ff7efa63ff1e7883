"""JSON texts against the module of Python."""

import json

import numpy as np

from field import Call, octets


def measure(value):
    """The depth of a value and how many values it has, itself one of them."""
    if isinstance(value, (list, dict)):
        parts = [measure(v) for v in (value.values() if isinstance(value, dict) else value)]
        return 1 + max((d for d, _ in parts), default=0), 1 + sum(n for _, n in parts)
    return 0, 1


GOOD = ["0", " -1.5e+3 ", '"a\\"b"', "true", "null", "[]", "{}", "[[], {}, [1, 2]]", '{"a": [1, {"b": null}], "c": "d"}', "[" * 40 + "]" * 40, "\n[ 1 ,\t2 ]\r\n"]
BAD = ["", "01", "1.", "-", "[1,]", "[,1]", "{1: 2}", '{"a" 1}', '{"a": 1,}', "[1", "]", "[}", '"a', "tru", "1 2", '{"a": 1 "b": 2}', "[1 2]", '"\n"', "nul", "{\"a\"}"]


def calls():
    for text in GOOD:
        depth, count = measure(json.loads(text))
        yield Call("check", (octets(text),), (-1, np.int32(depth), count))
    for text in BAD:
        try:
            json.loads(text)
            raise AssertionError(text)
        except json.JSONDecodeError:
            yield Call("good", (octets(text),), False)
    for text in GOOD:
        yield Call("good", (octets(text),), True)
