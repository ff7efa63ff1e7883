#!/bin/sh
# PCRE2, the library of regular expressions.
printf '#define PCRE2_CODE_UNIT_WIDTH 8\n#include <pcre2.h>\n' | $CC -E - > /dev/null 2>&1 || {
    echo "bench: game/regex is skipped: PCRE2 is missing (libpcre2-dev)" >&2
    exit 77
}
echo -lpcre2-8
