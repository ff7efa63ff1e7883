"""Notebooks: the cell magic %%adze, which `%load_ext adze` registers, and rich display."""

from __future__ import annotations

import html
import shlex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Text(str):
    """A text that notebooks and IPython show line by line. `language` is that of its colours."""

    language = ""

    def _repr_pretty_(self, printer, cycle):
        printer.text(str(self))

    def _repr_markdown_(self):
        return f"```{self.language}\n{self}\n```"


def text_of_stage(text, stage):
    result = Text(text)
    result.language = "c" if stage == "c" else ""
    return result


def table_of_entries(entries):
    """The entries of a module as a table in HTML."""
    rows = "".join(
        f"<tr><td style='text-align:left'><code>{html.escape(signature)}</code></td>"
        f"<td style='text-align:left'>{html.escape(doc)}</td></tr>"
        for signature, doc in entries
    )
    return f"<table>{rows}</table>"


def _parsed(line):
    """The name and the options behind %%adze."""
    options, names = {}, []
    for word in shlex.split(line):
        if word.startswith("--"):
            option, equals, value = word[2:].partition("=")
            options[option.replace("-", "_")] = value if equals else True
        else:
            names.append(word)
    if len(names) > 1 or not all(map(str.isidentifier, names)):
        raise ValueError("%%adze takes a name, which the module gets, and options such as --target=c")
    return (names or [None])[0], options


def _run_cell(shell, line, cell):
    """Compiles a cell. The entries become variables; with a name behind %%adze, only the module."""
    from . import module

    name, options = _parsed(line)
    made = module.compile(cell, name="cell.adz", **options)
    shell.push({name: made} if name else {n: getattr(made, n) for n in made._names})
    return made


def load_ipython_extension(shell: Any) -> None:
    """Registers %%adze. IPython calls this."""

    def adze(line, cell):
        """%%adze [NAME] [--OPTION[=VALUE]]..: the cell is a program in Adze.

        Its entries, structs and enums become variables or, with a name, attributes of one module.
        Options are those of adze.load: --target=c, --in-order, .."""
        return _run_cell(shell, line, cell)

    shell.register_magic_function(adze, "cell")
