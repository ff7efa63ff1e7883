"""harness.py ADZE [all | opencl | SHIFT] [NAME...]: runs the programs of this folder through every door, see run.sh."""

import concurrent.futures
import importlib
import os
import re
import shlex
import subprocess
import sys
import tempfile
import traceback
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import caller
from field import Buffer, Failure, Ignored, Index, Option, Records, Rows, Struct, Table, UpTo, UpTos, leaves

warnings.filterwarnings("ignore", "metadata on a dtype")  # names of structs, which files do not have

HERE = Path(__file__).resolve().parent
TIMEOUT = 240  # a device of the processor compiles the kernels, too, perhaps beside other programs
CPU_INFO = Path("/proc/cpuinfo")
CPU_FLAGS = CPU_INFO.read_text(encoding="utf-8") if CPU_INFO.exists() else ""
CHECKED = "check"  # the door before all others
LITERAL = 300  # elements that a call with literals has at most
INTERPRETED = 5000  # elements that an interpreted call has at most
TOGETHER = 20  # calls in one expression
SAMPLE = 8  # calls of a program that `make test` compiles by `adze run`
QUICK = ["--cflags", "-O0"]  # what is computed is compared, and the C compiler takes a fifth of the time


@dataclass(frozen=True)
class Build:
    """A way to compile the C of `adze build` and its caller."""

    cc: str
    flags: str
    adze: str = ""
    cpu: str = "native"
    workspace: bool = False
    buffers: bool = False

    def name(self):
        words = [self.cc, self.flags, self.adze, "--cpu", self.cpu, "in a given workspace" if self.workspace else "", "on buffers" if self.buffers else ""]
        return " ".join(word for word in words if word)


SANITIZED = "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all"

# The builds: each compiler, target, processor, level and sanitizer, and most pairs of those.
BUILDS = [
    Build("gcc", "-O2"),
    Build("clang", "-O2", cpu="x86-64-v3"),
    Build("gcc", SANITIZED, adze="--plain", cpu="x86-64-v2"),
    Build("clang", "-O3", adze="--target c", cpu="portable"),
    Build("gcc", "-O3 -fopenmp", cpu="x86-64-v4"),
    Build("clang", SANITIZED, adze="--target c --plain"),
    Build("gcc", "-O0", adze="--target c --in-order", cpu="aarch64"),
    Build("clang", "-O1", cpu="x86-64", workspace=True),
    Build("gcc", "-O3", adze="--target c --lower", cpu="x86-64-v3"),
    Build("gcc", "-O2", adze="--plain", cpu="v2,v3,v4"),
    Build("clang", SANITIZED, adze="--lower", cpu="x86-64-v3", workspace=True),
    Build("gcc", "-O2 -fopenmp"),
    Build("clang", "-O2", adze="--target c", cpu="x86-64-v4"),
    Build("gcc", SANITIZED + " -fopenmp", adze="--vector-math exact", workspace=True),
    Build("clang", "-O0", cpu="portable", adze="--vector-bytes 0 --plain"),
    Build("clang", "-O3", cpu="v2,v3,v4", adze="--target c"),
    Build("gcc", "-O2", adze="--target opencl"),
    Build("clang", "-O1", adze="--target opencl --plain", workspace=True),
    Build("gcc", "-O1", adze="--target opencl", buffers=True),
]

# Options of `adze run` that change how a program is compiled, but not what it gives.
RUNS = [
    "",
    "--specialise",
    "--target c",
    "--cc clang",
    "--cpu portable --plain",
    "--lower",
    "--cpu x86-64-v2 --cc clang --plain",
    "--target c --plain --cpu x86-64-v3",
    "--vector-bytes 0",
    "--check-passes --no-cache",
    "--target opencl",
]


