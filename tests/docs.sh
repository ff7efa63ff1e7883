#!/bin/sh
# docs.sh ADZE: tests that documents show what the compiler prints, and that their links lead somewhere. Four markers stand before
# blocks of a document:
#
# <!-- file NAME -->         the block is a file, or goes on with one
# <!-- prints ARGUMENTS -->  `adze ARGUMENTS`, in the folder of these files, prints the block
# <!-- session -->           the block is a session at a terminal in this folder: commands, in lines that begin with `$ ` and go on
#                            in lines that begin with `> `, and what each of them prints
# <!-- rows NAME -->         a table follows: in each row the value of the last expression but one, with the names of the file NAME,
#                            is the last one
#
# Every program is laid out as `adze fmt` does it, and passes `adze check` and its tests, unless it stands there for its errors. The
# folders `examples`, `bench` and `tools` are there, too. A picture in a folder `figures`, of a document with sessions, is a file that these write;
# with FIGURES=write it is replaced by what they write now, instead of compared.
#
# DOCUMENTS="FILES" tests these documents only.
. "$(dirname "$0")/common.sh"

fail() { # WHAT
    failed=$((failed + 1))
    printf '%s\n' "FAILED: $1"
}

# The files of a document, and for its n-th "prints" n.arguments and n.block.
extract() {
    awk '
        /^<!-- file .* -->$/   { target = $3; marked = 1; next }
        /^<!-- session -->$/   { target = ++count ".session"; marked = 1; printf "" > target; next }
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
    grep -qs "^\$ adze test $1" ./*.session && return
    "$adze" test "$1" >output 2>&1 && pass || fail "$document: $1: $(cat output)"
}

# The rows of tables as tests of a file: for each row of a table after "rows NAME" one in rows.NAME, which begins with that file.
row_tests() {
    awk '
        /^<!-- rows .* -->$/ { name = $3; row = 0; inside = 1; next }
        inside && /^\|/ {
            if (++row < 3) next
            gsub(/\\\|/, "\001")
            n = split($0, cell, " *[|] *")
            value = cell[n - 1]
            text = cell[n - 2]
            gsub(/^`+ ?| ?`+$/, "", text); gsub(/^`+ ?| ?`+$/, "", value)
            line = "test \"row " NR "\" { (" text ") == (" value ") }"
            gsub("\001", "|", line)
            if (!(name in begun)) { while ((getline program < name) > 0) print program > ("rows." name); begun[name] = 1 }
            print line > ("rows." name)
            next
        }
        inside && row { inside = 0 }
    ' "$1"
}

# Runs a command for at most five minutes, where the system can end it.
limited() { # COMMAND...
    if command -v timeout >/dev/null; then
        timeout 300 "$@" || [ $? != 124 ] || echo "(this takes more than five minutes)"
    else
        "$@"
    fi
}

# The sessions of a document, as the terminal shows them now.
play_session() { # FILE
    awk '
        /^\$ / { command = shown = ""; rest = substr($0, 3) }
        /^> /  { rest = substr($0, 3) }
        /^[$>] / {
            shown = shown $0 "\n"
            command = command rest "\n"
            if (rest !~ /\\$/) printf "cat <<\"@\"\n%s@\n%s", shown, command
        }' "$1" >script
    PATH=$(dirname "$adze"):$PATH limited sh script 2>&1
}

# Whether two figures are the same, but for what differs between processors: the last bits of numbers.
same_figure() { # NAME NAME
    cmp -s "$1" "$2" && return
    case $1 in
    *.svg) python3 "$here/figures.py" "$1" "$2" ;;
    *) for entry in alike alike_grey; do
        [ "$("$adze" run "$here/figures.adz" "$entry(load(\"$1\"), load(\"$2\"))" 2>/dev/null)" = true ] && return
    done && false ;;
    esac
}

check_figure() { # NAME
    figure=$root/$(dirname "$document")/figures/$1
    if [ ! -f "$1" ]; then
        fail "$document: no session writes the figure $1"
    elif [ "$FIGURES" = write ]; then
        same_figure "$1" "$figure" 2>/dev/null || { mkdir -p "$(dirname "$figure")" && cp "$1" "$figure"; }
    else
        same_figure "$1" "$figure" && pass || fail "$document: the figure $1 is not what the session writes now: make figures"
    fi
}

for document in ${DOCUMENTS:-README.md ARCHITECTURE.md CONTRIBUTING.md docs/language.md docs/devices.md docs/memory.md docs/numpy.md docs/python.md docs/schedules.md docs/shapes.md docs/staging.md docs/vectors.md docs/cookbook.md docs/results.md $(cd "$root" && echo docs/tutorial/*.md)}; do
    rm -rf "$scratch/files" && mkdir "$scratch/files" && cd "$scratch/files" || exit 2
    for folder in examples bench tools; do ln -s "$root/$folder" $folder; done
    extract "$root/$document" || fail "$document: $(extract "$root/$document")"
    for program in *.adz; do
        [ -f "$program" ] && check_program "$program"
    done
    row_tests "$root/$document"
    for rows in rows.*; do
        [ -f "$rows" ] || continue
        "$adze" test "$rows" >output 2>&1 && pass || fail "$document: rows are wrong; a row is called by its line: $(grep -v '^ok' output)"
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
    for session in *.session; do
        [ -f "$session" ] || continue
        play_session "$session" >output
        cmp -s output "$session" && pass || fail "$document: a session shows now:
$(diff "$session" output)"
    done
    ls ./*.session >/dev/null 2>&1 || continue
    for figure in $(grep -o '](figures/[^)]*)' "$root/$document" | sed 's|^](figures/||; s|)$||'); do
        check_figure "$figure"
    done
done

# The text of a document outside of its blocks.
prose() {
    awk '/^ *```/ { inside = !inside; next } !inside' "$1"
}

# A file with the anchors of a document's headings, as GitHub makes them: made once for each document.
anchors() {
    kept=$scratch/anchors-$(echo "$1" | tr / -)
    [ -f "$kept" ] || prose "$1" | sed -n 's/^##* //p' | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-' >"$kept"
    echo "$kept"
}

# The targets of a document's links, and the documents that it names in backquotes.
links() {
    prose "$1" | sed 's/`[^`]*`//g' | grep -o '\]([^)]*[#./][^)]*)' | sed 's/^](//; s/)$//'
    prose "$1" | grep -o '`[A-Za-z0-9_/.-]*\.md`' | tr -d '`'
}

cd "$root" || exit 2
for document in *.md docs/*.md docs/tutorial/*.md bench/notes/*.md; do
    for link in $(links "$document"); do
        case $link in *://*) continue ;; esac
        target=${link%%#*}
        case $document in */*) folder=${document%/*} ;; *) folder=. ;; esac
        [ -e "$folder/$target" ] || folder=.
        target=${target:+$folder/$target}
        target=${target:-$document}
        [ -e "$target" ] && pass || fail "$document: no file for the link $link"
        case $link in
        *"#"*) grep -qx -e "${link#*#}" "$(anchors "$target")" && pass || fail "$document: no heading for the link $link" ;;
        esac
    done
done
report documents
