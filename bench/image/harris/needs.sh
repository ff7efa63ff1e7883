#!/bin/sh
sh bench/image/halide.sh harris "$1"
