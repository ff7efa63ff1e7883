#!/bin/sh
# run.sh ADZE: where literals meet, also in entries for known sizes, both C compilers take the C
# without warnings.
adze=$1
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
passed=0
failed=0

fail() { # WHAT
    failed=$((failed + 1))
    echo "FAILED: $1"
    head -n 20 "$out/log"
}

quiet() { # C-FILE OPTIONS...
    file=$1
    shift
    if "$@" -std=c11 -Wall -Wextra -Werror "$file" >"$out/log" 2>&1; then
        passed=$((passed + 1))
    else
        fail "$* $(basename "$file")"
    fi
}

build() { # PROGRAM OPTIONS...: and the C is compiled
    program=$1
    shift
    rm -rf "$out/c"
    if ! "$adze" build "$program" -o "$out/c" "$@" >"$out/log" 2>&1; then
        fail "adze build $(basename "$program") $*"
        return
    fi
    c=$out/c/$(basename "$program" .adz).c
    quiet "$c" gcc -fsyntax-only
    quiet "$c" clang -fsyntax-only
}

mkdir "$out/programs"
python3 "$here/programs.py" "$out/programs" || exit 1
for f in "$out"/programs/*.adz; do build "$f"; done
for n in 0 1 2 7 8 255 2147483648 9223372036854775807; do build "$out/programs/sizes.adz" --fix n=$n,m=10; done
for n in 0 1 7 8; do
    build "$out/programs/u8.adz" --fix n=$n
    build "$here/../programs/control_loops.adz" --fix n=$n
done
for n in 1 7; do
    for f in indices pads; do build "$here/../programs/$f.adz" --fix "n=$n,m=3"; done
done
echo "constants: $passed passed, $failed failed"
[ "$failed" = 0 ]
