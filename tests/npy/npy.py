"""npy.py ADZE [SEED]: random structs, and arrays of them in files, see run.sh.

For each struct NumPy writes arrays in every layout that its file format has: packed, aligned, with holes, of other byte orders, with
the fields in another order, complex numbers as such or as records, in the order of C or of Fortran. `adze run` loads each and writes
it again. NumPy compares the values, and the dtype with the one that docs/language.md promises. Then a field is given another name,
type or shape, and the file must be refused. Structs in C's layout also come back from files that NumPy's tofile writes, and arrays
in an archive as the members of a struct.
"""

import os
import random
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

STRUCTS = 14
NUMBERS = {"bool": "?", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "u8": "u1", "u16": "u2", "u32": "u4", "u64": "u8",
           "f16": "f2", "f32": "f4", "f64": "f8"}
WAYS = ["--interpret", "--specialise", "", "--no-specialise", "--no-cache"]


@dataclass
class Struct:
    """name: in the program. members: (name, type, shape); a type is the name of a number, or a Struct."""

    name: str
    members: list
    in_c: bool

    def is_complex(self):
        return [m[0] for m in self.members] == ["re", "im"] and self.members[0][1] in ("f32", "f64")

    def declaration(self):
        def text(kind, shape):
            return "".join(f"[{n}]" for n in shape) + (kind.name if isinstance(kind, Struct) else kind)

        members = ", ".join(f"{name}: {text(kind, shape)}" for name, kind, shape in self.members)
        return f"{'#[c_layout] ' if self.in_c else ''}struct {self.name} {{ {members} }}"


def random_struct(rng, name, known):
    """A struct of a few members, among them structs that are there already."""
    if rng.random() < 0.3:
        kind = rng.choice(["f16", "f32", "f64"])
        return Struct(name, [("re", kind, ()), ("im", kind, ())], rng.random() < 0.5)
    in_c = rng.random() < 0.5
    inner = [s for s in known if s.in_c or not in_c]
    members = []
    for k in range(rng.randint(1, 5)):
        kind = rng.choice(inner) if inner and rng.random() < 0.4 else rng.choice(list(NUMBERS))
        shape = tuple(rng.randint(1, 3) for _ in range(rng.choice([0, 0, 0, 1, 2])))
        members.append((f"m{k}", kind, shape))
    return Struct(name, members, in_c)


def written(struct):
    """The dtype that adze writes."""
    if struct.is_complex():
        return np.dtype("c8" if struct.members[0][1] == "f32" else "c16")
    fields = [(name, written(kind) if isinstance(kind, Struct) else NUMBERS[kind], shape) for name, kind, shape in struct.members]
    return np.dtype(fields, align=struct.in_c)


def random_layout(rng, struct):
    """A dtype that holds the same."""
    floats = [m for m in struct.members if m[1] in ("f32", "f64") and m[2] == ()]
    if len(struct.members) == len(floats) == 2 and floats[0][1] == floats[1][1] and rng.random() < 0.7:
        return np.dtype(rng.choice("<>") + ("c8" if floats[0][1] == "f32" else "c16"))
    fields = [(name, random_layout(rng, kind) if isinstance(kind, Struct) else rng.choice("<>") + NUMBERS[kind], shape)
              for name, kind, shape in struct.members]
    if rng.random() < 0.3:
        rng.shuffle(fields)
    if rng.random() < 0.6:
        return np.dtype(fields, align=rng.random() < 0.5)
    offset, offsets = rng.choice([0, 0, 3]), []
    for _, kind, shape in fields:
        offsets.append(offset)
        offset += np.dtype((kind, shape)).itemsize + rng.choice([0, 0, 1, 5])
    return np.dtype({"names": [f[0] for f in fields], "formats": [(f[1], f[2]) for f in fields], "offsets": offsets,
                     "itemsize": offset + rng.choice([0, 2])})


