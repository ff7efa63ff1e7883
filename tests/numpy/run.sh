#!/bin/sh
# run.sh ADZE: each row of the tables in docs/numpy.md has the value that the compiler and NumPy compute.
if [ $# != 1 ] || [ ! -x "$1" ]; then
    echo "usage: run.sh ADZE" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../with_numpy.sh"
with_numpy "$here/rows.py" "$@"
