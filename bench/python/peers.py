"""Adze against Numba and JAX on one core: the first call in a new process, and later calls. Prints medians of the time of
the processor, that of the C compiler included, and between which times half of the samples are. On a core that nobody else
uses this is the time on the clock."""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile

os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # before libraries start threads

ADZE = """
import std.linalg (inner)
import std.stencil (slide2d)
entry fn gemv[n, m: nat](a: [n][m]f32, x: [m]f32) -> [n]f32 { map(|row| inner(row, x), a) }
entry fn blur[n, m: nat](u: [n + 2][m + 2]f32) -> [n][m]f32 {
    slide2d[3, 1](u) |> map(|row| map(|w| (w[0, 1] + w[1, 0] + w[1, 1] + w[1, 2] + w[2, 1]) * 0.2, row))
}
entry fn softmax[n: nat](x: [n]f32) -> [n]f32 {
    let top = reduce(max, x[0], x);
    let e = map(|v| exp(v - top), x);
    let total = reduce(+, 0.0, e);
    map(|v| v / total, e)
}
"""


def of_adze():
    import adze

    m = adze.compile(ADZE, target="c")
    return {"gemv": m.gemv, "blur": m.blur, "softmax": m.softmax}, lambda a: a


def of_numba():
    import numba
    import numpy as np

    jit = numba.njit(fastmath=True, cache="NUMBA_CACHE_DIR" in os.environ)

    @jit
    def gemv(a, x):
        n, m = a.shape
        out = np.empty(n, np.float32)
        for i in range(n):
            total = np.float32(0)
            for j in range(m):
                total += a[i, j] * x[j]
            out[i] = total
        return out

    @jit
    def blur(u):
        n, m = u.shape[0] - 2, u.shape[1] - 2
        out = np.empty((n, m), np.float32)
        for i in range(n):
            for j in range(m):
                out[i, j] = (u[i, j + 1] + u[i + 1, j] + u[i + 1, j + 1] + u[i + 1, j + 2] + u[i + 2, j + 1]) * np.float32(0.2)
        return out

    @jit
    def softmax(x):
        top = x[0]
        for v in x:
            top = max(top, v)
        out = np.empty_like(x)
        total = np.float32(0)
        for i in range(len(x)):
            out[i] = np.exp(x[i] - top)
            total += out[i]
        for i in range(len(x)):
            out[i] /= total
        return out

    return {"gemv": gemv, "blur": blur, "softmax": softmax}, lambda a: a


def of_jax():
    import jax
    import jax.numpy as jnp

    def blur(u):
        return (u[:-2, 1:-1] + u[1:-1, :-2] + u[1:-1, 1:-1] + u[1:-1, 2:] + u[2:, 1:-1]) * jnp.float32(0.2)

    functions = {"gemv": jnp.dot, "blur": blur, "softmax": jax.nn.softmax}
    compiled = {name: jax.jit(f) for name, f in functions.items()}
    waiting = {name: lambda *a, f=f: f(*a).block_until_ready() for name, f in compiled.items()}
    return waiting, jnp.asarray


MAKERS = {"Adze": of_adze, "Numba": of_numba, "JAX": of_jax}


def arguments(np, name, n):
    """Arguments of about n * n elements."""
    r = np.random.default_rng(1)
    shapes = {"gemv": [(n, n), (n,)], "blur": [(n + 2, n + 2)], "softmax": [(n * n,)]}
    return [r.random(s, np.float32) for s in shapes[name]]


def seconds():
    """The processor's time of this process and those that it started."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def first(maker, name):
    """In a new process: prints the time of the imports, and from there to the first result."""
    begin = seconds()
    import numpy as np

    {"Adze": lambda: __import__("adze"), "Numba": lambda: __import__("numba"), "JAX": lambda: __import__("jax")}[maker]()
    imported = seconds()
    functions, convert = MAKERS[maker]()
    np.asarray(functions[name](*map(convert, arguments(np, name, 5))))
    print(json.dumps([imported - begin, seconds() - imported]))


def middle(samples, unit):
    low, median, high = statistics.quantiles(samples, n=4)
    return f"{median * unit:9.3f} ({low * unit:.3f}..{high * unit:.3f})"


def first_calls(samples):
    print(f"{'ms: import, then first call':28}" + "".join(f"{m:>30}" for m in MAKERS))
    for cached in False, True:
        runs = {(m, c): [] for m in MAKERS for c in ("gemv", "softmax")}
        with tempfile.TemporaryDirectory() as kept:
            for k in range(samples + cached):
                for (maker, name), times in runs.items():
                    with tempfile.TemporaryDirectory() as new:
                        folder = kept if cached else new
                        caches = {"ADZE_CACHE": folder}
                        if cached:
                            caches |= {"NUMBA_CACHE_DIR": folder, "JAX_COMPILATION_CACHE_DIR": folder,
                                       "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0"}  # fmt: skip
                        command = [sys.executable, __file__, "first", maker, name]
                        done = subprocess.run(command, env=os.environ | caches, check=True, capture_output=True)
                        times.append(json.loads(done.stdout))
        what = "cached" if cached else "not cached"
        runs = {key: times[cached:] for key, times in runs.items()}  # the first one fills the cache
        imports = [[t for (m, _), times in runs.items() if m == maker for t, _ in times] for maker in MAKERS]
        print(f"{'import':28}" + "".join(f"{middle(t, 1e3):>30}" for t in imports))
        for name in "gemv", "softmax":
            row = [middle([t for _, t in runs[m, name]], 1e3) for m in MAKERS]
            print(f"{name + ' 5x5, ' + what:28}" + "".join(f"{t:>30}" for t in row))


def later_calls(samples):
    import numpy as np

    made = {m: make() for m, make in MAKERS.items()}
    print(f"{'us per call':28}" + "".join(f"{m:>30}" for m in MAKERS))
    for n in 5, 100, 1000:
        for name in "gemv", "blur", "softmax":
            args = arguments(np, name, n)
            calls = {m: (functions[name], [convert(a) for a in args]) for m, (functions, convert) in made.items()}
            want = np.asarray(calls["Adze"][0](*args))
            for f, a in calls.values():
                np.testing.assert_allclose(np.asarray(f(*a)), want, rtol=1e-4)
            times = {m: [] for m in calls}
            for _ in range(samples):
                for m, (f, a) in calls.items():
                    count = {5: 20000, 100: 1000, 1000: 20}[n]
                    begin = seconds()
                    for _ in range(count):
                        f(*a)
                    times[m].append((seconds() - begin) / count)
            print(f"{name + f' {n}x{n}':28}" + "".join(f"{middle(t, 1e6):>30}" for t in times.values()), flush=True)


def main():
    if sys.argv[1:2] == ["first"]:
        first(*sys.argv[2:])
        return
    import jax
    import numba
    import numpy

    print(f"Numba {numba.__version__}, JAX {jax.__version__}, NumPy {numpy.__version__}")
    first_calls(11)
    later_calls(21)


main()
