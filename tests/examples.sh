#!/bin/sh
# examples.sh ADZE: the tests of examples, of lib, of bench/shine, bench/simd and tests/programs pass, and the picture examples give
# pictures. All are checked and formatted; the tests of every third one run, with ALL=1 those of all.
. "$(dirname "$0")/common.sh"
cd "$root" || exit 2
# What they compute is tested, not how fast: C compilers take a fifth of the time.
quick="--cflags -O0 $(command -v clang >/dev/null && echo "--cc clang")"

for f in examples/*.adz examples/filters/*.adz examples/arrays/*.adz examples/schedules/*.adz examples/align/*.adz examples/rays/*.adz lib/image/*.adz lib/align/*.adz lib/rays/*.adz bench/shine/*/*.adz bench/simd/*/*.adz; do
    check "$f checks" "$adze" check "$f"
    check "$f is formatted" "$adze" fmt --check "$f"
    if turn 3; then check "$f tests" "$adze" test "$f" $quick; fi
done
for f in $(grep -l '^test ' lib/std/*.adz tests/programs/*.adz); do
    check "$f is formatted" "$adze" fmt --check "$f"
    if turn 3; then check "$f tests" "$adze" test "$f" $quick; fi
done
check "photograph to edges" "$adze" run examples/image.adz 'edges(grey(load("examples/data/hopper.png")))' -o "$scratch/edges.png"
check "heat picture" "$adze" run examples/heat.adz 'heat(20, spots(30, 41))' -o "$scratch/heat.pgm"
check "equalised picture" "$adze" run examples/histogram.adz 'equalise(load("examples/data/hopper_grey.pgm"))' -o "$scratch/even.pgm"
check "filtered picture" "$adze" run examples/filters/blur.adz 'soft(load("examples/data/hopper_grey.pgm"))' -o "$scratch/soft.pgm"
check "picture at night" "$adze" run examples/filters/night.adz 'night(load("examples/data/hopper.png"))' -o "$scratch/night.png"
check "ambient occlusion" "$adze" run examples/rays/occlusion.adz 'occlusion(24, 32, load("examples/rays/ball.ply"))' -o "$scratch/ball.pgm"
for f in "$scratch/edges.png" "$scratch/heat.pgm" "$scratch/even.pgm" "$scratch/soft.pgm" "$scratch/night.png" "$scratch/ball.pgm"; do check "$f was written" test -s "$f"; done
check "the sky above, the ball, and dark below it" test "$("$adze" run examples/rays/occlusion.adz \
    '{ let p = occlusion(24, 32, load("examples/rays/ball.ply")); p[0, 0] > p[10, 16] && p[10, 16] > 0.5 && p[17, 16] < 0.3 }')" = true
# The reference is the mean of 16,384 paths for each pixel: paths(24, 32, 16384).
check "a room is lit as by many more paths" test "$("$adze" run examples/rays/paths.adz \
    '{ let room = paths(24, 32, 64); difference(room, load("examples/rays/room.npy")) < 0.06 && difference(room, load("examples/rays/room.npy")) > 0.001 }')" = true
cytochromes='load("examples/align/cytochrome_c.fasta")'
check "alignments of proteins" "$adze" run examples/align/relatives.adz "best($cytochromes)" -o "$scratch/best.txt"
check "the two most similar" grep -qx 'score 515, 3=1X11=1X28=1X2=1X12=1X1=1X26=1X2=1X7=1X2=2X' "$scratch/best.txt"
check "relatives" test "$("$adze" run examples/align/relatives.adz "nearest($cytochromes)")" = \
    '[(1, 511), (2, 515), (1, 515), (2, 497), (3, 461), (4, 357)]'
report examples
