"""The compiled entries of asis.adz, called through ctypes as their header declares them."""
import ctypes
import re

import numpy as np

SCALARS = {"f32": (np.float32, ctypes.c_float), "i32": (np.int32, None), "i64": (np.int64, None)}
PAGE = 4096


def place(shape, dtype, offset):
    """Zeros that begin `offset` bytes into a page: as in bench/harness.c, all outputs have one offset."""
    count = int(np.prod(shape))
    block = np.zeros(count * np.dtype(dtype).itemsize + 2 * PAGE, np.uint8)
    skip = -block.ctypes.data % PAGE + offset
    return block[skip : skip + count * np.dtype(dtype).itemsize].view(dtype).reshape(shape)


def signatures(header):
    """Entry -> its lines (name, type), as `a: [n][m]f32`; the first is `sizes`, the last `result`."""
    found, lines = {}, []
    for line in header.read_text().splitlines():
        if argument := re.match(r"//   (\w+): (.*)", line):
            lines.append(argument.groups())
        elif entry := re.match(r"int adze_(\w+)\(", line):
            found.setdefault(entry[1], lines)
            lines = []
    return found


class Library:
    def __init__(self, folder):
        self.signatures = signatures(folder / "asis.h")
        self.functions = ctypes.CDLL(str(folder / "asis.so"))

    def arrays(self, name, sizes, buffers):
        """The inputs of an entry, from buffers with at least as many elements, and a function that makes an output."""
        (_, names), *inputs, (_, result) = self.signatures[name]
        values = dict(zip(names.split(", "), sizes, strict=True))

        def shape_type(text):
            *shape, scalar = text.replace("[", "").split("]")
            return [eval(size, {}, values) for size in shape], scalar

        def take(buffer, text):
            shape, _ = shape_type(text)
            return buffer[: int(np.prod(shape))].reshape(shape) if shape else np.float32(buffer)

        shape, scalar = shape_type(result)
        arguments = [take(buffer, text) for buffer, (_, text) in zip(buffers, inputs, strict=True)]
        return arguments, lambda: place(shape, SCALARS[scalar][0], 2048)

    def prepare(self, name, sizes, inputs, out):
        """A call without arguments. The arguments are converted once, so that a call costs little more than C's."""
        function = getattr(self.functions, "adze_" + name)
        arguments = [ctypes.c_int64(size) for size in sizes]
        for value in [*inputs, out]:
            is_array = isinstance(value, np.ndarray)
            arguments.append(ctypes.c_void_p(value.ctypes.data) if is_array else ctypes.c_float(value))

        def call():
            if status := function(*arguments):
                raise RuntimeError(f"adze_{name}: status {status}")
            return out

        return call
