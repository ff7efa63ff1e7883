"""Builds the extension module: the compiler, by the Makefile of the source tree, and the files in
native/. Copies the library of Adze into the package."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
TREE = HERE.parent
CONFIG = os.environ.get("CONFIG", "release")
SANITIZE = ["-fsanitize=address,undefined"] if CONFIG == "debug" else []
# one build for Python 3.11 and later, but not those without a global lock
LIMITED = not sysconfig.get_config_var("Py_GIL_DISABLED")
SCRATCH = TREE / "build" / "python" / f"setuptools-{CONFIG}"  # the source tree stays as it is


def version():
    text = (TREE / "Makefile").read_text()
    return re.search(r"^VERSION := (\S+)$", text, re.MULTILINE).group(1)


def built_compiler():
    """Builds the compiler as an archive. Returns its path, and the libraries that it needs."""
    jobs = os.environ.get("JOBS") or str(os.cpu_count() or 1)
    # an outer make gives its own options to the inner one, which has other goals
    inherited = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")
    environment = {k: v for k, v in os.environ.items() if k not in inherited}
    command = ["make", "-s", "-C", str(TREE), f"-j{jobs}", f"CONFIG={CONFIG}", "python-links"]
    done = subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE, text=True)
    archive, *libraries = done.stdout.splitlines()[-1].split()
    return str(TREE / archive), libraries


class BuildExtension(build_ext):
    def run(self):
        for extension in self.extensions:
            archive, libraries = built_compiler()
            extension.extra_objects = [archive]
            extension.extra_link_args += libraries
            extension.depends.append(archive)
        super().run()


class BuildPython(build_py):
    def run(self):
        super().run()
        if not self.editable_mode:
            target = Path(self.build_lib) / "adze" / "lib"
            shutil.copytree(TREE / "lib", target, dirs_exist_ok=True)


SCRATCH.mkdir(parents=True, exist_ok=True)
setup(
    version=version(),
    ext_modules=[
        Extension(
            "adze._native",
            sources=["native/compiler.c", "native/code.c", "native/caller.c"],
            depends=["native/native.h"],
            include_dirs=["native", str(TREE / "src" / "api"), str(TREE / "runtime")],
            extra_compile_args=["-std=c17", "-Wall", "-Wextra", "-fvisibility=hidden", *SANITIZE],
            extra_link_args=[*([] if sys.platform == "darwin" else ["-Wl,--exclude-libs,ALL"]), *SANITIZE],
            define_macros=[("Py_LIMITED_API", "0x030b0000")] if LIMITED else [],
            py_limited_api=LIMITED,
        )
    ],
    cmdclass={"build_ext": BuildExtension, "build_py": BuildPython},
    options={
        "bdist_wheel": {"py_limited_api": "cp311"} if LIMITED else {},
        "build": {"build_base": str(SCRATCH)},
        "egg_info": {"egg_base": str(SCRATCH)},
    },
)
