"""What a version of an entry for one value of an inner size gains: the time of the general version over its time, medians
of interleaved samples, for values of this size. A star marks results with other last digits."""

import statistics
import time

import adze
import numpy as np

PROGRAM = """
import std.linalg (inner)
entry fn gemv[n, m: nat](a: [n][m]f32, x: [m]f32) -> [n]f32 { map(|row| inner(row, x), a) }
entry fn products[b, n, m, k: nat](a: [b][n][m]f32, c: [b][m][k]f32) -> [b][n][k]f32 {
    map(|(x, y)| map(|r| map(|q| inner(r, q), transpose(y)), x), zip(a, c))
}
entry fn distances[n, m: nat](a: [n][m]f64, x: [m]f64) -> [n]f64 {
    map(|row| reduce(+, 0.0, map(|(p, q)| (p - q) * (p - q), zip(row, x))), a)
}
entry fn nearest[n, k, m: nat](a: [n][m]f32, c: [k][m]f32) -> [n]f32 {
    map(|p| map(|q| reduce(+, 0.0, map(|(a, b)| (a - b) * (a - b), zip(p, q))), c) |> reduce(min, 1e30), a)
}
entry fn add_row[n, m: nat](a: [n][m]f32, x: [m]f32) -> [n][m]f32 { map(|r| map(|(p, q)| p + q, zip(r, x)), a) }
entry fn grey[h, w, m: nat](a: [h][w][m]f32) -> [h][w]f32 { map(|r| map(|p| 0.3 * reduce(+, 0.0, p), r), a) }
entry fn turned[n, m: nat](a: [n][m]f32) -> [m][n]f32 { transpose(a) }
entry fn columns[n, m: nat](a: [n][m]f64) -> [m]f64 { map(|c| reduce(+, 0.0, c), transpose(a)) }
entry fn sums[n, m: nat](a: [n][m]i32) -> [n]i32 { map(|row| reduce(+, 0, row), a) }
"""

VALUES = 1, 2, 3, 4, 5, 6, 8, 16, 32
SAMPLES = 9


def arguments(k):
    def array(*shape, dtype="f4"):
        return (100 * np.random.default_rng(1).random(shape)).astype(dtype)

    return {
        "gemv": (array(1000, k), array(k)),
        "products": (array(500, k, k), array(500, k, k)),
        "distances": (array(1000, k, dtype="f8"), array(k, dtype="f8")),
        "nearest": (array(1000, k), array(10, k)),
        "add_row": (array(1000, k), array(k)),
        "grey": (array(60, 60, k),),
        "turned": (array(1000, k),),
        "columns": (array(1000, k, dtype="f8"),),
        "sums": (array(1000, k, dtype="i4"),),
    }


def seconds(entry, args, out, n):
    begin = time.perf_counter()
    for _ in range(n):
        entry(*args, out=out)
    return (time.perf_counter() - begin) / n


def gain(general, k, args):
    fixed = general.fix(**dict.fromkeys(["n", "m", "k"] if general.__name__ == "products" else ["m"], k))
    out = general(*args)
    same = np.array_equal(out, fixed(*args))
    n = max(1, int(0.004 / seconds(general, args, out, 3)))
    ratios = [seconds(general, args, out, n) / seconds(fixed, args, out, n) for _ in range(SAMPLES)]
    return statistics.median(ratios), same


def main():
    m = adze.compile(PROGRAM, target="c", specialise=False)
    print(f"{'value':12}" + "".join(f"{k:>8}" for k in VALUES))
    for name in arguments(1):
        row = [gain(getattr(m, name), k, arguments(k)[name]) for k in VALUES]
        print(f"{name:12}" + "".join(f"{f'{ratio:.2f}' + ' *'[not same]:>8}" for ratio, same in row), flush=True)


main()
