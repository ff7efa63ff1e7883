#!/bin/sh
# run.sh ADZE: functions of C that are called in lanes: what comes out, and in which order they are
# called, is what it is without vectors, for several processors, by both compilers and under
# sanitizers.
. "$(dirname "$0")/../common.sh"
cd "$scratch" || exit 2

# printed CC FLAGS FOLDER: what the caller prints with the entries in the folder.
printed() {
    # shellcheck disable=SC2086 # several flags
    "$1" -std=c11 -Wall -Wextra -Werror -ffp-contract=off $2 -I"$3" "$here/caller.c" "$3/lane_calls.c" -lm -o caller &&
        ./caller >"$3.out" && cmp plain.expected "$3.out"
}

check "without vectors" "$adze" build "$here/lane_calls.adz" --vector-bytes 0 --no-remarks -o plain
gcc -std=c11 -ffp-contract=off -O1 -Iplain "$here/caller.c" plain/lane_calls.c -lm -o caller && ./caller >plain.expected ||
    exit 2
check "what C is called with is printed" grep -q '^noise ' plain.expected
for cpu in portable native; do
    check "build for $cpu" "$adze" build "$here/lane_calls.adz" --cpu $cpu --no-remarks -o $cpu
    for cc in gcc clang; do
        command -v $cc >/dev/null || continue
        check "$cc, $cpu, sanitizers" printed $cc "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all" $cpu
        check "$cc, $cpu" printed $cc "-O3 $([ $cpu = native ] && echo -march=native)" $cpu
    done
done
if [ "$(uname -m)" = x86_64 ]; then # with registers for masks; C compilers have other ways where there are none
    check "build for v4" "$adze" build "$here/lane_calls.adz" --cpu v4 --no-remarks -o v4
    check "gcc, v4" printed gcc "-O1 -Wno-psabi" v4
fi

# Which loops call lane by lane, and which are no vectors at all.
for entry in one some in_row of_other ticks of_bools marks looks pairs rows simd; do
    "$adze" explain "$here/lane_calls.adz" $entry --lanes --cpu v3 >lanes 2>&1
    check "$entry calls lane by lane" grep -q 'called lane by lane' lanes
done
for entry in apart sides looped checked; do
    "$adze" explain "$here/lane_calls.adz" $entry --cpu v3 >lanes 2>&1
    check "$entry keeps the order of calls" grep -q 'not vectorised: .* is a C function, whose calls' lanes
done
report lane_calls
