"""The programs of tests/field, called from Python: as real users would, with the results of independent references."""

import importlib.util
import os
import sys
from pathlib import Path

import adze
import numpy as np
import pytest

FIELD = Path(__file__).parents[1] / "field"
sys.path.insert(0, str(FIELD))
import field  # noqa: E402
from adze.entry import Entry  # noqa: E402

PROGRAMS = sorted(p.stem for p in FIELD.glob("*.adz") if p.with_suffix(".py").exists())
STEP = 1 if os.environ.get("ALL") else 12  # each compiles C, which takes a while


def calls_of(name):
    spec = importlib.util.spec_from_file_location(f"field_{name}", FIELD / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.calls()


def argument(m, value):
    """A value of tests/field as Python's users write it."""
    if isinstance(value, field.Records):
        return value.array()
    if isinstance(value, field.Struct):
        return {name: argument(m, part) for name, part in value.fields.items()}
    if isinstance(value, field.Option):
        enum, option = value.name.split(".")[-2:]
        made = getattr(getattr(m, enum), option)
        return made(*(argument(m, part) for part in value.data)) if value.data else made
    if isinstance(value, field.Index):
        return value.value
    if isinstance(value, tuple):
        return tuple(argument(m, part) for part in value)
    return value


def compare(call, want, got):
    if isinstance(want, field.Option):
        assert type(got).__name__ == want.name.split(".")[-1]
        compare(call, tuple(want.data), tuple(got))
    elif isinstance(want, field.Index):
        assert got == want.value
    elif isinstance(want, field.UpTos):
        counts, elements = got
        assert len(counts) == len(want.rows)
        for count, row, wanted in zip(counts, elements, want.rows):
            compare(call, wanted, row[:count])
    elif isinstance(want, field.UpTo):
        compare(call, want.elements, got)
    elif isinstance(want, field.Records):
        compare(call, want.array(), got)
    elif isinstance(want, field.Struct):
        compare(call, tuple(want.fields.values()), tuple(got))
    elif isinstance(want, np.void):
        compare(call, tuple(want), tuple(got))
    elif isinstance(want, tuple) and len(want) == 1 and not isinstance(got, tuple):
        compare(call, want[0], got)
    elif isinstance(want, (tuple, list)):
        assert len(got) == len(want)
        for a, b in zip(want, got):
            compare(call, a, b)
    else:
        want, got = np.asarray(want), np.asarray(got)
        assert got.shape == want.shape and (got.ndim == 0 or got.dtype == want.dtype)
        if want.dtype.names:
            for name in want.dtype.names:
                compare(call, want[name], got[name])
        elif not np.issubdtype(want.dtype, np.floating):
            np.testing.assert_array_equal(got, want)
        else:
            np.testing.assert_allclose(got, want, rtol=call.rtol, atol=call.atol)


@pytest.mark.parametrize("name", PROGRAMS[::STEP])
def test_program(name):
    m = adze.load(FIELD / f"{name}.adz", target="c", cflags="-O0", vector_math="exact")
    calls = 0
    for call in calls_of(name):
        args = [argument(m, a) for a in call.args]
        entry = getattr(m, call.entry)
        if call.fails:
            with pytest.raises(adze.RunError) as e:
                entry(*args, **call.sizes)
            assert e.value.code == call.fails.replace("E04", "E06")  # found earlier by `adze run`
        else:
            compare(call, call.want, entry(*args, **call.sizes))
            if isinstance(entry, Entry):  # without the fast path, too
                compare(call, call.want, entry._general(args, call.sizes))
        calls += 1
    assert calls > 0
