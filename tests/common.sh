# common.sh: how the scripts of tests begin, which are called with the compiler: `. tests/common.sh`.
#
# adze, root, here   the compiler, the source tree, the folder of the script: absolute paths
# scratch            an empty folder, removed in the end; caches and temporary files are in it
# ALL                if not empty, long tests check all they could, otherwise a part: `turn`
# passed, failed     how many checks; `report NAME` prints them, and fails where one has failed
# shellcheck shell=sh disable=SC2034 # variables for the scripts
LC_ALL=C
export LC_ALL
# A sanitizer's allocator fails as the system's does.
ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}allocator_may_return_null=1"
export ASAN_OPTIONS
if [ $# != 1 ] || [ ! -x "$1" ]; then
    echo "usage: $(basename "$0") ADZE" >&2
    exit 2
fi
adze=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
root=${here%/tests*}
scratch=$(mktemp -d) || exit 2
trap 'chmod -R u+rwX "$scratch" 2>/dev/null; rm -rf "$scratch"' EXIT
trap 'exit 2' INT TERM
XDG_CACHE_HOME=$scratch/cache
TMPDIR=$scratch/tmp
export XDG_CACHE_HOME TMPDIR
mkdir "$TMPDIR"
passed=0
failed=0

pass() {
    passed=$((passed + 1))
}

fail() { # WHAT: shown with what the log says
    failed=$((failed + 1))
    echo "FAILED: $1"
    head -n 20 "$scratch/log"
}

# turn N: whether it is the turn of what follows, where one in N is checked; with ALL=1 it always is.
turns=0
turn() {
    turns=$((turns + 1))
    [ "$ALL" ] || [ $((turns % $1)) = 0 ]
}

check() { # WHAT COMMAND...: it succeeds
    what=$1
    shift
    if "$@" >"$scratch/log" 2>&1; then pass; else fail "$what"; fi
}

fails() { # TEXT STATUS COMMAND...: it ends with this status, and its output contains the text
    text=$1 status=$2
    shift 2
    "$@" >"$scratch/log" 2>&1
    [ $? = "$status" ] && grep -q -F -e "$text" "$scratch/log" && pass || fail "$* does not say: $text"
}

report() { # NAME
    echo "$1: $passed passed, $failed failed"
    [ "$failed" = 0 ]
}
