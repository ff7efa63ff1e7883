"""`python -m adze.cc`: the C compiler of the package ziglang, with the options of gcc and clang.

It finds the processor itself, knows the levels of x86-64 by other names, and has no OpenMP.
"""

import os
import sys


def translated(words):
    """The options as ziglang takes them."""
    for word in words:
        if word.startswith("-march=x86-64"):
            yield word.replace("x86-64", "x86_64").replace("_64-", "_64_")
        elif not word.startswith("-mtune="):
            yield word


def main():
    words = sys.argv[1:]
    if "-fopenmp" in words:
        sys.exit("adze.cc: there is no OpenMP")  # the compiler then tries without
    command = [sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=undefined", *translated(words)]
    os.execv(sys.executable, command)


if __name__ == "__main__":
    main()
