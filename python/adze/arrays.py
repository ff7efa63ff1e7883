"""Arguments as NumPy arrays: without a copy where possible, and never with another element type
unless the caller permits it."""

import numpy as np

from .errors import DtypeError, LayoutError, ShapeError

DTYPES = {
    "bool": np.dtype(np.bool_),
    "i8": np.dtype(np.int8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "u8": np.dtype(np.uint8),
    "u16": np.dtype(np.uint16),
    "u32": np.dtype(np.uint32),
    "u64": np.dtype(np.uint64),
    "f16": np.dtype(np.float16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
}


def of_object(value, where):
    """The object as an array that shares its memory, if it has memory of its own."""
    if isinstance(value, np.ma.MaskedArray):
        raise DtypeError(
            f"{where} is a masked array, and Adze has no masks; fill it: x.filled(..)", where
        )
    if isinstance(value, np.ndarray):
        return np.asarray(value)
    if isinstance(value, (bytes, bytearray)):
        return np.frombuffer(value, np.uint8)
    try:
        if hasattr(value, "__dlpack__") and not hasattr(value, "__array_interface__"):
            return np.from_dlpack(value)
        return np.asarray(value)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise DtypeError(
            f"{where}, of type {type(value).__name__}, is no array in the memory of the CPU "
            f"({error}); pass a NumPy array, or an object with the buffer protocol, "
            "__array_interface__ or __dlpack__",
            where,
        ) from None


def _is_literal(value):
    """Whether the object has no element type of its own: numbers of Python, and lists of them."""
    if isinstance(value, (list, tuple)):
        return all(map(_is_literal, value))
    return isinstance(value, (int, float)) and not isinstance(value, np.generic)


def _of_literal(array, dtype):
    """Numbers of Python as elements, or None if one changes other than by rounding."""
    if array.size == 0 and array.dtype != object:
        return array.astype(dtype)
    if array.dtype.kind not in "biuf" or not np.can_cast(array.dtype, dtype, "same_kind"):
        if not (array.dtype.kind in "iu" and dtype.kind in "iuf"):
            return None
    with np.errstate(all="ignore"):
        result = array.astype(dtype)
    if dtype.kind in "iu" and not np.array_equal(result.astype(object), array.astype(object)):
        return None
    if dtype.kind == "f" and (np.isinf(result) & np.isfinite(array)).any():
        return None
    return result


def typed(value, dtype, where, convert):
    """The object as an array of elements of this type."""
    array = of_object(value, where)
    if array.dtype == dtype:
        return array
    if array.dtype.kind not in "biufcO":
        hint = "; text is bytes here: x.encode()" if isinstance(value, str) else ""
        raise DtypeError(f"{where} is a {type(value).__name__} without numbers{hint}", where)
    if _is_literal(value):
        result = _of_literal(array, dtype)
        if result is not None:
            return result
        if array.ndim == 0:
            raise DtypeError(f"{where} is {value!r}, which is no {dtype.name}", where)
        raise DtypeError(f"{where} has elements that are no {dtype.name}", where)
    if array.dtype == object:
        raise DtypeError(f"{where} is a {type(value).__name__} without numbers", where)
    if array.dtype.newbyteorder("=") == dtype:
        problem = "has the other byte order"
    else:
        problem = f"has elements of type {array.dtype}, but {dtype} is needed"
    if convert and np.can_cast(array.dtype, dtype, "same_kind"):
        return array.astype(dtype)
    advice = f"convert it: x.astype(np.{dtype.name})"
    if np.can_cast(array.dtype, dtype, "same_kind"):
        advice += ", or permit copies with convert=True"
    raise DtypeError(f"{where} {problem}; {advice}", where)


def dense(array):
    """The array with its elements side by side, row by row. Copies it if need be."""
    return np.require(array, requirements="CA")


def strided(array):
    """The array with strides that are multiples of its elements. Copies it if need be."""
    whole = all(s % array.itemsize == 0 for s in array.strides)
    return array if whole and array.flags.aligned else dense(array)


def check_rank(array, rank, place, text):
    if array.ndim != rank:
        dimensions = f"{array.ndim} dimension" + "s" * (array.ndim != 1)
        raise ShapeError(f"{place} has {dimensions}, but {text} has {rank}", place.argument)


def _has_separate_elements(array):
    """Whether no two elements share memory, as far as the strides alone tell."""
    covered = array.itemsize
    for stride, size in sorted((abs(s), n) for s, n in zip(array.strides, array.shape) if n > 1):
        if stride < covered:
            return False
        covered = stride * (size - 1) + covered
    return True


def output(value, dtype, shape, where):
    """The array that a caller gives for a result, as a NumPy array."""
    array = of_object(value, where)
    if not isinstance(value, np.ndarray) and (
        _is_literal(value) or not np.may_share_memory(array, np.asarray(value))
    ):
        raise LayoutError(f"{where} is no array that can be written to", where)
    if array.dtype != dtype:
        raise DtypeError(
            f"{where} has elements of type {array.dtype}, but the result has {dtype}; "
            f"give an array made by np.empty({shape}, np.{dtype.name})",
            where,
        )
    if array.shape != shape:
        raise ShapeError(f"{where} has the shape {array.shape}, but the result has {shape}", where)
    if not array.flags.writeable:
        raise LayoutError(f"{where} is read-only; give a writable array, or a copy", where)
    if array.size and not _has_separate_elements(array):
        raise LayoutError(
            f"{where} has elements that share memory (strides {array.strides}), such as those of "
            "a broadcast array; give an array with memory for each element",
            where,
        )
    return array
