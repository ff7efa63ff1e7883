#!/bin/sh
# run.sh ADZE: what runs on several threads gives the same exact results for any number of them, and the same bits for the same number.
# The target c gives what one thread gives. What the library does with entries that have no schedule (--lower) changes no bit.
adze=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

fail() { # WHAT
    echo "threads: FAILED: $1"
    exit 1
}

# build NAME FLAGS TARGET..: the program of this target, in $out/NAME
build() {
    name=$1 flags=$2
    shift 2
    mkdir -p "$out/$name"
    for p in variant_chunks variant_lanes variant_loops; do
        "$adze" build --target "$@" -o "$out/$name" "$root/tests/programs/$p.adz" >"$out/log" 2>&1 || fail "$(cat "$out/log")"
    done
    ${CC:-cc} -std=gnu17 -O2 -ffp-contract=off -Wall -Wextra -Werror $flags -I"$out/$name" -o "$out/$name/main" \
        "$root/tests/threads/main.c" "$out/$name"/variant_*.c -lm >"$out/log" 2>&1 || fail "$(cat "$out/log")"
}

# agree A B PATTERN WHAT: the lines of both that begin so are the same, and there are some
agree() {
    grep "$3" "$out/$1" >"$out/left"
    grep "$3" "$out/$2" >"$out/right"
    [ -s "$out/left" ] && cmp -s "$out/left" "$out/right" || fail "$4: $(diff "$out/left" "$out/right")"
}

echo 'int main(void) { return 0; }' >"$out/probe.c"
if ! ${CC:-cc} -fopenmp -o "$out/probe" "$out/probe.c" >"$out/log" 2>&1; then
    echo "threads: skipped, ${CC:-cc} has no OpenMP"
    exit 0
fi
build omp -fopenmp omp
build lowered -fopenmp omp --lower
build c -Wno-unknown-pragmas c
"$out/c/main" >"$out/c.txt" || fail "target c"
if grep -q 'pragma omp \(parallel\|task\|critical\)' "$out"/c/*.c; then fail "target c has threads"; fi
for n in 1 2 3; do
    OMP_NUM_THREADS=$n "$out/omp/main" >"$out/$n.txt" || fail "$n threads"
    for again in 1 2 3; do
        OMP_NUM_THREADS=$n "$out/omp/main" >"$out/again.txt" || fail "$n threads"
        agree "$n.txt" again.txt '' "$n threads, run $again"
    done
    OMP_NUM_THREADS=$n "$out/lowered/main" >"$out/lowered.txt" || fail "$n threads, lowered"
    agree "$n.txt" lowered.txt '' "$n threads, lowered and not"
    agree c.txt "$n.txt" '^exact' "$n threads and one"
done
agree c.txt 1.txt '' "target c and one thread"
cmp -s "$out/1.txt" "$out/3.txt" && fail "three threads have the bits of one: they did not run in chunks"
echo "threads: $(grep -c . "$out/c.txt") results agree"
