#!/bin/sh
# residual.sh ADZE: nothing is left of abstraction in what the examples, the benchmarks and the library become (control-flow form): no
# function pointer, hence no closure and no indirect call, and no memory but for arrays. The C compiles without warnings.
adze=$1
cd "$(dirname "$0")/.." || exit 1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
passed=0
failed=0

fail() { # WHAT
    failed=$((failed + 1))
    echo "FAILED: $1"
    head -n 5 "$out/log"
}

for f in $(grep -l '^entry ' -r examples bench --include='*.adz' | sort); do
    c=$out/$(basename "$f" .adz).c
    # As in bench/run.sh, programs may import what is in the folder above.
    if ! ADZE_LIB=$(dirname "$f")/.. "$adze" build "$f" -o "$out" >"$out/log" 2>&1; then
        fail "$f does not build"
    elif grep -nE '\(\*[A-Za-z_][A-Za-z_0-9]*\) ?\(' "$c" >"$out/log"; then
        fail "$f has a pointer to a function"
    elif grep -nE '(malloc|calloc|alloca)\(' "$c" >"$out/log"; then
        fail "$f allocates other than arrays"
    elif ! ${CC:-cc} -std=gnu17 -Wall -Wextra -Werror -Wno-unknown-pragmas -fsyntax-only "$c" >"$out/log" 2>&1; then
        fail "$f becomes C with warnings"
    else
        passed=$((passed + 1))
    fi
done
echo "residual: $passed passed, $failed failed"
[ "$failed" = 0 ]
