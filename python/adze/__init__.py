"""Adze in Python: array programs, compiled to machine code and called on NumPy arrays.

    >>> import adze
    >>> m = adze.compile('''
    ...     /// The sum of products.
    ...     entry fn dot[n: nat](a: [n]f32, b: [n]f32) -> f32 {
    ...         zip(a, b) |> map(|(x, y)| x * y) |> reduce(+, 0.0)
    ...     }
    ... ''')
    >>> m.dot([1, 2, 3], [4, 5, 6])
    32.0
"""

from ._native import version as __version__
from .errors import (
    AdzeWarning,
    ArgumentError,
    CompileError,
    DiagnosticError,
    DtypeError,
    Error,
    LayoutError,
    NoCompilerError,
    RunError,
    ShapeError,
    SizeConditionError,
)
from .module import Module, compile, load, set_cc
from .notebook import load_ipython_extension

__all__ = [
    "AdzeWarning",
    "ArgumentError",
    "CompileError",
    "DiagnosticError",
    "DtypeError",
    "Error",
    "LayoutError",
    "Module",
    "NoCompilerError",
    "RunError",
    "ShapeError",
    "SizeConditionError",
    "__version__",
    "compile",
    "load",
    "load_ipython_extension",
    "set_cc",
]
