#!/bin/sh
# run.sh [PYTEST ARGUMENTS]: the tests of the Python package. ALL=1 calls all programs of tests/field. CONFIG=debug uses the
# compiler with AddressSanitizer and UBSan; Python itself leaks.
set -e
cd "$(dirname "$0")/../.."
make --no-print-directory -s build/adze
sh tests/python/install.sh
ADZE_CACHE=$(mktemp -d)
export ADZE_CACHE
trap 'rm -rf "$ADZE_CACHE"' EXIT
if [ "$CONFIG" = debug ]; then
    ASAN_OPTIONS=detect_leaks=0:malloc_context_size=6:intercept_strstr=0:quarantine_size_mb=8
    LD_PRELOAD="$(${CC:-gcc} -print-file-name=libasan.so) $(${CC:-gcc} -print-file-name=libubsan.so)"
    export ASAN_OPTIONS LD_PRELOAD
fi
build/python/venv/bin/python -B -m pytest -q -p no:cacheprovider "$@" tests/python
