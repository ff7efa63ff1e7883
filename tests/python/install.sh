#!/bin/sh
# install.sh: builds the Python package and installs it in build/python/venv, a virtual environment with what its tests need.
set -e
cd "$(dirname "$0")/../.."
venv=build/python/venv
pip() {
    "$venv/bin/pip" --quiet --disable-pip-version-check "$@"
}
if ! "$venv/bin/python" -c 'import IPython, numpy, pytest, setuptools' 2>/dev/null; then
    python=$(sh tools/python.sh)
    "$python" -m venv --clear "$venv"
    pip install ipython numpy pytest 'setuptools>=70.1'
fi
pip install --no-build-isolation --no-deps --force-reinstall ./python