def command(words, cwd, status=0, env=None):
    """Runs a command; gives its standard output and error. Fails if it ends with another status, or not at all."""
    try:
        done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, timeout=TIMEOUT, env=env, stdin=subprocess.DEVNULL, check=False)
    except subprocess.TimeoutExpired as late:
        raise Failure(f"$ {shlex.join(words)}\nruns for more than {TIMEOUT} s") from late
    if done.returncode != status:
        raise Failure(f"$ {shlex.join(words)}\nstatus {done.returncode}, not {status}\n{done.stdout[:2000]}{done.stderr[:6000]}")
    return done


# --- values as text ----------------------------------------------------------------------------------------------------------------------


def number(x):
    """A number as an expression."""
    x = x.item() if isinstance(x, np.generic) and not isinstance(x, np.floating) else x
    if isinstance(x, (bool, int)):
        return str(x).lower()
    if np.isnan(x):
        return "(0.0 / 0.0)"
    if np.isinf(x):
        return "(1.0 / 0.0)" if x > 0 else "(-1.0 / 0.0)"
    text = (str(x) if isinstance(x, np.generic) else repr(x)).replace("e+", "e")
    return text


def literal(value):
    """A value as an expression without files."""
    if isinstance(value, np.ndarray):
        return "[" + ", ".join(literal(row) for row in value) + "]" if value.ndim else literal(value[()])
    if isinstance(value, np.void):
        return literal(Struct(value.dtype.metadata["struct"], **{name: value[name] for name in value.dtype.names}))
    if isinstance(value, Table):
        rows = zip(*value.fields.values())
        return "[" + ", ".join(literal(Struct(value.name, **dict(zip(value.fields, row)))) for row in rows) + "]"
    if isinstance(value, Struct):
        return value.name + " { " + ", ".join(f"{k}: {literal(v)}" for k, v in value.fields.items()) + " }"
    if isinstance(value, Index):
        return f"{value.value} as idx[{value.bound}]"
    if isinstance(value, Rows):
        return "[" + ", ".join(literal(row) for row in zip(*value)) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(literal(v) for v in value) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, Option):
        return f"{value.name}{literal(value.data)}".replace(",)", ")") if value.data else value.name
    return number(value)


def from_files(value, name, folder):
    """A value as an expression that loads its arrays from files, which are written to the folder."""
    if isinstance(value, np.ndarray):
        np.save(folder / f"{name}.npy", value)
        return f'load("{name}.npy")'
    if isinstance(value, Records):
        return from_files(value.array(), name, folder)
    if isinstance(value, Table):
        columns = [from_files(column, f"{name}_{k}", folder) for k, column in value.fields.items()]
        fields = ", ".join(value.fields)
        return f"(zip({', '.join(columns)}) |> map(|({fields})| {value.name} {{ {', '.join(f'{k}: {k}' for k in value.fields)} }}))"
    if isinstance(value, Struct):
        return value.name + " { " + ", ".join(f"{k}: {from_files(v, f'{name}_{k}', folder)}" for k, v in value.fields.items()) + " }"
    if isinstance(value, Rows):
        return "zip" + from_files(tuple(value), name, folder)
    if isinstance(value, tuple):
        return "(" + ", ".join(from_files(v, f"{name}_{i}", folder) for i, v in enumerate(value)) + ("," if len(value) == 1 else "") + ")"
    return literal(value)


def printed(text):
    """The numbers of a value as `adze run` prints it."""
    words = re.findall(r"-?\binf\b|-?\bnan\b|\btrue\b|\bfalse\b|-?\b\d[\d.]*(?:e[-+]?\d+)?|[A-Za-z_]\w*", text)
    named = {"true": 1, "false": 0, "inf": np.inf, "-inf": -np.inf, "nan": np.nan, "-nan": np.nan}
    values = [named[w] if w in named else w for w in words]
    return [v for v in values if not isinstance(v, str) or not v[0].isalpha() and v[0] != "_"]


# --- comparing ---------------------------------------------------------------------------------------------------------------------------


