#!/bin/sh
# run.sh ADZE: arrays of structs as C has them: caller.c calls layout.adz, built in several ways, by
# both compilers and under sanitizers. The header is one of C++, too.
. "$(dirname "$0")/../common.sh"
cd "$scratch" || exit 2

# called CC FLAGS FILES: the caller is built with these, and finds what it expects.
called() {
    # shellcheck disable=SC2086 # several flags and files
    "$1" -std=c11 -Wall -Wextra -Wpedantic -Werror -ffp-contract=off $2 -I. "$here/caller.c" $3 -lm -o caller &&
        OMP_NUM_THREADS=3 ./caller
}

check "the program alone" "$adze" test "$here/layout.adz"
check "build" "$adze" build "$here/layout.adz"
check "build for any processor" "$adze" build "$here/layout.adz" --cpu portable -o portable
check "build for several" "$adze" build "$here/layout.adz" --cpu v2,v3 -o several
for cc in gcc clang; do
    command -v $cc >/dev/null || continue
    check "$cc, sanitizers" called $cc "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all" layout.c
    check "$cc, fast" called $cc "-O3 -march=native -fopenmp" layout.c
    check "$cc, portable" called $cc "-O2 -Iportable" portable/layout.c
    if [ "$(uname -m)" = x86_64 ]; then
        check "$cc, versions: one" $cc -O2 -march=x86-64-v3 -c several/layout_v3.c -o v3.o
        check "$cc, versions" called $cc "-O2 -Iseveral" "several/layout.c several/layout_v2.c v3.o"
    fi
done

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
report layout
