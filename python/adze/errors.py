"""The exceptions of Adze. All are `adze.Error`."""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, whose import takes longer than that of adze
if TYPE_CHECKING:
    from typing import Any


class Error(Exception):
    """Any error of Adze."""


class DiagnosticError(Error):
    """An error that the compiler or a compiled program reports.

    Its text is what the command `adze` prints, with the lines of the program. The attributes are
    those of the first error: `code` (such as "E0401"), `file`, `line` and `column`, which are None
    if it has no place, `message`, and `hint`, which may be None. `diagnostics` is the list of all
    errors and warnings, as dictionaries.
    """

    code: str | None
    file: str | None
    line: int | None
    column: int | None
    message: str | None
    hint: str | None
    diagnostics: list[dict[str, Any]]

    def __init__(self, report: dict[str, Any]) -> None:
        self.diagnostics = report["diagnostics"]
        errors = [d for d in self.diagnostics if d["severity"] == "error"]
        first = errors[0] if errors else {}
        self.code = first.get("code")
        self.file = first.get("file")
        self.line = first.get("line")
        self.column = first.get("column")
        self.message = first.get("message")
        hints = [n["message"] for n in first.get("notes", ()) if n["kind"] == "help"]
        self.hint = hints[0] if hints else None
        self._text = report["text"].rstrip()
        super().__init__(self._text or "the compiler reports no reason")

    def __reduce__(self):
        return type(self), ({"diagnostics": self.diagnostics, "text": self._text},)


class AdzeWarning(UserWarning):
    """A warning of the compiler, with the lines of the program."""


class CompileError(DiagnosticError):
    """The program, an option, or its compilation to machine code has an error."""

    def _render_traceback_(self):
        """What notebooks show: the place in the program, not those in Python."""
        return f"{type(self).__name__}: {self._text}".splitlines()


class NoCompilerError(CompileError):
    """There is no C compiler on this machine, or not the one that was chosen."""


class RunError(DiagnosticError):
    """A compiled program failed: an index out of bounds, a failed assertion, .."""


class ArgumentError(Error, TypeError):
    """An argument is missing, given twice, or not one of the entry's."""


class DtypeError(Error, TypeError):
    """An argument has elements of another type than the entry takes."""

    def __init__(self, text, argument=None):
        super().__init__(text)
        self.argument = argument


class ShapeError(Error, ValueError):
    """Sizes of arguments do not fit the entry or one another.

    `argument` is the name of the argument; `size` the size, as the program writes it; `expected`
    and `found` are its two values. They are None where they do not apply.
    """

    def __init__(self, text, argument=None, size=None, expected=None, found=None):
        super().__init__(text)
        self.argument = argument
        self.size = size
        self.expected = expected
        self.found = found


class LayoutError(Error, ValueError):
    """An array given as `out=` cannot hold a result."""

    def __init__(self, text, argument="out"):
        super().__init__(text)
        self.argument = argument


class SizeConditionError(RunError, ShapeError):
    """A condition of the program on its sizes does not hold for this call."""

    def __init__(self, report):
        DiagnosticError.__init__(self, report)
        self.argument = self.size = self.expected = self.found = None
