#!/bin/sh
# run.sh ADZE: tests of `adze doc`: the reference of the library beside this script is the one in golden/ (BLESS=1 writes that),
# and all pages of the standard library are well formed, with links that lead somewhere and nothing from elsewhere.
. "$(dirname "$0")/../common.sh"

cd "$here/library" || exit 2
check "HTML" "$adze" doc geometry.adz shapes/area.adz -o "$scratch/html"
check "Markdown" "$adze" doc ./geometry.adz shapes/area.adz -o "$scratch/reference.md"
if [ -n "$BLESS" ]; then
    cp "$scratch/html/geometry.html" "$scratch/html/shapes.area.source.html" "$scratch/reference.md" "$here/golden/"
fi
for file in html/geometry.html html/shapes.area.source.html reference.md; do
    check "$file" diff "$here/golden/$(basename "$file")" "$scratch/$file"
done
check "Markdown in a folder" "$adze" doc geometry.adz shapes/area.adz -o "$scratch/md" --format markdown
check "index.md" cmp "$scratch/md/index.md" "$scratch/reference.md"
check "links of the small library" python3 "$here/links.py" "$scratch/html"

check "a folder" "$adze" doc . -o "$scratch/folder"
check "it has all modules" test -f "$scratch/folder/shapes.area.html"
check "its title" grep -q '<title>library' "$scratch/folder/index.html"
for library in align rays image; do
    check "the library $library" "$adze" doc $library -o "$scratch/$library"
    check "links of $library" python3 "$here/links.py" "$scratch/$library"
    check "modules of $library are what programs import" test -f "$(ls "$scratch/$library/$library".*.html | head -1)"
done
mkdir "$scratch/nothing"
fails "no module is in the folder" 1 "$adze" doc "$scratch/nothing" -o "$scratch/x"

check "the library" "$adze" doc std -o "$scratch/std"
check "links of the library" python3 "$here/links.py" "$scratch/std"

fails "geometry.adz:46: fn bare has no comment" 1 "$adze" doc geometry.adz --missing
fails '"name": "bare"' 1 "$adze" doc geometry.adz --missing --json
fails "say where to write with -o DIR" 2 "$adze" doc geometry.adz --format html
fails "say where to write with -o DIR" 2 "$adze" doc geometry.adz --json
"$adze" doc geometry.adz -o "$scratch/printed.md" && check "a document is printed" sh -c "'$adze' doc geometry.adz | cmp - '$scratch/printed.md'"
fails '--format is `html` or `markdown`, not `pdf`' 2 "$adze" doc geometry.adz -o "$scratch/x" --format pdf
fails "E0701" 1 "$adze" doc nothing.adz -o "$scratch/x"
fails "two files are the module geometry" 1 "$adze" doc geometry.adz "$here/library/geometry.adz" -o "$scratch/x"
printf 'fn f( { }\n' >"$scratch/wrong.adz"
fails "E0110" 1 "$adze" doc "$scratch/wrong.adz" -o "$scratch/x"
check "nothing is written after an error" test ! -e "$scratch/x"
fails "cannot create the folder" 1 "$adze" doc geometry.adz -o "$scratch/reference.md/x"
report doc
