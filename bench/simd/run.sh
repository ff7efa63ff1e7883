#!/bin/sh
# run.sh [NAME]: the programs of bench/simd, or the one in the folder NAME, each with 8 lanes for AVX2 and 16 for AVX-512 (LANES=8 is the first
# alone; programs on bytes have four times as many). All sides are compiled by one compiler, CC (default gcc), with the same flags, SIMD_CFLAGS;
# LANES=8 CPU=zen3 builds the programs for that processor instead of x86-64-v3;
# the scalar C and the program with one lane without vectorisation by the C compiler.
cd "$(dirname "$0")/../.." || exit 1
cc=${CC:-gcc}
flags=${SIMD_CFLAGS:--O3 -march=native -fno-math-errno -fno-trapping-math -fopenmp}
warn="-std=gnu17 -Wall -Wextra -Werror"
lines=build/bench/lines.json
out=build/bench/simd
mkdir -p $out
rm -f $lines
found=no
failed=

# machine LANES: the machine that has so many lanes, and what the C compiler is told of it.
machine() {
    case $1 in
    8) name=avx2 cpu=${CPU:-x86-64-v3} more="-mno-avx512f" ;;
    16) name=avx512 cpu=${CPU:-x86-64-v4} more="-mprefer-vector-width=512" ;;
    esac
}

# c OUT FILE FLAGS..: one side.
c() {
    object=$1 file=$2
    shift 2
    # shellcheck disable=SC2086
    $cc $warn $flags $more -Ibench -Ibench/simd -I"$to" -DPROGRAM="$program" "$@" -c -o "$to/$object.o" "$file"
}

# build LANES: the program run in the folder to.
build() {
    scalar="-fno-tree-vectorize -fno-tree-slp-vectorize"
    lanes=$(sed -n "s/^entry fn ${program}_\([0-9]*\).*/\1/p" "$dir/$program.adz" | sed -n "$((1 + $1 / 8))p")
    build/adze build "$dir/$program.adz" -o "$to" --cpu $cpu > /dev/null || return
    # The entry with one lane gets another name, single_..: its file is compiled twice.
    single="-Dadze_${program}_release=single_${program}_release"
    for entry in $(sed -n 's/^entry fn \([A-Za-z0-9_]*\).*/\1/p' "$dir/$program.adz"); do
        for part in "" _message _explain _workspace _in; do single="$single -Dadze_$entry$part=single_$entry$part"; done
    done
    # shellcheck disable=SC2086
    c ours "$to/$program.c" && c single "$to/$program.c" $scalar $single &&
        c scalar "$dir/peer.c" $scalar -DPEER=scalar && c automatic "$dir/peer.c" -DPEER=automatic || return
    hand=
    objects="$to/ours.o $to/single.o $to/scalar.o $to/automatic.o"
    if [ -f "$dir/$name.c" ]; then
        c hand "$dir/$name.c" -DPEER=intrinsics || return
        hand=-DINTRINSICS
        objects="$objects $to/hand.o"
    fi
    # What a C++ library does, where there is a compiler of it.
    library=
    if [ -f "$dir/library.cc" ] && command -v "${CXX:-g++}" > /dev/null; then
        # shellcheck disable=SC2086
        ${CXX:-g++} $flags $more -c -o "$to/library.o" "$dir/library.cc" || return
        library=-lstdc++
        hand="$hand -DLIBRARY"
        objects="$objects $to/library.o"
    fi
    # shellcheck disable=SC2086
    c case "$dir/case.c" -DLANES="$lanes" $hand && c harness bench/harness.c || return
    # shellcheck disable=SC2086
    $cc $flags $objects "$to/case.o" "$to/harness.o" -o "$to/run" -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=aligned_alloc -Wl,--wrap=free \
        $library -lmvec -lm
}

for dir in bench/simd/*/; do
    dir=${dir%/}
    program=${dir##*/}
    [ "${1:-$program}" = "$program" ] || continue
    found=yes
    for count in ${LANES:-8 16}; do
        machine "$count"
        to=$out/$program/$name
        mkdir -p "$to"
        build "$count" && "$to/run" $lines || failed="$failed $program/$count"
    done
done
[ $found = yes ] || { echo "simd: there is no program $1" >&2; exit 1; }
if [ -s $lines ]; then
    { printf '[\n'; sed -e '$!s/$/,/' -e 's/^/  /' $lines; printf ']\n'; } > build/bench.json.tmp
    mv build/bench.json.tmp build/bench.json
fi
[ -z "$failed" ] || { echo "simd: failed:$failed" >&2; exit 1; }
