#!/bin/sh
# The same as patterns with a schedule, for several threads and for one, and Halide's.
if [ "$PEERS" != only ]; then
    sh bench/image/rows.sh harris_rows "$1"
fi
sh bench/image/halide.sh harris "$1"
