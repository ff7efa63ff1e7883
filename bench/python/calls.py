"""What calls from Python cost: an entry called from Python, and in a loop of C on the same arrays. Prints medians of
interleaved samples; then the times of a process until its first result."""

import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time

import adze
import numpy as np

PROGRAM = """
entry fn stencil[n, m: nat](u: [n][m]f32) -> [n][m]f32 {
    generate(n, |i| generate(m, |j| if i > 0 && i < n - 1 && j > 0 && j < m - 1 {
        0.2 * (u[i, j] + u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    } else {
        u[i, j]
    }))
}
entry fn total[n: nat](x: [n]f64) -> f64 { reduce(+, 0.0, x) }
"""

LOOP = """
#include <stdint.h>
void loop(int (*call)(const int64_t *, void *const *), const int64_t *sizes, void *const *buffers, long n)
{
    while (n-- > 0) call(sizes, buffers);
}
"""

FIRST = """
import time
t = time.perf_counter()
import adze
t1 = time.perf_counter()
import numpy as np
a, x = np.ones((5, 5), np.float32), np.ones(5, np.float32)
t2 = time.perf_counter()
adze.load("gemv.adz").gemv(a, x)
print(t1 - t, time.perf_counter() - t2)
"""

GEMV = """
import std.linalg (inner)
entry fn gemv[n, m: nat](a: [n][m]f32, x: [m]f32) -> [n]f32 { map(|row| inner(row, x), a) }
"""

SAMPLES = 21


def loop_of_c(folder):
    """A function that calls an entry n times."""
    source, library = os.path.join(folder, "loop.c"), os.path.join(folder, "loop.so")
    with open(source, "w") as f:
        f.write(LOOP)
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
    loop = ctypes.CDLL(library).loop
    loop.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long]
    return loop


def seconds(body, n):
    start = time.perf_counter()
    body(n)
    return (time.perf_counter() - start) / n


def compare(name, in_python, in_c, n):
    for body in in_python, in_c:
        body(n)
    pairs = [(seconds(in_python, n), seconds(in_c, n)) for _ in range(SAMPLES)]
    ours, theirs = (statistics.median(p[i] for p in pairs) for i in range(2))
    more = statistics.median(a - b for a, b in pairs)
    ratio = statistics.median(a / b for a, b in pairs)
    print(f"{name:34} {1e6 * ours:10.3f} {1e6 * theirs:10.3f} {1e6 * more:10.3f} {ratio:8.3f}")


def case(loop, name, entry, arrays, out, sizes, n):
    call = entry.compile()
    code = call._version({}).code.address
    buffers = [*arrays, out if out is not None else np.zeros(1)]
    pointers = (ctypes.c_void_p * len(buffers))(*(b.ctypes.data for b in buffers))
    values = (ctypes.c_int64 * len(sizes))(*sizes)

    def in_c(n):
        loop(code, values, pointers, n)

    def new(n):
        for _ in range(n):
            call(*arrays)

    def given(n):
        for _ in range(n):
            call(*arrays, out=out)

    compare(name, new, in_c, n)
    if out is not None:
        compare(f"{name}, out=", given, in_c, n)


def first_results(folder):
    with open(os.path.join(folder, "gemv.adz"), "w") as f:
        f.write(GEMV)
    runs = []
    for _ in range(SAMPLES):
        done = subprocess.run([sys.executable, "-c", FIRST], cwd=folder, check=True, capture_output=True)
        runs.append([float(x) for x in done.stdout.split()])
    for i, name in enumerate(["import adze", "load and first call, cached"]):
        print(f"{name:34} {1e3 * statistics.median(r[i] for r in runs[1:]):10.1f} ms")


def main():
    with tempfile.TemporaryDirectory() as folder:
        loop, m = loop_of_c(folder), adze.compile(PROGRAM, target="c")
        print(f"{'us per call':34} {'Python':>10} {'C':>10} {'more':>10} {'ratio':>8}")
        for side, n in (5, 20000), (100, 5000), (1000, 40), (4000, 2):
            u = np.random.default_rng(1).random((side, side), np.float32)
            case(loop, f"stencil {side}x{side}", m.stencil, [u], np.empty_like(u), u.shape, n)
        case(loop, "total of 5", m.total, [np.ones(5)], None, (5,), 20000)
        first_results(folder)


main()
