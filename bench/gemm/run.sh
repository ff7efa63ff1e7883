#!/bin/sh
# run.sh [NAME]: the products of matrices, or the one named. See bench/run.sh.
exec sh "$(dirname "$0")/../run.sh" "gemm${1:+/$1}"
