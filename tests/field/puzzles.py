"""Queens by their known numbers, sudokus by checking rows, programs by their meaning."""

import numpy as np

from field import Call, octets

PUZZLE = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def grid(text):
    return np.array([int(c) for c in text], dtype="u1").reshape(9, 9)


def calls():
    for n, ways in ((0, 1), (1, 1), (2, 0), (4, 2), (6, 4), (8, 92)):
        yield Call("queens", (np.int32(n),), ways)
    yield Call("sudoku", (grid(PUZZLE),), grid(SOLVED))
    yield Call("sudoku", (grid(SOLVED),), grid(SOLVED))
    hello = b"++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++."
    yield Call("run", (octets(hello), octets(""), 20), (octets(b"Hello World!\n".ljust(20, b"\0")), 13))
    yield Call("run", (octets(",[.,]"), octets("echo"), 4), (octets("echo"), 4))
    yield Call("run", (octets(",[.,]"), octets("echo"), 3), (octets("ech"), 3), fails="E0601")
    yield Call("run", (octets("<+"), octets(""), 1), (octets("\0"), 0), fails="E0601")
    yield Call("run", (octets("]"), octets(""), 0), (octets(""), 0), fails="E0601")
    yield Call("run", (octets(",>,<[->[->+>+<<]>>[-<<+>>]<<<]>>."), octets(bytes([7, 6])), 1), (octets(bytes([42])), 1))
