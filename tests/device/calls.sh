#!/bin/sh
# calls.sh ADZE: the host side of kernels, by CUDA with the driver for tests and by OpenCL with the
# first device: compiled kernels in the cache, profiles, callers in C whose arrays are on the device.
. "$(dirname "$0")/../common.sh"
cd "$scratch" || exit 2
. "$here/driver.sh"

# computes TARGET [CACHE]: a call whose result is right, with the cache in that folder.
computes() {
    ADZE_CACHE=${2-$scratch/cache} DEVICE_SAYS_COMPILED=1 with_driver "$adze" run "$here/compiled.adz" \
        'scaled(generate(100, |i| f32(i)))' --target "$1" >out 2>err && grep -q '^\[1.0, 3.0, 5.0, ' out || { cat out err; return 1; }
}

# compiles TIMES: how often the last call compiled kernels.
compiles() {
    [ "$(grep -c compiled err)" = "$1" ]
}

kept() { # the files of kernels
    find "$scratch/cache" -name '*.kernels'
}

# damaged COMMAND: the cached file, changed by COMMAND, is replaced by a whole one. A driver of OpenCL
# may compile the same to other bytes.
damaged() {
    file=$(kept)
    cp "$file" good
    "$@" "$file" && cp "$file" bad && computes "$target" && ! cmp -s bad "$file" &&
        { [ "$target" = opencl ] || cmp good "$file"; }
}
short() { head -c 100 good >"$1"; }
none() { : >"$1"; }
changed() { tr 'e' 'f' <good >"$1"; }
longer() { head -c 8 /dev/zero | cat - good >"$1"; }

check "the driver" driver
for target in cuda opencl; do
    rm -rf cache
    check "$target: first call" computes $target
    check "$target: one file" [ "$(kept | wc -l)" = 1 ]
    check "$target: nothing else" [ -z "$(find cache -name '*.kernels.*')" ]
    kept >before && ls -i "$(cat before)" >inode
    check "$target: second call" computes $target
    [ $target = opencl ] || check "$target: it compiles nothing" compiles 0
    ls -i "$(kept)" >again
    check "$target: the file stays" cmp inode again
    for how in short $([ $target = cuda ] || [ "$ALL" ] && echo none changed longer); do check "$target: a $how file" damaged $how; done
    [ $target = opencl ] || check "$target: it is compiled again" compiles 1
    check "$target: no cache" computes $target ''
    [ $target = opencl ] || check "$target: without cache it compiles" compiles 1
    : >file
    check "$target: a folder that cannot be made" computes $target "$scratch/file/below"
    check "$target: a folder with a long name" computes $target "$scratch/$(printf '%0600d' 1)"
done
rm -rf cache
check "the versions of NVRTC" computes cuda
export DEVICE_NVRTC=10
check "another version" computes cuda
check "it is compiled for another version" compiles 1
check "two files" [ "$(kept | wc -l)" = 2 ]
check "the option --cache" with_driver "$adze" run "$here/compiled.adz" 'scaled(generate(100, |i| f32(i)))' --target cuda --cache own
check "a file there" [ "$(find own -name '*.kernels' | wc -l)" = 1 ]

# --- profiles -------------------------------------------------------------------------------------

# profiled TARGET EXPR ROW...: the rows of the profile match.
profiled() {
    target=$1 expression=$2
    shift 2
    with_driver "$adze" run "$here/compiled.adz" "$expression" --target "$target" --profile >out 2>err || { cat err; return 1; }
    for row; do grep -q "^$row\$" err || { cat err; return 1; }; done
}

