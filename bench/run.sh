#!/bin/sh
# run.sh [NAME]: builds and runs the benchmarks (or the one named). Both sides are compiled by one compiler with the same flags: CC
# (default gcc) and BENCH_CFLAGS. Writes build/bench.json.
set -e
cd "$(dirname "$0")/.."
cc=${CC:-gcc}
flags=${BENCH_CFLAGS:--std=gnu17 -O3 -march=native}
lines=build/bench/lines.json
mkdir -p build/bench
rm -f "$lines"
found=no
for dir in bench/*/; do
    name=$(basename "$dir")
    [ -z "$1" ] || [ "$1" = "$name" ] || continue
    found=yes
    out=build/bench/$name
    mkdir -p "$out"
    build/adze build "$dir$name.adz" -o "$out"
    # -ffunction-sections would change nothing; each side is its own translation unit, as in real use.
    $cc $flags -Wall -Wextra -Ibench -I"$out" -o "$out/run" "$dir/case.c" "$dir/peer.c" "$out/$name.c" bench/harness.c \
        -Wl,--wrap=malloc -Wl,--wrap=aligned_alloc -Wl,--wrap=free -lm
    "$out/run" "$lines"
done
[ $found = yes ] || { echo "bench: there is no benchmark $1" >&2; exit 1; }
{ printf '[\n'; sed -e '$!s/$/,/' -e 's/^/  /' "$lines"; printf ']\n'; } > build/bench.json.tmp
mv build/bench.json.tmp build/bench.json
