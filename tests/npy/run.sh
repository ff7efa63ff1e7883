#!/bin/sh
# run.sh ADZE [SEED]: .npy files of complex numbers and of structured types that NumPy writes are loaded, and those that adze writes
# are what NumPy reads.
if [ $# = 0 ] || [ ! -x "$1" ]; then
    echo "usage: run.sh ADZE [SEED]" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
for python in /usr/bin/python3 python3; do
    "$python" -c 'import numpy' 2>/dev/null && exec "$python" -B "$here/npy.py" "$@"
done
echo "run.sh: python3 with numpy is missing: apt-get install python3-numpy" >&2
exit 2
