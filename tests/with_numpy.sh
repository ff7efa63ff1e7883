# with_numpy.sh: for scripts of tests: `. tests/with_numpy.sh`.
# shellcheck shell=sh

# Becomes SCRIPT, run by a Python that has NumPy.
with_numpy() { # SCRIPT ARGUMENTS...
    for python in /usr/bin/python3 python3; do
        "$python" -c 'import numpy' 2>/dev/null && exec "$python" -B "$@"
    done
    echo "$(basename "$0"): python3 with numpy is missing: apt-get install python3-numpy" >&2
    exit 2
}