def fill(rng, array, struct):
    """Puts random numbers into an array of some layout of the struct."""
    for k, (name, kind, _) in enumerate(struct.members):
        if array.dtype.kind == "c":
            part = array.real if k == 0 else array.imag
        else:
            part = array[name]
        if isinstance(kind, Struct):
            fill(rng, part, kind)
        elif kind == "bool":
            part[...] = rng.integers(0, 2, part.shape)
        elif kind[0] == "f":
            part[...] = rng.integers(-999, 999, part.shape) / 8
        else:
            limits = np.iinfo(NUMBERS[kind])
            part[...] = rng.integers(limits.min, limits.max, part.shape, dtype=NUMBERS[kind], endpoint=True)


def equal(a, b, struct):
    """Whether two arrays of layouts of the struct hold the same."""
    if a.shape != b.shape:
        return False
    for k, (name, kind, _) in enumerate(struct.members):
        parts = [(x.real, x.imag)[k] if x.dtype.kind == "c" else x[name] for x in (a, b)]
        if not (equal(*parts, kind) if isinstance(kind, Struct) else np.array_equal(*parts)):
            return False
    return True


def spoiled(rng, dtype):
    """A dtype that does not fit where this one does."""
    if dtype.kind == "c":
        return np.dtype("c16" if dtype.itemsize == 8 else "c8")
    fields = [(name, dtype[name].base, dtype[name].shape) for name in dtype.names]
    k = rng.randrange(len(fields))
    name, kind, shape = fields[k]
    how = rng.choice(["name", "type", "shape", "rank", "more", "less"])
    other = "i4" if kind != np.dtype("i4") else "f8"
    changed = {"name": (name + "x", kind, shape), "type": (name, other, shape), "shape": (name, kind, (*shape[:-1], 4)),
               "rank": (name, kind, (*shape, 2)), "more": (name, kind, shape), "less": ("y", kind, shape)}
    fields[k] = changed[how]
    return np.dtype(fields + ([("more", "f4")] if how == "more" else []))


def parts_of(path):
    """The text of a file's header without the spaces behind it, of which NumPy has more, and the elements."""
    text, data = Path(path).read_bytes()[10:].split(b"\n", 1)
    return text.rstrip(), data


