"""The caller in C of a program's entries: made from the signatures in the program, as docs/language.md says that entries are called."""

import re

import numpy as np

from field import Failure, Ignored, Rows, Struct, Table, leaves

C_TYPES = {
    "bool": "bool", "int8": "int8_t", "int16": "int16_t", "int32": "int32_t", "int64": "int64_t", "uint8": "uint8_t", "uint16": "uint16_t",
    "uint32": "uint32_t", "uint64": "uint64_t", "float16": "uint16_t", "float32": "float", "float64": "double",
}

HEAD = """\
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "{name}.h"

static __attribute__((unused)) void *input(const char *path, size_t bytes)
{{
    void *data = malloc(bytes ? bytes : 1);
    FILE *f = fopen(path, "rb");
    if (!data || !f || fread(data, 1, bytes, f) != bytes) exit(2);
    fclose(f);
    return data;
}}

// Room for a result, filled with what no result should keep.
static void *room(size_t bytes)
{{
    void *data = malloc(bytes ? bytes : 1);
    if (!data) exit(2);
    memset(data, 0xa5, bytes);
    return data;
}}

static void output(const char *path, void *data, size_t bytes)
{{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, bytes, f) != bytes || fclose(f)) exit(2);
    free(data);
}}

"""


ON_DEVICE = """\
#include "adze_device.h"

static void open_device(void)
{
    if (!adze_device_find_functions() || !adze_device_open()) exit(2);
    adze_device_now = adze_device.own;
}

static __attribute__((unused)) void *to_device(const void *data, size_t bytes)
{
    void *memory = adze_device_new(bytes ? bytes : 1);
    if (!memory || (bytes && !adze_device_write(memory, data, bytes))) exit(2);
    return memory;
}

static __attribute__((unused)) void from_device(void *memory, void *data, size_t bytes)
{
    if (!adze_device_read(memory, data, bytes)) exit(2);
}

"""


def c_type(leaf):
    """The type of the elements of a pointer: void for arrays of structs, which the header declares."""
    if leaf.dtype.names:
        return "void" if leaf.ndim else f"adze_{leaf.dtype.metadata['struct']}"
    return C_TYPES[leaf.dtype.name]


def matching(text, at):
    """The position behind the bracket that closes the one at `at`."""
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] in "([{") - (text[k] in ")]}")
        if depth == 0:
            return k + 1
    raise ValueError(f"no closing bracket in {text[at:at + 60]}")


def split_commas(text):
    """The parts of a list, commas in brackets left alone."""
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += c
    return [p.strip() for p in [*parts, part] if p.strip()]


def signature(program, entry):
    """The size parameters in brackets of an entry, and its parameters as pairs of name and type."""
    text = re.sub(r"//.*", "", program)
    at = re.search(rf"\bentry(?:\s+simd\[\d+\])?\s+fn\s+{entry}\b\s*", text).end()
    generic = []
    if text[at] == "[":
        end = matching(text, at)
        generic = [w for w in re.findall(r"\w+", text[at:end]) if w != "nat"]
        at = end
    params = split_commas(text[at + 1 : matching(text, at) - 1])
    return generic, [tuple(part.strip() for part in p.split(":", 1)) for p in params]


def dimensions(kind):
    """The lengths in a type, as they are written."""
    dims = []
    while kind.startswith("["):
        end = matching(kind, 0)
        dims += split_commas(kind[1 : end - 1])
        kind = kind[end:].strip()
    return dims


def lengths(program, kind, arg):
    """The lengths in the type of an argument and what they are, as pairs; those of structs by way of their fields."""
    if isinstance(arg, np.ndarray):
        yield from zip(dimensions(kind), arg.shape)
    elif isinstance(arg, Rows):
        yield from zip(dimensions(kind)[:1], [len(arg[0])])
    elif isinstance(arg, tuple):
        for part, value in zip(split_commas(kind[1:-1]), arg):
            yield from lengths(program, part, value)
    elif isinstance(arg, Table):
        yield from zip(dimensions(kind)[:1], [len(next(iter(arg.fields.values())))])
    elif isinstance(arg, Struct):
        name, _, rest = kind.partition("[")
        text = re.sub(r"//.*", "", program)
        declared = re.search(rf"\bstruct {name}\b(?:\[([^\]]*)\])? ", text)
        given = dict(zip(re.findall(r"(\w+)(?=[,:])", declared[1] or ""), split_commas(rest[:-1])))
        for field in split_commas(text[declared.end() + 1 : matching(text, declared.end()) - 1]):
            label, _, of = field.partition(":")
            of = re.sub(r"\w+", lambda word: given.get(word[0], word[0]), of.strip())
            yield from lengths(program, of, arg.fields[label.strip()])


