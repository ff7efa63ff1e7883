#!/bin/sh
# run.sh ADZE: kernels for devices on the CPU (device.h). The ones of bench/device, and those that
# the compiler makes of compiled.adz, give right results, have no race, and take as many sectors and
# passes as counts.txt says. With one barrier less those of bench/device have a race. Wrong kernels
# (wrong.cu) are reported with their lines. Needs clang, and no device.
. "$(dirname "$0")/../common.sh"
cd "$scratch" || exit 2

strict="-gdwarf-4 -Wall -Wextra -Werror"

# built NAME FILE TEST: the program ./NAME, which tests the kernels of FILE. Without memcpy and
# memset, whose accesses would not be instrumented.
built() {
    # shellcheck disable=SC2086 # several flags
    clang -x c++ -std=c++17 -O1 $strict -fno-exceptions -fno-omit-frame-pointer -fsanitize=thread \
        -fno-builtin -I"$here" "-DKERNEL=\"$2\"" "-DTEST_$3" -c "$here/kernels.cpp" -o "$1.o" &&
        clang -no-pie "$1.o" device.o -lm -o "$1"
}

# stops NAME TEXT: the program ends with a fault, of which it says TEXT.
stops() {
    "./$1" >out 2>&1
    [ $? = 3 ] && grep -q "$2" out || { cat out; return 1; }
}

# A barrier of a block or of a warp, alone in its line.
barrier='^ *__sync\(threads\|warp\)();$'

# stops_without LINE NAME: without the barrier in this line the program has a race.
stops_without() {
    "./$2" "$1" >out 2>&1
    [ $? = 3 ] && grep -q "^race of \|^undefined element of " out || { cat out; return 1; }
}

# shellcheck disable=SC2086 # several flags
check "device.c" clang -std=gnu17 -O2 $strict -c "$here/device.c" -o device.o
for file in "$root"/bench/device/*.cu; do
    name=$(basename "$file" .cu)
    check "$name: build" built "$name" "$file" "$name"
    check "$name: results" sh -c "./$name >>counts.txt"
    for line in $(grep -n "$barrier" "$file" | sed 's/:.*//'); do
        check "$name without the barrier in line $line" stops_without "$line" "$name"
    done
done

# Kernels of the compiler: a driver of CUDA whose device is the CPU.
. "$here/driver.sh"

# The C of the processor need not be fast.
quick="--cflags -O0"

# on_device ARGUMENTS: adze ARGUMENTS for CUDA.
on_device() {
    with_driver "$adze" "$@" --target cuda
}

# counted ENTRY ARRAY..: what the kernels of the entry do with memory.
counted() {
    DEVICE_COUNTS=1 on_device run "$here/${program:-compiled.adz}" "$(call "$@")" $quick >out || return 1
    sed -n "s/^adze_main_\(kernel[0-9]*\) \(.*requests\)/$1 \1 \2/p" out >>counts.txt
}

# call ENTRY ARRAY..: the call of the entry with the arrays.
call() {
    printf '%s(' "$1"
    shift
    printf 'load("%s.npy"), ' "$@" | sed 's/, $/)/'
}

# lists: adze devices lists a device for each target.
lists() {
    LD_LIBRARY_PATH="$scratch/lib" "$adze" devices >out && grep -q '^opencl ' out && grep -q '^cuda    GPU  the CPU, for tests  (default)$' out
}

# named NAME ARGUMENTS: adze runs on the device with NAME in its name, without a target on the command line.
named() {
    name=$1
    shift
    with_driver "$adze" run "$here/compiled.adz" 'scaled(generate(100, |i| f32(i)))' --device "$name" "$@" >out 2>&1
}

# lacks NAME ARGUMENTS: there is no such device, and the message lists those that there are.
lacks() {
    if named "$@"; then return 1; fi
    cat out
    grep -q "error E0615: there is no device.* with \`$1\` in its name" out && grep -q 'for the target cuda there is: the CPU, for tests' out
}

# chooses_none: adze devices says that none is the device of ADZE_DEVICE.
chooses_none() {
    ADZE_DEVICE='the GPU, for' LD_LIBRARY_PATH="$scratch/lib" "$adze" devices >out 2>&1 && grep -q 'no device has `the GPU, for` in its name' out
}

