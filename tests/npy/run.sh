#!/bin/sh
# run.sh ADZE [SEED]: .npy files of complex numbers and of structured types that NumPy writes are loaded, and those that adze writes
# are what NumPy reads.
if [ $# = 0 ] || [ ! -x "$1" ]; then
    echo "usage: run.sh ADZE [SEED]" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../with_numpy.sh"
with_numpy "$here/npy.py" "$@"
