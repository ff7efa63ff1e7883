#!/bin/sh
# run.sh [SHAPE]: how long the compiler takes for generated programs of each shape (program.sh), and how much memory, at the lengths in `shapes`:
# without the C compiler. Prints a table, which it also writes to build/bench/compile.txt. The last column says how the time grew since the row
# above: 2.0 where it is linear, as lengths double.
cd "$(dirname "$0")/../.." || exit 1
out=build/bench/compile
mkdir -p "$out"

row() { # SHAPE N
    sh bench/compile/program.sh "$1" "$2" >"$out/$1.adz"
    build/adze build --json --stats "$out/$1.adz" -o "$out" >"$out/$1.json" || { cat "$out/$1.json" >&2; exit 1; }
    awk -v shape="$1" -v n="$2" -v lines="$(wc -l <"$out/$1.c")" '
        /"total"/ { total = 1 }
        total && /"seconds"/ { seconds = $2 + 0 }
        /"peak_bytes"/ { peak = $2 + 0 }
        END { printf "%-10s %7d %8.3f s %7.1f MB %7d lines of C\n", shape, n, seconds, peak / 1e6, lines }' "$out/$1.json"
}

while read -r shape lengths; do
    case ${1:-$shape} in "$shape") ;; *) continue ;; esac
    for n in $lengths; do row "$shape" "$n" || exit 1; done
done <bench/compile/shapes |
    awk '{ growth = $1 == shape && time > 0.005 ? sprintf("%6.1f", $3 / time) : ""; print $0 growth; shape = $1; time = $3; fflush() }' |
    tee build/bench/compile.txt
