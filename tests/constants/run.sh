#!/bin/sh
# run.sh ADZE: where literals meet, also in entries for known sizes, both C compilers take the C
# without warnings.
. "$(dirname "$0")/../common.sh"

build() { # PROGRAM OPTIONS...: and the C is compiled
    program=$1
    shift
    rm -rf "$scratch/c"
    check "adze build $(basename "$program") $*" "$adze" build "$program" -o "$scratch/c" "$@"
    c=$scratch/c/$(basename "$program" .adz).c
    for cc in gcc clang; do
        check "$cc $(basename "$program") $*" $cc -fsyntax-only -std=c11 -Wall -Wextra -Werror "$c"
    done
}

mkdir "$scratch/programs"
python3 "$here/programs.py" "$scratch/programs" || exit 1
for f in "$scratch"/programs/*.adz; do build "$f"; done
for n in 0 1 2 7 8 255 2147483648 9223372036854775807; do build "$scratch/programs/sizes.adz" --fix n=$n,m=10; done
for n in 0 1 7 8; do
    build "$scratch/programs/u8.adz" --fix n=$n
    build "$here/../programs/control_loops.adz" --fix n=$n
done
for n in 1 7; do
    for f in indices pads; do build "$here/../programs/$f.adz" --fix "n=$n,m=3"; done
done
report constants