class Test:
    def __init__(self, adze, seed):
        self.adze = adze
        self.rng = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.held = self.failed = 0

    def adze_run(self, *words):
        done = subprocess.run([self.adze, "run", "s.adz", *words], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def check(self, what, good, said=""):
        self.held += good
        self.failed += not good
        if not good:
            print(f"FAILED: {what}\n    " + said.replace("\n", "\n    "), flush=True)

    def random_array(self, dtype, struct, rank):
        shape = tuple(self.rng.choice([1, 2, 3, 20]) for _ in range(rank))
        if rank and self.rng.random() < 0.15:
            shape = (*shape[:-1], 0)
        array = np.zeros(shape, dtype, order=self.rng.choice("CF"))
        fill(self.numbers, array, struct)
        return array

    def comes_back(self, struct, dtype, rank, way):
        array = self.random_array(dtype, struct, rank)
        np.save("in.npy", array)
        what = f"{struct.declaration()} from {dtype!r}, shape {array.shape}, {way}"
        status, said = self.adze_run(f'{struct.name}_{rank}(load("in.npy"))', "-o", "out.npy", *way.split())
        self.check(what, status == 0, said)
        if status == 0:
            back = np.load("out.npy")
            self.check(what + ": values", equal(array, back, struct), f"{array}\n{back}")
            self.check(what + ": dtype", back.dtype == written(struct), repr(back.dtype))
            np.save("again.npy", back)
            self.check(what + ": bytes", parts_of("again.npy") == parts_of("out.npy"))

    def bare_comes_back(self, struct, way):
        array = self.random_array(written(struct), struct, 1)
        array.tofile("in.bin")
        what = f"{struct.declaration()} from {len(array)} records, {way}"
        call = f'{struct.name}_1(load("in.bin"))'
        status, said = self.adze_run(call, "-o", "out.bin", *way.split())
        self.check(what, status == 0 and Path("in.bin").read_bytes() == Path("out.bin").read_bytes(), said)
        if array.itemsize > 1:
            with open("in.bin", "ab") as file:
                file.write(bytes(self.rng.randrange(1, array.itemsize)))
            status, said = self.adze_run(call)
            self.check(what + ", and a part", status == 1 and "error E0711: in.bin: has " in said and "left over" in said, said)

    def parts_come_back(self, struct, way):
        first = self.random_array(random_layout(self.rng, struct), struct, 1)
        second = self.numbers.random((3, 2))
        (np.savez if self.rng.random() < 0.5 else np.savez_compressed)("in.npz", other=first, second=second, first=first)
        what = f"{struct.declaration()} from an archive, {way}"
        status, said = self.adze_run(f'{struct.name}_parts(load("in.npz"))', "-o", "out.npz", *way.split())
        self.check(what, status == 0, said)
        if status == 0:
            with np.load("out.npz") as back:
                good = sorted(back) == ["first", "second"] and equal(first, back["first"], struct)
                self.check(what + ": values", good and np.array_equal(second, back["second"]), said)
        np.savez("in.npz", second=second, other=first)
        status, said = self.adze_run(f'{struct.name}_parts(load("in.npz"))')
        self.check(what + ", incomplete", status == 1 and "holds no array first, only: second, other" in said, said)

    def is_refused(self, struct, dtype):
        np.save("in.npy", np.zeros(2, dtype))
        status, said = self.adze_run(f'{struct.name}_1(load("in.npy"))', "--interpret")
        self.check(f"{struct.declaration()} from {dtype!r}", status == 1 and "error E0712" in said and "= help: " in said, said)

    def run(self):
        structs = []
        for k in range(STRUCTS):
            structs.append(random_struct(self.rng, f"S{k}", structs))
        with open("s.adz", "w", encoding="utf-8") as program:
            for s in structs:
                print(s.declaration(), file=program)
                print(f"struct {s.name}Parts[n, m: nat] {{ first: [n]{s.name}, second: [m][2]f64 }}", file=program)
                print(f"fn {s.name}_parts[n, m: nat](x: {s.name}Parts[n, m]) -> {s.name}Parts[n, m] {{ x }}", file=program)
                for rank in range(4):
                    sizes = ", ".join("nmk"[:rank])
                    kind = "".join(f"[{n}]" for n in "nmk"[:rank]) + s.name
                    print(f"fn {s.name}_{rank}{f'[{sizes}: nat]' if rank else ''}(x: {kind}) -> {kind} {{ x }}", file=program)
        for k, s in enumerate(structs):
            for n, way in enumerate(WAYS):
                alone = len(s.members) > 1  # a struct of one member is written as that
                self.comes_back(s, random_layout(self.rng, s), self.rng.randint(0 if alone else 1, 3), way if (k + n) % 2 else "--interpret")
            if s.in_c:
                self.bare_comes_back(s, WAYS[k % len(WAYS)])
            if k % 3 == 0:
                self.parts_come_back(s, WAYS[(k + 1) % len(WAYS)])
            for _ in range(4):
                self.is_refused(s, spoiled(self.rng, written(s)))
        print(f"npy: {self.held} passed, {self.failed} failed")
        return self.failed != 0


def main(arguments):
    adze = os.path.abspath(arguments[0])
    with tempfile.TemporaryDirectory(prefix="adze-npy-") as folder:
        os.chdir(folder)
        os.environ["XDG_CACHE_HOME"] = folder
        failed = Test(adze, int(arguments[1]) if len(arguments) > 1 else 1).run()
        os.chdir("/")
    sys.exit(failed)


if __name__ == "__main__":
    main(sys.argv[1:])
