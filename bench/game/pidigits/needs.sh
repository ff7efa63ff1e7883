#!/bin/sh
# GMP, the library of long integers.
echo '#include <gmp.h>' | $CC -E - > /dev/null 2>&1 || {
    echo "bench: game/pidigits is skipped: GMP is missing (libgmp-dev)" >&2
    exit 77
}
echo -lgmp
