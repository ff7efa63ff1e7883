#!/bin/sh
# run.sh: what calls from Python cost (calls.py), and what versions for small sizes gain (sizes.py), in the virtual
# environment of tests/python. PEERS=1 compares with Numba and JAX (peers.py), which are installed in another one, with half
# a gigabyte.
set -e
cd "$(dirname "$0")/../.."
sh tests/python/install.sh
if [ -z "$PEERS" ]; then
    build/python/venv/bin/python -B bench/python/calls.py
    exec build/python/venv/bin/python -B bench/python/sizes.py
fi
peers=build/python/peers
if ! "$peers/bin/python" -c 'import jax, numba' 2>/dev/null; then
    "$(sh tools/python.sh)" -m venv --clear "$peers"
    "$peers/bin/pip" --quiet --disable-pip-version-check install jax numba 'setuptools>=70.1'
fi
"$peers/bin/pip" --quiet --disable-pip-version-check install --no-build-isolation --no-deps --force-reinstall ./python
exec "$peers/bin/python" -B bench/python/peers.py
