#!/bin/sh
# run.sh ADZE: every diagnostic is reported where its examples say, and nothing else is.
#
# CODE.adz, CODE-name.adz   a program; each of its lines `//! error CODE LINE:COLUMN` (or `//! warning ...`) is one
#                           diagnostic of `adze check`, which ends with status 1
# CODE.sh, CODE-name.sh     a script, given ADZE and an empty folder; each of its lines `#! error CODE [LINE:COLUMN]` is
#                           one diagnostic in its output; it ends with status 1, or the one of a line `#! status N`
# EXEMPT                    the codes of src/base/diag.def that have no example, with the reason
. "$(dirname "$0")/../common.sh"
cd "$here" || exit 2

# The diagnostics in a compiler's output, as the examples write them: "error E0301 4:10".
reported() {
    sed -n -e 's/^.*:\([0-9][0-9]*:[0-9][0-9]*\): \(error\|warning\) \(E[0-9]\{4\}\): .*/\2 \3 \1/p' -e t \
        -e 's/^FAIL .*: error \(E[0-9]\{4\}\) at [^:]*:\([0-9][0-9]*:[0-9][0-9]*\): .*/error \1 \2/p' -e t \
        -e 's/^\(.*: \)\{0,1\}\(error\|warning\) \(E[0-9]\{4\}\): .*/\2 \3/p' | sort
}

# judge NAME STATUS WANTED_STATUS: compares $scratch/wanted with the diagnostics in $scratch/output.
judge() {
    reported <"$scratch/output" >"$scratch/found"
    if [ "$2" = "$3" ] && [ -s "$scratch/wanted" ] && cmp -s "$scratch/wanted" "$scratch/found"; then
        pass
        return
    fi
    failed=$((failed + 1))
    echo "FAILED: $1: status $2, wanted $3; diagnostics (- wanted, + found):"
    diff "$scratch/wanted" "$scratch/found" | sed -n 's/^</-/p; s/^>/+/p'
    sed 's/^/    /' "$scratch/output"
}

fail() {
    failed=$((failed + 1))
    echo "FAILED: $1"
}

for f in E*.adz; do
    sed -n 's,^//! \(error\|warning\),\1,p' "$f" | sort >"$scratch/wanted"
    wanted=0
    grep -q '^error' "$scratch/wanted" && wanted=1
    "$adze" check "$f" >"$scratch/output" 2>&1 </dev/null
    judge "$f" $? $wanted
done

for f in E*.sh; do
    [ -f "$f" ] || continue
    sed -n 's/^#! \(error\|warning\)/\1/p' "$f" | sort >"$scratch/wanted"
    wanted=$(sed -n 's/^#! status //p' "$f")
    mkdir "$scratch/folder"
    sh "$f" "$adze" "$scratch/folder" >"$scratch/output" 2>&1 </dev/null
    judge "$f" $? "${wanted:-1}"
    chmod -R u+rwX "$scratch/folder"
    rm -rf "$scratch/folder"
done

# Every row has an example or a reason why not, and every example has a row.
rows=$(sed -n 's/^DIAG(\(E[0-9]\{4\}\),.*/\1/p' ../../src/base/diag.def)
for code in $rows; do
    if [ -f "$code.adz" ] || [ -f "$code.sh" ]; then
        grep -q "^$code" EXEMPT && fail "$code has an example and stands in EXEMPT"
    else
        grep -q "^$code  *[^ ]" EXEMPT || fail "$code has no example"
    fi
    passed=$((passed + 1))
done
for f in E*.adz E*.sh; do
    code=${f%%[.-]*}
    case " $(echo "$rows" | tr '\n' ' ') " in
    *" $code "*) ;;
    *) fail "$f: diag.def has no $code" ;;
    esac
    grep -q "^[/#]*! \(error\|warning\) $code" "$f" || fail "$f does not give $code"
done

report errors
