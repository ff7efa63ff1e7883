#!/bin/sh
# run.sh: what calls from Python cost (calls.py), in the virtual environment of tests/python.
set -e
cd "$(dirname "$0")/../.."
sh tests/python/run.sh -k nothing_at_all >/dev/null 2>&1 || [ -x build/python/venv/bin/python ]
exec build/python/venv/bin/python -B bench/python/calls.py