check "the driver" driver
check "adze devices" lists
check "a device of CUDA by its name" named 'the CPU, for'
check "a device by its name for its target" named 'the CPU, for' --target cuda
check "a device by its name for another target" lacks 'the CPU, for' --target opencl
check "tests on a device by its name" with_driver timeout 60 "$adze" test "$here/doubles.adz" --device 'the CPU, for'
check "tests on a device of OpenCL by its name" timeout 60 "$adze" test "$here/doubles.adz" --device pthread
check "an unknown device" lacks 'the GPU, for'
check "an unknown device in ADZE_DEVICE" chooses_none
check "compiled.adz" on_device test "$here/compiled.adz" $quick
check "doubles.adz" on_device test "$here/doubles.adz" $quick
check "checks.adz" on_device test "$here/checks.adz" $quick
check "moves.adz" on_device test "$here/moves.adz" $quick
check "sorts.adz" on_device test "$here/sorts.adz" $quick
check "rays.adz" on_device test "$here/rays.adz" $quick
check "pairs.adz" on_device test "$here/pairs.adz" $quick
check "neighbours.adz" on_device test "$here/neighbours.adz" $quick
# The limit decides: the bound of the kernel of this map of n elements is n + 1.
compiled_with_index() { # TYPE LIMIT
    ADZE_MOST_INDEX=$2 DEVICE_SAYS_COMPILED=1 on_device run "$here/compiled.adz" 'scaled(load("few.npy"))' \
        --no-specialise --no-cache >out 2>&1 && grep -q "ADZE_INDEX=$1 " out || { cat out; return 1; }
}
check "a few numbers" "$adze" run "$here/compiled.adz" 'generate(1000, |i| f32(i))' -o few.npy
check "32-bit indices" compiled_with_index int 1001
# Sizes of square matrices are powers.
narrow_squares() {
    "$adze" explain "$here/compiled.adz" squared --target cuda --stage kernels >out && grep -q 'n\*n' out && ! grep int64_t out
}
check "32-bit indices of square matrices" narrow_squares
check "64-bit indices above the limit" compiled_with_index long 1000
check "64-bit indices" env ADZE_MOST_INDEX=0 LD_LIBRARY_PATH="$scratch/lib" "$adze" test "$here/checks.adz" $([ "$ALL" ] && echo "$here/moves.adz") --target cuda $quick
# Two drivers of OpenCL, whose compilers take long: they run some of the tests, by words of their titles, with ALL=1 all. PoCL takes
# twice as long with its optimisations. Mesa has no atomic updates of 64-bit numbers.
pocl="POCL_EXTRA_BUILD_FLAGS=$([ "$ALL" ] || echo -cl-opt-disable)"
mesa="OCL_ICD_VENDORS=/etc/OpenCL/vendors/rusticl.icd RUSTICL_ENABLE=swrast"
by_opencl() { # DRIVER FILE WORDS...
    for word in $([ "$ALL" ] && echo all || shift 2 && echo "$@"); do
        # shellcheck disable=SC2086 # several variables and options
        check "$2 by OpenCL, $1: $word" env $1 "$adze" test "$here/$2" --target opencl $quick $([ $word = all ] || echo "--only $word")
    done
}
by_opencl "$pocl" doubles.adz all
by_opencl "$pocl" checks.adz positions fail
by_opencl "$pocl" compiled.adz row scans
by_opencl "$pocl" moves.adz 16
by_opencl "$pocl" sorts.adz floats
by_opencl "$pocl" mma.adz hand
by_opencl "$pocl" rays.adz first
[ "$ALL" ] && by_opencl "$pocl" pairs.adz all
by_opencl "$pocl" neighbours.adz stores
by_opencl "$mesa" compiled.adz scans sums
by_opencl "$mesa" neighbours.adz numbers choices
for file in lib/std/gpu lib/image/gpu examples/filters/blur examples/filters/harris; do check "$file.adz" on_device test "$root/$file.adz" $quick; done
# The whole solver takes long.
check "poisson.adz" on_device test "$root/examples/filters/poisson.adz" $quick $([ "$ALL" ] || echo --only groups)
# has ENTRY TEXT [FILE]: a kernel of the entry comes from there.
has() {
    "$adze" explain "$here/${3:-compiled.adz}" "$1" --target cuda --stage kernels | grep -q "// $2"
}
check "a sort after a filter" has upper_half radix.adz
check "what may fail" has gathered checks.adz checks.adz
check "loops of any length" has steps checks.adz checks.adz
private_array() {
    "$adze" explain "$here/checks.adz" places --target cuda --stage kernels >out && grep -q '^ *int64_t at\[500\];$' out && ! grep items out
}
check "a private array" private_array
check "a first iteration" has differences compiled.adz
check "sums of the library" has totals sums.adz
# stops_with CODE CALL: the call ends with the error.
stops_with() {
    ! on_device run "$here/checks.adz" "$2" $quick >out 2>&1 && grep -q "error $1:" out
}
check "an index out of bounds" stops_with E0601 'gathered(generate(20000, |i| i32(i)), generate(19999, |i| i64(i) + 1)).0'
check "a division by zero" stops_with E0602 'gathered(generate(20000, |i| i32(i)), generate(20000, |i| i64(i))).1[0]'
check "an index of one of a group" stops_with E0601 'picked(generate(256, |i| i64(i) + i64(i) / 255), generate(9, |g| generate(300, |j| f32(j))))'
check "the same, of the last loop" stops_with E0601 'picked(generate(256, |i| 299 - i64(i)), generate(9, |g| generate(300, |j| f32(j))))'
check "an assertion with values" stops_with E0614 'steps(generate(20000, |i| i64(i)))'
check "compiled.adz --plain" on_device test "$here/compiled.adz" $quick --plain $([ "$ALL" ] || echo --only sums)
check "a matrix" "$adze" run "$here/compiled.adz" 'generate(64, |i| generate(96, |j| f32(i + j)))' -o matrix.npy
check "numbers" "$adze" run "$here/compiled.adz" 'generate(20000, |i| f32(i % 7))' -o numbers.npy
check "random numbers" "$adze" run "$here/compiled.adz" \
    'generate(20000, |i| f32(u32(i64(i) * 2654435761 + 12345) >>> 8))' -o random.npy
