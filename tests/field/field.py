"""What the reference of a program says: the calls to make, and what they give.

NAME.py has a function `calls()` that gives `Call`s of the entries of NAME.adz, in the order in which they are made. Inputs come from
`rng(NAME)`, so that every run has the same ones. The results are computed by NumPy or plain Python, not by Adze.
"""

import zlib
from dataclasses import dataclass, field

import numpy as np


class Failure(Exception):
    """A check that did not hold: what, and what was seen."""


@dataclass
class Struct:
    """A value of a struct: Struct("Body", mass=1.0)."""

    name: str
    fields: dict

    def __init__(self, name, **fields):
        self.name = name
        self.fields = fields


@dataclass
class Option:
    """A value of an enum: Option("Shape.Circle", 0, (1.0,), [(np.float64,), (np.float64, np.float64), ()]).

    number: which option it is. of: the types of the data of all options; those of the others are not looked at.
    """

    name: str
    number: int
    data: tuple
    of: list


@dataclass
class Index:
    """A value of type idx[bound]."""

    value: int
    bound: int


class Rows(tuple):
    """An array of tuples, given as the tuple of its columns."""


class Table(Struct):
    """An array of structs, given as its columns: Table("Body", mass=masses)."""


class Records(Table):
    """An array of structs with #[c_layout], given as its columns: one array in C and in files.

    A member that is an array has more dimensions; one that is a struct is a structured array whose dtype names it: metadata={"struct": "Vec3"}.
    """

    def array(self):
        columns = {name: np.asarray(column) for name, column in self.fields.items()}
        rank = min(column.ndim for column in columns.values())
        fields = [(name, column.dtype, column.shape[rank:]) for name, column in columns.items()]
        array = np.zeros(next(iter(columns.values())).shape[:rank], np.dtype(fields, align=True))
        for name, column in columns.items():
            array[name] = column
        return array


class Record(Struct):
    """A value of a struct with #[c_layout], which C takes as a struct: Record("Body", mass=np.float64(2))."""

    def array(self):
        fields = [(name, value.dtype, value.shape) for name, value in self.fields.items()]
        return np.array(tuple(self.fields.values()), np.dtype(fields, align=True, metadata={"struct": self.name}))


@dataclass
class UpTo:
    """A result of type [?bound]t: the elements that exist, as an array, `Rows`, a `Table` or `Records`."""

    elements: object
    bound: int


@dataclass
class UpTos:
    """A result of type [n][?bound]t: an array for each of the n rows, and the dtype of t."""

    rows: list
    bound: int
    dtype: np.dtype


@dataclass
class Buffer:
    """The memory of a result in C, and which elements of it are defined."""

    data: np.ndarray
    defined: np.ndarray
    dtype = property(lambda self: self.data.dtype)
    shape = property(lambda self: self.data.shape)
    size = property(lambda self: self.data.size)
    ndim = property(lambda self: self.data.ndim)
    nbytes = property(lambda self: self.data.nbytes)


@dataclass
class Ignored:
    """A component of a result that nobody looks at."""

    dtype: np.dtype
    shape = ()
    nbytes = property(lambda self: np.dtype(self.dtype).itemsize)


@dataclass
class Call:
    """A call of an entry.

    entry: its name.
    args: NumPy arrays, numbers, bools, `Index`es, tuples, `Rows`, `Table`s, `Struct`s and `Option`s of those, one for each parameter.
    want: the result: a NumPy array, a number, a bool, an `Option`, `Rows`, an `UpTo` or `UpTos`, or a tuple of those, also for a struct. Its dtypes are those of the result's type; int,
        float and bool of Python are i64, f64 and bool.
    rtol, atol: how far floats may be off, as for numpy.allclose. Without them results are exact.
    sizes: the size parameters that are no length of an argument.
    fails: the code of the run-time error, such as "E0601", if the call has to fail; `want` then has the type and shape of a result.
    slow: not for the interpreter.
    """

    entry: str
    args: tuple
    want: object
    rtol: float = 0.0
    atol: float = 0.0
    sizes: dict = field(default_factory=dict)
    fails: str = None
    slow: bool = False


def rng(name):
    """Random numbers that are the same in every run."""
    return np.random.default_rng(zlib.crc32(name.encode()))


def buffer(rows, bound, dtype):
    """The numbers of elements of the rows, and memory for `bound` elements of each."""
    counts = np.array([len(row) for row in rows], dtype=np.int64)
    element = np.shape(rows[0])[1:] if len(rows) else ()
    data = np.zeros((len(rows), bound, *element), dtype)
    for to, row in zip(data, rows):
        to[: len(row)] = row
    return counts, Buffer(data, np.arange(bound) < counts[:, None])


def leaves(value):
    """The scalar components of a value, in the order in which the caller in C passes them, as NumPy arrays and scalars."""
    if isinstance(value, UpTos):
        return list(buffer(value.rows, value.bound, value.dtype))
    if isinstance(value, UpTo):
        parts = [buffer([part], value.bound, part.dtype) for part in leaves(value.elements)]
        return [parts[0][0][0], *[Buffer(memory.data[0], memory.defined[0]) for _, memory in parts]]
    if isinstance(value, (Record, Records)):
        return [value.array()]
    if isinstance(value, (tuple, list)):
        return [leaf for part in value for leaf in leaves(part)]
    if isinstance(value, Struct):
        return [leaf for part in value.fields.values() for leaf in leaves(part)]
    if isinstance(value, Option):
        others = [value.data if k == value.number else [Ignored(np.dtype(t)) for t in of] for k, of in enumerate(value.of)]
        return [np.int32(value.number), *leaves(others)]
    if isinstance(value, Index):
        return [np.int64(value.value)]
    if isinstance(value, bool):
        return [np.bool_(value)]
    if isinstance(value, int):
        return [np.uint64(value) if value >= 2**63 else np.int64(value)]
    if isinstance(value, float):
        return [np.float64(value)]
    return [value]


def octets(text):
    """A text as an array of u8."""
    return np.frombuffer(text.encode() if isinstance(text, str) else bytes(text), dtype=np.uint8)
