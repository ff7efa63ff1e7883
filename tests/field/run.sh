#!/bin/sh
# run.sh ADZE [all | SHIFT] [NAME...]: programs of real use, each compared with an independent reference, through every way in
# which a program is run: `adze run` with files and literals, interpreted and compiled, and `adze build` with a caller in C. Without
# `all` each program takes some of these ways, in rotation; a number turns that on by as many places. CONTRIBUTING.md says how to
# add a program.
if [ $# = 0 ] || [ ! -x "$1" ]; then
    echo "usage: run.sh ADZE [all | SHIFT] [NAME...]" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
for python in /usr/bin/python3 python3; do
    "$python" -c 'import numpy' 2>/dev/null && exec "$python" -B "$here/harness.py" "$@"
done
echo "run.sh: python3 with numpy is missing: apt-get install python3-numpy" >&2
exit 2
