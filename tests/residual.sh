#!/bin/sh
# residual.sh ADZE: nothing is left of abstraction in what the examples, the benchmarks and the library become (control-flow form): no
# function pointer, hence no closure and no indirect call, and no memory but for arrays. The C compiles without warnings.
. "$(dirname "$0")/common.sh"
cd "$root" || exit 2

for f in $(grep -l '^entry ' -r examples bench --include='*.adz' | sort); do
    c=$scratch/$(basename "$f" .adz).c
    # As in bench/run.sh, programs may import what is in the folder above.
    if ! ADZE_LIB=$(dirname "$f")/.. "$adze" build "$f" -o "$scratch" >"$scratch/log" 2>&1; then
        fail "$f does not build"
    elif grep -nE '\(\*[A-Za-z_][A-Za-z_0-9]*\) ?\(' "$c" >"$scratch/log"; then
        fail "$f has a pointer to a function"
    elif grep -nE '(malloc|calloc|alloca)\(' "$c" >"$scratch/log"; then
        fail "$f allocates other than arrays"
    elif ! ${CC:-cc} -std=gnu17 -Wall -Wextra -Werror -Wno-unknown-pragmas -fsyntax-only "$c" >"$scratch/log" 2>&1; then
        fail "$f becomes C with warnings"
    else
        pass
    fi
done

# The same text has the same loop, by whichever door it comes to lanes: the names of vectors apart.
loop_of() { # ENTRY: the innermost loop, names in order of occurrence
    sed -n "/^int adze_$1(/,/^}/p" "$scratch/lane_doors.c" | sed -n '/while (/,/^        }/p' |
        sed -e 's/\bcre\b/t/g' -e 's/\bcim\b/t1/g'
}
"$adze" build tests/programs/lane_doors.adz --cpu x86-64-v4 -o "$scratch" >"$scratch/log" 2>&1
loop_of by_map >"$scratch/map"
for entry in by_simd by_scalar; do
    if [ -s "$scratch/map" ] && loop_of $entry | diff "$scratch/map" - >"$scratch/log"; then
        pass
    else
        fail "lane_doors: $entry has another loop than by_map"
    fi
done
report residual
