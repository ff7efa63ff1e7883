#!/bin/sh
# run.sh ADZE: sessions of `adze repl` from files and on a terminal, and `adze watch`. BLESS=1 writes what the sessions print.
. "$(dirname "$0")/../common.sh"
unset CC ADZE_LIB
mkdir "$scratch/work"
cd "$scratch/work" || exit 2

# Each file of sessions is read as standard input; NAME.out has what is printed, with the errors.
for session in "$here"/sessions/*.in; do
    name=$(basename "$session" .in)
    cp "$here/sessions/base.adz" .
    "$adze" repl base.adz <"$session" >"$scratch/got" 2>&1
    echo "status $?" >>"$scratch/got"
    [ -z "$BLESS" ] || cp "$scratch/got" "$here/sessions/$name.out"
    check "session $name" diff "$here/sessions/$name.out" "$scratch/got"
done
# Each built-in function has its documentation: those of the table of operators that are calls.
sed -n 's/^PRIM(PRIM_[A-Z0-9_]*, *"\([a-z][a-z0-9_]*\)",.*SPELT_\(CALL\|LIBRARY\).*/:doc \1/p' "$root/src/ir/prim.def" >documented.in
"$adze" repl <documented.in >"$scratch/got" 2>&1
check "all built-in functions" [ "$(wc -l <documented.in)" -gt 30 ]
check "their documentation" sh -c "! grep 'no documentation' '$scratch/got'"
check "the definitions that are saved are a program" "$adze" check saved.adz
check "no temporary files" [ -z "$(find "$TMPDIR" -mindepth 1)" ]

echo '1 +' | "$adze" repl >"$scratch/got" 2>&1
check "an unfinished input at the end" grep -q 'E0106\|E0110\|E0109\|expected' "$scratch/got"
check "a session without a file" [ "$(echo '1 + 1' | "$adze" repl)" = 2 ]
(sleep 0.2; yes 1 | head -3) | { "$adze" repl 2>"$scratch/got"; echo "status $?" >>"$scratch/got"; } | true
check "nobody reads" [ "$(cat "$scratch/got")" = "status 141" ]
check "a file with an error" sh -c "echo 'fn f(' > bad.adz; ! '$adze' repl bad.adz </dev/null"
check "on a terminal, and watch" python3 "$here/terminal.py" "$adze"
report repl
