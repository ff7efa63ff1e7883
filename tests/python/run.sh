#!/bin/sh
# run.sh [PYTEST ARGUMENTS]: the Python package, built and installed in a virtual environment of its own, and its tests.
set -e
cd "$(dirname "$0")/../.."
venv=build/python/venv
pip() {
    "$venv/bin/pip" --quiet --disable-pip-version-check "$@"
}
if ! "$venv/bin/python" -c 'import numpy, pytest, setuptools' 2>/dev/null; then
    python=$(sh tools/python.sh)
    "$python" -m venv --clear "$venv"
    pip install numpy pytest 'setuptools>=70.1'
fi
pip install --no-build-isolation --no-deps --force-reinstall ./python
ADZE_CACHE=$(mktemp -d)
export ADZE_CACHE
trap 'rm -rf "$ADZE_CACHE"' EXIT
"$venv/bin/python" -B -m pytest -q -p no:cacheprovider "$@" tests/python
