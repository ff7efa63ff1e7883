"""The entries of a package that `adze build --python` wrote: part of its extension module."""

import importlib
import json
import re
import threading

from . import _native, program
from .errors import ArgumentError

_MESSAGE = re.compile(r"(?:(.*?):(\d+):(\d+): )?error (E\d+): (.*)", re.DOTALL)


class Built:
    """The entries of a package. In it they take the place of a module that is compiled."""

    _specialises = False

    def __init__(self, name):
        self.__name__ = name
        self._classes = {}
        self._lock = threading.RLock()
        self._entries = program.entries_of(self, json.loads(_native.description))
        self.attributes = program.attributes_of(self._entries)

    def __reduce__(self):
        return _of_package, (self.__name__,)

    def _compile(self, entry, fixed):
        return _native.code(entry)

    def _check_fix(self):
        raise ArgumentError(
            f"{self.__name__} is compiled already; values of sizes are given by adze build --fix"
        )

    def _explain(self, entry, fixed, stage):
        raise ArgumentError(
            f"{self.__name__} is compiled already; adze explain shows how, given the program"
        )

    def _failure(self, message, note):
        file, line, column, code, text = _MESSAGE.fullmatch(message).groups()
        place = {"file": file, "line": line and int(line), "column": column and int(column)}
        notes = [{"kind": "note", "message": note}]
        first = {"code": code, "severity": "error", **place, "message": text, "notes": notes}
        return program.error_of_call(
            {"diagnostics": [first], "text": f"{message}\n      = note: {note}"}
        )


def _of_package(name):
    return importlib.import_module(name)._program
