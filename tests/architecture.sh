#!/bin/sh
# architecture.sh ADZE: the running example of ARCHITECTURE.md is what the compiler prints.
adze=$1
cd "$(dirname "$0")/.." || exit 1
passed=0
failed=0
for stage in core low dpia loop c; do
    # The lines of the block after the marker, and those the compiler prints, each as one line.
    want=$(awk -v mark="<!-- dot: $stage -->" '
        $0 == mark { found = 1; next }
        found == 2 && /^```/ { exit }
        found == 2 { print }
        found == 1 && /^```/ { found = 2 }' ARCHITECTURE.md)
    got=$("$adze" explain tests/programs/golden/dot.adz dot --stage "$stage")
    case $got in
    *"$want"*) [ -n "$want" ] && passed=$((passed + 1)) || failed=$((failed + 1)) ;;
    *)
        failed=$((failed + 1))
        printf 'ARCHITECTURE.md is out of date at stage %s; the compiler prints:\n%s\n' "$stage" "$got"
        ;;
    esac
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
