"""Programs, their options, and the compiler."""

from __future__ import annotations

import os
import sys
import threading
import types
import warnings

from . import _native, errors
from .names import python_name

# typing, json, NumPy, and what needs them are imported with the first program, or not at all: they
# take longer than `import adze`
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_settings: dict[str, Any] = {}  # options for all programs that are loaded from now on


def set_cc(command: str | Sequence[str] | None) -> None:
    """Chooses the C compiler, such as "clang" or ["cc", "-m64"], for programs loaded from now on.

    None goes back to the default: the environment variable CC, or the first of cc, gcc and clang
    that there is, or the compiler of the package ziglang (pip install adze[compiler]).
    """
    if command is None:
        _settings.pop("cc", None)
    else:
        _settings["cc"] = command if isinstance(command, str) else _command_text(command)


def _command_text(words):
    for word in words:
        if not word or word.split() != [word]:
            raise errors.ArgumentError(f"the command of a C compiler cannot have the word {word!r}")
    return " ".join(words)


def _packaged_cc():
    """The compiler of the package ziglang, if the system has none: a command, or None."""
    import importlib.util
    import shutil

    if os.environ.get("CC", "").split() or any(map(shutil.which, ("cc", "gcc", "clang"))):
        return None
    found = importlib.util.find_spec("ziglang")
    return _command_text([sys.executable, "-m", "adze.cc"]) if found else None


def _library():
    """The folder of the library: the one in the package, or that of the source tree."""
    here = os.path.dirname(os.path.realpath(__file__))
    own = os.path.join(here, "lib")
    return own if os.path.isdir(own) else os.path.join(here, "..", "..", "lib")


def _decoded(text):
    import json

    return json.loads(text)


def _option_texts(options):
    texts = []
    for name, value in ({"cc": _packaged_cc()} | _settings | options).items():
        option = "--" + name.replace("_", "-")
        if value is True:
            texts.append(option)
        elif value is not None and value is not False:
            texts.append(f"{option}={value}")
    return tuple(texts)


class Module(types.ModuleType):
    """A program. Its entries are attributes, as are the structs and enums of their types."""

    def __init__(self, path, text, options):
        super().__init__(os.path.splitext(os.path.basename(os.fspath(path)))[0])
        self._source = (path, text, options)
        self.__file__ = os.fspath(path)
        self._lock = threading.RLock()
        options = dict(options)
        self._specialises = options.pop("specialise", True)
        self._compiler = _native.Compiler(_library(), _option_texts(options))
        self._classes = {}
        self._entries = {}
        self.entries = self._entries  # by name
        if not self._compiler.open(self.__file__, text):
            raise self._error()
        self._warn()
        self._add_entries(_decoded(self._compiler.describe()))
        self.__doc__ = f"A program in Adze, with the entries {', '.join(self._entries) or '(none)'}."

    def _add_entries(self, described):
        from . import program

        self._entries.update(program.entries_of(self, described))
        found = program.attributes_of(self._entries)
        for name, value in found.items():
            setattr(self, name, value)
        self._names = list(found)
        self.__all__ = [python_name(n) for n in self._entries if not n.startswith("_")]

    def _repr_html_(self):
        from .notebook import table_of_entries

        return table_of_entries((e._adze_signature(), e.summary) for e in self._entries.values())

    def __repr__(self):
        return f"<adze module {self.__name__}: {', '.join(self._entries) or 'no entries'}>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        entries = ", ".join(self.__dict__.get("_entries", ())) or "none"
        raise AttributeError(f"{self.__file__} has no entry {name}; its entries are: {entries}")

    def __reduce__(self):
        return Module, self._source  # a copy, also in another process, is compiled there

    # --- the compiler ---------------------------------------------------------------------------

    def _warn(self):
        text = self._report()["text"].rstrip()
        if text:
            warnings.warn(text, errors.AdzeWarning, stacklevel=4)

    def _report(self):
        return _decoded(self._compiler.report())

    def _error(self):
        error = errors.CompileError(self._report())
        return errors.NoCompilerError(self._report()) if error.code == "E0708" else error

    @staticmethod
    def _fixed_text(fixed):
        return ",".join(f"{n}={v}" for n, v in fixed.items()) or None

    def _compile(self, entry, fixed):
        code = self._compiler.compile(entry, self._fixed_text(fixed))
        if code is None:
            raise self._error()
        self._warn()
        return code

    def _check_fix(self):
        pass  # all sizes can be fixed

    def _instance(self, entry, ranks):
        with self._lock:
            text = self._compiler.instance(entry, " ".join(map(str, ranks)))
            if text is None:
                raise self._error()
            return _decoded(text)

    def _stub(self):
        with self._lock:
            return self._compiler.stub()

    def _explain(self, entry, fixed, stage):
        with self._lock:
            text = self._compiler.explain(entry, self._fixed_text(fixed), stage)
            if text is None:
                raise self._error()
        from .notebook import text_of_stage

        return text_of_stage(text, stage)

    def _failure(self, message, note):
        with self._lock:
            self._compiler.failure(message, note)
            report = self._report()
        from .program import error_of_call

        return error_of_call(report)


def load(path: str | os.PathLike[str], **options: Any) -> Module:
    """Loads a program, a file with the extension .adz.

    Options are those of `adze run` that concern compilation, with underscores: target, plain,
    in_order, cpu, vector_math, cc, cflags, cache, no_cache, .. Options without a value are True.
    specialise=False compiles one version of each entry, for all sizes.
    """
    return Module(path, None, options)


def compile(text: str, *, name: str = "text.adz", **options: Any) -> Module:
    """Makes a module of the text of a program. `name` stands for its file in messages."""
    return Module(name, text, options)
