"""The cell magic %%adze of notebooks: `%load_ext adze` registers it."""

from . import module


def _run_cell(shell, line, cell):
    """Compiles a cell. The entries become variables; with a name behind %%adze, only the module."""
    made = module.compile(cell, name="cell.adz")
    name = line.strip()
    shell.push({name: made} if name else made._entries)
    return made


def load_ipython_extension(shell):
    """Registers %%adze. IPython calls this."""

    def adze(line, cell):
        return _run_cell(shell, line, cell)

    shell.register_magic_function(adze, "cell")
