# support.sh: how the scripts of this folder check `adze`, in an empty folder with the file t.adz
# in it.
# shellcheck shell=sh disable=SC2154 # variables of common.sh
. "$(dirname "$0")/../common.sh"
unset CC ADZE_LIB
mkdir "$scratch/work"
cd "$scratch/work" || exit 2

fail() { # REASON
    failed=$((failed + 1))
    echo "FAILED: $1"
    sed 's/^/    out: /' "$scratch/out" | head -20
    sed 's/^/    err: /' "$scratch/err" | head -20
}

# gives STATUS OUT ERR ARGUMENTS...: adze ends with this status; OUT and ERR are patterns that
# standard output and standard
# error contain ('' = nothing at all, '*' = anything).
gives() {
    want=$1 out=$2 err=$3
    shift 3
    "$adze" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    got=$?
    if [ $got != "$want" ]; then
        fail "adze $*: status $got, wanted $want"
    elif ! matches "$out" "$scratch/out"; then
        fail "adze $*: standard output lacks: $out"
    elif ! matches "$err" "$scratch/err"; then
        fail "adze $*: standard error lacks: $err"
    else
        pass
    fi
}

matches() { # PATTERN FILE
    case $1 in
    '') [ ! -s "$2" ] ;;
    '*') true ;;
    *) grep -q -e "$1" "$2" ;;
    esac
}

check() { # NAME COMMAND...
    name=$1
    shift
    if "$@" >"$scratch/out" 2>"$scratch/err"; then pass; else fail "$name"; fi
}

same() { # NAME WANTED GOT
    if [ "$2" = "$3" ]; then pass; else fail "$1: got '$3', wanted '$2'"; fi
}

temporary() { # temporary files and folders, wherever adze may make them
    find "$TMPDIR" "$XDG_CACHE_HOME" . -name 'tmp-*' -o -name 'adze-*' -o -name '.adze*' -o -name '*.XXXXXX'
}

# t_adz: writes the file.
t_adz() {
cat >t.adz <<'END'
// A comment.
entry fn pick[n: nat](a: [n]i32, k: i32) -> (i32, [n]f32) { (a[k], map(|x| f32(x), a)) }
entry fn squares[n: nat]() -> [n]i64 {
    generate(n, |i| i64(i) * i64(i))
}
fn twice[t: num](x: t) -> t { x + x }
fn sum[n: nat](a: [n][n]f32) -> f32 { reduce(+, 0.0, join(a)) }
test "good" { pick([1, 2], 1).0 == 2 }
test "no" { 1 == 2 }
test "bad index" { pick([1, 2], 3).0 == 1 }
END
}
