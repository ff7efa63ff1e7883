#!/bin/sh
# needs.sh: flags for Embree, if there is one.
echo '#include <embree3/rtcore.h>' | ${CC:-gcc} -E -x c - >/dev/null 2>&1 || {
    echo "bench: rays runs only with Embree 3: apt-get install libembree-dev" >&2
    exit 77
}
echo -lembree3
