#!/bin/sh
# run.sh ADZE [UNITTEST ARGUMENTS]: the tests of the language server. SEED=N: other random messages; ROUNDS=N: so many.
[ -x "$1" ] || { echo "usage: run.sh ADZE [UNITTEST ARGUMENTS]" >&2; exit 2; }
ADZE=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
export ADZE
shift
cd "$(dirname "$0")" || exit 1
python=$(sh ../venv.sh lsp) || exit 2
ADZE_CACHE=$(mktemp -d)
export ADZE_CACHE
trap 'rm -rf "$ADZE_CACHE"' EXIT
# Freed memory is used again soon, as tests measure that of the server.
ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=1"
export ASAN_OPTIONS
[ $# -gt 0 ] || set -- discover -q
"$python" -B -W ignore::ResourceWarning -m unittest "$@"