def compare(call, wanted, got):
    """Whether one component of a result is what it has to be."""
    if isinstance(wanted, Ignored):
        return
    if isinstance(wanted, Buffer):
        if got.shape != wanted.shape:
            raise Failure(f"has room for {list(got.shape)}, not {list(wanted.shape)}")
        compare(call, wanted.data[wanted.defined], got[wanted.defined])
        return
    wanted = np.asarray(wanted)
    if wanted.dtype.names and got.dtype.names == wanted.dtype.names:
        for name in wanted.dtype.names:
            compare(call, wanted[name], got[name])
        return
    if got.dtype != wanted.dtype or got.shape != wanted.shape:
        raise Failure(f"is {got.dtype}{list(got.shape)}, not {wanted.dtype}{list(wanted.shape)}")
    if wanted.dtype.kind == "f":
        with np.errstate(all="ignore"):
            good = np.isclose(got, wanted, rtol=call.rtol, atol=call.atol, equal_nan=True)
    else:
        good = got == wanted
    if not np.all(good):
        at = tuple(int(i) for i in np.argwhere(~np.atleast_1d(good))[0])
        raise Failure(f"{np.size(good) - np.count_nonzero(good)} of {np.size(good)} elements are wrong, the first at {list(at)}: "
                      f"{np.atleast_1d(got)[at]!r}, not {np.atleast_1d(wanted)[at]!r}")


def shown(value):
    """The components of a value that are printed: of an option those that it has, of a [?n]t the elements that exist."""
    if isinstance(value, Option):
        return value.data
    if isinstance(value, UpTo):
        return shown(value.elements)
    if isinstance(value, Records):
        return value
    if isinstance(value, UpTos):
        return tuple(value.rows)
    if isinstance(value, Table):
        return shown(Rows(value.fields.values()))
    if isinstance(value, Rows):
        return tuple(shown(row) for row in zip(*value))
    return tuple(shown(v) for v in value) if isinstance(value, tuple) else value


def only_printed(value):
    """Whether a value is not written to files: an option, and a [?n]t of tuples or in an array."""
    if isinstance(value, UpTo):
        return isinstance(value.elements, Rows)
    return isinstance(value, (Option, UpTos)) or isinstance(value, tuple) and any(only_printed(v) for v in value)


def filed(value):
    """The arrays and numbers that are written to files, one for each file."""
    if isinstance(value, UpTo):
        return filed(value.elements)
    if isinstance(value, Table):
        return leaves(Records(value.name, **value.fields))
    return [part for v in value for part in filed(v)] if isinstance(value, tuple) else leaves(value)


def compare_printed(call, text):
    """Whether the printed value is what it has to be."""
    compare_numbers(call, printed(text))


def members(array):
    """The numbers of an array of records, each record's members one after the other; another array as it is."""
    if not array.dtype.names:
        return [array]
    return [part for record in array.flat for name in array.dtype.names for part in members(np.asarray(record[name]))]


def shown_numbers(call):
    """The numbers that are printed of a call's value, as arrays."""
    return [part for leaf in leaves(shown(call.want)) for part in members(np.asarray(leaf))]


def compare_numbers(call, got):
    """Whether the printed numbers are those of the value."""
    wanted = shown_numbers(call)
    if len(got) != sum(leaf.size for leaf in wanted):
        raise Failure(f"{len(got)} numbers are printed, not {sum(leaf.size for leaf in wanted)}: {got[:100]}")
    for leaf in wanted:
        part, got = got[: leaf.size], got[leaf.size :]
        kind = float if leaf.dtype.kind == "f" else int
        compare(call, leaf, np.array([kind(v) for v in part], dtype=leaf.dtype).reshape(leaf.shape))


def is_one_file(call):
    """Whether a call succeeds and its value is written to one file. (A tuple in a tuple cannot be written to files.)"""
    return not call.fails and not isinstance(call.want, tuple) and not only_printed(call.want) and len(filed(call.want)) == 1


