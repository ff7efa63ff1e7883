#!/bin/sh
# examples.sh ADZE: the tests of every example, of bench/shine, bench/simd and tests/programs pass, and the picture examples give pictures.
set -e
adze=$1
cd "$(dirname "$0")/.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
passed=0
failed=0
check() { # NAME COMMAND...
    name=$1
    shift
    if "$@" >"$out/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
        cat "$out/log"
    fi
}
for f in examples/*.adz examples/filters/*.adz examples/arrays/*.adz examples/schedules/*.adz lib/image/*.adz bench/shine/*/*.adz bench/simd/*/*.adz; do
    check "$f checks" "$adze" check "$f"
    check "$f is formatted" "$adze" fmt --check "$f"
    check "$f tests" "$adze" test "$f"
done
for f in $(grep -l '^test ' tests/programs/*.adz); do
    check "$f is formatted" "$adze" fmt --check "$f"
    check "$f tests" "$adze" test "$f"
done
check "photograph to edges" "$adze" run examples/image.adz 'edges(grey(load("examples/data/hopper.png")))' -o "$out/edges.png"
check "heat picture" "$adze" run examples/heat.adz 'heat(20, spots(30, 41))' -o "$out/heat.pgm"
check "equalised picture" "$adze" run examples/histogram.adz 'equalise(load("examples/data/hopper_grey.pgm"))' -o "$out/even.pgm"
check "filtered picture" "$adze" run examples/filters/blur.adz 'soft(load("examples/data/hopper_grey.pgm"))' -o "$out/soft.pgm"
check "picture at night" "$adze" run examples/filters/night.adz 'night(load("examples/data/hopper.png"))' -o "$out/night.png"
for f in "$out/edges.png" "$out/heat.pgm" "$out/even.pgm" "$out/soft.pgm" "$out/night.png"; do check "$f was written" test -s "$f"; done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
