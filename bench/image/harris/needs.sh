#!/bin/sh
# The same as patterns with a schedule, and Halide's.
if [ "$PEERS" != only ]; then
    build/adze build --target omp examples/schedules/harris_rows.adz -o "$1" >&2 && echo "-DBENCH_ROWS $1/harris_rows.c"
fi
sh bench/image/halide.sh harris "$1"