def is_short(call):
    """Whether a call succeeds and its value is printed with few numbers. (Rows are unzipped before they are written.)"""
    return not call.fails and not isinstance(call.want, Rows) and sum(part.size for part in shown_numbers(call)) <= LITERAL


def elements(call):
    return sum(np.size(leaf) for leaf in leaves(call.args)) + sum(np.size(leaf) for leaf in leaves(call.want))


def has_literals(call):
    """Whether the arguments can be written down: few, and no array of rank 2 without elements."""
    return elements(call) <= LITERAL and all(np.size(leaf) or np.ndim(leaf) < 2 for leaf in leaves(call.args))


# --- doors -------------------------------------------------------------------------------------------------------------------------------


class Program:
    """A program of this folder, the calls of its reference, and a folder to work in."""

    def __init__(self, adze, name, place, scratch):
        self.adze = adze
        self.name = name
        self.place = place
        self.file = str(HERE / f"{name}.adz")
        module = importlib.import_module(name)
        self.calls = list(module.calls())
        self.long = getattr(module, "LONG", False)
        self.folder = scratch / name
        self.folder.mkdir()
        self.env = {**os.environ, "XDG_CACHE_HOME": str(scratch / "cache"), "OMP_NUM_THREADS": "3"}
        self.files = []
        for k, call in enumerate(self.calls):
            texts = [from_files(arg, f"c{k}a{i}", self.folder) for i, arg in enumerate(call.args)]
            expr = f"{call.entry}({', '.join(texts)})"
            self.files.append(f"unzip({expr})" if isinstance(call.want, Rows) and not call.fails else expr)

    def command(self, words, status=0, **more):
        return command(words, self.folder, status, {**self.env, **more})

    def check(self):
        """The program has no errors; no other door is tried otherwise."""
        self.command([self.adze, "check", self.file])
        return 1

    def tests(self, options):
        """The file is laid out in the standard way, and its tests hold."""
        self.command([self.adze, "fmt", "--check", self.file])
        self.command([self.adze, "test", *options, self.file])
        return 2

    def expression(self, call, expr, options):
        """One call by `adze run`. Its value is printed if that is short, and written to files otherwise."""
        words = [self.adze, "run", *options, self.file, expr]
        try:
            if call.fails:
                said = self.command(words, 1).stderr
                if call.fails not in said:
                    raise Failure(f"no {call.fails} in\n{said}")
            elif expr in self.files and not only_printed(call.want):
                self.written(call, words)
            else:
                compare_printed(call, self.command([*words, "--limit", "0"]).stdout)
        except Failure as why:
            raise Failure(f"$ {shlex.join(words)}\n{why}") from None

    def written(self, call, words):
        self.all_written([(call, leaf) for leaf in filed(call.want)], words)

    def all_written(self, wanted, words):
        with tempfile.TemporaryDirectory(dir=self.folder) as out:
            names = [os.path.join(out, f"out{i}.npy") for i in range(len(wanted))]
            self.command([*words, *[w for name in names for w in ("-o", name)]])
            for (call, leaf), name in zip(wanted, names):
                try:
                    compare(call, leaf, np.load(name))
                except Failure as why:
                    raise Failure(f"{os.path.basename(name)} {why}") from None

    def run(self, options, which):
        """`adze run` on files; `which` picks among the calls."""
        picked = [k for k in range(len(self.calls)) if which(k, self.calls[k])]
        for k in picked:
            self.expression(self.calls[k], self.files[k], options)
        return len(picked)

    def run_together(self, options, which, alone):
        """`adze run` on files, of the calls that `which` picks: those that `alone` picks each in an expression of its own, the others
        several to an expression if each gives one file or a few numbers, since checking and compiling an expression takes far longer than
        computing it; calls of one entry together, because their code is often the same."""
        picked = [k for k, call in enumerate(self.calls) if which(k, call)]
        filed_ones = [k for k in picked if not alone(k, self.calls[k]) and is_one_file(self.calls[k])]
        printed_ones = [k for k in picked if not alone(k, self.calls[k]) and k not in filed_ones and is_short(self.calls[k])]
        self.run(options, lambda k, call: k in picked and k not in filed_ones and k not in printed_ones)
        for ks, door in ((filed_ones, self.files_together), (printed_ones, self.print_together)):
            ks.sort(key=lambda k: self.calls[k].entry)
            for start in range(0, len(ks), TOGETHER):
                group = ks[start : start + TOGETHER]
                words = [self.adze, "run", *options, self.file, f"({', '.join(self.files[k] for k in group)},)"]
                try:
                    door([self.calls[k] for k in group], words)
                except Failure as why:
                    raise Failure(f"$ {shlex.join(words)}\n{why}") from None
        return len(picked)

    def files_together(self, calls, words):
        self.all_written([(call, filed(call.want)[0]) for call in calls], words)

    def print_together(self, calls, words):
        got = printed(self.command([*words, "--limit", "0"]).stdout)
        for call in calls:
            count = sum(part.size for part in shown_numbers(call))
            compare_numbers(call, got[:count])
            got = got[count:]
        if got:
            raise Failure(f"{len(got)} numbers too many are printed")

    def literals(self, options, which):
        """`adze run` on literals."""
        picked = [call for k, call in enumerate(self.calls) if has_literals(call) and which(k, call)]
        for call in picked:
            self.expression(call, f"{call.entry}({', '.join(literal(arg) for arg in call.args)})", options)
        return len(picked)

    def build(self, build):
        """`adze build`, compiled with a caller in C."""
        with tempfile.TemporaryDirectory(dir=self.folder) as out:
            try:
                return self.build_in(build, Path(out))
            except Failure as why:
                raise Failure(f"built by {build.name()}\n{why}") from None

    def build_in(self, build, out):
        self.command([self.adze, "build", *build.adze.split(), "--cpu", build.cpu, self.file, "-o", str(out)])
        caller.write(self, out, build.workspace, build.buffers)
        objects = []
        for source in sorted(out.glob("*.c")):
            objects.append(str(source.with_suffix(".o")))
            flags = [*build.flags.split(), *march(build.cpu, source.stem, self.name)]
            self.command([build.cc, "-std=c11", "-Wall", "-Wextra", "-Werror", *flags, *([f"-I{HERE.parent.parent / 'runtime'}"] if build.buffers else []), "-c", str(source), "-o", objects[-1]])
        self.command([build.cc, *build.flags.split(), *objects, "-o", str(out / "main"), "-lm"])
        done = command([str(out / "main")], out, 0, self.env).stdout.splitlines()
        for k, call in enumerate(self.calls):
            try:
                caller.check(call, k, done[k], out, compare)
            except Failure as why:
                raise Failure(f"{self.files[k]}\n{why}") from None
        return len(self.calls)


