"""Entries: functions of a program that can be called."""

import inspect
import json

import numpy as np

from . import _native, arrays, types
from .errors import ArgumentError, CompileError, LayoutError
from .names import python_name
from .sizes import Size, Solver

_STEPS = {"+": 2, "*": 3}  # as in native/caller.c: 0 is a number, 1 a size


def _keyword(name, taken):
    """A name for an option of calls that is no parameter of the entry."""
    while name in taken:
        name += "_"
    return name


class Parameter:
    """A parameter of an entry: a size, or a value with a type."""

    def __init__(self, described, classes):
        self.name = described["name"]
        self.python_name = python_name(self.name)
        self.is_size = described.get("size", False)
        self.type = None if self.is_size else types.of_described(described["type"], classes)
        self.is_strided = described.get("strided", False)
        self.text = "nat" if self.is_size else self.type.text
        self.text += " strided" if self.is_strided else ""


def summary_of(described):
    """The first paragraph of its documentation."""
    return (described["doc"] or "").split("\n\n")[0].replace("\n", " ")


class Version:
    """The compiled code of an entry, for all sizes or for some values of some of them."""

    def __init__(self, code, fixed):
        description = json.loads(code.description)
        self.code = code
        self.fixed = fixed
        self.size_names = description["sizes"]
        self.buffers = description["buffers"]
        self.records = [b["record"] for b in self.buffers]

    def accepts(self, sizes):
        return all(sizes.get(n) == v for n, v in self.fixed.items())


