#!/bin/sh
# layers.sh: a folder of src/ may include only its own headers and those of folders above it in src/LAYERS.
set -e
cd "$(dirname "$0")/.."
fail=0
above=""
while read -r layer; do
    above="$above $layer"
    for f in src/"$layer"/*.[ch]; do
        [ -f "$f" ] || continue
        for inc in $(sed -n 's/^#include "\([a-z]*\)\/.*/\1/p' "$f" | sort -u); do
            case " $above " in
            *" $inc "*) ;;
            *) echo "$f includes $inc/, which is not above $layer in src/LAYERS"; fail=1 ;;
            esac
        done
    done
done < src/LAYERS
for d in src/*/; do
    grep -qx "$(basename "$d")" src/LAYERS || { echo "$d is not in src/LAYERS"; fail=1; }
done
exit $fail