check "bytes" "$adze" run "$here/compiled.adz" 'generate(2000, |i| u8(i % 23))' -o bytes.npy
check "another matrix" "$adze" run "$here/compiled.adz" 'generate(96, |i| generate(64, |j| f32(i + j)))' -o other.npy
for entry in smooth turned rows columns ordered; do check "$entry" counted $entry matrix; done
for entry in scaled total sums kept in_order; do check "$entry" counted $entry numbers; done
check "by_digits" counted by_digits random
program=neighbours.adz
check "four numbers together" counted scaled numbers
program=
check "a block" "$adze" run "$here/compiled.adz" 'generate(40, |h| generate(34, |i| generate(64, |j| f32(h + i + j))))' -o block.npy
check "weights" "$adze" run "$here/compiled.adz" 'generate(17, |i| f32(i))' -o weights.npy
check "long rows" "$adze" run "$here/compiled.adz" 'generate(8, |i| generate(640, |j| f32(i + j)))' -o long.npy
check "high columns" "$adze" run "$here/compiled.adz" 'generate(128, |i| generate(64, |j| f32(i + j)))' -o high.npy
check "diffused" counted diffused block
check "around" counted around block
check "weights of a cube" "$adze" run "$here/compiled.adz" 'generate(3, |h| generate(3, |i| generate(3, |j| f32(h + i + j))))' -o cube.npy
check "weighted" counted weighted cube block
check "heated" counted heated matrix
check "convolved" counted convolved weights long
check "convolved_down" counted convolved_down weights high
check "long rows of a ragged array" "$adze" run "$here/compiled.adz" 'generate(301, |i| min(i64(i) * 70, 20000))' -o offsets.npy
check "row_sums" counted row_sums offsets numbers
check "some numbers" "$adze" run "$here/compiled.adz" 'generate(700, |i| f32(i % 7))' -o some.npy
check "apart" counted apart some
check "counts" counted counts bytes
for entry in product small_tiles; do check "$entry" counted $entry matrix other; done
check "large_tiles" counted large_tiles matrix matrix
check "distances" counted distances matrix matrix
program=rays.adz
check "nodes" "$adze" run "$here/$program" 'tree_of(triangles(1000)).nodes' -o nodes.npy
check "blocks" "$adze" run "$here/$program" 'tree_of(triangles(1000)).blocks' -o blocks.npy
check "beams" "$adze" run "$here/$program" 'beams(4096)' -o beams.npy
for entry in first any_at_all; do check "$entry" counted $entry nodes blocks beams; done
program=pairs.adz
check "reads" "$adze" run "$here/$program" 'reads(60000)' -o reads.npy
check "references" "$adze" run "$here/$program" 'references(60000)' -o references.npy
check "starts" "$adze" run "$here/$program" 'starts(400, 150)' -o starts.npy
for entry in by_work_items by_groups; do check "$entry" counted $entry reads starts references starts; done
program=
# What `adze explain` says of the loops of each entry that may be instructions for matrices.
instructions() {
    "$adze" explain "$here/mma.adz" --target cuda >out &&
        awk '/^[a-z_]+ \(/ { entry = $1 } / (mma|loop)   / { print entry, $2 == "mma" || $2 == "loop" ? $2 : $3 }' out | sort -u >found
}
check "explain mma.adz" instructions
for entry in product halves bytes unsigned_bytes batches twice sometimes other_columns other_order; do
    check "$entry: instructions for matrices" test "$(grep "^$entry " found)" = "$entry mma"