def sizes_of(program, call):
    """The values of all size parameters, in the order in which C passes them: those in brackets, then those in parentheses."""
    generic, params = signature(program, call.entry)
    known = dict(call.sizes)
    for (name, kind), arg in zip(params, call.args):
        for dim, length in lengths(program, kind, arg):
            sum_of = re.fullmatch(r"([A-Za-z_]\w*)(?: ([+-]) (\d+))?", dim)
            product = re.fullmatch(r"(\d+) \* ([A-Za-z_]\w*)|([A-Za-z_]\w*) \* (\d+)", dim)
            if sum_of:
                more = int(sum_of[3] or 0)
                known.setdefault(sum_of[1], length + more if sum_of[2] == "-" else length - more)
            elif product:
                known.setdefault(product[2] or product[3], length // int(product[1] or product[4]))
    return [known[name] for name in generic] + [int(arg) for (_, kind), arg in zip(params, call.args) if kind == "nat"]


def inputs_of(program, call):
    """The arguments without those that are sizes."""
    _, params = signature(program, call.entry)
    return [arg for (_, kind), arg in zip(params, call.args) if kind != "nat"]


def scalar(x):
    """A number as an expression of C."""
    x = x.item() if isinstance(x, np.generic) else x
    if isinstance(x, bool):
        return str(x).lower()
    if isinstance(x, int):
        return "INT64_MIN" if x == -(2**63) else f"UINT64_C({x})" if x >= 2**63 else f"INT64_C({x})"
    if np.isnan(x):
        return '__builtin_nan("")'
    return ("-" if x < 0 else "") + "__builtin_inf()" if np.isinf(x) else x.hex()


def call_lines(program, k, call, workspace, on=None):
    """The block that makes call k. `on` is the signature of its function for arrays on a device, if that is called."""
    arguments = [f"INT64_C({size})" for size in sizes_of(program, call)]
    before, after = [], []
    for i, leaf in enumerate(leaves(inputs_of(program, call))):
        if isinstance(leaf, Ignored):
            arguments.append("0")
        elif isinstance(leaf, np.ndarray):
            before.append(f'{c_type(leaf)} *in{i} = input("call{k}.in{i}", {leaf.nbytes});')
            after.append(f"free(in{i});")
            arguments.append(f"in{i}" if leaf.ndim else f"*in{i}")
        else:
            arguments.append(scalar(leaf))
    for i, leaf in enumerate(leaves(call.want)):
        before.append(f"{c_type(leaf)} *out{i} = room({leaf.nbytes});")
        after.append(f'output("call{k}.out{i}", out{i}, {leaf.nbytes});')
        arguments.append(f"out{i}")
    name = f"adze_{call.entry}"
    if workspace:
        count = len(sizes_of(program, call))
        before.append(f"size_t bytes = {name}_workspace({', '.join(arguments[:count])});")
        before.append("void *memory = aligned_alloc(64, (bytes / 64 + 1) * 64);")
        before.append("if (!memory) exit(2);")
        after.append("free(memory);")
        arguments.append("memory")
    suffix = "_in" if workspace else ""
    if on:
        suffix = "_on"
        on_device(on, arguments, before, after, leaves(call.want))
    body = [*before, f"int status = {name}{suffix}({', '.join(arguments)});", f'printf("%d %s\\n", status, {name}_message(status));', *after]
    return "".join(["    {\n", *[f"        {line}\n" for line in body], "    }\n"])


def on_device(signature, arguments, before, after, results):
    """Changes the arguments of a call so that those that are `void *` in the signature are buffers of a device."""
    for i, parameter in enumerate(split_commas(signature)):
        if not re.match(r"(const )?void \*\w+$", parameter):
            continue
        if i == len(arguments):
            arguments.append("adze_device.own.queue")
            break
        name = arguments[i]
        declared = next(k for k, line in enumerate(before) if f" *{name} = " in line)
        size = re.search(r"(\d+)\);$", before[declared])[1]
        before.insert(declared + 1, f"void *{name}_on = to_device({name}, {size});")
        if not parameter.startswith("const"):
            after.insert(0, f"if ({size} && !status) from_device({name}_on, {name}, {size});")
        after.append(f"adze_device_delete({name}_on);")
        arguments[i] = f"{name}_on"


def write(program, folder, workspace, buffers=False):
    """Writes main.c to the folder, and the files that it reads. With `workspace` entries that can be given memory are given it, with
    `buffers` their arrays are on a device of OpenCL."""
    with open(program.file, encoding="utf-8") as f:
        text = f.read()
    header = (folder / f"{program.name}.h").read_text(encoding="utf-8")
    blocks = []
    for k, call in enumerate(program.calls):
        for i, leaf in enumerate(leaves(inputs_of(text, call))):
            if isinstance(leaf, np.ndarray):
                (folder / f"call{k}.in{i}").write_bytes(leaf.tobytes())
        on = buffers and re.search(rf"\badze_{call.entry}_on\(([^;]*)\);", header)
        blocks.append(call_lines(text, k, call, workspace and f"adze_{call.entry}_in(" in header, on and on[1]))
    head = HEAD.format(name=program.name) + (ON_DEVICE if buffers else "")
    main = head + "int main(void)\n{\n" + ("    open_device();\n" if buffers else "") + "".join(blocks) + "    return 0;\n}\n"
    (folder / "main.c").write_text(main, encoding="utf-8")


def check(call, k, line, folder, compare):
    """Compares what call k left with what it should be; `line` is what main printed for it."""
    status, message = line.split(" ", 1)
    if call.fails:
        if status == "0":
            raise Failure(f"no error, where {call.fails} is due")
        return
    if status != "0":
        raise Failure(f"status {status}: {message}")
    for i, leaf in enumerate(leaves(call.want)):
        got = np.frombuffer((folder / f"call{k}.out{i}").read_bytes(), dtype=leaf.dtype)
        compare(call, leaf, got.reshape(np.shape(leaf)))
