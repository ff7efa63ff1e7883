"""Tables of numbers against Python's float()."""

import numpy as np

from field import Call, octets, rng


def calls():
    r = rng("csv")
    for rows, columns in ((1, 1), (2, 3), (7, 2), (100, 5)):
        table = r.normal(size=(rows, columns)) * 10.0 ** r.integers(-9, 9, (rows, columns))
        form = ["%.6f", "%d", "%.5e", "%g", "-%.0E"]
        lines = [",".join((form[(i + j) % 5] % x).replace("--", "") for j, x in enumerate(row)) + "\n" for i, row in enumerate(table)]
        text = octets("".join(lines))
        read = np.array([[float(x) for x in line.split(",")] for line in lines])
        yield Call("shape_of", (text,), (rows, columns))
        yield Call("sums", (text, columns), read.sum(axis=0), rtol=1e-12, atol=1e-300 + 1e-13 * np.abs(read).sum())
    yield Call("shape_of", (octets(""),), (0, 0))
    yield Call("shape_of", (octets("1,2\n3\n"),), (-1, 2))
    yield Call("sums", (octets(""), 0), np.zeros(0))
    yield Call("sums", (octets("-0.5,.5,5.\n"), 3), np.array([-0.5, 0.5, 5.0]))
