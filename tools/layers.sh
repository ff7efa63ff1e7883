#!/bin/sh
# layers.sh: checks the order of the folders of src/. A file includes only headers of its own folder
# and of folders above it in src/LAYERS, which ARCHITECTURE.md describes, and no folder has more
# than 20 files.
set -e
cd "$(dirname "$0")/.."
fail=0
above=""
while read -r layer; do
    above="$above $layer"
    for f in src/"$layer"/*.[ch]; do
        [ -f "$f" ] || continue
        for inc in $(sed -n 's/^#include "\([a-z_/]*\)\/[a-z_]*\.[a-z]*".*/\1/p' "$f" | sort -u); do
            case " $above " in
            *" $inc "*) ;;
            *) echo "$f includes $inc/, which is not above $layer in src/LAYERS"; fail=1 ;;
            esac
        done
    done
done < src/LAYERS
while read -r layer; do
    grep -q "^|.*[ ,]$layer[ ,|]" ARCHITECTURE.md || { echo "ARCHITECTURE.md does not say what src/$layer is"; fail=1; }
done < src/LAYERS
for d in $(find src -type d); do
    if [ -n "$(find "$d" -maxdepth 1 -name '*.c')" ] && [ "$d" != src ]; then
        grep -qx "${d#src/}" src/LAYERS || { echo "$d is not in src/LAYERS"; fail=1; }
    fi
    n=$(find "$d" -maxdepth 1 -name '*.[ch]' -o -maxdepth 1 -name '*.def' | wc -l)
    [ "$n" -le 20 ] || { echo "$d has $n files: divide it"; fail=1; }
done
exit $fail
