#!/bin/sh
# layers.sh: checks the order of the folders of src/. A file includes only headers of its own folder
# and of folders above it in src/LAYERS.
set -e
cd "$(dirname "$0")/.."
fail=0
above=""
while read -r layer; do
    above="$above $layer"
    for f in src/"$layer"/*.[ch]; do
        [ -f "$f" ] || continue
        for inc in $(sed -n 's/^#include "\([a-z/]*\)\/[a-z_]*\.[a-z]*".*/\1/p' "$f" | sort -u); do
            case " $above " in
            *" $inc "*) ;;
            *) echo "$f includes $inc/, which is not above $layer in src/LAYERS"; fail=1 ;;
            esac
        done
    done
done < src/LAYERS
for f in src/*/*.c src/*/*/*.c; do
    d=$(dirname "${f#src/}")
    grep -qx "$d" src/LAYERS || { echo "src/$d is not in src/LAYERS"; fail=1; }
done
exit $fail
