#!/bin/sh
# halide.sh NAME OUT: compiles bench/image/NAME/halide.cpp, which writes programs ahead of time, and runs it in the folder OUT. Prints the flags
# that make case.c use them; without Halide (14 or later) prints nothing, and says so.
includes=/usr/include/halide14
[ -f $includes/Halide.h ] || includes=$(dirname "$(find /usr/include /usr/local/include -name Halide.h 2> /dev/null | head -n 1)" 2> /dev/null)
library=$(for l in Halide14 Halide; do echo 'int main(){}' | ${CXX:-g++} -x c++ - -l$l -o /dev/null 2> /dev/null && echo $l && break; done)
if [ ! -f "$includes/Halide.h" ] || [ -z "$library" ]; then
    echo "bench: image/$1 runs without Halide, which is missing (libhalide14-0-dev)" >&2
    exit
fi
source=bench/image/$1/halide.cpp
if [ ! -x "$2/halide" ] || [ "$source" -nt "$2/halide" ]; then
    ${CXX:-g++} -std=c++17 -O1 -Wall -Wextra -Werror -isystem "$includes" -o "$2/halide" "$source" -l"$library" || exit
    (cd "$2" && ./halide) || exit
fi
echo "-DBENCH_HALIDE -isystem $includes $2/halide_*.a -lpthread -ldl"
