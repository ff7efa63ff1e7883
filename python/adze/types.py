"""The types of entries: how values of Python become buffers of a call, and results values.

An array of tuples, or of structs without `#[c_layout]`, is an array for each component. So the
functions here get the dimensions around a type, `dims`: a list of sizes.
"""

from collections import namedtuple

import numpy as np

from . import arrays
from .errors import DtypeError, LayoutError, ShapeError
from .names import python_name
from .sizes import Size


class Call:
    """The buffers of one call, as they are collected."""

    def __init__(self, records, solver, convert):
        self.records = records  # for each buffer the number of its struct in C layout, or None
        self.solver = solver
        self.convert = convert
        self.buffers = []
        self.outputs = []  # arrays of the caller

    def put(self, array, is_strided=False):
        self.buffers.append(array)
        if is_strided:
            strides = [np.asarray(s // array.itemsize, np.int64) for s in array.strides]
            self.buffers.extend(strides)

    def put_record(self, array):
        """A struct in C layout, or an array of them: one memory for several buffers."""
        first = last = len(self.buffers)
        while last < len(self.records) and self.records[last] == self.records[first]:
            last += 1
        self.buffers.extend([array] * (last - first))

    def shape(self, dims):
        """The shape of a result. The entry rejects sizes that are negative or have no value."""
        return tuple(max(0, d.value(self.solver.known) or 0) for d in dims)

    def add_shape(self, array, dims, place):
        for axis, size in enumerate(dims):
            where = f"in axis {axis} of argument `{place.text}`"
            self.solver.add(size, array.shape[axis], where, place.argument)

    def fill_blanks(self):
        """Makes the arrays of options that a value does not have."""
        for i, buffer in enumerate(self.buffers):
            if callable(buffer):
                self.buffers[i] = buffer()

    def is_apart(self, array):
        """Whether no buffer overlaps the array. Reports results that do."""
        for other in self.outputs:
            if np.may_share_memory(array, other):
                raise LayoutError("two results share the memory of one array in `out`")
        self.outputs.append(array)
        return not any(np.may_share_memory(array, b) for b in self.buffers)


class Place:
    """What a value is, for messages: `a` or `p.x`, of an argument."""

    def __init__(self, argument, entry, text=None):
        self.argument = argument
        self.entry = entry
        self.text = text or argument

    def __str__(self):
        return f"argument `{self.text}` of {self.entry}"

    def part(self, name):
        return Place(self.argument, self.entry, f"{self.text}.{name}")


class Type:
    def __init__(self, described):
        self.text = described["text"]

    def misfit(self, place, needed):
        return DtypeError(f"{place} does not fit {self.text}: give {needed}", place.argument)

    def c_dtype(self):
        """The dtype of NumPy for its layout in C, or None."""
        return None

    def take(self, call, value, place, dims=(), is_strided=False):
        """Adds the buffers of an argument."""
        raise NotImplementedError

    def blank(self, call, dims):
        """Adds buffers of zeros, whose sizes are known only later."""
        raise NotImplementedError

    def make(self, call, out, place, dims=(), is_strided=False):
        """Adds buffers for a result. Returns a function that returns the result after the call."""
        raise NotImplementedError


class Scalar(Type):
    def __init__(self, described):
        super().__init__(described)
        self.name = described.get("scalar", "i64")  # an idx is an i64
        self.dtype = arrays.DTYPES[self.name]

    def c_dtype(self):
        return self.dtype

    def take(self, call, value, place, dims=(), is_strided=False):
        where = str(place)
        if not dims and (isinstance(value, np.generic) or getattr(value, "ndim", None) == 0):
            value = value.item()
        try:
            array = arrays.typed(value, self.dtype, where, call.convert)
        except DtypeError as error:
            error.argument = place.argument
            raise
        text = "".join(f"[{d.text}]" for d in dims) + self.text
        arrays.check_rank(array, len(dims), place, text)
        array = (arrays.strided if is_strided else arrays.dense)(array)
        call.add_shape(array, dims, place)
        call.put(array, is_strided)

    def blank(self, call, dims):
        call.buffers.append(lambda: np.zeros(call.shape(dims), self.dtype))

    def make(self, call, out, place, dims=(), is_strided=False):
        shape = call.shape(dims)
        if out is not None:
            return self._into(call, out, place, shape, is_strided)
        array = np.empty(shape, self.dtype)
        call.put(array, is_strided)
        return (lambda: array) if dims else array.item

    def _into(self, call, out, place, shape, is_strided):
        array = arrays.output(out, self.dtype, shape, f"`{place.text}`")
        usable = is_strided or (array.flags.c_contiguous and array.flags.aligned)
        if call.is_apart(array) and usable:
            call.put(array, is_strided)
            return lambda: out
        own = np.empty(shape, self.dtype)
        call.put(own, is_strided)

        def finish():
            array[...] = own
            return out

        return finish


class Array(Type):
    def __init__(self, described, element):
        super().__init__(described)
        self.size = Size(described["size"])
        self.element = element
        self.dims, inner = [self.size], element
        while isinstance(inner, Array):
            self.dims.append(inner.size)
            inner = inner.element
        self.inner = inner

    def c_dtype(self):
        inner = self.element.c_dtype()
        size = self.size.value({})
        return None if inner is None or size is None else np.dtype((inner, (size,)))

    def _record(self, dims):
        return None if dims or not isinstance(self.inner, Struct) else self.inner.record

    def take(self, call, value, place, dims=(), is_strided=False):
        record = self._record(dims)
        if record is None:
            self.element.take(call, value, place, [*dims, self.size], is_strided)
            return
        if isinstance(value, list) and len(self.dims) == 1:
            value = np.array([self.inner.to_record(v, place) for v in value], record)
        array = arrays.of_object(value, str(place))
        if array.dtype != record:
            array = _same_fields(array, record, self, place)
        arrays.check_rank(array, len(self.dims), place, self.text)
        array = arrays.dense(array)
        call.add_shape(array, self.dims, place)
        call.put_record(array)

    def blank(self, call, dims):
        record = self._record(dims)
        if record is None:
            self.element.blank(call, [*dims, self.size])
            return
        call.put_record(lambda: np.zeros(call.shape(self.dims), record))

    def make(self, call, out, place, dims=(), is_strided=False):
        record = self._record(dims)
        if record is None:
            return self.element.make(call, out, place, [*dims, self.size], is_strided)
        shape = call.shape(self.dims)
        if out is None:
            array = np.zeros(shape, record) if _is_padded(record) else np.empty(shape, record)
        else:
            array = arrays.output(out, record, shape, f"`{place.text}`")
            if not call.is_apart(array) or not array.flags.c_contiguous:
                raise LayoutError(f"`{place.text}` overlaps an argument or is not contiguous")
        call.put_record(array)
        return lambda: array if out is None else out


def _same_fields(array, record, type_, place):
    """A structured array of the same fields in another layout, copied to that of C."""
    names = array.dtype.names
    if names == record.names and all(array.dtype[n] == record[n] for n in names):
        return array.astype(record)
    needed = _dtype_text(record)
    have = np.dtype(array.dtype).names or ()
    advice = f"; convert it: x.astype({needed})" if set(have) == set(record.names) else ""
    raise DtypeError(
        f"{place} has elements of type {array.dtype}, but {type_.text} needs {needed}{advice}",
        place.argument,
    )


def _dtype_text(record):
    """A dtype of records as it is written in Python."""

    def field(name):
        base, shape = record[name].base, record[name].shape
        text = _dtype_text(base) if base.names else repr(base.name)
        return f"({name!r}, {text}{f', {shape}' if shape else ''})"

    return f"np.dtype([{', '.join(map(field, record.names))}], align=True)"


def _is_padded(record):
    """Whether records have bytes that no field has."""
    parts = [record[n] for n in record.names]
    inner = any(p.base.names and _is_padded(p.base) for p in parts)
    return inner or sum(p.itemsize for p in parts) != record.itemsize


class Tuple(Type):
    def __init__(self, described, parts):
        super().__init__(described)
        self.parts = parts
        self.names = [str(i) for i in range(len(parts))]

    def split(self, value, place, dims):
        """The components of a value."""
        if isinstance(value, (tuple, list)) and len(value) == len(self.parts):
            return list(value)
        kind = "a tuple of %d arrays" if dims else "a tuple of %d values"
        raise self.misfit(place, kind % len(self.parts))

    def join(self, parts):
        return tuple(parts)

    def take(self, call, value, place, dims=(), is_strided=False):
        for part, one, name in zip(self.parts, self.split(value, place, dims), self.names):
            part.take(call, one, place.part(name), dims)

    def blank(self, call, dims):
        for part in self.parts:
            part.blank(call, dims)

    def make(self, call, out, place, dims=(), is_strided=False):
        outs = [None] * len(self.parts) if out is None else self.split(out, place, dims)
        flags = is_strided if isinstance(is_strided, list) else [False] * len(outs)
        finish = [
            part.make(call, one, place.part(name), dims, flag)
            for part, one, name, flag in zip(self.parts, outs, self.names, flags)
        ]
        return (lambda: self.join([f() for f in finish])) if finish else lambda: None


class Struct(Tuple):
    """A struct: a named tuple. Arrays of those with `#[c_layout]` are structured arrays."""

    def __init__(self, described, parts, names, classes):
        super().__init__(described, parts)
        self.name = described["name"]
        self.names = names
        self.record = self._c_record() if described["c_layout"] else None
        self.type = classes.get((self.name, *names))
        if self.type is None:
            fields = [python_name(n) for n in names]
            self.type = namedtuple(python_name(self.name), fields, rename=True)
            classes[(self.name, *names)] = self.type

    def _c_record(self):
        formats = [p.c_dtype() for p in self.parts]
        return np.dtype({"names": self.names, "formats": formats}, align=True)

    def c_dtype(self):
        return self.record

    def split(self, value, place, dims):
        if isinstance(value, dict) and value.keys() == set(self.names):
            return [value[n] for n in self.names]
        if isinstance(value, (tuple, list)) and len(value) == len(self.parts) and not (
            dims and isinstance(value, list)
        ):
            return list(value)
        if dims and isinstance(value, list):
            return [list(c) for c in zip(*(self.split(v, place, ()) for v in value))]
        dtype = getattr(value, "dtype", np.asarray(value).dtype)
        if dtype.names and set(dtype.names) == set(self.names):
            return [value[n] for n in self.names]
        if dtype.kind == "c" and len(self.parts) == 2:
            return [value.real, value.imag]
        if all(hasattr(value, f) for f in self.type._fields):
            return [getattr(value, f) for f in self.type._fields]
        what = "arrays or a structured array" if dims else "values"
        raise self.misfit(place, f"{what} for the fields {', '.join(self.names)}")

    def join(self, parts):
        return self.type(*parts)

    def take(self, call, value, place, dims=(), is_strided=False):
        if dims or self.record is None:
            super().take(call, value, place, dims)
        else:
            call.put_record(self.to_record(value, place))

    def to_record(self, value, place):
        """A value as an element of a structured array, copied."""
        record = np.zeros((), self.record)
        for part, one, name in zip(self.parts, self.split(value, place, ()), self.names):
            inside = place.part(name)
            if isinstance(part, Struct):
                record[name] = part.to_record(one, inside)
            else:
                array = arrays.typed(one, record[name].dtype, str(inside), False)
                if array.shape != record[name].shape:
                    raise ShapeError(
                        f"{inside} has the shape {array.shape}, but {part.text} is needed",
                        place.argument,
                    )
                record[name] = array
        return record

    def blank(self, call, dims):
        if dims or self.record is None:
            super().blank(call, dims)
        else:
            call.put_record(np.zeros((), self.record))

    def make(self, call, out, place, dims=(), is_strided=False):
        if dims or self.record is None:
            return super().make(call, out, place, dims)
        if out is not None:
            raise LayoutError(f"`{place.text}` is a {self.name}, not an array: give None for it")
        record = np.zeros((), self.record)
        call.put_record(record)
        return lambda: self._of_record(record)

    def _of_record(self, record):
        parts = []
        for part, name in zip(self.parts, self.names):
            one = record[name]
            if isinstance(part, Struct):
                parts.append(part._of_record(one))
            else:
                parts.append(one.item() if one.ndim == 0 else one.copy())
        return self.type(*parts)


class Enum(Tuple):
    """An enum: a class whose attributes are its options, which are named tuples.

    An array of an enum is a tuple of arrays: the numbers of the options, then their components.
    """

    def __init__(self, described, options, names, classes):
        super().__init__(described, options)
        self.name = described["name"]
        self.names = names
        key = (self.name, *names)
        if key not in classes:
            classes[key] = self._classes()
        self.type, self.options = classes[key]

    def _classes(self):
        """The class, and those of its options."""
        whole = type(python_name(self.name), (), {"__slots__": ()})
        options = []
        for name, parts in zip(self.names, self.parts):
            fields = [f"_{i}" for i in range(len(parts.parts))]
            option = namedtuple(python_name(name), fields, rename=True)
            option.__qualname__ = f"{whole.__name__}.{option.__name__}"
            setattr(whole, option.__name__, option if fields else option())
            options.append(option)
        return whole, options

    def take(self, call, value, place, dims=(), is_strided=False):
        tag = Scalar({"text": "i32", "scalar": "i32"})
        if dims:
            if not isinstance(value, (tuple, list)) or len(value) != len(self.parts) + 1:
                raise self.misfit(place, "a tuple of arrays, as results of this type are")
            tag.take(call, value[0], place.part("option"), dims)
            for part, one, name in zip(self.parts, value[1:], self.names):
                part.take(call, one, place.part(name), dims)
            return
        kinds = [isinstance(value, option) for option in self.options]
        if True not in kinds:
            names = ", ".join(f"{self.name}.{n}" for n in self.names)
            raise self.misfit(place, f"one of {names}")
        tag.take(call, kinds.index(True), place)
        for part, name, chosen in zip(self.parts, self.names, kinds):
            if chosen:
                part.take(call, tuple(value), place.part(name))
            else:
                part.blank(call, ())

    def blank(self, call, dims):
        Scalar({"text": "i32", "scalar": "i32"}).blank(call, dims)
        super().blank(call, dims)

    def make(self, call, out, place, dims=(), is_strided=False):
        if out is not None:
            raise LayoutError(f"`{place.text}` is an enum, not an array: give None for it")
        tag = Scalar({"text": "i32", "scalar": "i32"}).make(call, None, place, dims)
        finish = [p.make(call, None, place, dims) for p in self.parts]
        if dims:
            return lambda: (tag(), *(f() for f in finish))

        def choose():
            k = tag()
            return self.options[k](*(finish[k]() or ()))

        return choose


class UpTo(Type):
    """`[?n]t`: an array whose length is part of the value."""

    def __init__(self, described, element):
        super().__init__(described)
        self.size = Size(described["size"])
        self.element = element
        self.count = Scalar({"text": "i64", "scalar": "i64"})
        self.elements = Array({"text": self.text, "size": described["size"]}, element)

    def take(self, call, value, place, dims=(), is_strided=False):
        if not (isinstance(value, tuple) and len(value) == 2):
            if dims or not hasattr(value, "__len__"):
                raise self.misfit(place, "a pair: the number of elements, and an array")
            value = (len(value), value)
        self.count.take(call, value[0], place.part("count"), dims)
        self.elements.take(call, value[1], place, dims)

    def blank(self, call, dims):
        self.count.blank(call, dims)
        self.elements.blank(call, dims)

    def make(self, call, out, place, dims=(), is_strided=False):
        count = self.count.make(call, None, place, dims)
        elements = self.elements.make(call, out, place, dims)
        if dims:
            return lambda: (count(), elements())
        return lambda: self._cut(elements(), count())

    def _cut(self, elements, count):
        if isinstance(self.element, Tuple) and not isinstance(elements, np.ndarray):
            return self.element.join([self._cut(e, count) for e in elements])
        part = elements[:count]
        return part.copy() if 2 * count < len(elements) else part


def of_described(described, classes):
    """The type that the compiler describes. `classes` keeps those made for structs and enums."""
    kind = described["kind"]
    if kind in ("scalar", "idx"):
        return Scalar(described)
    if kind in ("array", "vector", "up_to"):
        element = of_described(described["element"], classes)
        return (UpTo if kind == "up_to" else Array)(described, element)
    if kind == "tuple":
        return Tuple(described, [of_described(p, classes) for p in described["parts"]])
    fields = described["fields" if kind == "struct" else "options"]
    parts = [of_described(f["type"], classes) for f in fields]
    names = [f["name"] for f in fields]
    return (Struct if kind == "struct" else Enum)(described, parts, names, classes)


def rank(type_):
    """The number of dimensions."""
    return len(type_.dims) if isinstance(type_, Array) else 0


def named_types(type_):
    """The classes of structs and enums in a type, by name."""
    found = {type_.name: type_.type} if isinstance(type_, (Struct, Enum)) else {}
    inner = [type_.element] if isinstance(type_, (Array, UpTo)) else getattr(type_, "parts", ())
    for part in inner:
        found.update(named_types(part))
    return found
