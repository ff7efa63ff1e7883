#!/bin/sh
# The same as patterns with a schedule, for several threads and for one, and Halide's.
if [ "$PEERS" != only ]; then
    sh bench/image/rows.sh unsharp_rows "$1"
fi
sh bench/image/halide.sh unsharp "$1"
