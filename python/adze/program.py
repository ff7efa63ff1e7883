"""The entries of a program as attributes: what modules of this process and built ones share.

The files arrays, entry, errors, names, program, sizes and types are also part of the packages that
`adze build --python` writes.
"""

from . import errors
from .entry import AnyRank, Entry
from .names import python_name
from .types import named_types


def entries_of(program, described):
    """The entries that the compiler describes, by name. `program` compiles them."""
    return {d["name"]: (AnyRank if d.get("any_rank") else Entry)(program, d) for d in described}


def attributes_of(entries):
    """The entries, and the structs and enums of their types, by their names in Python.

    What begins with an underscore may be the module's own, and is no attribute.
    """
    found = {}
    for entry in entries.values():
        for type_ in getattr(entry, "types", ()):
            found |= named_types(type_)
    return {python_name(n): v for n, v in (found | entries).items() if not n.startswith("_")}


def error_of_call(report):
    """The exception for a call that failed."""
    error = errors.RunError(report)
    return errors.SizeConditionError(report) if error.code == "E0604" else error
