#!/bin/sh
# venv.sh TESTS: the Python that tests/TESTS run with, which has the packages of tests/TESTS/requirements.txt. Makes it if it is not there, or has others.
root=$(cd "$(dirname "$0")/.." && pwd)
wanted=$root/tests/$1/requirements.txt
venv=$root/build/$1/venv
if ! cmp -s "$wanted" "$venv/requirements.txt"; then
    python=$(sh "$root/tools/python.sh") && "$python" -m venv "$venv" &&
        "$venv/bin/pip" --disable-pip-version-check install -q -r "$wanted" && cp "$wanted" "$venv" || exit 2
fi
echo "$venv/bin/python"
