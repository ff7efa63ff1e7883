#!/bin/sh
# deps.sh [test]: sees to it that what the build (and, with `test`, the tests) needs is installed. On Debian and its
# relatives missing packages are installed when that is allowed (root, or sudo without a password); otherwise the
# exact command is printed.
set -e
cc=$(command -v gcc || command -v clang) || cc=gcc # either one will do
want="$cc:gcc make:make"
lib="png.h:libpng-dev zlib.h:zlib1g-dev jansson.h:libjansson-dev xxhash.h:libxxhash-dev isl/ctx.h:libisl-dev"
if [ "$1" = test ]; then
    want="$want gcc:gcc clang:clang clang-format:clang-format python3:python3 ld.lld:lld"
    lib="$lib cmocka.h:libcmocka-dev histedit.h:libedit-dev" # libedit is optional
fi

missing=""
for pair in $want; do
    command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair##*:}"
done
for pair in $lib; do
    printf '#include <stdarg.h>\n#include <stddef.h>\n#include <setjmp.h>\n#include <stdint.h>\n#include <%s>\n' "${pair%%:*}" |
        "$cc" -E -x c - >/dev/null 2>&1 || missing="$missing ${pair##*:}"
done
if [ "$1" = test ]; then # what runs kernels without a device: as fast as a processor can, or with checks
    [ -e /etc/OpenCL/vendors/pocl.icd ] || missing="$missing pocl-opencl-icd"
    [ -e /etc/OpenCL/vendors/rusticl.icd ] || missing="$missing mesa-opencl-icd"
    [ -e /usr/lib/oclgrind/liboclgrind-rt-icd.so ] || missing="$missing oclgrind"
    for python in /usr/bin/python3 python3; do "$python" -c 'import numpy' 2>/dev/null && break; done || missing="$missing python3-numpy"
    sh tools/python.sh >/dev/null 2>&1 || missing="$missing python3-dev python3-venv"
fi
printf 'int main(void){return 0;}\n' | "$cc" -x c - -o /dev/null >/dev/null 2>&1 || missing="$missing libc6-dev"
[ -z "$missing" ] && exit 0

as_root=""
if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then as_root=sudo; else as_root=no; fi
fi
if [ "$as_root" = no ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "adze: these packages are missing:$missing" >&2
    echo "adze: install them, on Debian with: apt-get install$missing" >&2
    exit 1
fi
echo "adze: installing$missing" >&2
$as_root apt-get update -qq
# shellcheck disable=SC2086 # a list of words
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
