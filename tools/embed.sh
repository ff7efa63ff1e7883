#!/bin/sh
# embed.sh NAME FILE: a C header with the text of FILE as the string constant NAME, a line a literal, so that
# the compiler needs no files of its own at run time. Files of its folder that it includes are part of the text.
set -e
folder=$(dirname "$2")
printf '// Made from %s by tools/embed.sh.\nstatic const char %s[] =\n' "$2" "$1"
awk -v folder="$folder" '
    /^#include "/ {
        split($0, part, "\""); file = folder "/" part[2]; read = 0
        while ((getline line < file) > 0) { print line; read++ }
        if (!read) { print "embed.sh: no file " file | "cat >&2"; exit 1 }
        next
    }
    { print }
' "$2" | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/    "/' -e 's/$/\\n"/'
printf '    "";\n'
