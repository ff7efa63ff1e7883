#!/bin/sh
# pasted.sh ADZE: the default schedule of each entry, as `adze explain --schedule` writes it, gives the same C when it is pasted into the file.
. "$(dirname "$0")/common.sh"
cd "$root" || exit 2

# of_entry FILE ENTRY FLAGS: its C, without the lines of the source.
of_entry() {
    "$adze" explain --stage c "$@" 2>"$scratch/log" | sed -e 's,// .*,,' -e 's/"[^"]*\.adz:[0-9:]*/"/'
}

# pasted FILE FLAGS: tries all its entries that the default schedule changes.
pasted() {
    f=$1
    shift
    ADZE_LIB=$(dirname "$f"):$(dirname "$f")/..
    export ADZE_LIB
    copy=$scratch/$(basename "$f") # the C names it
    for entry in $(sed -n 's/^entry fn \([A-Za-z0-9_]*\).*/\1/p' "$f"); do
        turn 2 || continue
        "$adze" explain --schedule "$f" "$entry" "$@" >"$scratch/schedule" 2>"$scratch/log" || fail "explain --schedule $f $entry $*"
        grep -q '^schedule' "$scratch/schedule" || continue
        # on the first line, so that all lines keep their numbers
        { grep '^import' "$scratch/schedule" | tr '\n' ' ' && cat "$f" && grep -v '^import' "$scratch/schedule"; } >"$copy"
        of_entry "$f" "$entry" "$@" >"$scratch/default.c"
        of_entry "$copy" "$entry" "$@" >"$scratch/pasted.c"
        if [ -s "$scratch/default.c" ] && cmp -s "$scratch/default.c" "$scratch/pasted.c"; then pass; else
            diff "$scratch/default.c" "$scratch/pasted.c" >>"$scratch/log"
            fail "$f $entry $*: the pasted schedule gives other C"
        fi
    done
}

for f in bench/asis/asis.adz tests/programs/auto.adz examples/*.adz; do pasted "$f"; done
for flags in "--cpu v3 --target c" "--in-order"; do
    # shellcheck disable=SC2086
    pasted bench/asis/asis.adz $flags
done
# far fewer would mean that no schedule is written
check "schedules are written" [ "$passed" -ge $((ALL ? 80 : 40)) ]
report pasted
