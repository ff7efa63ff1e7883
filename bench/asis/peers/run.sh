#!/bin/sh
# run.sh [NAME]: the kernels of bench/asis/asis.adz, or the one NAME, against NumPy, Numba and JAX. Makes a Python environment with their newest
# versions in build/bench/venv (remove it to get newer ones). Ours is compiled by CC (default gcc) with BENCH_CFLAGS into a library that Python calls.
# Writes build/bench/asis_peers.json.
cd "$(dirname "$0")/../../.." || exit 1
cc=${CC:-gcc}
flags=${BENCH_CFLAGS:--std=gnu17 -O3 -march=native -fno-math-errno -fopenmp}
venv=build/bench/venv
out=build/bench/asis/peers
mkdir -p $out
if ! $venv/bin/python -c 'import numpy, scipy, numba, jax' 2> /dev/null; then
    python3 -m venv $venv && $venv/bin/pip install -q numpy scipy numba jax ||
        { echo "asis/peers: needs python3 with venv, and NumPy, SciPy, Numba and JAX from PyPI" >&2; exit 1; }
fi
build/adze build bench/asis/asis.adz -o $out > /dev/null || exit
# shellcheck disable=SC2086
$cc $flags -fPIC -shared -o $out/asis.so $out/asis.c bench/asis/peers/spread.c -lm || exit
exec $venv/bin/python -B bench/asis/peers/peers.py $out build/bench/asis_peers.json "$@"
