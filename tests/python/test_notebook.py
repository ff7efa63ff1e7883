"""The example notebook: its cells run in IPython and give the outputs that it shows, but for figures."""

import json
import pathlib
import sys
import types

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

NOTEBOOK = pathlib.Path(__file__).parents[2] / "examples" / "notebook.ipynb"


class Plots(types.ModuleType):
    """Stands for matplotlib.pyplot, which takes longer to install than all tests: figures are not compared."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **keywords: None


@pytest.fixture
def shell(tmp_path, monkeypatch):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    package = Plots("matplotlib")
    package.pyplot = Plots("matplotlib.pyplot")
    monkeypatch.setitem(sys.modules, "matplotlib", package)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", package.pyplot)
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    yield InteractiveShell.instance(config=config)
    InteractiveShell.clear_instance()


def shown(cell):
    """What a cell of the notebook shows: what it prints, and its value."""
    text = "".join("".join(o["text"]) for o in cell["outputs"] if o["output_type"] == "stream")
    values = [o["data"] for o in cell["outputs"] if o["output_type"] == "execute_result"]
    return text, {kind: "".join(lines) for data in values for kind, lines in data.items()}


def test_example(shell, capsys):
    cells = [c for c in json.loads(NOTEBOOK.read_text())["cells"] if c["cell_type"] == "code"]
    assert len(cells) > 5
    for cell in cells:
        result = shell.run_cell("".join(cell["source"]))
        result.raise_error()
        text, value = shown(cell)
        printed = capsys.readouterr().out
        made = {} if result.result is None else shell.display_formatter.format(result.result)[0]
        assert {k: made.get(k) for k in value} == value
        assert printed.startswith(text) and (text or not printed.strip("\n") or value)


def test_errors_in_cells(shell, capsys):
    shell.run_cell("%load_ext adze")
    shell.run_cell("%%adze\nentry fn f() -> i32 { x }")
    printed = capsys.readouterr().out
    assert "CompileError: cell.adz:1:23: error E0201" in printed and "Traceback" not in printed
    shell.run_cell("%%adze one two\nentry fn f() -> i32 { 1 }")
    assert "%%adze takes a name" in capsys.readouterr().out
    shell.run_cell("%%adze m --target=c --in-order\nentry fn f() -> i32 { 1 }").raise_error()
    assert shell.user_ns["m"].f() == 1 and "f" not in shell.user_ns
    shell.run_cell("%%adze\nenum Side { Left, Right }\nentry fn side(x: i32) -> Side { if x < 0 { Side.Left } else { Side.Right } }").raise_error()
    assert shell.user_ns["side"](-1) == shell.user_ns["Side"].Left
