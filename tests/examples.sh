#!/bin/sh
# examples.sh ADZE: the tests of every example, of lib, of bench/shine, bench/simd and tests/programs pass, and the picture examples give pictures.
. "$(dirname "$0")/common.sh"
cd "$root" || exit 2
# What they compute is tested, not how fast: C compilers take a third of the time.
quick="--cflags -O1"

for f in examples/*.adz examples/filters/*.adz examples/arrays/*.adz examples/schedules/*.adz lib/image/*.adz lib/align/*.adz lib/rays/*.adz bench/shine/*/*.adz bench/simd/*/*.adz; do
    check "$f checks" "$adze" check "$f"
    check "$f is formatted" "$adze" fmt --check "$f"
    check "$f tests" "$adze" test "$f" $quick
done
for f in $(grep -l '^test ' lib/std/*.adz tests/programs/*.adz); do
    check "$f is formatted" "$adze" fmt --check "$f"
    check "$f tests" "$adze" test "$f" $quick
done
check "photograph to edges" "$adze" run examples/image.adz 'edges(grey(load("examples/data/hopper.png")))' -o "$scratch/edges.png"
check "heat picture" "$adze" run examples/heat.adz 'heat(20, spots(30, 41))' -o "$scratch/heat.pgm"
check "equalised picture" "$adze" run examples/histogram.adz 'equalise(load("examples/data/hopper_grey.pgm"))' -o "$scratch/even.pgm"
check "filtered picture" "$adze" run examples/filters/blur.adz 'soft(load("examples/data/hopper_grey.pgm"))' -o "$scratch/soft.pgm"
check "picture at night" "$adze" run examples/filters/night.adz 'night(load("examples/data/hopper.png"))' -o "$scratch/night.png"
for f in "$scratch/edges.png" "$scratch/heat.pgm" "$scratch/even.pgm" "$scratch/soft.pgm" "$scratch/night.png"; do check "$f was written" test -s "$f"; done
report examples
