#!/bin/sh
# run.sh [NAME]: builds and runs the benchmarks, or those of the folder NAME (game, game/fannkuch, fannkuch). Both sides are compiled by one
# compiler with the same flags: CC (default gcc) and BENCH_CFLAGS; BENCH_ADZE_FLAGS are for adze build. Writes build/bench.json. With PEERS=only the peers are timed alone,
# without the compiler.
#
# `lin` and `lin/NAME` are the programs of bench/lin, which have a script of their own: with them C++ is compared.
# So have `simd` and `simd/NAME`, bench/simd: each is built for two machines.
#
# So have `asis/peers` and `asis/peers/NAME`, the kernels of bench/asis against libraries of Python.
#
# `python` measures what calls from Python cost (bench/python).
#
# `lsp` measures how long the language server takes from an edit to its diagnostics (bench/lsp).
#
# `rays/builders` times builders of trees of boxes.
#
# `compile` and `compile/SHAPE` measure the compiler itself (bench/compile).
#
# A folder with case.c is a benchmark; its program is NAME.adz there, in examples/filters, examples/arrays or examples/schedules. It may import what is in the
# folder above. Its needs.sh, where there is one, makes or finds what a peer needs: it is called with the folder of the outputs, prints flags
# for the compiler, and ends with 77 after a message when the benchmark cannot be run here.
cd "$(dirname "$0")/.." || exit 1
case "$1" in simd) exec sh bench/simd/run.sh ;; simd/*) exec sh bench/simd/run.sh "${1#simd/}" ;; esac
case "$1" in compile) exec sh bench/compile/run.sh ;; compile/*) exec sh bench/compile/run.sh "${1#compile/}" ;; esac
case "$1" in lin) exec sh bench/lin/run.sh ;; lin/*) exec sh bench/lin/run.sh "${1#lin/}" ;; esac
case "$1" in rays/builders) exec sh bench/rays/builders/run.sh ;; esac
case "$1" in lsp) exec python3 bench/lsp/replay.py build/adze 3 ;; esac
case "$1" in python) exec sh bench/python/run.sh ;; esac
case "$1" in asis/peers) exec sh bench/asis/peers/run.sh ;; asis/peers/*) exec sh bench/asis/peers/run.sh "${1#asis/peers/}" ;; esac
cc=${CC:-gcc}
flags=${BENCH_CFLAGS:--std=gnu17 -O3 -march=native -fno-math-errno -fopenmp}
lines=build/bench/lines.json
mkdir -p build/bench
rm -f "$lines"
found=no
failed=

# Entries that are not there, so that case.c compiles and links without the generated code.
stub() {
    sed -n 's/^entry fn \([A-Za-z0-9_]*\).*/\1/p' "$1" | while read -r entry; do
        echo "__attribute__((weak)) int adze_$entry();"
        echo "__attribute__((weak)) const char *adze_${entry}_message(int status);"
    done
}

# build DIR OUT: the program OUT/run.
build() {
    name=$(basename "$1")
    more=
    source=$1/$name.adz
    for folder in filters arrays schedules; do [ -f "$source" ] || source=examples/$folder/$name.adz; done
    if [ -f "$1/needs.sh" ]; then more=$(CC=$cc sh "$1/needs.sh" "$2") || return; fi
    if [ "$PEERS" = only ]; then
        stub "$source" > "$2/$name.h"
        ours=-DBENCH_PEERS_ONLY
    else
        ADZE_LIB=$1/.. build/adze build $BENCH_ADZE_FLAGS "$source" -o "$2" || return
        ours=$2/$name.c
    fi
    # Each side is its own translation unit, as in real use.
    $cc $flags -Wall -Wextra -Werror -Ibench -I"$1" -I"$2" -o "$2/run" "$1"/*.c $ours bench/harness.c \
        -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=aligned_alloc -Wl,--wrap=free $more -lm
}

for dir in $(find bench -name case.c ! -path 'bench/simd/*' | sed 's|/case.c$||' | sort); do
    path=${dir#bench/}
    case "${1:-$path}" in "$path" | "${path%/*}" | "$(basename "$path")") ;; *) continue ;; esac
    found=yes
    out=build/bench/$path
    mkdir -p "$out"
    build "$dir" "$out" && "$out/run" "$lines"
    status=$?
    [ $status = 0 ] || [ $status = 77 ] || failed="$failed $path"
done
[ $found = yes ] || { echo "bench: there is no benchmark $1" >&2; exit 1; }
if [ -s "$lines" ]; then
    { printf '[\n'; sed -e '$!s/$/,/' -e 's/^/  /' "$lines"; printf ']\n'; } > build/bench.json.tmp
    mv build/bench.json.tmp build/bench.json
fi
[ -z "$failed" ] || { echo "bench: failed:$failed" >&2; exit 1; }
