#!/bin/sh
# run.sh: times builders of trees against Embree's, and tells what the trees cost. `sh
# bench/rays/builders/run.sh verbose=3` also shows what Embree tells of its trees. Ends with 77 if
# there is no Embree.
cd "$(dirname "$0")/../../.." || exit 1
cc=${CC:-gcc}
flags=${BENCH_CFLAGS:--std=gnu17 -O3 -march=native -fno-math-errno -fopenmp}
out=build/bench/rays/builders
echo '#include <embree3/rtcore.h>' | $cc -E -x c - >/dev/null 2>&1 || {
    echo "bench: rays/builders runs only with Embree: apt-get install libembree-dev" >&2
    exit 77
}
mkdir -p $out
build/adze build bench/rays/builders/builders.adz -o $out || exit 1
$cc $flags -Wall -Wextra -Werror -Ibench/rays/builders -I$out -o $out/run bench/rays/builders/main.c $out/builders.c -lembree3 -lm || exit 1
exec $out/run "$@"
