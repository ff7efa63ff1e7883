#!/bin/sh
# run.sh ADZE: each row of the tables in docs/numpy.md has the value that the compiler and NumPy compute.
if [ $# != 1 ] || [ ! -x "$1" ]; then
    echo "usage: run.sh ADZE" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
for python in /usr/bin/python3 python3; do
    "$python" -c 'import numpy' 2>/dev/null && exec "$python" -B "$here/rows.py" "$@"
done
echo "run.sh: python3 with numpy is missing: apt-get install python3-numpy" >&2
exit 2
