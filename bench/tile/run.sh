#!/bin/sh
# run.sh: GFLOP/s of register tiles, compiled by $CC (gcc), against the peak of multiply-add; bench/notes/gemm.md has results. BYTES: the
# width of vectors (64). FLAGS: the target machine (-march=native).
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
"$root/build/adze" build "$here/tile.adz" -o "$out" --vector-bytes "${BYTES:-64}" >"$out/files" &&
    # shellcheck disable=SC2086
    ${CC:-gcc} -std=gnu17 -O3 ${FLAGS:--march=native} -ffp-contract=fast -fno-math-errno -fno-trapping-math \
        -I"$out" -o "$out/measure" "$here/measure.c" "$out/tile.c" &&
    "$out/measure"
