#!/bin/sh
# run.sh [PYTEST ARGUMENTS]: the tests of the Python package. ALL=1 calls all programs of tests/field.
set -e
cd "$(dirname "$0")/../.."
make --no-print-directory -s build/adze
sh tests/python/install.sh
ADZE_CACHE=$(mktemp -d)
export ADZE_CACHE
trap 'rm -rf "$ADZE_CACHE"' EXIT
build/python/venv/bin/python -B -m pytest -q -p no:cacheprovider "$@" tests/python