def march(cpu, stem, name):
    """The flag for the processor that a file was made for, if this machine has it."""
    if "," in cpu:
        cpu = "x86-64-" + stem[len(name) + 1 :] if stem.startswith(name + "_v") else ""
    flag = {"x86-64-v2": "sse4_2", "x86-64-v3": "avx2", "x86-64-v4": "avx512vl"}.get(cpu)
    if cpu == "native":
        return ["-march=native"]
    return [f"-march={cpu}"] if flag and flag in CPU_FLAGS else []


def small(_, call):
    return not call.slow and elements(call) <= INTERPRETED


def every(_k, _call):
    return True


def one_of(place):
    """One call in a few, another one for each program."""
    return lambda k, call: k % 12 == place % 12


def sample(p):
    """Up to SAMPLE calls of a program, evenly from its list."""
    step = -(-len(p.calls) // SAMPLE)
    return lambda k, call: k % step == p.place % step


def some_doors(p):
    """The doors of a program in `make test`, in rotation: its tests, and a sample of its calls compiled without options; small calls
    interpreted, and some of them with literals; a sample compiled with options, and some with literals; or each called from C. Of
    those that take long to compile (LONG) only the tests."""
    yield CHECKED, p.check
    turn, kind = divmod(p.place, 4)
    if p.long:
        yield "tests", lambda: p.tests(QUICK)
    elif kind == 0:
        yield "tests", lambda: p.tests(QUICK)
        yield "compiled", lambda: p.run_together(["--no-specialise", *(QUICK if turn % 4 else [])], sample(p), one_of(p.place))
    elif kind == 1:
        yield "interpreted", lambda: p.run_together(["--interpret"], small, one_of(p.place))
        yield "literals, interpreted", lambda: p.literals(["--interpret"], one_of(p.place))
    elif kind == 2:
        options = RUNS[turn % len(RUNS)]
        yield f"compiled {options}", lambda: p.run_together([*options.split(), *QUICK], sample(p), one_of(p.place))
        yield "literals", lambda: p.literals(["--no-specialise", *QUICK], one_of(p.place + 1))
    else:
        yield "called from C", lambda: p.build(BUILDS[turn % len(BUILDS)])


def all_doors(p):
    """Every door of a program."""
    yield CHECKED, p.check
    yield "tests", lambda: p.tests([])
    yield "interpreted", lambda: p.run(["--interpret"], small)
    yield "interpreted literals", lambda: p.literals(["--interpret"], small)
    for options in RUNS:
        yield f"compiled {options}", lambda options=options: p.run(options.split(), every)
        yield f"literals {options}", lambda options=options: p.literals(options.split(), one_of(p.place))
    for build in BUILDS:
        yield "C", lambda build=build: p.build(build)


def device_doors(p):
    """A program on a device, as OpenCL finds it; PoCL makes one of the processor."""
    yield CHECKED, p.check
    for plain in ("", " --plain"):
        yield "on a device", lambda plain=plain: p.build(Build("gcc", "-O2", adze="--target opencl" + plain))
    yield "on buffers of a device", lambda: p.build(Build("gcc", "-O1", adze="--target opencl", buffers=True))


def run_program(adze, name, place, scratch, doors):
    """Runs one program; gives how many checks held and what failed."""
    held, failed = 0, []
    try:
        program = Program(adze, name, place, scratch)
        listed = list(doors(program))
    except Exception:
        return 0, [traceback.format_exc()]
    for kind, door in listed:
        try:
            held += door()
        except Exception as why:
            failed.append(f"{kind}: {why if isinstance(why, Failure) else traceback.format_exc()}")
            if kind == CHECKED:
                break
    return held, failed


def main(arguments):
    adze = os.path.abspath(arguments.pop(0))
    doors = some_doors
    if arguments[:1] in (["all"], ["opencl"]):
        doors = all_doors if arguments.pop(0) == "all" else device_doors
    shift = int(arguments.pop(0)) if arguments and arguments[0].isdigit() else 0
    names = sorted(path.stem for path in HERE.glob("*.adz"))
    places = {name: place + shift for place, name in enumerate(names)}
    unknown = [name for name in arguments if name not in places]
    if unknown:
        sys.exit(f"no such program: {' '.join(unknown)}")
    held = failed = 0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    with tempfile.TemporaryDirectory(prefix="adze-field-") as scratch, concurrent.futures.ThreadPoolExecutor(cores) as pool:
        jobs = {name: pool.submit(run_program, adze, name, places[name], Path(scratch), doors) for name in arguments or names}
        for name, job in jobs.items():
            good, bad = job.result()
            held, failed = held + good, failed + len(bad)
            for why in bad:
                print(f"FAILED: {name}: " + why.replace("\n", "\n    "), flush=True)
    print(f"field: {len(jobs)} programs, {held} checks passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main(sys.argv[1:])
