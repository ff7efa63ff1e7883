#!/bin/sh
# rules.sh ADZE: the rules of the library, each on random programs. With sanitizers this takes a minute.
. "$(dirname "$0")/common.sh"

if ! "$adze" check-rules >"$scratch/out" 2>&1; then
    fail "a rule of the library: $(head -5 "$scratch/out")"
elif ! grep -q '^[1-9][0-9]* rules agree on [1-9]' "$scratch/out"; then
    fail "the library has no rules: $(head -1 "$scratch/out")"
else
    pass
fi
report rules