class Entry(_native.Caller):
    """An entry of a program. Call it like a function.

    Arrays are passed without copies if they have the right element type and are contiguous, or if
    the program says `strided`. `out=` gives arrays for the results, `convert=True` permits copies
    of arrays with other element types. Sizes in brackets may be given by name.
    """

    def __init__(self, module, described, fixed=None):
        self._module = module
        self._described = described
        self._key = described.get("key", described["name"])  # its name for the compiler
        self._fixed = fixed or described.get("fixed", {})
        self._versions = {}  # by the sizes that they are for, as a tuple of pairs
        self._parameters = [
            p
            for p in (Parameter(d, module._classes) for d in described["parameters"])
            if not (p.is_size and p.name in self._fixed)
        ]
        self._result = types.of_described(described["result"]["type"], module._classes)
        self._result_strided = described["result"]["strided"]
        self._inner = self._inner_axes() if module._specialises else []
        sizes = {p.name for p in self._parameters if p.is_size} | self._fixed.keys()
        self._named_sizes = [s for s in described["sizes"] if s not in sizes]
        taken = {p.python_name for p in self._parameters} | set(self._named_sizes)
        self._out, self._convert = _keyword("out", taken), _keyword("convert", taken)
        self.__name__ = self.__qualname__ = described["name"]
        self.__module__ = module.__name__
        self.__doc__ = self._documentation()
        self.__signature__ = self._signature()

    # --- what it looks like ---------------------------------------------------------------------

    def __get__(self, instance, owner=None):
        return self  # so that help() and others take it for a function

    def __reduce__(self):
        ranks = [types.rank(p.type) for p in self._parameters] if "key" in self._described else None
        return _find, (self._module, self.__name__, ranks, self._fixed)

    def __repr__(self):
        fixed = "".join(f", {n}={v}" for n, v in self._fixed.items())
        return f"<adze entry {self.__name__}{fixed} of {self._module.__name__}>"

    def _adze_signature(self):
        fixed = ", ".join(f"{n} = {v}" for n, v in self._fixed.items())
        return self._described["signature"] + (f" with {fixed}" if fixed else "")

    def _documentation(self):
        lines = [self._described["doc"]] if self._described["doc"] else []
        return "\n\n".join([*lines, f"In Adze: {self._adze_signature()}"])

    def _signature(self):
        kinds = inspect.Parameter
        parameters = [
            kinds(p.python_name, kinds.POSITIONAL_OR_KEYWORD, annotation=p.text)
            for p in self._parameters
        ]
        options = {s: None for s in self._named_sizes}
        options |= {self._out: None, self._convert: False}
        parameters += [
            kinds(python_name(n), kinds.KEYWORD_ONLY, default=d) for n, d in options.items()
        ]
        return inspect.Signature(parameters, return_annotation=self._result.text)

    # --- compilation ----------------------------------------------------------------------------

    @property
    def summary(self):
        return summary_of(self._described)

    @property
    def types(self):
        """The types of the result and of the parameters that are no sizes."""
        return [self._result, *(p.type for p in self._parameters if p.type)]

    def compile(self) -> "Entry":
        """Compiles the entry now, and not at its first call."""
        self._version({})
        return self

    def _inner_axes(self):
        """Axes of arguments, but no first ones, whose size is a name: (argument, axis, name)."""
        return [
            (i, axis, size.text)
            for i, p in enumerate(self._parameters)
            if isinstance(p.type, types.Array)
            for axis, size in enumerate(p.type.dims)
            if axis > 0 and size.is_name and size.text not in self._fixed
        ]

    def _small_sizes(self, values):
        """The sizes of inner axes that are so small that loops over them are better unrolled."""
        found = {}
        for i, axis, name in self._inner:
            shape = getattr(values[i], "shape", ())
            if axis >= len(shape) or found.setdefault(name, shape[axis]) != shape[axis]:
                return {}  # an error, or a list
        return {n: v for n, v in found.items() if 1 <= v <= _native.SMALL_SIZE}

    def _version(self, sizes):
        """The version for these sizes: the general one, {}, if there is no room for another."""
        key = self._possible(tuple(sorted(sizes.items())))
        if key not in self._versions:
            with self._module._lock:  # other calls do not wait for a compilation
                key = self._possible(key)
                if key not in self._versions:
                    self._versions[key] = self._compiled(dict(key))
        return self._versions[key]

    def _possible(self, key):
        is_full = sum(map(bool, list(self._versions))) >= _native.MOST_SPECIAL
        return () if is_full and key not in self._versions else key

    def _compiled(self, sizes):
        try:
            code = self._module._compile(self._key, self._fixed | sizes)
        except CompileError:
            if not sizes:
                raise
            return self._version({})  # a condition of the program rejects the sizes: in the call
        version = Version(code, sizes)
        plan = self._plan(version)
        if plan:
            names = tuple(p.python_name for p in self._parameters)
            inner = {n for *_, n in self._inner} & set(version.size_names)
            inner = () if sizes else tuple(version.size_names.index(n) for n in inner)
            size_names = tuple(version.size_names)
            self._bind(code, size_names, names, *plan, inner, bool(sizes), np.empty, np.ndarray)
        return version

    def fix(self, **sizes: int) -> "Entry":
        """The entry compiled for these values of some of its sizes: faster, for no others."""
        self._module._check_fix()
        for name in sizes:
            if name not in self._described["sizes"] or name in self._fixed:
                names = ", ".join(s for s in self._described["sizes"] if s not in self._fixed)
                raise ArgumentError(f"{self.__name__} has no size {name}; it has: {names or 'none'}")
        return Entry(self._module, self._described, self._fixed | sizes)

    def explain(self, stage: str = "c") -> str:
        """The entry at a stage of the compiler: core, flat, low, dpia, loop, or c, its C."""
        return self._module._explain(self._key, self._fixed, stage)

    def _plan(self, version):
        """How calls go without Python, or None if they cannot."""
        if self._out != "out" or not self._is_plain():
            return None
        sizes, buffers, targets, made, at = version.size_names, version.buffers, [], [], 0
        for p in self._parameters:
            if p.is_size and p.name not in sizes:
                return None
            targets.append(~sizes.index(p.name) if p.is_size else at)
            at += 0 if p.is_size else 1 + buffers[at]["strides"]
        for b in buffers:
            shape = [self._steps(Size(s), sizes) for s in b["shape"]]
            dtype = arrays.DTYPES[b["type"]]
            if None in shape or (not shape and dtype.itemsize == 2 and dtype.kind == "f"):
                return None
            is_strided = b["strides"] > 0
            made.append(
                (dtype.kind, dtype.itemsize, tuple(shape), b["output"], is_strided, dtype)
            )
        return tuple(targets), tuple(made)

    def _is_plain(self):
        """Whether all values are scalars and arrays of scalars, the result maybe several."""
        results = [self._result]
        if type(self._result) is types.Tuple and self._result.parts:
            results = self._result.parts
        values = [p.type for p in self._parameters if not p.is_size] + results
        inner = [t.inner if isinstance(t, types.Array) else t for t in values]
        return all(isinstance(t, types.Scalar) for t in inner)

    @staticmethod
    def _steps(size, names):
        """A size as steps of native/caller.c."""
        steps = []
        for step in size.code:
            if isinstance(step, int):
                steps.append((0, step))
            elif isinstance(step, str):
                steps.append((1, names.index(step)))
            elif step[0] in _STEPS:
                steps.append((_STEPS[step[0]], 0))
            else:
                return None
        return tuple(steps)

    # --- calls ----------------------------------------------------------------------------------

    def _general(self, args, keywords):
        """A call that native/caller.c leaves to Python."""
        values, options = self._arguments(args, dict(keywords))
        solver = Solver(self.__name__)
        for name, value in self._fixed.items():
            solver.set(name, value, (f"by fix({name}={value})", None))
        for name in self._named_sizes:
            value = options.pop(python_name(name), None)
            if value is not None:
                self._set_size(solver, name, value)
        version = self._version(self._small_sizes(values))
        call = types.Call(version.records, solver, options.pop(self._convert, False))
        self._take(call, values)
        if not version.accepts(solver.known):
            version = self._version({})
        sizes = solver.values(version.size_names)
        call.fill_blanks()
        finish = self._make(call, options.pop(self._out, None))
        message = version.code.invoke(sizes, tuple(call.buffers))
        if message is not None:
            self._fail(message, version.code, sizes)
        return finish()

    def _wrong(self, what):
        return ArgumentError(f"{self.__name__}: {what}; it is {self._adze_signature()}")

    def _arguments(self, args, keywords):
        """The values of the parameters, and what else is given by name."""
        names = [p.python_name for p in self._parameters]
        if len(args) > len(names):
            raise self._wrong(f"{len(args)} arguments are given, but there are {len(names)}")
        values = dict(zip(names, args))
        known = {*map(python_name, self._named_sizes), self._out, self._convert}
        for name in list(keywords):
            if name in values:
                raise self._wrong(f"the argument `{name}` is given twice")
            if name in names:
                values[name] = keywords.pop(name)
            elif name not in known:
                raise self._wrong(f"there is no argument `{name}`")
        missing = [n for n in names if n not in values]
        if missing:
            raise self._wrong(f"the argument `{missing[0]}` is missing")
        return [values[n] for n in names], keywords

    def _set_size(self, solver, name, value):
        try:
            number = value.__index__()
        except (AttributeError, TypeError):
            number = -1
        if not 0 <= number < 2**63:
            raise ArgumentError(f"{self.__name__}: the size {name} is not a number from 0 on")
        solver.set(name, number, (f"by {name}={number}", name))

    def _take(self, call, values):
        for p, value in zip(self._parameters, values):
            if p.is_size:
                self._set_size(call.solver, p.name, value)
            else:
                p.type.take(call, value, types.Place(p.name, self.__name__), (), p.is_strided)
        call.solver.finish()

    def _make(self, call, out):
        is_tuple = type(self._result) is types.Tuple
        if out is not None and is_tuple and not isinstance(out, (tuple, list)):
            raise LayoutError(
                f"{self.__name__} has {len(self._result.parts)} results: give a tuple of arrays, "
                "with None for those to be made"
            )
        if out is not None and isinstance(self._result, types.Scalar):
            raise LayoutError(f"the result of {self.__name__} is a number, not an array")
        return self._result.make(call, out, types.Place("out", self.__name__), (), self._result_strided)

    def _fail(self, message, code, sizes):
        """Raises the error of a call that failed."""
        version = next(v for v in self._versions.values() if v.code is code)
        known = self._fixed | version.fixed | dict(zip(version.size_names, sizes))
        known = ", ".join(f"{n} = {known[n]}" for n in self._described["sizes"] if n in known)
        note = f"in {self.__name__}" + (f" with {known}" if known else "")
        raise self._module._failure(message, note)


