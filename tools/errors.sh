#!/bin/sh
# errors.sh ADZE: docs/errors.md, the index of all diagnostics, from src/base/diag.def and the examples in tests/errors/.
set -e
LC_ALL=C
export LC_ALL
ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}allocator_may_return_null=1"
export ASAN_OPTIONS
if [ $# != 1 ] || [ ! -x "$1" ]; then
    echo "usage: errors.sh ADZE" >&2
    exit 2
fi
adze=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
library=$(dirname "$adze")/../lib
cd "$(dirname "$0")/../tests/errors"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
XDG_CACHE_HOME=$scratch/cache
TMPDIR=$scratch/tmp
export XDG_CACHE_HOME TMPDIR
unset CC ADZE_LIB
mkdir "$TMPDIR"

# The same text on every machine and every time, and whatever line of the library a function is at: no path of this machine, no name of its compiler, no names of temporary files.
normalise() {
    sed -e "s|$scratch/folder/||g" -e "s|$scratch/folder|.|g" -e "s|$scratch/tmp|/tmp|g" -e "s|$scratch|/tmp|g" \
        -e "s|$adze|adze|g" -e "s|$library/\([a-z_/]*\.adz\):[0-9]*:[0-9]*:|lib/\1:|g" -e 's|prelude\.adz:[0-9]*:[0-9]*:|prelude.adz:|g' -e 's,/\(tmp\|adze\)-[A-Za-z0-9]\{6\}\([/.]\),/\1-XXXXXX\2,g'
}

fence() { # what stands on stdin as a block of the given language
    echo
    echo "\`\`\`$1"
    cat
    echo "\`\`\`"
}

show_program() {
    sed '/^\/\/!/d' "$1" | fence adze
    { "$adze" check "$1" 2>&1 </dev/null || true; } | normalise | fence text
}

# shellcheck disable=SC2016  # the scripts' own $1 and $2
show_script() {
    sed -e '/^#!/d' -e '/^cd "\$2"/d' -e 's/"\$1"/adze/g' -e 's|"\$2"/||g' "$1" | fence sh
    rm -rf "$scratch/folder"
    mkdir "$scratch/folder"
    { sh "$1" "$adze" "$scratch/folder" 2>&1 </dev/null || true; } | normalise | fence text
    chmod -R u+rwX "$scratch/folder"
}

chapter() {
    case $1 in
    E01) echo "Text and grammar" ;;
    E02) echo "Names" ;;
    E03) echo "Types" ;;
    E04) echo "Sizes" ;;
    E05) echo "Staging and memory" ;;
    E06) echo "Run time" ;;
    E07) echo "Files and tools" ;;
    E09) echo "The compiler itself" ;;
    *) echo "$1" ;;
    esac
}

# CODE, title and explanation of every row, each on a line.
rows() {
    sed -n 's/^DIAG(\(E[0-9]\{4\}\), "\(.*\)", "\(.*\)")$/\1\n\2\n\3/p' ../../src/base/diag.def |
        sed -e 's/\\"/"/g' # a double backslash stands for one in C and in Markdown
}
[ "$(rows | grep -c '^E[0-9]\{4\}$')" = "$(grep -c '^DIAG(' ../../src/base/diag.def)" ]

cat <<'END'
# Diagnostics

Every error has a code, a place and a text. `adze errors CODE` explains a code on the command line; here is each one
with examples and the output of `adze` for them.
END
last=
rows | while read -r code && read -r title && read -r explanation; do
    group=${code%??}
    if [ "$group" != "$last" ]; then
        printf '\n## %s\n' "$(chapter "$group")"
        last=$group
    fi
    printf '\n### %s: %s\n\n%s\n' "$code" "$title" "$explanation"
    for f in "$code".adz "$code".sh "$code"-*.adz "$code"-*.sh; do
        case $f in
        *'*'*) ;;
        *.adz) [ ! -f "$f" ] || show_program "$f" ;;
        *.sh) [ ! -f "$f" ] || show_script "$f" ;;
        esac
    done
done
