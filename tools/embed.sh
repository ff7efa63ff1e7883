#!/bin/sh
# embed.sh NAME FILE: a C header with the text of FILE as the string constant NAME, a line a literal, so that
# the compiler needs no files of its own at run time.
set -e
printf '// Made from %s by tools/embed.sh.\nstatic const char %s[] =\n' "$2" "$1"
sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/    "/' -e 's/$/\\n"/' "$2"
printf '    "";\n'
