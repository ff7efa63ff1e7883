#!/bin/sh
# embed_files.sh NAME FILE...: a C header with the names and texts of the files as the table NAME, so that the
# compiler needs no files of its own at run time.
set -e
name=$1
shift
printf '// Made by tools/embed_files.sh.\nstatic const struct {\n    const char *name, *text;\n} %s[] = {\n' "$name"
for file; do
    printf '    {"%s",\n' "$(basename "$file")"
    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/     "/' -e 's/$/\\n"/' "$file"
    printf '    },\n'
done
printf '};\n'
