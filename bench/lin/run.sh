#!/bin/sh
# run.sh [NAME]: the programs of the thesis of Lin, or the one in the folder NAME. All variants are compiled by one compiler with the same flags:
# CC and CXX (default gcc and g++) and LIN_CFLAGS. VARIANTS are the Adze programs: default is NAME.adz, in which the policy chooses what is
# stored; views, hand and stored are NAME_views.adz and so on, which say it: as little as possible, what is best, everything. Prints for each
# variant its time; C++'s time over its time, first with memory for the result that is given, then with fresh memory in every run (C++ always
# makes its own); the peak of memory, and its ratio to C++'s. At the end geometric means. Writes build/bench/lin/lines.tsv.
cd "$(dirname "$0")/../.." || exit 1
cc=${CC:-gcc}
cxx=${CXX:-g++}
flags=${LIN_CFLAGS:--O3 -march=native -fno-math-errno}
# Rows and columns of matrices and grids. The thesis has 1024; but where rows are a multiple of a page apart the elements of a column lie in the same few
# lines of the cache, and the inner product with a column takes five times as long again.
matrix=${LIN_MATRIX:-800}
grid=${LIN_GRID:-4096}
warn="-Wall -Wextra -Werror"
variants=${VARIANTS:-views hand default stored}
out=build/bench/lin
lines=$out/lines.tsv
mkdir -p $out
rm -f $lines

# c KERNEL PROGRAM FILE..: a program around the C function KERNEL.
c() {
    kernel=$1
    program=$2
    shift 2
    $cc -std=gnu17 $flags $warn -Ibench/lin -DLIN_MATRIX=$matrix -DLIN_GRID=$grid -I"$dir" -DKERNEL="$kernel" -o "$program" "$dir/entry.c" "$@" bench/lin/main.c -lm
}

# adze VARIANT: from NAME.adz or NAME_VARIANT.adz. What is chosen by hand is all views where nothing else is better.
adze() {
    source=$dir/$name.adz
    [ "$1" = default ] || source=$dir/${name}_$1.adz
    [ "$1" != hand ] || [ -f "$source" ] || source=$dir/${name}_views.adz
    entry=$(sed -n 's/^entry fn \([A-Za-z0-9_]*\).*/\1/p' "$source")
    build/adze build "$source" -o "$to" > /dev/null && c "adze_$entry" "$to/adze_$1" "$to/$(basename "$source" .adz).c" || return
    all="$all adze:$1=$to/adze_$1"
}

# build: all variants of the folder dir into the folder to; their list in all.
build() {
    c reference "$to/reference" "$dir/reference.c" || return
    $cc -std=gnu17 $flags $warn -Ibench/lin -DLIN_MATRIX=$matrix -DLIN_GRID=$grid -c -o "$to/main.o" bench/lin/main.c || return
    $cxx -std=gnu++20 $flags $warn -Ibench/lin -DLIN_MATRIX=$matrix -DLIN_GRID=$grid -o "$to/idiomatic" "$dir/idiomatic.cpp" "$to/main.o" || return
    all="reference=$to/reference c++=$to/idiomatic"
    for file in "$dir"/plain*.c; do
        kernel=$(basename "$file" .c)
        c "$kernel" "$to/$kernel" "$file" || return
        all="$all $kernel=$to/$kernel"
    done
    for variant in $variants; do adze "$variant" || return; done
    [ ! -f "$dir/machine.c" ] && return
    for kernel in one_pass copied; do
        c $kernel "$to/$kernel" "$dir/machine.c" || return
        all="$all ($kernel)=$to/$kernel"
    done
}

$cc -std=gnu17 -D_GNU_SOURCE -O2 $warn -o $out/measure bench/lin/measure.c -lm || exit 1
printf '%-10s %-18s %12s %21s  %6s  %6s   %12s  %5s\n' program variant time 'least   - most' ratio fresh memory ratio
found=no
failed=
for name in 3add cross ba gmm ht mm 2mm 3mm jacobi1d jacobi2d seidel2d; do
    [ "${1:-$name}" = $name ] || continue
    found=yes
    dir=bench/lin/$name
    to=$out/$name
    mkdir -p "$to"
    all=
    build && $out/measure $name $lines $all || failed="$failed $name"
done
[ $found = yes ] || { echo "lin: there is no program $1" >&2; exit 1; }
# Geometric means of the variants that all programs have.
[ -n "$1" ] || awk -F'\t' '
    { programs[$1]; n[$2]++; time[$2] += log($6); fresh[$2] += log($7); memory[$2] += log($9) }
    END {
        for (p in programs) count++
        for (v in n) if (n[v] == count && v != "c++")
            printf "geometric mean over %d, C++ / %s: time %.2f, fresh memory %.2f; memory %s / C++: %.2f\n", count, v,
                exp(time[v] / count), exp(fresh[v] / count), v, exp(memory[v] / count)
    }' $lines
[ -z "$failed" ] || { echo "lin: failed:$failed" >&2; exit 1; }
