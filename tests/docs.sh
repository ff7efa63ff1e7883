#!/bin/sh
# docs.sh ADZE: tests that documents show what the compiler prints, and that their links lead somewhere. Two markers stand before
# blocks of a document:
#
# <!-- file NAME -->         the block is a file, or goes on with one
# <!-- prints ARGUMENTS -->  `adze ARGUMENTS`, in the folder of these files, prints the block
#
# Every program is laid out as `adze fmt` does it, and passes `adze check` and its tests, unless it stands there for its errors.
. "$(dirname "$0")/common.sh"

fail() { # WHAT
    failed=$((failed + 1))
    printf '%s\n' "FAILED: $1"
}

# The files of a document, and for its n-th "prints" n.arguments and n.block.
extract() {
    awk '
        /^<!-- file .* -->$/   { target = $3; marked = 1; next }
        /^<!-- prints .* -->$/ {
            target = ++count ".block"; marked = 1
            sub(/^<!-- prints /, ""); sub(/ -->$/, "")
            print > (count ".arguments"); close(count ".arguments")
            printf "" > target
            next
        }
        /^```/ && inside { inside = 0; marked = 0; next }
        /^```/           { inside = marked ? 2 : 1; next }
        inside == 2      { print > target }
        marked && !inside && NF { print "a marker without a block: " target; exit 1 }
    ' "$1"
}

check_program() {
    "$adze" fmt --check "$1" >/dev/null 2>&1 && pass || fail "$document: $1 is not laid out as adze fmt does it"
    grep -q "^check .*$1" ./*.arguments 2>/dev/null && return
    "$adze" check "$1" >output 2>&1 && pass || fail "$document: $1: $(cat output)"
    grep -q '^test "' "$1" || return
    "$adze" test "$1" >output 2>&1 && pass || fail "$document: $1: $(cat output)"
}

for document in README.md ARCHITECTURE.md CONTRIBUTING.md docs/language.md docs/devices.md docs/memory.md docs/numpy.md docs/python.md docs/schedules.md docs/shapes.md docs/staging.md docs/vectors.md; do
    rm -rf "$scratch/files" && mkdir "$scratch/files" && cd "$scratch/files" || exit 2
    extract "$root/$document" || fail "$document: $(extract "$root/$document")"
    for program in *.adz; do
        [ -f "$program" ] && check_program "$program"
    done
    for arguments in *.arguments; do
        [ -f "$arguments" ] || continue
        eval "\"\$adze\" $(cat "$arguments")" >output 2>&1
        want=$(cat "${arguments%.arguments}.block")
        case $(cat output) in
        *"$want"*) [ -n "$want" ] && pass || fail "$document: $(cat "$arguments"): an empty block" ;;
        *) fail "$document: adze $(cat "$arguments") prints now:
$(cat output)" ;;
        esac
    done
done

# The text of a document outside of its blocks.
prose() {
    awk '/^ *```/ { inside = !inside; next } !inside' "$1"
}

# The anchors of a document's headings, as GitHub makes them.
anchors() {
    prose "$1" | sed -n 's/^##* //p' | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-'
}

# The targets of a document's links, and the documents that it names in backquotes.
links() {
    prose "$1" | sed 's/`[^`]*`//g' | grep -o '\]([^)]*[#./][^)]*)' | sed 's/^](//; s/)$//'
    prose "$1" | grep -o '`[A-Za-z0-9_/.-]*\.md`' | tr -d '`'
}

cd "$root" || exit 2
for document in *.md docs/*.md bench/notes/*.md; do
    for link in $(links "$document"); do
        case $link in *://*) continue ;; esac
        target=${link%%#*}
        folder=$(dirname "$document")
        [ -e "$folder/$target" ] || folder=.
        target=$([ -n "$target" ] && echo "$folder/$target" || echo "$document")
        [ -e "$target" ] && pass || fail "$document: no file for the link $link"
        case $link in
        *"#"*) anchors "$target" | grep -qx -e "${link#*#}" && pass || fail "$document: no heading for the link $link" ;;
        esac
    done
done
report documents
