#!/bin/sh
# run.sh [NAME]: the benchmarks of pictures, or the one named. See bench/run.sh.
exec sh "$(dirname "$0")/../run.sh" "image${1:+/$1}"
