"""peers.py FOLDER JSON [NAME]: compares the kernels of asis.adz, or the one NAME, with NumPy, Numba and JAX. FOLDER has
asis.so and asis.h. Each number of threads has a process of its own, which may use as many cores: so all libraries
see only these. Results are checked first; then all sides run in turn. Peer's time / ours: above 1 Adze is faster."""
import importlib
import importlib.metadata
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time

PEERS = ("numpy", "numba", "jax")
THREADS = (1, 2)
SIZES = ((1000, 100, 3), (500, 500, 64), (1000, 1001, 500))  # rows, columns, numbers of a point
BEHIND = 0.7  # kernels with less are listed at the end
TOLERANCE = 1e-3  # of the greatest difference, relative to the size of the result
SAMPLE, ROUNDS = 0.015, 9  # seconds of a sample at least, and how many there are
SLOW, SLOW_ROUNDS = 0.1, 5  # fewer where a call takes as long
LIMIT = 2  # seconds: a side that takes longer is left out
PAUSE = 0.04  # idle threads of one side look for work for a while, and would disturb the next
WARM = 0.02  # threads that slept often wake up on the core of the caller, and are moved some milliseconds later


def flat(r, c, d):
    return (r * c,)


def rows(r, c, d):
    return r, c


def triple(r, c, d):
    return r, c, d


def depth(r, c, d):
    return (d,)