done
for entry in apart other_rows alone loaded; do check "$entry: none" test "$(grep "^$entry " found)" = "$entry loop"; done
check "mma.adz" on_device test "$here/mma.adz" $quick
# Without ADZE_NO_FMA they are for floats, too.
check "mma.adz: build" "$adze" build "$here/mma.adz" --target cuda -o mma
check "mma.adz: a caller" gcc -std=gnu17 -O1 -Wall -Wextra -Werror -Imma "$here/mma.c" mma/mma.c -o mma/caller -lm -pthread
check "mma.adz: called" with_driver mma/caller
# Two groups run all iterations. Without any one of its barriers a kernel has a race. What the cache
# keeps has all barriers: the driver removes one when it loads kernels.
by_two_groups() { # CALL ARGUMENTS
    DEVICE_MOST_GROUPS=2 on_device run "$here/${program:-compiled.adz}" "$@" --no-specialise $quick
}
is_caught_without() { # BARRIER CALL
    DEVICE_WITHOUT_BARRIER=$1 by_two_groups "$2" >out 2>&1
    [ $? = 3 ] && grep -q "^race of \|^undefined element of \|outside of memory" out || { cat out; return 1; }
}
# each_barrier ENTRY ARRAY..: the entry without each of some of its barriers; with ALL=1 of all.
each_barrier() {
    check "$1 by two groups" by_two_groups "$(call "$@")"
    "$adze" explain "$here/${program:-compiled.adz}" "$1" --target cuda --stage kernels >kernels
    barriers=$(grep -c ' barrier(' kernels)
    for k in $(seq 1 $((ALL ? 1 : barriers / 2 + 1)) "$barriers"); do
        check "$1 without barrier $k" is_caught_without "$k" "$(call "$@")"
    done
}
check "longer rows of a matrix" "$adze" run "$here/compiled.adz" 'generate(7, |i| generate(300, |j| f32(i + j)))' -o rows.npy
check "a wide matrix" "$adze" run "$here/compiled.adz" 'generate(5, |i| generate(1001, |j| f32((3 * i64(i) + j) % 5)))' -o wide.npy
for entry in rows softmax; do
    check "$entry of a wide matrix" counted $entry wide
    each_barrier $entry wide
done
each_barrier turned matrix
each_barrier small_tiles matrix other
each_barrier large_tiles matrix matrix
each_barrier sums numbers
each_barrier kept numbers
each_barrier in_order numbers
each_barrier by_digits random
check "longer rows" "$adze" run "$here/compiled.adz" 'generate(31, |i| min(i64(i) * 700, 20000))' -o far.npy
each_barrier group_sums far numbers
each_barrier heated matrix
each_barrier diffused block
each_barrier weighted cube block
each_barrier convolved_down weights high
each_barrier apart some
program=checks.adz
check "positions" "$adze" run "$here/$program" 'generate(256, |i| 255 - i64(i))' -o at.npy
each_barrier picked at rows
program=pairs.adz
check "starts of a few, and of some without letters" "$adze" run "$here/$program" '[0i64, 20, 20, 20, 20, 20, 45, 45]' -o starts.npy
each_barrier by_groups reads starts references starts
program=
# Random kernels of groups. With optimisations clang reads in advance what one work-item alone may
# access: that would be no fault, but is reported as a race.
random_groups() { # SEED
    python3 "$here/groups.py" "$1" 40 >groups.adz &&
        "$adze" run groups.adz 'sums()' --interpret -o wanted.npy >out 2>&1 &&
        DEVICE_OPTIMISED=0 on_device run groups.adz 'sums()' $quick --no-specialise -o found.npy >out 2>&1 &&
        cmp wanted.npy found.npy || { cat out; return 1; }
}
for seed in $([ "$ALL" ] && seq 20 || echo 2 7); do check "random groups, seed $seed" random_groups "$seed"; done
[ "$BLESS" ] && cp counts.txt "$here/counts.txt"
check "counts.txt" diff "$here/counts.txt" counts.txt
for name in $(sed -n 's/^__global__ void \(wrong_[a-z_]*\)(.*/\1/p' "$here/wrong.cu"); do
    check "$name: build" built wrong "$here/wrong.cu" "wrong=$name"
    check "$name" stops wrong "$(sed -n "s|^// $name: ||p" "$here/wrong.cu")"
done
report device
