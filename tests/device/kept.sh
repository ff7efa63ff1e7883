#!/bin/sh
# kept.sh ADZE: compiled kernels are kept in the cache, by CUDA with the driver for tests, and by
# OpenCL with the first device.
. "$(dirname "$0")/../common.sh"
cd "$scratch" || exit 2
. "$here/driver.sh"

# computes TARGET [CACHE]: a call whose result is right, with the cache in that folder.
computes() {
    ADZE_CACHE=${2-$scratch/cache} DEVICE_SAYS_COMPILED=1 with_driver "$adze" run "$here/compiled.adz" \
        'scaled([1.0, 2.0])' --target "$1" >out 2>err && grep -qx '\[3.0, 5.0\]' out || { cat out err; return 1; }
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
    for how in short none changed longer; do check "$target: a $how file" damaged $how; done
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
check "the option --cache" with_driver "$adze" run "$here/compiled.adz" 'scaled([1.0, 2.0])' --target cuda --cache own
check "a file there" [ "$(find own -name '*.kernels' | wc -l)" = 1 ]
report kept