def _find(module, name, ranks, fixed):
    entry = module._entries[name]
    if ranks is not None:
        entry = entry.of_ranks(*ranks)
    return entry.fix(**fixed) if fixed != getattr(entry, "_fixed", {}) else entry


class AnyRank:
    """An entry for arrays of any rank. It is compiled for the ranks of each call."""

    def __init__(self, module, described):
        self._module = module
        self._parameters = described["parameters"]
        self.summary = summary_of(described)
        self._names = [python_name(p["name"]) for p in self._parameters]
        self._instances = {}
        self.__name__ = self.__qualname__ = described["name"]
        self.__module__ = module.__name__
        lines = [described["doc"]] if described["doc"] else []
        self._text = described["signature"]
        self.__doc__ = "\n\n".join([*lines, f"In Adze: {self._text}"])
        kinds = inspect.Parameter
        self.__signature__ = inspect.Signature(
            [
                kinds(n, kinds.POSITIONAL_OR_KEYWORD, annotation=p["text"])
                for n, p in zip(self._names, self._parameters)
            ]
            + [kinds("options", kinds.VAR_KEYWORD)]
        )

    def __get__(self, instance, owner=None):
        return self  # so that help() and others take it for a function

    def _adze_signature(self):
        return self._text

    def __repr__(self):
        return f"<adze entry {self.__name__} for any rank of {self._module.__name__}>"

    def __reduce__(self):
        return _find, (self._module, self.__name__, None, {})

    def of_ranks(self, *ranks: int) -> Entry:
        """The entry for arguments of these ranks."""
        if len(ranks) != len(self._names):
            raise ArgumentError(
                f"{len(ranks)} ranks are given, but the parameters are {self._text}"
            )
        if ranks not in self._instances:
            described = self._module._instance(self.__name__, ranks)
            self._instances.setdefault(ranks, Entry(self._module, described))
        return self._instances[ranks]

    def explain(self, stage: str = "c") -> str:
        raise ArgumentError(
            f"{self.__name__} has a form for each rank: write {self.__name__}.of_ranks(..).explain()"
        )

    def __call__(self, *args, **keywords):
        values = dict(zip(self._names, args))
        for name in self._names:
            if name in keywords and name not in values:
                values[name] = keywords[name]
        if len(args) > len(self._names) or len(values) < len(self._names):
            given = len(args) if len(args) > len(self._names) else len(values)
            raise ArgumentError(f"{given} arguments are given, but it is {self._text}")
        ranks = tuple([self._rank(values[n], n) for n in self._names])
        return (self._instances.get(ranks) or self.of_ranks(*ranks))(*args, **keywords)

    def _rank(self, value, name):
        if isinstance(value, np.ndarray):
            return value.ndim
        if isinstance(value, (int, float)):
            return 0
        return arrays.of_object(value, str(types.Place(name, self.__name__))).ndim
