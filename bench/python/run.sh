#!/bin/sh
# run.sh: what calls from Python cost (calls.py), in the virtual environment of tests/python.
set -e
cd "$(dirname "$0")/../.."
sh tests/python/install.sh
exec build/python/venv/bin/python -B bench/python/calls.py
