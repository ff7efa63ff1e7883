#!/bin/sh
# needs.sh: flags for Parasail, if there is one.
echo '#include <parasail.h>' | ${CC:-gcc} -E -x c - >/dev/null 2>&1 || {
    echo "bench: align runs only with Parasail: apt-get install libparasail-dev" >&2
    exit 77
}
echo -lparasail
