#!/bin/sh
# python.sh: prints the name of a Python that can build the package in python/: 3.11 or later, with its headers and venv.
for python in /usr/bin/python3 python3; do
    "$python" -c 'import ensurepip, os, sys, sysconfig
header = os.path.join(sysconfig.get_path("include"), "Python.h")
sys.exit(sys.version_info < (3, 11) or not os.path.exists(header))' 2>/dev/null && echo "$python" && exit
done
echo "adze: Python 3.11 or later, with its headers, is missing: apt-get install python3-dev python3-venv" >&2
exit 1
