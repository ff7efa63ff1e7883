#!/bin/sh
sh bench/image/halide.sh blur "$1"