check "numbers" "$adze" run "$here/compiled.adz" 'generate(20000, |i| f32(i % 7))' -o numbers.npy
for target in cuda opencl; do
    check "$target: a profile" profiled $target 'grown(load("numbers.npy"))' \
        'adze_main_kernel[1-9]  *[1-9]  *[0-9]*\.[0-9]*  *[0-9.]*' \
        'copies to the device  *1 [ 0-9.]* 80000' 'copies from the device  *[0-9]* [ 0-9.]*' \
        '.* times  *total ms  *mean us  *bytes'
    check "$target: no kernels" profiled $target '1 + 1' 'profile: the program has no kernels'
    check "$target: no launch" profiled $target 'if load("numbers.npy")[0] > 100.0 { total(load("numbers.npy")) } else { 0.0 }' 'profile: no kernel was launched'
    check "$target: build" with_driver "$adze" build "$here/compiled.adz" --target $target --profile -o profiled
    check "$target: C of it" grep -q adze_device_profile profiled/compiled.c
    for cc in gcc clang; do check "$target: $cc" $cc -std=c17 -Wall -Wextra -Werror -fsyntax-only profiled/compiled.c; done
    check "$target: without it" with_driver "$adze" build "$here/compiled.adz" --target $target -o plain
    check "$target: no trace" [ "$(grep -c profile plain/compiled.c)" = 0 ]
done
check "no device" sh -c "! '$adze' run '$here/compiled.adz' 1 --profile 2>&1 | grep -qv 'needs a target with a device'"

# --- arrays on the device -------------------------------------------------------------------------

# called NAME CC FLAGS: caller.c with the C of buffers.adz, ./NAME. Drivers of OpenCL leak.
called() {
    [ "$target" = opencl ] || set -- "$1" "$2" "$3 -DADZE_WITH_CUDA"
    # shellcheck disable=SC2086 # several flags
    "$2" -std=gnu11 -Wall -Wextra -Werror $3 -I"$root/runtime" -I"$from" "$here/caller.c" "$from/buffers.c" -o "$1" -lm -pthread &&
        ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=$([ "$target" = cuda ]; echo $((1 - $?)))" with_driver "./$1"
}

# fuses OPTION FLAGS: NVRTC gets --fmad=OPTION from the caller, compiled with the flags.
fuses() {
    called fused-caller gcc "-O1 $2" || return 1
    ADZE_CACHE='' DEVICE_SAYS_COMPILED=1 with_driver ./fused-caller 2>&1 | grep -q "^compiled .*--fmad=$1 "
}

# copies COUNT ENTRY: the entry copies as often, as the profile of ./measured says.
copies() {
    with_driver ./measured "$2" 2>err || return 1
    grep "kernel" err && [ "$(sed -n 's/^copies .* device *\([0-9]*\) .*/\1/p' err | paste -sd+ | sed 's/^$/0/' | bc)" = "$1" ]
}

[ ! -e /etc/OpenCL/vendors/pocl.icd ] || export OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd # others fail under sanitizers
check "held.c" clang -std=gnu17 -O1 -g -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all \
    "-I$root/runtime" "$here/held.c" -o held -ldl
check "arrays of one workspace" env ASAN_OPTIONS=detect_leaks=0 ./held $(seq $([ "$ALL" ] && echo 500 || echo 30))
for target in cuda opencl; do
    from=buffers-$target
    check "$target: buffers" "$adze" build "$here/buffers.adz" --target $target -o "$from"
    check "$target: pedantic" cc -std=c11 -Wall -Wextra -Wpedantic -Werror -c "$from/buffers.c" -o pedantic.o
    check "$target: C++" sh -c "echo '#include \"buffers.h\"' >header.cpp && c++ -std=c++17 -Wall -Wextra -Werror -I'$from' -c header.cpp -o header.o"
    check "$target: called" called plain-caller gcc "-O2 -fopenmp"
    check "$target: called, sanitizers" called san-caller clang "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all"
    if [ $target = cuda ]; then
        check "cuda: fused multiply-adds" fuses true
        check "cuda: no fused multiply-adds" fuses false -DADZE_NO_FMA
    fi
    from=buffers-profiled
    check "$target: buffers, profiled" "$adze" build "$here/buffers.adz" --target $target --profile -o $from
    check "$target: called, profiled" called measured gcc -O1
    check "$target: nothing is copied" copies 0 twice
    check "$target: what the host changes is copied" copies 3 patched
done
report calls
