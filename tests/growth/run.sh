#!/bin/sh
# run.sh ADZE: what the compiler makes of a program grows no faster than the program. Programs of
# every fourth shape of bench/compile, with ALL=1 of all, are compiled at three lengths, each twice
# the one before. Where growth is linear the second step is twice the first, where it is quadratic
# four times: nodes of the program, strategies that the default schedule tries and lines of C may
# grow by two and a half, memory by three and a third, since it also grows with how deep branches
# are in one another. Nor is a program of half the length more by a quarter: where a limit ends what
# grows too fast, the longest programs say nothing of it. A measure that is missing is a failure.
# Nothing is timed.
. "$(dirname "$0")/../common.sh"
cd "$root" || exit 2
shapes=0

# What it takes to compile the shape at this length: "nodes 100", "bytes 2000", "strategies 9",
# "lines 30".
measure() { # SHAPE N
    sh bench/compile/program.sh "$1" "$2" >"$scratch/$1.adz"
    "$adze" build --json --stats "$scratch/$1.adz" -o "$scratch" >"$scratch/json" || return
    awk '/"total"/ { total = 1 }
         total && /"(nodes|bytes|strategies)"/ { gsub(/[^a-z0-9 ]/, ""); print $1, $2 }' "$scratch/json"
    echo "lines $(wc -l <"$scratch/$1.c")"
}

while read -r shape _; do
    turn 4 || continue
    shapes=$((shapes + 1))
    for n in 80 160 320; do
        measure $shape $n >"$scratch/$n" || { echo "FAILED: $shape at $n does not compile"; cat "$scratch/json"; failed=$((failed + 1)); continue 2; }
    done
    paste -d' ' "$scratch/80" "$scratch/160" "$scratch/320" | awk -v shape="$shape" '
        # what is kept as functions, rather than unfolded, may make less of a longer program
        { most = $1 == "bytes" ? 3.33 : 2.5; first = $4 > $2 ? $4 - $2 : $2 - $4 }
        NF != 6 || $1 != $3 || $1 != $5 { printf "FAILED: %s: no measures in `%s`\n", shape, $0; bad = 1 }
        $6 - $4 > most * first + 100 {
            printf "FAILED: %s of `%s` at 80, 160 and 320: %d, %d, %d\n", $1, shape, $2, $4, $6
            bad = 1
        }
        $2 > 1.25 * $4 + 100 || $4 > 1.25 * $6 + 100 {
            printf "FAILED: %s of `%s` fall at 80, 160 and 320: %d, %d, %d\n", $1, shape, $2, $4, $6
            bad = 1
        }
        END {
            if (NR != 4) { printf "FAILED: %s: %d measures, not 4\n", shape, NR; bad = 1 }
            exit bad
        }' || failed=$((failed + 1))
done <bench/compile/shapes
echo "growth: $shapes shapes, $failed failed"
[ $failed = 0 ]