# Kernel: the sizes of its entry, and its arguments: a and b are as long as the matrices, p and q are the points of
# the rows and of the columns, 2 is a number. As in bench/asis/case.c.
KERNELS = {
    "dot": (flat, "ab"),
    "gemv": (rows, "ab"),
    "softmax": (rows, "a"),
    "layer_norm": (rows, "a"),
    "distances": (triple, "pq"),
    "product": (triple, "pq"),
    "product_at": (triple, "pq"),
    "covariance": (lambda r, c, d: (r, d), "p"),
    "nearest": (triple, "pq"),
    "dense": (triple, "pqa"),
    "attention": (triple, "pqq"),
    "gemv_t": (rows, "ab"),
    "column_sums": (rows, "a"),
    "saxpy": (flat, "2ab"),
    "total": (flat, "a"),
    "most": (flat, "a"),
    "variance": (flat, "a"),
    "running": (rows, "a"),
    "histogram": (flat, "a"),
    "jacobi": (rows, "a"),
    "conv2d": (lambda r, c, d: (4, 4, r // 4 - 2, c - 2), "ap"),
    "blur": (rows, "a"),
    "gauss": (rows, "a"),
    "moving": (lambda r, c, d: (r * c - 24,), "a"),
    "logsumexp": (rows, "a"),
    "normalise": (rows, "a"),
    "cross_entropy": (rows, "ab"),
    "black_scholes": (flat, "a"),
    "gelu": (flat, "a"),
    "polynomial": (flat, "a"),
    "forces": (lambda r, c, d: (r,), "ab"),
    "outer": (rows, "ab"),
    "transposed": (rows, "a"),
    "floyd": (depth, "a"),
    "eliminate": (depth, "a"),
    "thomas": (rows, "a"),
}


# --- one process, with as many cores as threads --------------------------------------------------


def noise(size):
    """The buffers that KERNELS names."""
    import numpy as np
    from ours import place

    r, c, d = size
    random = np.random.default_rng(7)
    counts = {"a": (r * c, 0), "b": (r * c, 1024), "p": (r * d, 3072), "q": (c * d, 512)}
    buffers = {"2": 2.0}
    for key, (count, offset) in counts.items():
        buffers[key] = place((count,), np.float32, offset)
        random.random(out=buffers[key], dtype=np.float32)
    return buffers


def sides_of(library, name, size, buffers, threads):
    """Side -> a call without arguments that returns the result, ours first; and the arrays that go in."""
    sizes = KERNELS[name][0](*size)
    inputs, output = library.arrays(name, sizes, [buffers[key] for key in KERNELS[name][1]])
    calls = {"ours": library.prepare(name, sizes, inputs, output())}
    for peer in PEERS:
        calls[peer] = importlib.import_module("with_" + peer).prepare(name, threads, inputs, output())
    return calls, inputs


def check(name, peer, result, expected, inputs):
    import numpy as np

    result = np.asarray(result)
    if result.shape != expected.shape or result.dtype not in (np.float32, np.int32, np.int64):
        sys.exit(f"peers: {name}: {peer} returns {result.dtype}{result.shape}, ours {expected.shape}")
    if name == "nearest":  # two centres may be equally far but for rounding: how far they are has to agree
        points, centres = (array.astype(float) for array in inputs)
        result, expected = (((points - centres[best]) ** 2).sum(1) for best in (result, expected))
    apart = np.abs(result.astype(float) - expected).max() / (1 + np.abs(expected).max())
    if not apart <= TOLERANCE:
        sys.exit(f"peers: {name}: results of {peer} differ by {apart:g} (allowed {TOLERANCE:g})")


def sample(call, calls, spread):
    """Seconds per call; spread moves the threads of OpenMP to different cores, or is None for one thread."""
    if spread:
        time.sleep(PAUSE)
        spread()
        start = time.perf_counter()
        while time.perf_counter() - start < WARM:
            call()
    start = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - start) / calls


def measure(calls, spread):
    """Side -> its samples; sides over LIMIT have none. In every second round the order is reversed."""
    once = {side: min(sample(call, 1, spread), sample(call, 1, spread)) for side, call in calls.items()}
    runs = {side: max(1, math.ceil(SAMPLE / once[side])) for side in calls if once[side] <= LIMIT}
    samples = {side: [] for side in calls}
    for k in range(SLOW_ROUNDS if max(map(once.get, runs)) > SLOW else ROUNDS):
        for side in list(runs)[:: -1 if k % 2 else 1]:
            samples[side].append(sample(calls[side], runs[side], spread))
    return samples


def compare(library, name, size, buffers, threads):
    """A line for each peer."""
    calls, inputs = sides_of(library, name, size, buffers, threads)
    expected = calls["ours"]()
    for peer in PEERS:
        check(name, peer, calls[peer](), expected, inputs)
    samples = measure(calls, library.functions.spread if threads > 1 else None)
    ours = samples.pop("ours")
    for peer, theirs in samples.items():
        ratios = [t / o for t, o in zip(theirs, ours)]
        line = {"name": name, "peer": peer, "threads": threads, "size": "{}x{}, d = {}".format(*size)}
        line |= {"ours_s": statistics.median(ours), "peer_s": None, "ratio": None}
        if theirs:
            line |= {"peer_s": statistics.median(theirs), "ratio": statistics.median(ratios)}
            line |= {"ratio_min": min(ratios), "ratio_max": max(ratios), "least": min(theirs) / min(ours)}
        yield line


def lines_of(folder):
    return pathlib.Path(folder) / "lines.json"


def child(folder, threads, names):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    from ours import Library  # not before: libraries count the cores when they are loaded

    library = Library(pathlib.Path(folder))
    with lines_of(folder).open("w") as file:
        for size in SIZES:
            buffers = noise(size)
            for name in names:
                lines = list(compare(library, name, size, buffers, threads))
                print_lines(lines)
                file.writelines(json.dumps(line) + "\n" for line in lines)


# --- the whole -----------------------------------------------------------------------------------


def print_lines(lines):
    first = lines[0]
    threads = f"{first['threads']} thread{'s' if first['threads'] > 1 else ' '}"
    print(f"{first['name']:14} {threads}  {first['size']:19} ours {first['ours_s'] * 1e6:10.1f} us", end="")
    for line in lines:
        if line["peer_s"] is None:
            print(f"  {line['peer']}: over {LIMIT} s", end="")
        else:
            print("  {peer} {ratio:6.2f} ({ratio_min:.2f}-{ratio_max:.2f})".format(**line), end="")
    print(flush=True)


def print_means(lines, ratio):
    """Geometric means over the kernels and sizes, per peer and of the fastest peer of each; where ours is BEHIND."""
    lines = sorted(lines, key=lambda line: line[ratio])
    fastest = {}
    for line in lines:
        fastest.setdefault((line["name"], line["size"]), line)
    groups = {peer: [line for line in lines if line["peer"] == peer] for peer in PEERS}
    groups["the fastest of them"] = list(fastest.values())
    means = {group: statistics.fmean(math.log(line[ratio]) for line in some) for group, some in groups.items() if some}
    print(", ".join(f"{group} {math.exp(mean):.2f}" for group, mean in means.items()))
    for line in fastest.values():
        if line[ratio] < BEHIND:
            print("  {:.2f} of {peer}: {name}, {size}".format(line[ratio], **line))


def versions():
    packages = ("numpy", "scipy", "numba", "jax")
    return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in packages)


def main(folder, output, *only):
    if only and only[0] not in KERNELS:
        sys.exit(f"peers: there is no kernel {only[0]}")
    print(versions())
    lines = []
    for threads in [threads for threads in THREADS if threads <= len(os.sched_getaffinity(0))]:
        command = [sys.executable, "-B", __file__, "--child", folder, str(threads), *only]
        subprocess.run(command, env=os.environ | {"OMP_NUM_THREADS": str(threads)}, check=True)
        lines += map(json.loads, lines_of(folder).read_text().splitlines())
    pathlib.Path(output).write_text("[\n" + ",\n".join(map(json.dumps, lines)) + "\n]\n")
    for threads in sorted({line["threads"] for line in lines}):
        measured = [line for line in lines if line["threads"] == threads and line["ratio"] is not None]
        for ratio, of in ("ratio", "medians"), ("least", "least times"):
            print(f"geometric means of {of}, threads: {threads}:", end=" ")
            print_means(measured, ratio)


if __name__ == "__main__":
    if sys.argv[1] == "--child":
        folder, threads, *only = sys.argv[2:]
        child(folder, int(threads), only or KERNELS)
    else:
        main(*sys.argv[1:])
