#!/bin/sh
# run.sh ADZE: arrays as callers in C have them. caller.c calls layout.adz with arrays of structs,
# strided.c calls strided.adz with arrays that have strides; both are built in several ways, each by
# one of the two compilers, and under sanitizers; with ALL=1 all by both. The header is one of C++,
# too.
. "$(dirname "$0")/../common.sh"
cd "$scratch" || exit 2

# called CALLER CC FLAGS FILES: the caller is built with these, and finds what it expects.
called() {
    # shellcheck disable=SC2086 # several flags and files
    "$2" -std=c11 -Wall -Wextra -Wpedantic -Werror -ffp-contract=off $3 -I. "$here/$1" $4 -lm -o caller &&
        OMP_NUM_THREADS=3 ./caller
}

# tried NAME CALLER: NAME.adz, in several ways.
tried() {
    check "$1: the program alone" "$adze" test "$here/$1.adz" --cflags -O0
    check "$1: build" "$adze" build "$here/$1.adz"
    check "$1: build for any processor" "$adze" build "$here/$1.adz" --cpu portable -o portable
    check "$1: build for one thread" "$adze" build "$here/$1.adz" --target c -o serial
    check "$1: build for several" "$adze" build "$here/$1.adz" --cpu v2,v3 -o several
    # -O0, since to optimise strided.c with UBSan takes gcc about 50 s and clang 100 s
    for cc in gcc clang; do
        command -v $cc >/dev/null || continue
        if [ $cc = clang ] || [ "$ALL" ]; then
            check "$1, $cc, sanitizers" called "$2" $cc "-O0 -g -fsanitize=address,undefined -fno-sanitize-recover=all" "$1.c"
            check "$1, $cc, portable" called "$2" $cc "-O0 -Iportable" "portable/$1.c"
        fi
        if [ $cc = gcc ] || [ "$ALL" ]; then
            check "$1, $cc, fast" called "$2" $cc "-O${ALL:+2} -march=native -fopenmp" "$1.c"
            check "$1, $cc, one thread" called "$2" $cc "-O0 -march=native -Iserial" "serial/$1.c"
            [ "$(uname -m)" = x86_64 ] || continue
            check "$1, $cc, versions: one" $cc -O0 -ffp-contract=off -march=x86-64-v3 -c "several/$1_v3.c" -o v3.o
            check "$1, $cc, versions" called "$2" $cc "-O0 -Iseveral" "several/$1.c several/$1_v2.c v3.o"
        fi
    done
}

tried layout caller.c
tried strided strided.c

# Functions that are called at run time read the arrays of the caller, for which no entry needs
# memory, unless one also gets another array.
check "layout: nothing is copied" sh -c "! grep -E 'adze_(tree|alternate)_workspace' layout.h"
check "layout: what is copied" grep -q adze_both_workspace layout.h
check "layout: sizes and offsets" grep -q 'static_assert(sizeof(adze_P) == 12' layout.h

# Entries for one size, and with names of the caller's choice.
check "strided: one size" "$adze" build "$here/strided.adz" --fix m=64 --prefix strides --check-passes -o fixed
check "strided: one size, as C" gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -O0 -march=native -c fixed/strided.c -o fixed.o
check "strided: its entries" grep -q 'strides_sscale_m64(int64_t n, const float \*restrict a, int64_t a_stride0,' fixed/strided.h

# Two files with the same struct: it is declared once.
cat >one.adz <<'END'
#[c_layout]
struct P { x: f32, y: f32, tag: u8 }
entry fn first(p: P) -> f32 {
    p.x
}
END
check "another file with the same struct" "$adze" build one.adz
printf '#include "layout.h"\n#include "one.h"\nstatic_assert(sizeof(adze_P) == 12, "");\nint main() { adze_P p = {1, 2, 3}; float x; return adze_first(p, &x); }\n' >both.cpp
for cxx in g++ clang++; do
    command -v $cxx >/dev/null || continue
    check "the header with $cxx" $cxx -std=c++11 -Wall -Wextra -Werror -fsyntax-only both.cpp
done
for cxx in g++ clang++; do
    command -v $cxx >/dev/null || continue
    check "the header of strides with $cxx" $cxx -std=c++11 -Wall -Wextra -Werror -fsyntax-only -x c++ strided.h
done
report layout
