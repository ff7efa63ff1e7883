"""`python -m adze stubs FILE..`: the types of entries, for type checkers and editors."""

import argparse
import pathlib
import sys

from . import Error, load


def _stubs(arguments):
    for file in arguments.files:
        text = load(file)._stub()
        folder = pathlib.Path(arguments.output or pathlib.Path(file).parent)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / (pathlib.Path(file).stem + ".pyi")
        path.write_text(text)
        print(path)


def main(words=None):
    parser = argparse.ArgumentParser(prog="python -m adze", description="Adze in Python.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    stubs = commands.add_parser(
        "stubs", help="write FILE.pyi: the entries of each program as typed functions"
    )
    stubs.add_argument("files", nargs="+", metavar="FILE.adz")
    stubs.add_argument(
        "-o", "--output", metavar="DIR", help="the folder to write to (default: that of the program)"
    )
    stubs.set_defaults(run=_stubs)
    arguments = parser.parse_args(words)
    try:
        arguments.run(arguments)
    except (Error, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
