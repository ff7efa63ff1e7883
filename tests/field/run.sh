#!/bin/sh
# run.sh ADZE [all | opencl | SHIFT] [NAME...]: programs of real use, each compared with an independent reference, through every way in
# which a program is run: `adze run` with files and literals, interpreted and compiled, and `adze build` with a caller in C. Without
# `all` each program takes some of these ways, in rotation; a number turns that on by as many places. CONTRIBUTING.md says how to
# add a program.
if [ $# = 0 ] || [ ! -x "$1" ]; then
    echo "usage: run.sh ADZE [all | opencl | SHIFT] [NAME...]" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../with_numpy.sh"
with_numpy "$here/harness.py" "$@"
