#!/bin/sh
# run.sh ADZE: what runs on several threads gives the same exact results for any number of them, and the same bits for the same number.
# The target c gives what one thread gives. What the library does with entries that have no schedule (--lower) changes no bit.
. "$(dirname "$0")/../common.sh"

fail() { # WHAT
    echo "threads: FAILED: $1"
    exit 1
}

# build NAME FLAGS TARGET..: the program of this target, in $scratch/NAME
build() {
    name=$1 flags=$2
    shift 2
    mkdir -p "$scratch/$name"
    for p in variant_chunks variant_lanes variant_loops; do
        "$adze" build --target "$@" -o "$scratch/$name" "$root/tests/programs/$p.adz" >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
    done
    ${CC:-cc} -std=gnu17 -O2 -ffp-contract=off -Wall -Wextra -Werror $flags -I"$scratch/$name" -o "$scratch/$name/main" \
        "$root/tests/threads/main.c" "$scratch/$name"/variant_*.c -lm >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
}

# agree A B PATTERN WHAT: the lines of both that begin so are the same, and there are some
agree() {
    grep "$3" "$scratch/$1" >"$scratch/left"
    grep "$3" "$scratch/$2" >"$scratch/right"
    [ -s "$scratch/left" ] && cmp -s "$scratch/left" "$scratch/right" || fail "$4: $(diff "$scratch/left" "$scratch/right")"
}

echo 'int main(void) { return 0; }' >"$scratch/probe.c"
if ! ${CC:-cc} -fopenmp -o "$scratch/probe" "$scratch/probe.c" >"$scratch/log" 2>&1; then
    echo "threads: skipped, ${CC:-cc} has no OpenMP"
    exit 0
fi
build omp -fopenmp omp
build lowered -fopenmp omp --lower
build c -Wno-unknown-pragmas c
"$scratch/c/main" >"$scratch/c.txt" || fail "target c"
if grep -q 'pragma omp \(parallel\|task\|critical\)' "$scratch"/c/*.c; then fail "target c has threads"; fi
for n in 1 2 3; do
    OMP_NUM_THREADS=$n "$scratch/omp/main" >"$scratch/$n.txt" || fail "$n threads"
    for again in 1 2 3; do
        OMP_NUM_THREADS=$n "$scratch/omp/main" >"$scratch/again.txt" || fail "$n threads"
        agree "$n.txt" again.txt '' "$n threads, run $again"
    done
    OMP_NUM_THREADS=$n "$scratch/lowered/main" >"$scratch/lowered.txt" || fail "$n threads, lowered"
    agree "$n.txt" lowered.txt '' "$n threads, lowered and not"
    agree c.txt "$n.txt" '^exact' "$n threads and one"
done
agree c.txt 1.txt '' "target c and one thread"
cmp -s "$scratch/1.txt" "$scratch/3.txt" && fail "three threads have the bits of one: they did not run in chunks"
echo "threads: $(grep -c . "$scratch/c.txt") results agree"
