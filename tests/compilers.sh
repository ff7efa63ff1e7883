#!/bin/sh
# compilers.sh ADZE: the C that Adze writes does not depend on the compiler that built Adze. ADZE, built by gcc, and
# build/clang-debug/adze write the same files. (C leaves open in which order the arguments of a call are evaluated.) One program in
# eight is compiled, with ALL=1 all.
. "$(dirname "$0")/common.sh"
cd "$root" || exit 2
other=build/clang-debug/adze
[ -x $other ] || { echo "compilers.sh: there is no $other: make CC=clang CONFIG=debug adze" >&2; exit 2; }

# A program without entries writes nothing, by either.
written() { # ADZE FILE FOLDER
    "$1" build --cpu v4 "$2" -o "$3" 2>"$3.log" | sed 's/.*\///' >"$3.names"
}

for file in tests/programs/*.adz; do
    turn 8 || continue
    rm -rf "$scratch/a" "$scratch/b"
    mkdir "$scratch/a" "$scratch/b"
    written "$adze" "$file" "$scratch/a" &
    written $other "$file" "$scratch/b"
    wait
    check "$file: the same C by both" diff -r "$scratch/a" "$scratch/b"
    check "$file: the same files by both" cmp "$scratch/a.names" "$scratch/b.names"
done
report compilers
