"""registers.py ADZE [all]: what NVIDIA's compiler makes of kernels: those that the compiler makes of programs, and those by hand.

NVRTC needs no device. Without `all` only those of bench/shine. A row for each kernel: its registers for sm_80 and sm_90, the bytes of shared memory, the bytes of the stack
of a work-item, and of registers that are stored there (spills).
"""

import ctypes
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SHINE = sorted(ROOT.glob("bench/shine/*/*.adz"))
PROGRAMS = [HERE / f"{name}.adz" for name in ("compiled", "neighbours", "mma", "rays", "pairs")] + SHINE
BY_HAND = sorted(ROOT.glob("bench/device/*.cu"))
ARCHITECTURES = ("sm_80", "sm_90")
# What runtime/adze_device_cuda.h passes for kernels whose indices fit 32 bits.
OPTIONS = ["--fmad=true", "-UADZE_NO_FMA", "-DADZE_INDEX=int", "--device-as-default-execution-space"]


class Nvrtc:
    """The library of the package nvidia-cuda-nvrtc."""

    def __init__(self):
        place = Path(importlib.util.find_spec("nvidia").submodule_search_locations[0])
        self.library = ctypes.CDLL(str(next(place.glob("**/libnvrtc.so.*[0-9]"))))

    def log(self, text, options):
        """What the compiler says of the program. Fails if there is an error or a warning."""
        program = ctypes.c_void_p()
        words = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
        size = ctypes.c_size_t()
        self.library.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"kernels.cu", 0, None, None)
        error = self.library.nvrtcCompileProgram(program, len(options), words)
        self.library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        self.library.nvrtcGetProgramLog(program, log)
        self.library.nvrtcDestroyProgram(ctypes.byref(program))
        said = log.value.decode()
        if error or "warning" in said:
            raise RuntimeError(said[:2000])
        return said


def kernels_of(log):
    """For each kernel in what ptxas says: its registers, shared memory, stack and spills."""
    found = {}
    for part in log.split("Compiling entry function '")[1:]:
        name = part[: part.index("'")]
        used = {what: int(n) for n, what in re.findall(r"(\d+) (registers|bytes smem|bytes stack frame|bytes spill stores)", part)}
        found[name] = [used.get(what, 0) for what in ("registers", "bytes smem", "bytes stack frame", "bytes spill stores")]
    return found


def texts_of(adze, path, scratch):
    """The text of the kernels of each entry of a program, with all that comes before them."""
    out = Path(scratch) / path.stem
    subprocess.run([adze, "build", path, "--target", "cuda", "-o", out], check=True, capture_output=True, text=True)
    for c in out.glob("*.c"):
        for lines in re.findall(r"_kernels_lines\[\] = \{\n(.*?)\n\};", c.read_text(), re.DOTALL):
            strings = re.findall(r'"((?:[^"\\]|\\.)*)"', lines)
            yield "".join(strings).encode().decode("unicode_escape")


def rows(nvrtc, title, text, options):
    """The rows of the table for a text of kernels."""
    by = [kernels_of(nvrtc.log(text, [f"--gpu-architecture={arch}", "--ptxas-options=-v", *options])) for arch in ARCHITECTURES]
    for name, (registers, shared, stack, spills) in by[0].items():
        more, shared_too, stack_too, spills_too = by[1][name]
        yield f"{title} {name.removeprefix('adze_')}: {registers}, {more}; {max(shared, shared_too)} shared; {max(stack, stack_too)} stack; {max(spills, spills_too)} spilled"


def main():
    adze, nvrtc, every = os.path.abspath(sys.argv[1]), Nvrtc(), sys.argv[2:] == ["all"]
    with tempfile.TemporaryDirectory() as scratch:
        for path in PROGRAMS if every else SHINE:
            for text in texts_of(adze, path, scratch):
                print("\n".join(rows(nvrtc, path.stem, text, OPTIONS)))
        for path in BY_HAND if every else []:
            print("\n".join(rows(nvrtc, "by hand:", path.read_text(), ["-I" + str(path.parent), "--std=c++17", "-DINFINITY=__int_as_float(0x7f800000)"])))


main()
