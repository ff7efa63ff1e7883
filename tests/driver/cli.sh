#!/bin/sh
# cli.sh ADZE: the command line from outside: exit statuses, output, errors, and that nothing is left half-written.
# shellcheck disable=SC2016 # backquotes in messages
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

# gives STATUS OUT ERR ARGUMENTS...: adze ends with this status; OUT and ERR are patterns that standard output and standard
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

# --- usage -------------------------------------------------------------------------------------------

gives 2 '' 'adze --help'
gives 0 '^  run FILE EXPR' '' --help
gives 0 '^  run FILE EXPR' '' help
gives 0 '[-]-output OUT' '' run --help
gives 0 '[-]-check' '' help fmt
version=$(sed -n 's/^VERSION := //p' "$root/Makefile")
gives 0 "^adze $version\\( (commit [0-9a-f]*\\(-dirty\\)\\{0,1\\})\\)\\{0,1\\}\$" '' --version
check "CITATION.cff has the same version" grep -qx "version: $version" "$root/CITATION.cff"
check "CHANGELOG.md has the same version" grep -q "^## .*$version" "$root/CHANGELOG.md"
gives 2 '' 'did you mean `check`' chek a.adz
gives 2 '' 'did you mean `build`' compile a.adz
gives 2 '' '`adze run a.adz EXPR` computes a value' a.adz
gives 2 '' '`a.c` is the name of a file' build a.adz -o a.c
check "a folder is not named like a file" test ! -e a.c
gives 2 '' 'did you mean `--interpret`' run --interpet a.adz x
gives 2 '' 'an argument is missing' run a.adz
gives 2 '' 'too many arguments' new a b
gives 2 '' 'there is no target' build --target z80 a.adz
gives 2 '' 'there is no target' run --target z80 a.adz 1
gives 2 '' 'there is no processor `x86-64-v5`; did you mean' build --cpu x86-64-v5 a.adz
gives 2 '' 'x86-64-v3  *v3   vectors of 32 bytes, fused' check --cpu z80 a.adz
gives 2 '' 'znver2  *zen2 x86-64-v3, masked stores are slow, pext is slow' check --cpu z80 a.adz
gives 2 '' 'sapphirerapids *spr  x86-64-v4, gathers of [0-9]* bytes' check --cpu z80 a.adz
gives 2 '' 'did you mean `zen' check --cpu zen7 a.adz
gives 2 '' '`znver4` is of another family' build --cpu neon,znver4 a.adz
gives 2 '' '`zen4` is listed twice' build --cpu znver4,zen4 a.adz
gives 2 '' 'a name is missing beside the comma' build --cpu v2, a.adz
gives 2 '' 'a name is missing beside the comma' build --cpu ,v2 a.adz
gives 2 '' 'there is no processor ``' build --cpu '' a.adz
gives 2 '' 'only adze build makes versions for several' run --cpu v2,v3 a.adz 1
gives 2 '' '`neon` is of another family' build --cpu v2,v3,neon a.adz
gives 2 '' '`v3` is listed twice' build --cpu v3,v2,v3 a.adz
gives 2 '' '`portable` is of another family' build --cpu v1,portable a.adz
gives 2 '' '`native` cannot be combined with others' build --cpu native,v2 a.adz
gives 2 '' '`library` or `exact`, not `fast`' run --vector-math fast a.adz 1
case $(uname -m) in
x86_64) gives 2 '' '`aarch64` does not run on this machine, x86-64' test --cpu aarch64 a.adz ;;
*) gives 2 '' '`x86-64` does not run on this machine' test --cpu x86-64 a.adz ;;
esac
gives 2 '' 'there is no stage `hot`; choose from: core flat low dpia loop c' explain a.adz --stage hot
gives 2 '' 'there is no pass `x`; choose from: parse infer' explain a.adz --print-after x
gives 2 '' 'takes a number' run a.adz x --limit many
"$adze" --manual >"$scratch/manual"
check "docs/adze.1 is what adze --manual prints" cmp "$scratch/manual" "$root/docs/adze.1"
if [ -w /dev/full ]; then
    "$adze" --help >/dev/full 2>"$scratch/said"
    same "help to a full disk" 1 $?
    check "help to a full disk says so" grep -q E0706 "$scratch/said"
fi

# --- new, test, fmt, check ---------------------------------------------------------------------------

gives 0 'created blur/main.adz' '' new blur
gives 0 '^ok   blur/main.adz:6 "mean of two"' '' test blur
gives 0 '^1 passed, 0 failed' '' test
gives 0 '' '' fmt --check blur/main.adz
gives 0 '' '' check blur/main.adz
gives 0 '^2.5$' '' run blur/main.adz 'mean([1.0, 4.0])'
printf 'import std.complex\nfn twice(z: Complex[f64]) -> Complex[f64] { print(z); cadd(z, z) }\n' >complex.adz
gives 0 '^Complex { re: 2.0, im: 4.0 }$' '^Complex { re: 1.0, im: 2.0 }$' run complex.adz 'twice(complex(1.0, 2.0))'
gives 0 '^Complex { re: 2.0, im: 4.0 }$' '^Complex { re: 1.0, im: 2.0 }$' run --interpret complex.adz 'twice(complex(1.0, 2.0))'
rm complex.adz
gives 1 '' E0707 new blur
gives 1 '' E0721 new 3d
gives 1 '' E0706 new nix/a
same "nothing is left of a failed new" "blur" "$(echo *)"

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
cp t.adz t.kept
gives 1 '^1 passed, 2 failed' '' test t.adz
gives 1 '^FAIL t.adz:9 "no": 1 == 2 is false' '' test t.adz
gives 1 '^FAIL t.adz:10 "bad index": error E0601 at t.adz:2:' '' test t.adz
gives 1 '' E0724 fmt --check t.adz
gives 0 '// A comment' '' fmt --stdout t.adz
check "fmt --check and --stdout change nothing" cmp t.adz t.kept
gives 0 '' '' fmt t.adz
gives 0 '' '' fmt --check t.adz
check "fmt changed the file" test "$(cmp -s t.adz t.kept; echo $?)" = 1
gives 0 '' '' check t.adz blur/main.adz

printf 'fn f(x: i32) -> i32 {\n' >bad.adz
cp bad.adz bad.kept

# A failed comparison shows both sides, and where they differ.
cat >sides.adz <<'EOF'
struct P {
    a: i64,
    b: [2]f32,
}

test "arrays" {
    let ones = [1.0, 1.0];
    [ones, [1.0, 2.0]] == [ones, [1.0, 3.0]]
}

test "structs" { P { a: 1, b: [1.0, 2.0] } == P { a: 1, b: [1.5, 2.0] } }

test "order" { 3 < 2 }

test "both" { 3 > 2 && 2 > 3 }
EOF
gives 1 '"arrays": \[\[1.0, 1.0\], \[1.0, 2.0\]\] == \[\[1.0, 1.0\], \[1.0, 3.0\]\] is false' '' test sides.adz
"$adze" test sides.adz >"$scratch/said" 2>/dev/null
check "where arrays differ" grep -q 'they differ at \[1\]\[1\]: 2.0 and 3.0' "$scratch/said"
check "where structs differ" grep -q 'they differ at .b\[0\]: 1.0 and 1.5' "$scratch/said"
check "an order" grep -q '"order": 3 < 2 is false' "$scratch/said"
check "no comparison" grep -q '"both": is false' "$scratch/said"
rm sides.adz

# A schedule that fails is an error of its entry, and of what calls it, alone.
cat >fails.adz <<'EOF'
entry fn f[n: nat](xs: [n]f32) -> [n]f32 {
    map(|x| 2.0 * x, xs)
}

schedule f {
    fail;
}

entry fn g(x: f32) -> f32 {
    x + 1.0
}

test "another" { g(1.0) == 2.0 }
EOF
gives 1 '' 'fails.adz:6:5: error E0811' check fails.adz
gives 1 '' 'fails.adz:6:5: error E0811' build fails.adz
gives 1 '' 'fails.adz:6:5: error E0811' explain fails.adz f
gives 1 '' 'fails.adz:6:5: error E0811' run fails.adz 'f([1.0])'
gives 0 '\[2.0\]' '' run --interpret fails.adz 'f([1.0])'
gives 0 '2.0' '' run --interpret fails.adz 'g(1.0)'
gives 0 '2.0' '' run fails.adz 'g(1.0)'
gives 0 'out = x + 1.0f' '' explain fails.adz g --stage c
gives 0 '*' '*' test fails.adz
cat >calls.adz <<'EOF'
import fails (f, g)

entry fn h(x: f32) -> f32 {
    g(x)
}
EOF
gives 0 '*' '' build calls.adz
rm fails.adz calls.adz calls.c calls.h
gives 0 '' '' check "$root/tests/programs/schedules_control.adz" # each schedule of an entry by itself
gives 1 '' 'bad.adz:1:21: error E0106' check bad.adz
gives 1 '' E0106 fmt bad.adz
check "a file with errors is left alone" cmp bad.adz bad.kept
gives 1 'FAIL bad.adz: does not compile' E0106 test bad.adz
gives 1 '^1 passed, 1 failed' '*' test bad.adz blur
gives 1 '' E0106 check bad.adz t.adz
gives 1 '' 'E0701.*missing.adz' check missing.adz
gives 1 '' E0702 check blur
gives 1 '' E0705 check blur/README.md
printf '// \377\n' >latin.adz
gives 1 '' 'latin.adz:1:4: error E0704' check latin.adz
gives 0 E0706 '' errors
gives 0 '^E0601: index out of bounds' '' errors 601
gives 0 '^E0601' '' errors e0601
gives 1 '' E0719 errors E9999

# --- build -------------------------------------------------------------------------------------------

gives 0 '^out/t.c$' '' build t.adz -o out
same "build writes two files" "out/t.c out/t.h" "$(echo out/*)"
check "the header declares the entries" grep -q 'int adze_pick(int64_t n,' out/t.h
gives 0 'made/deep/t.o' '' build t.adz -o made/deep --cc
same "build --cc writes three files" "t.c t.h t.o" "$(cd made/deep && echo *)"
gives 1 '' E0106 build bad.adz -o never
gives 1 '' 'E0717.*no entry' build -o never "$root/lib/std/linalg.adz"

# entries of any rank
cat >ranks.adz <<'EOF'
entry fn scale[s: shape](a: [..s]f32) -> [..s]f32 {
    2.0 * a
}

entry fn rows[n, m: nat](a: [n][m]f32) -> [n][m]f32 {
    scale(a)
}

test "of any rank" {
    scale(scale([1.0, 2.0])) == [4.0, 8.0]
}
EOF
gives 0 '' '' check ranks.adz
gives 0 '^1 passed' '' test ranks.adz
gives 0 '^\[\[2.0\]\]$' '' run ranks.adz 'scale([[1.0]])'
gives 0 '^2.0$' '' run --interpret ranks.adz 'scale(1.0)'
gives 0 'ranks.h' '1:16: warning E0423: scale takes arrays of any rank' build -o ranks ranks.adz
gives 1 '' '1:16: error E0423: scale takes arrays of any rank' explain ranks.adz scale
check "the header has the entry of one rank alone" test "$(grep -c '^int adze_' ranks/ranks.h)" = 1
check "a failed build makes no folder" test ! -e never
gives 1 '' E0706 build t.adz -o t.kept
gives 1 '' 't.adz is a file of the program' run t.adz '"x"' -o t.adz
gives 1 '' 't.adz is a file of the program' explain t.adz --html -o ./t.adz
gives 1 '' E0708 build t.adz -o never --cc=no-such-compiler
check "a build without compiler makes no folder" test ! -e never
if [ -w /dev/full ]; then
    mkdir full
    ln -s /dev/full full/t.c
    gives 1 '' E0706 build t.adz -o full
    same "a full disk leaves no half" "full/t.c" "$(echo full/* full/.adze*.tmp | sed 's| full/.adze\*.tmp||')"
fi

cat >huge.adz <<'END'
fn spread[n: nat](xs: [n]f32) -> f32 {
    xs |> map(|x| x * reduce(max, 0.0, xs)) |> reduce(+, 0.0)
}
entry fn square(n: nat, k: nat) -> f32 { spread(generate(n * n, |i| sqrt(f32(i)))) }
entry fn part(n: nat, k: nat) -> f32 where k > 0 { spread(generate(n * n / k, |i| sqrt(f32(i)))) }
entry fn rest(n: nat, k: nat) -> f32 where k <= n { spread(generate(n * n - k * k, |i| sqrt(f32(i)))) }
END
cat >main.c <<'END'
#include "out/huge.h"

// The number of entries that find enough memory for 2^64 elements or more.
int main(void)
{
    float r;
    return !adze_square(1LL << 32, 1, &r) + !adze_part(1LL << 40, 1 << 16, &r) +
           !adze_rest(1LL << 33, 1LL << 32, &r);
}
END
gives 0 '^out/huge.c$' '' build huge.adz -o out
check "a caller in C" "$(command -v gcc || command -v clang || command -v cc)" -Wall -Wextra -Werror -o huge main.c out/huge.c -lm
check "sizes of memory beyond 64 bits are no memory" ./huge

# --- run ---------------------------------------------------------------------------------------------

gives 0 '^(3, \[1.0, 2.0, 3.0\])$' '' run t.adz 'pick([1, 2, 3], 2)'
gives 0 '^(3, \[1.0, 2.0, 3.0\])$' '' run t.adz 'pick([1, 2, 3], 2)' --interpret
gives 1 '' 't.adz:3:.*error E0601' run t.adz 'pick([1, 2, 3], 5)'
gives 1 '' 't.adz:3:.*error E0601.*index 5' run t.adz 'pick([1, 2, 3], 5)' --interpret
gives 1 '' 'expression:1:17: error E0301' run t.adz 'pick([1, 2, 3], 2.5)'
gives 1 '' 'expression:1:4: error E0110' run t.adz '1 +'
# not the position of an equal function in a test
printf '%s\n' 'entry fn get[n: nat](k: [n]idx[2], x: [2]f64) -> [n]f64 { k |> map(|i| x[i]) }' \
    'test "t" { get([0, 1] |> map(|i| i as idx[2]), [1.0, 2.0]) == [1.0, 2.0] }' >equal.adz
gives 1 '' 'expression:1:23: error E0601' run equal.adz 'get([0, 2] |> map(|i| i as idx[2]), [1.0, 2.0])'
gives 0 '^\[0, 1, 4\]$' '' run t.adz 'squares[n]()' --size n=3
gives 0 '^\[0, 1, 4, 9, 16, 25, 36, 49, ...\]$' '' run t.adz 'squares[n]()' --size n=3000
gives 0 '^\[0, 1, ...\]$' '' run t.adz 'squares[9]()' --limit 2
gives 0 '^4$' '' run t.adz '{ let n = 4; n }'
gives 1 '' E0715 run t.adz 'squares[n]()' --size n=-1
gives 1 '' E0715 run t.adz 'squares[n]()' --size n
gives 1 '' E0715 run t.adz '{ let n = 4; n }' --size n=3
gives 1 '' E0708 run t.adz 1 --cc no-such-compiler
gives 0 '^1$' '' run t.adz 1 --interpret --cc no-such-compiler
gives 1 '' 'E0709' run t.adz 1 --cflags --no-such-flag
gives 0 '^1$' '' run t.adz 1 --no-cache
gives 0 '^1$' 'warning E0720' run t.adz 1 --cache t.kept
same "only the failed compiler leaves its folder" 1 "$(temporary | wc -l)"
rm -rf "$XDG_CACHE_HOME/adze/"tmp-*

# What a run that was killed has left goes with the next one that compiles; what one that goes on
# has, stays.
if command -v flock >/dev/null 2>&1; then
    mkdir "$XDG_CACHE_HOME/adze/tmp-killed" "$XDG_CACHE_HOME/adze/tmp-busy" "$XDG_CACHE_HOME/adze/tmp-new" "$XDG_CACHE_HOME/adze/tmp-old"
    : >"$XDG_CACHE_HOME/adze/tmp-killed/lock"
    touch -d '2 days ago' "$XDG_CACHE_HOME/adze/tmp-old"
    flock "$XDG_CACHE_HOME/adze/tmp-busy/lock" "$adze" run t.adz '17 + 4' >"$scratch/out" 2>"$scratch/err"
    same "stale folders of the cache go" "tmp-busy tmp-new" "$(cd "$XDG_CACHE_HOME/adze" && echo tmp-*)"
    rm -rf "$XDG_CACHE_HOME/adze/"tmp-*
fi

# A run leaves the folder of one alone that has not yet got its lock.
cat >slow_flock.c <<'END'
#include <sys/syscall.h>
#include <unistd.h>
int flock(int fd, int operation)
{
    sleep(2);
    return (int)syscall(SYS_flock, fd, operation);
}
END
if ${CC:-cc} -shared -fPIC -o slow_flock.so slow_flock.c 2>/dev/null; then
    ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=$PWD/slow_flock.so "$adze" run t.adz '70 + 1' >slow.out 2>&1 &
    k=0
    until ls "$XDG_CACHE_HOME/adze/"tmp-*/lock* >/dev/null 2>&1 || [ $k -ge 100 ]; do
        k=$((k + 1))
        sleep 0.1
    done
    "$adze" run t.adz '70 + 2' >fast.out 2>&1
    wait
    same "two runs, one with a slow lock" "71 72" "$(cat slow.out) $(cat fast.out)"
fi

# A test whose compiled code crashes fails; the next one runs.
cat >crash.c <<'END'
int adze_1call_adze_test_1(const void *sizes, void *const *buffers) { return *(volatile int *)0; }
const char *adze_adze_test_1_message(int status) { return ""; }
int adze_1call_adze_test_2(const void *sizes, void *const *buffers) { *(char *)buffers[0] = 1; return 0; }
const char *adze_adze_test_2_message(int status) { return ""; }
END
cat >crash-cc <<'END'
#!/bin/sh
while [ $# -gt 1 ]; do
    if [ "$1" = -o ]; then cc -w -shared -fPIC -o "$2" crash.c; fi
    shift
done
END
chmod +x crash-cc
printf 'test "one" { 1 == 1 }\ntest "two" { 1 == 1 }\n' >crash.adz
gives 1 'FAIL crash.adz:1 "one": interpreted: true; compiled: .*the compiled code' '*' test crash.adz --cc ./crash-cc --no-cache
gives 1 '^1 passed, 1 failed' '*' test crash.adz --cc ./crash-cc --no-cache

# --- files of arrays ---------------------------------------------------------------------------------

data=$root/examples/data

# For any sizes first, for those of the arrays when they come again or are small. The compiler tells what it was given.
cat >sizes.adz <<'END'
entry fn make[n, m: nat]() -> [n][m]f32 { generate(n, |i| generate(m, |j| sqrt(f32(17 * i + j)))) }
entry fn turned[n, m: nat](a: [m][n]f32) -> [n][m]f32 { map(map(|x| 3.0 * x + 0.1), transpose(a)) }
entry fn mean[n, m: nat](a: [m][n]f32) -> f32 { a |> map(reduce(+, 0.0)) |> reduce(+, 0.0) |> |s| s / f32(n * m) }
entry fn dot[n: nat](a: [n]f32, b: [n]f32) -> f32 { zip(a, b) |> map(|(x, y)| x * y) |> reduce(+, 0.0) }
entry fn eight[n: nat](a: [8][n]f32) -> [8]f32 { map(reduce(+, 0.0), a) }
entry fn at[n, m: nat](a: [m][n]f32, i: i64) -> f32 { a[i, i] }
fn halves[n: nat](a: [n]f32) -> f32 { if n < 2 { reduce(+, 0.0, a) } else { halves(take[n / 2](a)) + 1.0 } }
fn walked[n: nat](a: &mut [n]f32) -> f32 { if n < 2 { 0.0 } else { walked(&mut a[n / 2..n]) + 1.0 } }
fn walks[n: nat](a: [n]f32) -> f32 { let mut b = a; walked(&mut b) }
END
cat >cc.sh <<'END'
#!/bin/sh
for word; do
    case $word in *.c) sed -n 's/^int adze_main\(_in\)*(\(.*\)/\2/p' "$word" | head -1 >>given ;; esac
done
exec "$REAL_CC" "$@"
END
chmod +x cc.sh
REAL_CC=$(command -v gcc || command -v clang || command -v cc)
export REAL_CC
for shape in 5,70 7,33 8,9 8,64 2,64; do
    gives 0 '' '' run sizes.adz "make[$shape]()" -o "$shape.npy"
done
# compiles GIVEN ARGUMENTS..: what the parameters of the compiled code begin with ('' when nothing is compiled), and that the result
# is that of the code for its sizes.
compiles() {
    given=$1
    shift
    rm -f given
    "$adze" run "$program" "$@" --cc ./cc.sh >result 2>&1 || fail "adze run $*"
    case $(cat given 2>/dev/null) in
    "$given"*) [ -n "$given" ] || [ ! -s given ] ;;
    *) false ;;
    esac
    if [ $? = 0 ]; then pass; else fail "adze run $*: compiled '$(cat given 2>/dev/null)', wanted '$given'"; fi
    same "adze run $*" "$("$adze" run "$program" "$1" --specialise 2>&1)" "$(cat result)"
}
program=sizes.adz
compiles 'int64_t n1, int64_t n2, const' 'turned(load("5,70.npy"))'
compiles 'const' 'turned(load("5,70.npy"))'
compiles '' 'turned(load("5,70.npy"))'
compiles '' 'turned(load("7,33.npy"))'
compiles 'const' 'turned(load("7,33.npy"))'
compiles 'const' 'turned(load("8,9.npy"))'
compiles '' 'turned(load("8,9.npy"))' --no-specialise
compiles 'const' 'mean(load("7,33.npy"))' --specialise
compiles 'int64_t n1, int64_t n2, const' 'mean(load("7,33.npy"))' --no-specialise
compiles '' 'mean(load("7,33.npy"))' --no-specialise
compiles 'int64_t n1, const' 'dot(load("2,64.npy")[0], load("2,64.npy")[1])'
compiles 'int64_t n1, int64_t n2, const' 'eight(load("8,64.npy"))'
compiles 'int64_t n1, const' 'halves(load("2,64.npy")[0])' --no-specialise
compiles 'const' 'walks(load("2,64.npy")[0])' --no-specialise
compiles 'const' 'mean(load("5,70.npy"))' --no-cache
# `n`, which the program opens, gets a number; so do the sizes of files
cat >opened.adz <<'END'
import std.ragged (offsets, reduce_rows)
import std.sort (unique_counts)
fn sums[m: nat](keys: [m]u16, values: [m]i64) -> [?m]i64 {
    let (n, found) = unique_counts(keys);
    let at = offsets(found |> map(|(_, count)| count));
    reduce_rows(+, 0, at, values)
}
END
gives 0 '' '' run opened.adz 'generate(41, |i| u16(i % 3))' -o keys.npy
gives 0 '' '' run opened.adz 'generate(41, |i| i64(i))' -o values.npy
gives 0 '^\[91, 287, 442\]$' '' run opened.adz 'sums(load("keys.npy"), load("values.npy"))' --no-specialise
gives 1 '' 'expression:1:7: error E0401: the sizes `8` and `5` differ' run sizes.adz 'eight(load("5,70.npy"))' --no-specialise
gives 1 '' 'expression:1:26: error E0401: the sizes `64` and `33` differ' run sizes.adz \
    'dot(load("2,64.npy")[0], load("7,33.npy")[0])' --no-specialise
for how in --specialise --no-specialise; do
    gives 1 '' 'sizes.adz:6:.*error E0601' run sizes.adz 'at(load("7,33.npy"), 7)' $how
    gives 1 '' 'in main with load1: \[7\]\[33\]f32$' run sizes.adz 'at(load("7,33.npy"), 7)' $how
done

# What is compiled for any sizes names them as the function does, and as the interpreter.
cat >windows.adz <<'END'
entry fn windows[n: nat](x: [n]f32, k: nat) -> [n + 1 - k][k]f32 {
    print("windows");
    x |> slide[k, 1]
}
fn half[n: nat](x: [n]f32) -> [n / 2]f32 { x[0..n / 2] }
entry fn halves[n: nat](x: [n]f32) -> [n]f32 { if n <= 1 { x } else { half(x) ++ half(x) } }
END
for how in --no-specialise --interpret; do
    gives 1 '' '`k <= n + 1` for k = 66, n = 64' run windows.adz 'windows(load("2,64.npy")[0], 66)' $how
    gives 1 '' 'with n = 33, found `\[2\*(n/2)\]f32` with n = 33' run windows.adz 'halves(load("7,33.npy")[0])' $how
    gives 1 '' 'sizes must fit even where a branch is not taken' run windows.adz 'halves(load("7,33.npy")[0])' $how
done

# Expressions of many files: of any rank, in literals, under operators and in functions.
cat >files.adz <<'END'
struct Csr[n, k: nat] { start: [n + 1]i32, column: [k]i32, value: [k]f64 }
entry fn make[n: nat](x: i32) -> [n]i32 { generate(n, |i| x * i32(i)) }
entry fn product[n, m, k: nat](a: Csr[n, k], x: [m]f64) -> [n]f64 {
    generate(n, |i| {
        let mut sum = 0.0;
        for j in range(i64(a.start[i]), i64(a.start[i + 1])) { sum += a.value[j] * x[a.column[j]]; }
        sum
    })
}
entry fn sum3[n, m: nat](a: [n][m]f32, b: [n][m]f32, c: [n][m]f32) -> f32 { a + b * c |> map(reduce(+, 0.0)) |> reduce(+, 0.0) }
END
gives 0 '' '' run files.adz 'make[4](2)' -o start.npy
gives 0 '' '' run files.adz 'map(|i| i % 4, make[6](3))' -o column.npy
gives 0 '' '' run files.adz 'map(|i| f64(i) + 0.5, make[6](1))' -o value.npy
gives 0 '' '' run files.adz 'map(|i| f64(10 * i), make[4](1))' -o x.npy
gives 0 '' '' run files.adz 'generate(3, |i| generate(2, |j| f32(3 * i + j)))' -o rows.npy
csr='Csr { start: load("start.npy"), column: load("column.npy"), value: load("value.npy") }'
for how in --interpret --specialise --no-specialise --no-cache; do
    gives 0 '^\[45.0, 85.0, 165.0\]$' '' run files.adz "product($csr, load(\"x.npy\"))" $how
    gives 0 '^132.0$' '' run files.adz 'sum3(load("rows.npy"), load("rows.npy"), load("rows.npy"))' $how
    gives 0 '^\[\[0.0, 4.0\], \[12.0, 16.0\], \[24.0, 28.0\]\]$' '' run files.adz \
        'load("rows.npy") + (load("rows.npy") + load("rows.npy")) |> zip(load("rows.npy")) |> map(|(a, b)| a + b)' $how
    gives 0 '^\[(0.0, 0.5), (10.0, 1.5)\]$' '' run files.adz \
        '[0, 1] |> map(|i| (load("x.npy")[i], load("value.npy")[i], load("start.npy")[i])) |> map(|(a, b, _)| (a, b))' $how
done
gives 2 '' 'exclude each other' run sizes.adz 1 --specialise --no-specialise
gives 0 '^1$' '' run sizes.adz 1 --no-specialise

# --- fixed sizes -------------------------------------------------------------------------------------

gives 0 '^fixed/sizes.c$' '' build sizes.adz -o fixed --fix n=5,m=7
cat >fixed.c <<'END'
#include "fixed/sizes.h"
int main(void)
{
    float a[35], out[35], mean;
    for (int i = 0; i < 35; i++) a[i] = (float)i;
    if (adze_turned_n5_m7(a, out) || out[1] != 15.1f || adze_mean_n5_m7(a, &mean) || mean != 17) return 1;
    return adze_dot_n5(a, a + 1, out) || out[0] != 40;
}
END
check "a caller of fixed sizes" "$REAL_CC" -Wall -Wextra -Werror -o fixed.out fixed.c fixed/sizes.c -lm
check "fixed sizes are known" ./fixed.out
gives 0 '^int adze_turned_n5(int64_t m, ' '' explain sizes.adz turned --stage c --fix n=5
gives 0 'inputs:    140 bytes' '' explain sizes.adz turned --fix n=5 --fix m=7,n=5
gives 1 '' '--fix n=6: n is 5 already' build sizes.adz -o fixed --fix n=5,n=6
gives 1 '' 'E0715.*--fix n=-1' build sizes.adz -o fixed --fix n=-1
gives 1 '' 'E0715.*not of the form NAME=NUMBER' build sizes.adz -o fixed --fix n=5,
gives 1 '' 'did you mean n?' build sizes.adz -o fixed --fix nn=5
gives 1 '' 'there are: n, m$' explain sizes.adz --fix rows=5
gives 1 '' 'dot has no size parameter m$' explain sizes.adz dot --fix m=5
printf '%s\n' 'entry fn few[n: nat](xs: [n]i32) -> i32 where n > 2 { xs[2] }' >few.adz
gives 1 '' 'few.adz:1:47: error E0404' build few.adz -o fixed --fix n=2
gives 0 '^fixed/few.c$' '' build few.adz -o fixed --fix n=3

# --- arrays and pictures -----------------------------------------------------------------------------

cat >pic.adz <<'END'
entry fn grey[h, w: nat](a: [h][w][3]f32) -> [h][w]f32 { map(|r| map(|p| (p[0] + p[1] + p[2]) / 3.0, r), a) }
entry fn bytes[h, w: nat](a: [h][w]u8) -> [h][w]u8 { map(|r| map(|p| u8(255) - p, r), a) }
entry fn size[h, w: nat](a: [h][w]f32) -> (i64, i64) { (h, w) }
entry fn total[n: nat](a: [n]f64) -> f64 { reduce(+, 0.0, a) }
END
gives 0 '' '' run pic.adz "grey(load(\"$data/hopper.png\"))" -o grey.png
gives 0 '^(512, 512)$' '' run pic.adz 'size(load("grey.png"))'
gives 0 '' '' run pic.adz 'bytes(load("grey.png"))' -o negative.pgm
gives 0 '' '' run pic.adz 'bytes(load("negative.pgm"))' -o back.png
gives 0 '^true$' '' run pic.adz 'reduce(&, true, map(|(p, q)| p == q, zip(join(bytes(load("grey.png"))), join(bytes(load("back.png"))))))'
gives 0 '' '' run pic.adz "load(\"$data/hopper.png\")" -o same.ppm
gives 0 '' '' run t.adz 'pick([1, 2, 3], 2)' -o k.npy -o a.npy
gives 0 '^3$' '' run t.adz 'load("k.npy")'
gives 0 '^\[1.0, 2.0, 3.0\]$' '' run t.adz 'load("a.npy")'
gives 1 '' 'E0712.*\[3\]f32.*f64' run pic.adz 'total(load("a.npy"))'
gives 1 '' 'E0712.*\[512\]\[512\]\[3\]u8' run pic.adz "size(load(\"$data/hopper.png\"))"
gives 1 '' E0701 run pic.adz 'size(load("missing.png"))'
gives 1 '' E0702 run pic.adz 'size(load("blur"))'
gives 1 '' 'E0712.*u8; ' run pic.adz 'size(load("t.adz"))'
cp t.adz text.npy
gives 1 '' E0711 run pic.adz 'total(load("text.npy"))'
rm -f x.npy
gives 1 '' E0716 run t.adz 'pick([1, 2, 3], 2)' -o x.npy
gives 1 '' E0716 run t.adz '1' -o x.npy -o y.npy
gives 1 '' E0716 run t.adz 'squares[3]()' -o x.png
gives 1 '' E0716 run t.adz 'squares[3]()' -o x.data
gives 1 '' E0706 run t.adz 'squares[3]()' -o nix/x.npy
gives 1 '' E0601 run t.adz 'pick([1, 2, 3], 5)' -o k.npy -o a.npy
check "a failed run writes nothing" test ! -e x.npy
gives 0 '^3$' '' run t.adz 'load("k.npy")'
# Files with other extensions are bytes.
cat >text.adz <<'END'
entry fn count[n: nat](text: [n]u8, c: u8) -> i64 {
    let mut found: i64 = 0;
    for i in range(0, n) {
        if text[i] == c { found += 1; }
    }
    found
}

entry fn upper[n: nat](text: [n]u8) -> [n]u8 {
    text |> map(|c| if c >= 'a' && c <= 'z' { c - 'a' + 'A' } else { c })
}

entry fn all[n: nat](text: [n]u8) -> [n]u8 { text }
END
printf 'one\ntwo\n\377three' >lines.txt
: >empty
for way in --interpret --specialise --no-specialise; do
    gives 0 '^2$' '' run text.adz 'count(load("lines.txt"), '"'\\n')" $way
    gives 0 '^0$' '' run text.adz "count(load(\"empty\"), 'a')" $way
    gives 0 '' '' run text.adz 'upper(load("lines.txt"))' -o upper.out $way
    check "bytes are written as they are $way" test "$(od -An -tx1 upper.out | tr -d ' \n')" = 4f4e450a54574f0aff5448524545
    gives 0 '' '' run text.adz 'all(load("empty"))' -o none $way
    check "no bytes are an empty file $way" test -e none -a ! -s none
    rm -f none upper.out
done
gives 0 '^\[111, 110, 101, 10, ' '' run text.adz 'load("lines.txt")'
gives 0 '^abcd$' '' run text.adz '"abc" ++ "d"' --text
gives 1 '' 'E0716.*i32' run text.adz '3' --text
gives 2 '' 'write a negative number as (-5)' run text.adz '-5'
gives 0 '^-5$' '' run text.adz -- '-5'
gives 1 '' 'import std.stats (sum)' run text.adz 'sum([1.0])'
gives 1 '' 'may determine it: upper(...)' run text.adz 'upper'
gives 1 '' 'in parentheses: upper\[3\](...)' run text.adz 'upper[3]'
head -c 3000000 /dev/zero | tr '\000' a >large.bin
gives 0 '^3000000$' '' run text.adz 'count(load("large.bin"), '"'a')"
gives 0 '' '' run text.adz 'upper(load("large.bin"))' -o large.out
check "a large file is written whole" test "$(tr -d A <large.out | wc -c) $(wc -c <large.out)" = "0 3000000"
gives 1 '' E0701 run text.adz 'all(load("missing.txt"))'
gives 1 '' E0702 run text.adz 'all(load("blur"))'
gives 1 '' E0702 run text.adz 'all(load("/dev/null"))'
gives 1 '' 'E0711.*line 2, column 1: .two. is not a value of type i32' run t.adz 'pick(load("lines.txt"), 0)'
gives 1 '' E0716 run text.adz 'count(load("lines.txt"), 0)' -o count.data
gives 1 '' E0706 run text.adz 'all(load("lines.txt"))' -o nix/x.txt
if [ "$(id -u)" != 0 ]; then
    chmod 0 lines.txt
    gives 1 '' 'E0711.*Permission' run text.adz 'all(load("lines.txt"))'
    chmod 644 lines.txt
fi
if [ -w /dev/full ]; then
    ln -s /dev/full full.npy
    gives 1 '' E0706 run t.adz 'squares[300000]()' -o full.npy
    # With several -o none is replaced before all are written.
    gives 0 '' '' run t.adz '[1i64, 2]' -o kept.npy
    cp kept.npy before.npy
    gives 1 '' E0706 run t.adz '(squares[300000](), squares[300000]())' -o kept.npy -o full.npy
    check "the first file is what it was" cmp kept.npy before.npy
    rm before.npy kept.npy
fi
same "nothing temporary is left" "" "$(temporary)"

# --- text, archives, plots ---------------------------------------------------------------------------

cat >tables.adz <<'END'
struct Star { mass: f64, count: i32, seen: bool }
struct Wave { t: [50]f64, sine: [50]f64 }
fn stars(n: nat) -> [n]Star { generate(n, |i| Star { mass: f64(i) * 0.5, count: i32(i), seen: i % 2 == 0 }) }
entry fn masses[n: nat](s: [n]Star) -> [n]f64 { map(|x| x.mass, s) }
entry fn heavy[n: nat](s: [n]Star) -> i64 { s |> map(|x| if x.seen && x.mass > 0.6 { 1 } else { 0 }) |> reduce(+, 0) }
entry fn total[n, m: nat](a: [n][m]f32) -> f32 { reduce(+, 0.0, join(a)) }
entry fn sum[n: nat](a: [n]i64) -> i64 { reduce(+, 0, a) }
entry fn wave() -> Wave {
    let t = generate(50, |i| f64(i) * 0.25);
    Wave { t: t, sine: map(|x| sin(x), t) }
}
entry fn table[n, m: nat]() -> [n][m]f32 { generate(n, |i| generate(m, |j| f32(i) + f32(j) * 0.25)) }
entry fn bright[h, w: nat](a: [h][w]u8) -> u8 { a[0][0] }
entry fn wide[h, w: nat](a: [h][w]u16) -> [h][w]u16 { a }
END
gives 0 '' '' run tables.adz 'stars(5)' -o stars.csv
same "a struct as columns" "mass,count,seen 0,0,true 0.5,1,false 1,2,true 1.5,3,false 2,4,true" "$(tr '\n' ' ' <stars.csv | sed 's/ $//')"
printf 'seen;name;count;mass\r\ntrue;"a;b";7;1.5\r\n\r\n# none\r\n0;c;8;2\r\n' >other.csv
printf '1\n2\n3' >column.txt
printf '4 5 6\n' >row.txt
for way in --interpret --specialise --no-specialise; do
    gives 0 '^\[0.0, 0.5, 1.0, 1.5, 2.0\]$' '' run tables.adz 'masses(load("stars.csv"))' $way
    gives 0 '^2$' '' run tables.adz 'heavy(load("stars.csv"))' $way
    gives 0 '^\[1.5, 2.0\]$' '' run tables.adz 'masses(load("other.csv"))' $way
    gives 0 '' '' run tables.adz 'table[3, 20]()' -o table.txt $way
    gives 0 '^202.5$' '' run tables.adz 'total(load("table.txt"))' $way
    gives 0 '^21$' '' run tables.adz 'sum(load("column.txt")) + sum(load("row.txt"))' $way
    gives 0 '' '' run tables.adz '(load("column.txt"), table[2, 20](), stars(3))' -o all.npz $way
    gives 0 '^\[49, 10, 50, 10, 51\]$' '' run tables.adz 'load("all.npz:arr_0")' $way
    gives 0 '^115.0$' '' run tables.adz 'total(load("all.npz:arr_1"))' $way
    gives 0 '^\[0.0, 0.5, 1.0\]$' '' run tables.adz 'masses(load("all.npz:arr_2"))' $way
done
# Structs of vectors, of text and of archives; tuples of archives.
cat >columns.adz <<'END'
struct Columns[n: nat, t: float] { x: [n]t, on: [n]bool, id: [n]i32 }
struct Scene[n, m: nat] { grid: [n][m]f64, ids: [n]u8, depth: i32, cam: Camera }
struct Camera { at: [3]f32, on: bool }
fn totals[n: nat](c: Columns[n, f32]) -> (i64, f32, i32) { (n, reduce(+, 0.0, c.x), reduce(+, 0, c.id)) }
fn total[n: nat, t: float](c: Columns[n, t]) -> t { reduce(+, 0.0, c.x) }
fn columns(n: nat) -> Columns[n, f64] {
    Columns { x: generate(n, |i| f64(i) / 2.0), on: generate(n, |i| i % 2 == 0), id: generate(n, |i| i32(i)) }
}
fn scene(n: nat, m: nat) -> Scene[n, m] {
    Scene { grid: generate(n, |i| repeat[m](f64(i))), ids: generate(n, |i| u8(i)), depth: 7, cam: Camera { at: [1.0, 2.0, 3.0], on: true } }
}
fn seen[n, m: nat](s: Scene[n, m]) -> (i64, i64, i32, f32) { (n, m, s.depth, if s.cam.on { s.cam.at[2] } else { 0.0 }) }
fn sizes[n, m: nat](p: ([n]f32, [m][2]i64)) -> (i64, i64) { (n, m) }
END
for way in --interpret --specialise --no-specialise ''; do
    gives 0 '' '' run columns.adz 'columns(5)' -o c5.csv $way
    same "a struct of vectors as columns" "x,on,id 0,true,0 0.5,false,1 1,true,2 1.5,false,3 2,true,4" "$(tr '\n' ' ' <c5.csv | sed 's/ $//')"
    gives 0 '^(5, 5.0, 10)$' '' run columns.adz 'totals(load("c5.csv"))' $way
    gives 0 '^5.0$' '' run columns.adz 'total(load("c5.csv"))' $way
    gives 0 '' '' run columns.adz 'scene(5, 7)' -o s5.npz $way
    gives 0 '^(5, 7, 7, 3.0)$' '' run columns.adz 'seen(load("s5.npz"))' $way
    gives 0 '' '' run columns.adz '([1.0f32], [[1i64, 2]])' -o t.npz $way
    gives 0 '^(1, 1)$' '' run columns.adz 'sizes(load("t.npz"))' $way
done
printf 'id,on,x\n' >c0.csv
gives 0 '^(0, 0.0, 0)$' '' run columns.adz 'totals(load("c0.csv"))'
gives 0 '' '' run columns.adz 'scene(0, 2)' -o s0.npz
gives 0 '^(0, 2, 7, 3.0)$' '' run columns.adz 'seen(load("s0.npz"))'
printf 'id,on,x,id\n1,1,1,1\n' >twice.csv
gives 1 '' 'E0712.*1 row of 4 columns' run columns.adz 'totals(load("twice.csv"))'
gives 1 '' 'names more than one column id' run columns.adz 'totals(load("twice.csv"))'
printf 'id,on\n1,1\n' >less.csv
gives 1 '' 'names no column x' run columns.adz 'totals(load("less.csv"))'
printf 'id,on,x\n1,1,none\n' >word.csv
gives 1 '' 'word.csv: line 2, column 3: .none. is not a value of type f32' run columns.adz 'totals(load("word.csv"))'
gives 1 '' 'E0711.*t.npz: holds no array grid, only: arr_0, arr_1' run columns.adz 'seen(load("t.npz"))'
gives 1 '' 'E0711.*s5.npz: holds no array arr_0, only: grid' run columns.adz 'sizes(load("s5.npz"))'
gives 1 '' 'E0401.*differ' run columns.adz '{ let s: Scene[5, 8] = load("s5.npz"); s.depth }'
python3 - <<'END'
import zipfile, warnings
warnings.simplefilter("ignore")
with zipfile.ZipFile("t.npz") as whole, zipfile.ZipFile("double.npz", "w") as double:
    for name in ["arr_0.npy", "arr_1.npy", "arr_0.npy"]:
        double.writestr(name, whole.read(name))
data = open("s5.npz", "rb").read()
open("short.npz", "wb").write(data[:-30])
END
gives 1 '' 'E0711.*double.npz: holds more than one array arr_0' run columns.adz 'sizes(load("double.npz"))'
gives 1 '' 'E0711.*short.npz' run columns.adz 'seen(load("short.npz"))'
printf '1,2\n3,4\n' >matrix.csv
gives 0 '^\[\[1.0, 2.0\], \[3.0, 4.0\]\]$' '' run tables.adz 'load("matrix.csv")'
gives 0 '^10.0$' '' run tables.adz 'total(load("matrix.csv"))'
gives 1 '' 'E0712.*2 rows of 2 columns; \[_\]i64' run tables.adz 'sum(load("matrix.csv"))'
gives 1 '' 'choose a column: map(|row| row\[0\], load("matrix.csv"))' run tables.adz 'sum(load("matrix.csv"))'
gives 1 '' 'must name the columns' run tables.adz 'masses(load("matrix.csv"))'
printf 'mass,count\n1,2\n' >few.csv
gives 1 '' 'names no column seen' run tables.adz 'masses(load("few.csv"))'
printf '1\n2.5\n' >halves.csv
gives 1 '' 'halves.csv: line 2, column 1: .2.5. is not a value of type i64' run tables.adz 'sum(load("halves.csv"))'
gives 1 '' 'E0716.*text is numbers' run tables.adz '[[[1.0f32]]]' -o cube.csv
gives 1 '' 'holds 3 arrays; name one of them, as in FILE.npz:arr_0: arr_0, arr_1, arr_2' run tables.adz 'load("all.npz")'
gives 1 '' 'holds no array mass, only: arr_0' run tables.adz 'load("all.npz:mass")'
gives 1 '' E0701 run tables.adz 'load("none.npz:x")'
gives 1 '' 'an array in an archive is load("FILE.npz:NAME")' run tables.adz 'load("all.npz", "arr_0")'
gives 0 '' '' run tables.adz 'wave()' -o wave.npz
gives 0 '^\[0.0, 0.25\]$' '' run tables.adz 'load("wave.npz:t") |> take[2]'
gives 0 '' '' run tables.adz 'wave()' -o wave.svg
check "a plot has a line and its name" grep -q '>sine</text>' wave.svg
for plot in lines points heat; do
    gives 0 '' '' run tables.adz 'table[20, 30]()' -o plot.svg --plot $plot
    check "a plot is XML" python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("plot.svg")'
done
check "a heat map has a picture" grep -q 'data:image/png;base64,' plot.svg
gives 0 '' '' run tables.adz 'table[20, 30]()' -o plot.png --colours viridis
gives 0 '^\[68, 1, 84\]$' '' run tables.adz '{ let p: [20][30][3]u8 = load("plot.png"); p[0][0] }'
gives 1 '' 'E0716.*a heat map is a matrix' run tables.adz 'wave()' -o plot.svg --plot heat
gives 1 '' 'E0716.*--colours takes a matrix' run tables.adz '[1.0f32]' -o plot.png --colours grey
gives 2 '' '--plot is .lines., .points. or .heat., not .bars.' run tables.adz 1 -o plot.svg --plot bars
gives 2 '' '--colours is .viridis., .grey. or .diverging., not .jet.' run tables.adz 1 -o plot.png --colours jet
# Samples of 16 bits, a palette, and transparency.
gives 0 '' '' run tables.adz '[[65535u16, 257], [256, 0]]' -o wide.png
gives 0 '^\[\[65535, 257\], \[256, 0\]\]$' '' run tables.adz 'wide(load("wide.png"))'
gives 0 '^255$' 'warning E0713: wide.png: its samples of 16 bits are rounded to 8' run tables.adz 'bright(load("wide.png"))'
gives 0 '^\[\[1.0, 0.003921569\]' '' run tables.adz 'load("wide.png")'
gives 0 '' '' run tables.adz '[[1u8, 2]]' -o bytes.pgm
gives 0 '^\[\[257, 514\]\]$' '' run tables.adz '{ let p: [1][2]u16 = load("bytes.pgm"); p }'
python3 - <<'END'
import struct, zlib
def chunk(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
def png(name, colour, extra, row):
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, colour, 0, 0, 0))
    open(name, "wb").write(b"\x89PNG\r\n\x1a\n" + head + extra + chunk(b"IDAT", zlib.compress(b"\0" + row)) + chunk(b"IEND", b""))
png("palette.png", 3, chunk(b"PLTE", bytes([255, 0, 51])), b"\0")
png("clear.png", 4, b"", bytes([51, 128]))
END
gives 0 '^\[\[\[1.0, 0.0, 0.2\]\]\]$' 'warning E0713: palette.png: its palette' run tables.adz 'load("palette.png")'
gives 0 '^\[\[0.2\]\]$' 'warning E0713: clear.png: its transparency is dropped' run tables.adz 'load("clear.png")'
same "nothing half-written is left" "" "$(temporary)"

# --- explain -----------------------------------------------------------------------------------------

gives 0 '^pick (t.adz:' '' explain t.adz
# Entries whose result is never stored, because they always fail: behind two checks, and in two versions.
cat >fails_always.adz <<'END'
entry fn always_fails[n: nat](xs: [n]i8) -> [n][n]u16 {
    generate(n, |i| generate(n, |j| {
        let y: i8 = if j > i * 4 + -3 { 0 } else { xs[4] } | xs[n];
        u16(y)
    }))
}

entry fn fails_in_two_versions[n: nat](xs: [n]i8 strided) -> [n][n]u16 strided where n >= 2 {
    generate(n, |i| generate(n, |j| {
        let y: i8 = if j > i * 4 + -3 { 0 } else { xs[4] } | xs[n];
        u16(y)
    }))
}
END
gives 0 'fails_always.h$' 'this always fails' build fails_always.adz --check-passes

# Entries without a schedule have a default one, also those that call such entries. There are no
# warnings about lanes that only the default has.
cat >auto.adz <<'END'
entry fn softmax[n, m: nat](a: [n][m]f32) -> [n][m]f32 {
    a |> map(|row| {
        let total = reduce(+, 0.0, row);
        row |> map(|x| exp(x) / total)
    })
}
entry fn twice[n, m: nat](a: [n][m]f32) -> [n][m]f32 { softmax(softmax(a)) }
entry fn columns[n, m: nat](a: [n][m]f32) -> [m]f32 { generate(m, |j| map(|row| row[j], a) |> reduce(+, 0.0)) }
schedule columns { id; }
END
gives 0 'lanes += ' '' explain auto.adz softmax --cpu x86-64-v3 --stage c
gives 0 'lanes[0-9]* += ' '' explain auto.adz twice --cpu x86-64-v3 --stage c
gives 0 '3:21 *reduce.vec *as the default schedule says' '' explain auto.adz softmax --cpu x86-64-v3
gives 0 '^[1-9][0-9]* steps' '' explain auto.adz softmax --trace
gives 0 '^0 steps' '' explain auto.adz columns --trace
gives 0 'because: Two vectors of partial results' '' explain auto.adz softmax --trace
gives 0 '^    arg(2, arg(0, arg(0, sum_in_lanes(16))));$' '' explain auto.adz softmax --cpu x86-64-v3 --schedule
gives 0 '^    // Two vectors of partial results: .* (m\*n operations)\.$' '' explain auto.adz softmax --schedule
# Nor are there any about lanes of the library's sums.
cat >apart.adz <<'END'
import std.arrays (sum)
entry fn apart[n, m, d: nat](x: [n][d]f32, y: [m][d]f32) -> [n][m]f32 {
    x |> map(|p| y |> map(|q| sum((p - q) * (p - q))))
}
END
gives 0 'apart.h$' '' build apart.adz --cpu v3
same "no warning of lanes that the program has not" 0 "$(grep -c warning "$scratch/err")"
# On threads: both passes of a separable filter, the loop in each step, and what a let stores.
cat >stages.adz <<'END'
import std.stencil
entry fn filter[n, m: nat](a: [n][m]f32) -> [n][m]f32 {
    convolve_separable[1]([0.25, 0.5, 0.25], [0.25, 0.5, 0.25], clamp, a)
}
entry fn zeros[n, m: nat](a: [n][m]f32) -> [n][m]f32 {
    convolve_separable[1]([0.25, 0.5, 0.25], [0.25, 0.5, 0.25], const(0.0), a)
}
entry fn two_stages[n, m: nat](a: [n][m]f32) -> [n][m]f32 {
    iterate[9](|g| stencil2d[1](|w| w[0, 1] + w[2, 1], clamp, to_mem(stencil2d[1](|w| w[1, 0] * w[1, 2], clamp, g))), a)
}
entry fn steps[n, m: nat](a: [n][m]f32) -> [n][m]f32 { iterate[9](|g| stencil2d[1](|w| w[0, 1] + w[2, 1], clamp, g), a) }
entry fn folded[n, m, k: nat](a: [n][m]f32, x: [k]f32) -> [n][m]f32 {
    fold(|g, c| stencil2d[1](|w| c * w[0, 1] + w[2, 1], clamp, g), a, x)
}
entry fn stored[n, m: nat](a: [n][m]f32) -> [n][m]f32 {
    let b = convolve2d[1]([[0.5, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.5]], clamp, a);
    convolve2d[1]([[0.5, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.5]], clamp, zip2d(a, b) |> map2d(|(x, y)| x * y))
}
END
on_threads() { # COUNT ENTRY: so many loops of the entry are on threads
    check "$2 has $1 loops on threads" sh -c "test \"\$('$adze' explain stages.adz $2 --schedule | grep -c '_in_parallel')\" = $1"
}
cat >components.adz <<'END'
entry fn moments[n: nat](x: [n]f32) -> (f32, f32) { x |> map(|v| (v, v * v)) |> reduce(|(a, b), (c, d)| (a + c, b + d), (0.0, 0.0)) }
entry fn merged[n: nat](x: [n]f32) -> (f32, f32) { x |> map(|v| (v, v * v)) |> reduce(|(a, b), (c, d)| (a * c, b * c + d), (1.0, 0.0)) }
schedule merged allow reassociate { components_in_lanes(8); }
END
gives 0 '    components_in_lanes(32);' '' explain components.adz moments --schedule --cpu x86-64-v4
check "sums of floats stay in order" sh -c "! '$adze' explain components.adz moments --schedule --in-order | grep -q lanes"
gives 1 '' '`components_in_lanes` needs a reduction, without a variant, of which each component is a sum' explain components.adz merged
on_threads 2 filter
on_threads 2 zeros
on_threads 2 two_stages
on_threads 1 steps
# How much work there is may be more than 64 bits can count, but the arrays are not.
cat >wide.adz <<'END'
entry fn ranges[n, m: nat](a: [n][m]f32) -> [m](f32, f32) {
    transpose(a) |> map(|c| (reduce(min, 1.0e9, c), reduce(+, 0.0, c)))
}
END
gives 0 'adze_sat_mul' '' explain wide.adz ranges --stage c
"$adze" explain wide.adz ranges --stage c >wide.c
check "an estimate of work refuses no sizes" sh -c '! grep -q "INT64_MAX) return" wide.c'
# The two passes are one, in strips of rows with three rows of the first one.
gives 0 'stages fused  *t[0-9]* keeps 3 rows at a time' '' explain stages.adz filter
gives 0 'for (int64_t strip = 0; strip < (n + 31)/32; strip++)' '' explain stages.adz filter --stage c
gives 0 'm\*min(n, 3) elements of f32, 4\*m\*min(n, 3) bytes' '' explain stages.adz filter --target c
on_threads 1 folded
on_threads 2 stored
cat >halves.adz <<'END'
entry fn halves[n: nat](a: [n]i32) -> [n]i32 { a |> map(|x| { let mut k = x; while k > 9 { k = k / 2; } k }) }
entry fn rows[n, m: nat](a: [n][m]i32) -> [n][m]i32 { a |> map(|r| r |> map(|x| { let mut k = x; while k > 9 { k = k / 2; } k })) }
END
gives 0 'n < 1024' '' explain halves.adz halves --stage c
gives 0 'n < 8)' '' explain halves.adz rows --stage c
gives 0 '`columns` has a schedule' '' explain auto.adz columns --schedule
gives 0 'for c {$' '' explain auto.adz softmax --schedule --in-order --target c
gives 0 'default schedule of `softmax` changes nothing' '' explain auto.adz softmax --schedule --plain
# what follows a filter is a function of its own
cat > filtered.adz <<'END'
import std.arrays (filter)

entry fn logs[n: nat](x: [n]f32) -> f32 {
    let (k, positive) = filter(|a| a > 0.0, x);
    positive |> map(log) |> reduce(+, 0.0)
}

entry fn large[n: nat](x: [n]f32) -> [n]f32 {
    x |> map(|a| { let mut s = a; for i in unroll(0, 9000) { s = s * 1.5 + a; } s })
}
END
gives 0 '5:5 *reduce.vec *as the default schedule says' '' explain filtered.adz logs --target c
gives 0 'cannot be written for `logs` (E0816)' '' explain filtered.adz logs --schedule
gives 0 'no default schedule: the function is too large' '' explain filtered.adz large
gives 0 '`large` has no default schedule: the function is too large' '' explain filtered.adz large --schedule
gives 0 'auto.h$' '' build auto.adz --cpu x86-64-v3
check "and warns of nothing" sh -c "test -z \"\$('$adze' build auto.adz --cpu x86-64-v3 2>&1 >/dev/null)\""
check "without vectors, it has none" sh -c "! '$adze' explain auto.adz softmax --vector-bytes 0 --stage c | grep -q lanes"
(echo '#![in_order]'; cat auto.adz) >in_order.adz
(echo '#![explicit_memory]'; cat auto.adz) >explicit_auto.adz
for f in 'auto.adz --in-order' in_order.adz; do
    gives 0 'omp parallel for' '' explain $f softmax --stage c
    check "$f keeps the order" sh -c "! '$adze' explain $f softmax --stage c | grep -q 'lanes += '"
done
for f in 'auto.adz --plain' explicit_auto.adz 'explicit_auto.adz --lower'; do
    check "$f has no default" sh -c "! '$adze' explain $f softmax | grep -q default"
done

cat >kept.adz <<'END'
entry fn left_open[n, m: nat](a: [n][m]f32) -> [m]f32 { transpose(a) |> map(|c| c |> reduce(+, 0.0)) }
entry fn said[n, m: nat](a: [n][m]f32) -> [m]f32 { transpose(a) |> map.seq(|c| c |> reduce(+, 0.0)) }
END
gives 0 'loops swapped' '' explain kept.adz left_open
gives 0 'order of loops  *the program fixes it' '' explain kept.adz said
gives 0 '^        for (int64_t j = 0; j < n; j++) {' '' explain kept.adz said --stage c
cat >by_schedule.adz <<'END'
import std.strategies

entry fn sums[n, m: nat](a: [n][m]f32) -> [m]f32 {
    transpose(a) |> map(|c| c |> map.src(|x| x + 1.0) |> reduce(+, 0.0))
}

entry fn twice[n, m: nat](a: [n][m]f32) -> [m]f32 { sums(a) |> map.seq(|x| 2.0 * x) }

entry fn swapped[n, m: nat](a: [n][m]f32) -> [m][n]f32 { transpose(a) |> map(|c| c |> map(|x| x + 1.0)) }

schedule sums { lower }

schedule swapped { lower }
END
gives 0 '4:5  *map.seq  *as the schedule says' '' explain by_schedule.adz sums
gives 0 'order of loops  *the schedule fixes it, and the loops in it go down' '' explain by_schedule.adz sums
gives 0 'order of loops  *the schedule fixes it, and a is read down' '' explain by_schedule.adz swapped
gives 0 '4:5  *map.seq  *as the schedule says' '' explain by_schedule.adz twice
gives 0 '7:53  *map.seq  *as the program says' '' explain by_schedule.adz twice
gives 0 'temporary arrays' '' explain t.adz squares
cat >memory.adz <<'END'
entry fn sums[n: nat](xs: [n]f32) -> f32 {
    let s = xs |> scan(+, 0.0);
    reverse(s) |> scan(+, 0.0) |> reduce(+, 0.0)
}
END
gives 0 'workspace: 128\*(n/16) + 128 bytes' '' explain memory.adz
gives 0 'workspace: 128\*(n/16) + 128 = 896 bytes' '' explain memory.adz sums --size n=100
gives 0 '"bytes": 896' '' explain --json memory.adz sums --size n=100
gives 1 '' E0715 explain memory.adz sums --size n
echo 'entry fn total[n: nat](xs: [n]f32) -> f32 { reduce.par(+, 0.0, xs) }' >chunks.adz
gives 0 'workspace: .* = 320 bytes' '' explain chunks.adz total --plain --size helpers1=3
gives 1 '*' 'E0715: --size m: sums has no size parameter m' explain memory.adz sums --size m=3
gives 0 '^int adze_sums_in(' '' explain memory.adz sums --stage c
# equal terms of two entries have places of their own
printf '%s\n' 'entry fn one(xs: [3]f32, i: i64) -> f32 { xs[i] + 1.0 }' \
    'entry fn two(xs: [3]f32, i: i64) -> f32 { 2.0 * (xs[i] + 1.0) }' >places.adz
gives 1 '' 'places.adz:2:53: error E0601' run places.adz 'two([1.0, 2.0, 3.0], 7)'
gives 1 '' 'places.adz:2:53: error E0601' run --interpret places.adz 'two([1.0, 2.0, 3.0], 7)'
# what is chosen, and by whom
printf '%s\n' 'entry fn ends[n: nat](xs: [n]f32) -> [n + n]f32 {' '    let sums = scan(+, 0.0, xs);' \
    '    concat(reverse.src(sums), sums)' '}' >chosen.adz
gives 0 '2:16 *to_mem *each element depends on the one before' '' explain chosen.adz
gives 0 '3:5 *concat.dst *each argument is written to its part of the result' '' explain chosen.adz
gives 0 '3:12 *reverse.src *as the program says' '' explain chosen.adz
gives 0 '' '' check chosen.adz
gives 1 '' 'chosen.adz:2:16: error E0411: expected rd, found wr: `scan` is read from memory but not stored' check --explicit-memory chosen.adz
gives 1 '' 'error E0412: expected wr, found rd: `sums` is already in memory' check --explicit-memory chosen.adz
gives 1 '' 'error E0412: expected wr, found rd: `reverse` is already in memory' check --explicit-memory chosen.adz
gives 1 '' 'chosen.adz:2:16: error E0417: nothing chooses the loop of this `scan`' check --explicit-loops chosen.adz
gives 1 '' 'its variants are seq, unroll, vec, par' check --explicit-loops chosen.adz
gives 1 '' 'its variants are seq, unroll, vec$' explain --explicit-loops --target c chosen.adz ends
# how values differ by lane
printf '%s\n' 'entry fn fall[n: nat](xs: [n]f32, by: f32) -> [n]f32 {' '    let mut out = repeat[n](0.0);' '    for i in vectorize(8, 0, n) {' \
    '        let mut y = 2.0 * xs[i];' '        while y > by { y = y * 0.5; }' '        out[i] = y;' '    }' '    out' '}' \
    'entry fn plain(x: f32) -> f32 { x }' >lanes.adz
gives 0 '^     3  .*8 lanes, in vectors of 8$' '' explain lanes.adz fall --lanes --vector-bytes 32
gives 0 '^     3  .*8 lanes, in vectors of 4$' '' explain lanes.adz fall --lanes --vector-bytes 16
gives 0 '^     3  .* | 8 lanes, one at a time$' '' explain lanes.adz fall --lanes --vector-bytes 0
gives 0 '^     5  .* | varying: y; uniform: by; until the last lane has left; some lanes leave$' '' explain lanes.adz fall --lanes
gives 0 '^     6  .* | contiguous: out; linear by 1: i; varying: y$' '' explain lanes.adz fall --lanes
# a page; after an error there is none, and an old one stays
gives 0 '<title>lanes.adz: adze explain</title>' '' explain lanes.adz --html
gives 0 '' '' explain lanes.adz fall --html -o page.html --size n=100 --check-passes
cp page.html old.html
gives 1 '' 'error E0717: lanes.adz has no function fal' explain lanes.adz fal --html -o page.html
gives 1 '' 'error E0715: --size m: fall has no size parameter m' explain lanes.adz fall --html -o page.html --size m=1
printf '%s\n' 'entry fn f(x: f32) -> i32 { x }' >wrong_page.adz
gives 1 '' 'error E0301' explain wrong_page.adz --html -o page.html
check "a page stays after an error" cmp page.html old.html
gives 1 '' 'error E0706' explain lanes.adz --html -o missing/page.html
gives 2 '' '--output needs --html' explain lanes.adz -o page.html
gives 2 '*' '--html and --json exclude each other' explain lanes.adz --html --json
gives 2 '' '--lanes and --html exclude each other' explain lanes.adz --html --lanes
"$adze" explain lanes.adz fall --stage loop >page.loop
gives 2 '' '--html needs a program' explain page.loop --html
printf '%s\n' 'entry fn moved[n: nat](xs: [n]f32, ys: [n]f32) -> ([n]f32, [n]f32, i64) {' '    let mut out = xs;' \
    '    let mut back = xs;' '    let mut k = 0i64;' '    for block in range(0, n / 8) {' '        for lane in range(0, 8) {' \
    '            if xs[block * 8 + lane] > 0.0 {' '                back[block * 8 + lane] = unchecked { ys[k] };' '                unchecked { out[k] = 2.0; }' \
    '                k += 1;' '            }' '        }' '    }' '    (out, back, k)' '}' >moved.adz
gives 0 '^     8  .* | unpacked: ys$' '' explain moved.adz moved --lanes
gives 0 '^     9  .* | packed: out$' '' explain moved.adz moved --lanes
gives 0 'no loops over lanes' '' explain lanes.adz plain --lanes
gives 0 '"text": "plain .*no loops over lanes' '' explain lanes.adz plain --lanes --json
# lanes that are no vectors
cat >lost.adz <<'END'
extern fn noise(x: f32) -> f32;

fn in_lanes[n: nat](f: fn(f32) -> f32, xs: [n]f32) -> [n]f32 {
    xs |> map.vec[8](|x| f(x) + 1.0)
}

entry fn once[n: nat](xs: [n]f32) -> [n]f32 {
    xs |> in_lanes(|x| noise(noise(x) + 2.0))
}

entry fn twice[n: nat](xs: [n]f32) -> [n]f32 {
    in_lanes(|x| x * x, xs) |> in_lanes(|x| 2.0 * x)
}

entry fn usual[n: nat](xs: [n]f32) -> [n]f32 {
    xs |> map(|x| noise(x))
}
END
gives 0 '^lost.c$' 'lost.adz:8:30: warning E0510: the loop over 8 lanes is not vectorised: `noise` is a C function' build lost.adz
same "one warning for a loop" 1 "$(grep -c warning "$scratch/err")"
gives 0 '^lost.c$' '' build --no-remarks lost.adz
gives 0 '^lost.c$' '' build --vector-bytes 0 lost.adz
gives 0 '"code": "E0510"' '' build --json lost.adz
same "one warning for several processors" 1 "$("$adze" build --cpu v2,v3,v4 lost.adz 2>&1 | grep -c warning)"
gives 0 '^    8:30 .* the loop over 8 lanes is not vectorised: `noise` is a C function' '' explain lost.adz once
gives 0 '"lanes_not_in_vectors": \[\]' '' explain lost.adz twice --json
gives 0 '"why": "`noise` is a C function' '' explain lost.adz once --json
check "nothing is said where no lanes are asked for" sh -c '! "$0" explain lost.adz usual | grep lanes' "$adze"
# one part of lanes that are vectors
cat >part.adz <<'END'
extern fn noise(x: f32) -> f32;

entry fn grain[n: nat](xs: [n]f32) -> [n]f32 {
    xs |> map.vec[8](|x| {
        let y = noise(x * x);
        y * y + x * y - 3.0 * x + 1.0
    })
}
END
gives 0 '^part.c$' 'part.adz:5:17: warning E0511: a part of the loop over 8 lanes is not vectorised: `noise` is a C function' build part.adz
gives 0 '"lanes": 8' '' explain part.adz grain --json --vector-bytes 32
gives 0 '^     5 .* called lane by lane' '' explain part.adz grain --lanes
"$adze" explain part.adz grain --stage loop >"$scratch/out"
same "a loop over lanes calls" 1 "$(grep -c '(loop.seq lane.* (call_function noise' "$scratch/out")"
check "the rest is vectorised" sh -c '! grep loop_vector "$0"' "$scratch/out"
check "causes of slow loops says nothing of it" sh -c '! "$0" explain part.adz grain | grep "so the loop is not vectorised"' "$adze"
# checks at places near one another compute what they have in common once
"$adze" explain "$root/tests/programs/near_checks.adz" row --stage c >"$scratch/out"
same "what checks have in common is there once" 1 "$(grep -o '(int64_t)k \* (uint64_t)(int64_t)c' "$scratch/out" | wc -l | tr -d ' ')"
# causes of slow loops
cat >slow.adz <<'END'
extern fn noise(x: f32) -> f32;

entry fn down[n: nat, m: nat](xs: [m, n]i64) -> i64 {
    let mut s = 0i64;
    for i in range(0, n) {
        for j in range(0, m) {
            s += xs[j, i] & (s + 1);
        }
    }
    s
}

entry fn search[n: nat](xs: [n]f32, x: f32) -> i64 {
    let mut at = n;
    for i in range(0, n) {
        if noise(xs[i]) == x {
            at = i;
            break();
        }
    }
    at
}

entry fn until[n: nat](xs: [n]f32, x: f32) -> i64 {
    let mut at = 0i64;
    while at < n && xs[at] != x {
        at += 1;
    }
    at
}

entry fn again[n: nat](xs: [n]f32, times: i64) -> [n]f32 {
    let mut now = xs;
    for r in range(0, times) {
        let before = now;
        for i in range(1, n) {
            now[i] = before[i - 1] * 0.5;
        }
    }
    now
}

entry fn rows[n: nat](xs: [n, 3]f32) -> [n]f32 {
    xs |> map(|p| p[0] * p[1] + p[2])
}

entry fn ends[n: nat](xs: [n, 3]f32) -> [n]f32 {
    xs |> map(|p| p[0] * p[2])
}

entry fn decay[n: nat](xs: [n]f32) -> [n]f32 {
    let mut out = xs;
    for i in range(1, n) {
        out[i] = out[i - 1] * 0.5 + xs[i];
    }
    out
}

entry fn summed[n: nat](xs: [n]f32) -> f32 {
    xs |> reduce.vec[8](+, 0.0)
}

entry fn counted[n: nat](xs: [n]i32) -> i32 {
    xs |> reduce(+, 0)
}
END
gives 0 '^    6:18  *at 7:13: `xs` is accessed with a stride of n elements (8\*n bytes)' '' explain slow.adz down
gives 0 '^    6:18  *at 7:13: `s` depends on its value in the iteration before' '' explain slow.adz down
gives 0 '^    15:14  *at 16:12: each iteration calls `noise`' '' explain slow.adz search
gives 0 '^    15:14  *at [0-9:]*: a condition leaves the loop before its end' '' explain slow.adz search
gives 0 '^    26:5  *the number of iterations is not known' '' explain slow.adz until
gives 0 '^    26:5  *at 26:24: a check remains in the loop (index out of bounds)' '' explain slow.adz until
gives 0 '^    34:14  *at 35:22: n elements (4\*n bytes) are copied to `t1` in each iteration' '' explain slow.adz again
gives 0 '^    48:5  .*`xs` is accessed with a stride of 3 elements (12 bytes)' '' explain slow.adz ends
gives 0 '^    53:14  *at 54:18: an element of `out` depends on one' '' explain slow.adz decay
gives 0 '"remark": "`xs` is accessed with a stride of n elements' '' explain slow.adz down --json
for entry in rows summed counted; do gives 0 '"loops": \[\]' '' explain slow.adz $entry --json; done
# What keeps a loop on one thread.
cat >ordered.adz <<'END'
extern fn noise(x: f32) -> f32

entry fn calls[n: nat](xs: [n]f32) -> [n]f32 {
    let mut ys = xs;
    for i in range(0, n) { ys[i] = noise(xs[i]); }
    ys
}

entry fn leaves[n: nat](xs: [n]f32) -> [n]f32 {
    let mut ys = xs;
    for i in range(0, n) {
        if xs[i] > 1.0 { break() }
        ys[i] = 2.0 * xs[i];
    }
    ys
}

entry fn fails[n: nat](xs: [n]f32, at: [n]i64) -> [n]f32 {
    let mut ys = xs;
    for i in range(0, n) { ys[i] = xs[at[i]]; }
    ys
}

entry fn halves[n: nat](xs: [n]f32) -> [n]f32 {
    let mut ys = xs;
    for i in range(0, n) {
        let mut y = xs[i];
        while y > 1.0 { y = y / 2.0; }
        ys[i] = y;
    }
    ys
}

entry fn shows[n: nat](xs: [n]f32) -> [n]f32 {
    let mut ys = xs;
    for i in range(0, n) {
        print("element", i);
        ys[i] = 2.0 * xs[i];
    }
    ys
}
END
gives 0 '^    5:14  *one thread  *each iteration calls noise$' '' explain ordered.adz calls
gives 0 '^    11:14  *one thread  *a jump leaves it, or a part of its body$' '' explain ordered.adz leaves
gives 0 '^    20:14  *one thread  *an iteration may fail: index out of bounds$' '' explain ordered.adz fails
gives 0 '^    26:14  *one thread  *a loop in it has an unknown number of iterations$' '' explain ordered.adz halves
gives 0 '^    36:14  *one thread  *each iteration calls print$' '' explain ordered.adz shows --keep-prints
gives 0 '^    36:14  *each iteration calls `print`, so' '' explain ordered.adz shows --keep-prints
echo 'entry fn twice[n: nat](xs: [n]f32) -> [n]f32 { map.par(|x| 2.0 * x, xs) }' >twice.adz
gives 0 '^    1:48  *one thread  *the target has no other$' '' explain twice.adz twice --target c
for stage in core flat low; do gives 0 '^(entry squares' '' explain t.adz squares --stage $stage; done
gives 0 '^(phrase squares' '' explain t.adz squares --stage dpia
gives 0 '^(loops squares' '' explain t.adz squares --stage loop
gives 0 '^int adze_squares' '' explain t.adz squares --stage c
for pass in $(sed -n 's/^[A-Z_]*PASS(\([a-z_]*\),.*/\1/p' "$root/src/pipeline.def"); do
    case $pass in kernels) target=opencl ;; *) target=omp ;; esac
    gives 0 squares '' explain t.adz --print-after $pass --target $target
done
gives 2 '' 'the pass tile is for processors, and left out for the target cuda' explain t.adz squares --print-after tile --target cuda
# Devices: here no driver is found; tests/device/run.sh has some.
export OCL_ICD_VENDORS=/nonexistent
gives 1 '' 'E0615: no device' devices
gives 1 '' 'E0615: there is no device with `GPU` in its name' run t.adz 'squares[3]()' --device GPU
gives 1 '' 'E0615: there is no device for the target cuda with `GPU`' test t.adz --device GPU --target cuda
gives 2 '' 'the target omp has no device' run t.adz 'squares[3]()' --device GPU --target omp
gives 2 '' 'there is no target `metal`' run t.adz 'squares[3]()' --device GPU --target metal
unset OCL_ICD_VENDORS
gives 2 '' 'too many arguments' devices pocl
gives 0 '^kernel void adze_squares_kernel1(' '' explain t.adz squares --target opencl --stage kernels
gives 0 'ADZE_READ(' '' explain t.adz squares --target cuda --stage c
gives 2 '' 'the target omp has no device, and so no kernels' explain t.adz squares --stage kernels
gives 2 '' '^  cuda   C with CUDA' explain t.adz squares --print-after kernels --target c
echo 'entry fn halved(x: f32) -> f32 { let mut y = x; while y > 1.0 { y = y / 2.0; } y }' >halved.adz
gives 0 '^// no kernels: all loops run on the host' '' explain halved.adz halved --target cuda --stage kernels
gives 2 '' 'there is no target `metal`' run --target metal t.adz 1
# Why a loop stays on the host.
cat >host.adz <<'END'
import std.atomics (atomic_add)

fn fib(n: i64) -> i64 { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }
#[c_layout]
struct Point { x: f32, y: i32 }

entry fn calls[n: nat](xs: [n]i64) -> [n]i64 { map.par(|x| fib(x), xs) }
entry fn shows[n: nat](xs: [n]f32) -> [n]f32 { map.par(|x| { print(x); x }, xs) }
entry fn sums[n: nat](xs: [n]f32) -> f32 { let mut s = 0.0; for i in range(0, n) { s = s * xs[i] + 1.0; } s }
entry fn lanes[n: nat](xs: [n]f32) -> [n]f32 { map.vec[8](|x| 2.0 * x, xs) }
entry fn strides[n: nat](xs: [n]f32 strided) -> [n]f32 { map(|x| 2.0 * x, xs) }
entry fn records[n: nat](ps: [n]Point) -> [n]f32 { map(|p| p.x, ps) }
entry fn chosen[n: nat](xs: [n]f32) -> [n]f32 { map.seq(|x| 2.0 * x, xs) }
entry fn few[n: nat](xs: [n]f32) -> [n]f32 where n >= 9 {
    let mut ys = xs;
    for i in range(0, 9) { ys[i] = 2.0 * xs[i]; }
    ys
}
entry fn bytes[n: nat](xs: [n]u8) -> [256]u8 {
    let mut h: [256]u8 = repeat[256](0);
    for i in parallel(0, 0, n) { atomic_add(&mut h[xs[i]], 1); }
    h
}
entry fn halves(x: f32) -> f32 {
    let mut y = x;
    while y > 1.0 { y = y / 2.0; }
    y
}
entry fn tasks[n: nat](xs: [n]f32) -> [n]f32 where n > 0 {
    let mut ys = xs;
    let first = spawn(|| { ys[0] = 1.0; });
    sync(first);
    map(|y| y + 1.0, ys)
}
entry fn sized[n: nat](xs: [n]i64) -> [n]i64 {
    map.par(|x| { let k: nat = x; reduce(+, 0, to_mem(generate(k, |i| i64(i) * x))) }, xs)
}
entry fn rows[h, w: nat](a: [h][w]f32) -> [h]f32 { map(|row| reduce(+, 0.0, row), a) }
END
explains() { # ENTRY PATTERN
    gives 0 "^    $2\$" '' explain host.adz "$1" --target cuda --keep-prints
}
explains calls '7:48  *on the host  *each iteration calls fib_1'
explains shows '8:48  *on the host  *each iteration calls print'
explains sums '9:70  *on the host  *all iterations change s.*'
explains lanes '10:48  *on the host  *its iterations are lanes, and only parallel loops become kernels'
explains strides '11:58  *on the host  *xs is an array with strides (2 times)'
explains records '12:52  *kernel  *records_kernel1: an iteration is run by one work-item'
explains chosen '13:49  *on the host  *the program chooses the order of its iterations'
explains few '16:14  *on the host  *it has fewer than 16 iterations'
explains bytes '20:26  *kernel  *bytes_kernel1: an iteration is run by one work-item'
explains bytes '21:14  *on the host  *a device cannot update out, of type u8, atomically'
explains halves '26:5  *on the host  *the number of iterations is not known before the loop'
explains tasks '33:5  *on the host  *tasks may run beside it'
explains sized '36:5  *on the host  *each iteration calls with_k_1'
explains sized '36:35  *on the host  *several threads may run the function that it is in'
explains rows '38:52  *kernel  *rows_kernel2: an iteration is run by a group of 64 work-items'
# What is slow on a processor is not said of kernels, and of loops that launch them.
cat >steps.adz <<'END'
entry fn steps[n: nat](x: [n]f32, t: i64) -> [n]f32 {
    let mut u = x;
    for _ in range(0, t) { u = map(|v| v * v, u); }
    u
}
END
gives 0 'steps_kernel1' '' explain steps.adz --target cuda
gives 0 '"loops": \[\]' '' explain steps.adz --target cuda --json
gives 0 '"loops": \[\]' '' explain host.adz rows --target cuda --json

# Loops of a file are for the target: they become kernels, and kernels among them keep their groups.
for entry in rows bytes; do
    for level in dpia loop; do
        "$adze" explain host.adz $entry --target cuda --stage $level >$entry.$level
        "$adze" explain host.adz $entry --target cuda --stage kernels | grep -v '^ *//' >kernels.wanted
        "$adze" explain $entry.$level --target cuda --stage kernels >kernels.found
        check "kernels of $entry.$level" cmp kernels.wanted kernels.found
    done
done
echo '(loops f [n] (x: [n]f32) : [n]f32 (buffers (in x f32 [n]) (out out f32 [n])) (loop i 0 n (store out i (load x i))))' >copies.loop
gives 0 '^kernel void adze_f_kernel1' '' explain copies.loop --target opencl --stage kernels
gives 1 '' 'E0726: these loops have kernels, but the target omp has no device' explain rows.loop --stage c
sed 's/(group 64)/(group 0)/' rows.loop >none.loop
gives 1 '' 'a group has 1 to 1024 work-items' explain none.loop --target cuda --stage c
# The text of a level, as explain prints it, goes on from there; and each level has an interpreter.
for level in dpia loop; do
    "$adze" explain t.adz squares --stage $level >squares.$level 2>/dev/null
    gives 0 '^int adze_squares' '' explain squares.$level --stage c
    gives 0 '^(loops squares' '' explain squares.$level
    gives 0 '"text": "(loops squares' '' explain squares.$level --stage loop --json --check-passes
    gives 0 '^(loops squares' '' explain squares.$level squares
    gives 1 '' 'E0717.*has no entry cubes; it has squares' explain squares.$level cubes
    gives 2 '' 'contains the level' explain squares.$level --stage core
done
gives 0 '^(loops squares' '' explain squares.loop --print-after licm
gives 0 '^(loops squares' '' explain squares.dpia --print-after simplify
gives 2 '' 'contains the level' explain squares.loop --print-after lower_to_loops
# What all passes have left goes no further than to C: with memory in a workspace, and without snapshots.
cat >levels.adz <<'END'
entry fn stored[n: nat](xs: [n]f32) -> [n]f32 {
    to_mem.global(scan(+, 0.0, xs)) |> reverse |> map.seq(|x| x * 2.0)
}

entry fn counted[n: nat](xs: [n]i64) -> i64 {
    let mut a = 0i64;
    for i in range(0, n) {
        a += xs[i];
    }
    a
}

fn fib(n: i64) -> i64 {
    if n < 2 { n } else { fib(n - 1) + fib(n - 2) }
}

entry fn recursive(n: i64) -> i64 {
    fib(n)
}
END
for entry in stored counted recursive; do
    for level in dpia loop; do
        "$adze" explain levels.adz $entry --stage $level >$entry.$level 2>/dev/null
        gives 0 "^(loops $entry" '' explain $entry.$level
        gives 0 "adze_$entry(" '' explain $entry.$level --stage c
    done
    gives 1 '' 'E0726: these loops are the result of all passes' explain $entry.loop --print-after simplify
done
"$adze" explain levels.adz --stage loop >all.loop 2>/dev/null
gives 1 '' 'E0726: stored does not call `counted`' explain all.loop
printf '(phrase f [n] (x: [n]f32) (out: [seq]f32)\n  (for i n (:= (acc_at out i) (at x i))))\n' >scope.dpia
gives 1 '' 'E0726: lower_to_loops: f: a size over no integer in scope' explain scope.dpia
gives 0 '^(phrase squares' '' explain squares.dpia --stage dpia
echo '(phrase squares' >half.loop
gives 1 '' 'half.loop:1:2: error E0119' explain half.loop
gives 1 '' 'E0701: there is no file none.dpia' explain none.dpia
for level in '' =core =dpia =loop; do gives 0 '^\[0, 1, 4\]$' '' run t.adz 'squares[3]()' --interpret$level; done
gives 2 '' 'only of core, dpia and loop' run t.adz 'squares[1]()' --interpret=flat
cat >power.adz <<'END'
fn power(x: i32, @(?n) n: i32) -> i32 {
    if n == 0 { 1 } else { x * power(x, n - 1) }
}

fn @(?n) unfolded(x: i32, n: i32) -> i32 {
    if n == 0 { 1 } else { x * unfolded(x, n - 1) }
}

entry fn f(x: i32, n: i32) -> i32 { power(x, n) + unfolded(x, 3) }
END
gives 0 'a call of power_1' '' explain power.adz f --why-residual power
gives 0 'x is a run-time argument: it has no filter' '' explain power.adz f --why-residual power
gives 0 'n is a run-time argument: its filter is false: `n` is not known' '' explain power.adz --why-residual power
gives 0 'no call of it remains' '' explain power.adz f --why-residual unfolded
gives 1 '' 'E0717: power.adz has no function powr' explain power.adz f --why-residual powr
gives 1 '' 'did you mean power?' explain power.adz f --why-residual powr
cat >any_rank.adz <<'END'
fn again[s: shape](xs: [..s]f32, k: i64) -> [..s]f32 { if k == 0 { xs } else { again(2.0 * xs, k - 1) } }
fn unused[s: shape](xs: [..s]f32) -> [..s]f32 { xs }
entry fn f[n: nat](xs: [n]f32, k: i64) -> [n]f32 { again(xs, k) }
END
gives 0 'k is a run-time argument' '' explain any_rank.adz f --why-residual again
gives 0 'no call of it remains' '' explain any_rank.adz f --why-residual unused
gives 2 '' '--interpret and --device exclude each other' run power.adz 'f(1)' --interpret --device GPU
gives 2 '' '--interpret and --profile exclude each other' run power.adz 'f(1)' --interpret --target opencl --profile
gives 2 '' '--races and --device exclude each other' test power.adz --races --device GPU
gives 2 '' '--trace and --lanes exclude each other' explain power.adz f --lanes --trace
gives 2 '' '--stage and --print-after exclude each other' explain power.adz f --print-after licm --stage c
gives 1 '' E0503 explain power.adz f --stage flat --stage-budget 5
gives 2 '' 'takes a number' explain power.adz f --stage-budget many
gives 2 '' 'takes a number' explain power.adz f --memory-limit much

cat >much.adz <<'END'
fn sums(n: nat) -> i64 { generate(n, |i| i64(i) * 3) |> scan(+, 0) |> reduce(max, 0) }
test "many" { sums(5000000) > 0 }
entry fn few() -> i64 { sums(3) }
END
gives 1 '"E0725"' '' run --json --interpret much.adz 'sums(5000000)' --memory-limit 64
gives 0 3 '' run --interpret much.adz 'sums(2)' --memory-limit 0
gives 1 '0 passed, 1 failed' 'much.adz:2:1: error E0725' test much.adz --memory-limit 64
gives 1 '' 'error E0725: `[a-z_]*` needs more than 1 MB' build much.adz -o much --memory-limit 1
check "without memory nothing is written" test ! -e much
gives 2 '' 'takes a number' explain power.adz f --vector-bytes wide
gives 0 '^sum (t.adz:' '' explain t.adz sum
cat >vectors.adz <<'END'
entry fn curve[n: nat](xs: [n]f32) -> [n]f32 { xs |> map.vec[16](|x| exp(-x) * sin(floor(x))) }
END
gives 0 'vectors of up to 64 bytes, for x86-64-v4' '' explain vectors.adz --cpu v4
gives 0 'exp, sin: by libmvec where glibc is available, within 4 ULP' '' explain vectors.adz --cpu v3
gives 0 'exp, sin: lane by lane' '' explain vectors.adz --cpu v3 --vector-math exact
gives 0 'exp, sin: lane by lane' '' explain vectors.adz --cpu portable
gives 0 'exp, sin: lane by lane' '' explain vectors.adz --cpu neon
gives 0 '"bytes": 32' '' explain vectors.adz --cpu x86-64-v3 --json
gives 0 '_ZGVeN16v_expf(a)' '' explain vectors.adz --stage c --cpu v4
gives 0 '_ZGVdN8v_expf(' '' explain vectors.adz --stage c --cpu v3
gives 0 'k < 2; k++) to.k. = _ZGVdN8v_expf(x.k.)' '' explain vectors.adz --stage c --cpu v3 --vector-bytes 64
gives 0 'Vectors of up to 16 bytes, for portable' '' explain vectors.adz --stage c --cpu portable
gives 0 '^.1.0, 1.3095' '' run vectors.adz 'map(|y| y + 1.0, curve([0.0, 1.0]))' --cpu portable
gives 1 '' E0718 explain t.adz twice
gives 0 'twice' '' explain t.adz twice --stage core
gives 1 '' 'did you mean squares' explain t.adz square
gives 0 'twice' '' explain t.adz --stage core --check-passes

# --- versions for several processors -----------------------------------------------------------------

cat >levels.adz <<'END'
entry fn level() -> i32 { 0 }
entry fn curve[n: nat](xs: [n]f32) -> f32 where n >= 2 { xs |> map(|x| exp(x)) |> reduce.vec[16](+, 0.0) }
entry fn sums[n: nat](xs: [n]f32) -> f32 { xs |> scan(+, 0.0) |> reverse |> to_mem |> reduce(max, 0.0) }
END
gives 0 '^levels/levels_v4.h' '' build levels.adz --target c --cpu v1,v3,v4 -o levels
if [ "$(uname -m)" = x86_64 ]; then
    gives 0 '^levels/levels.o' '' build levels.adz --target c --cpu v4,v1,v3 -o levels --cc
    check "one object is left" sh -c 'test "$(ls levels/*.o)" = levels/levels.o'
    cat >versions.c <<'END'
#include "levels/levels.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    float xs[40], sum, most, again;
    char text[200];
    for (int i = 0; i < 40; i++) xs[i] = (float)i / 40;
    void *memory = aligned_alloc(64, adze_sums_workspace(40));
    int status = adze_curve(1, xs, &sum);
    adze_curve_explain(status, 1, text, sizeof text);
    if (!strstr(text, "n = 1") || strncmp(text, adze_curve_message(status), 20)) return 1;
    if (adze_curve(40, xs, &sum) || sum < 67.86f || sum > 67.9f) return 2;
    if (adze_sums(40, xs, &most) || adze_sums_in(40, xs, &again, memory) || most != again) return 3;
    return most != 19.5f;
}
END
    for cc in gcc clang; do
        check "$cc links versions" $cc -Wall -Wextra -Werror -o versions versions.c levels/levels.o -lm
        check "the version for this machine computes" ./versions
        check "$cc compiles the choice" $cc -std=c11 -Wall -Wextra -Werror -c -o choice.o levels/levels.c
    done
    # stubs for the versions: which one is chosen, also on machines that have less
    sed -n 's/^int \(adze_64v\([0-9]\)_level\)(.*/int \1(int32_t *out) { *out = \2; return 0; }/p' levels/levels_v[134].h >stubs.c
    cat >chosen.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static const char *lacks = "none";
static int supports(const char *feature) { return !strstr(feature, lacks); }
#define __builtin_cpu_supports supports
#include "levels/levels.c"
#include "stubs.c"
int main(void)
{
    static const char *const without[] = {"none", "avx512dq", "avx2", "bmi2", "sse4.1"};
    for (int i = 0; i < 5; i++) {
        int32_t level;
        lacks = without[i];
        if (adze_level(&level)) return 1;
        printf("%d", (int)level);
    }
    return 0;
}
END
    gcc -O1 -w -o chosen chosen.c -Wl,--gc-sections -ffunction-sections -Wl,--unresolved-symbols=ignore-all
    check "the most able version is chosen" test "$(./chosen)" = 43111
    # versions of one level: by the words that describe a machine
    gives 0 '^kinds/levels_zen4.h' '' build levels.adz --target c --cpu zen5,v3,zen4,zen3,v4,spr -o kinds
    sed -n 's/^int \(adze_64\([a-z0-9]*\)_level\)(.*/int \1(int32_t *out) { *out = 0; return !printf("\2 "); }/p' kinds/levels_*.h >stubs.c
    cat >kind.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static const char *words;
static int holds(const char *word)
{
    char text[64];
    snprintf(text, sizeof text, " %s ", word);
    return strstr(words, text) != NULL;
}
#define __builtin_cpu_supports holds
#define __builtin_cpu_is       holds
#include "kinds/levels.c"
#include "stubs.c"
#define V4 " avx512f avx512bw avx512cd avx512dq avx512vl "
int main(void)
{
    static const char *const machines[] = {
        " intel ", " amd ", " amd vpclmulqdq ", V4, " intel vpclmulqdq avx512vbmi2 " V4, " intel avx512bf16 avx512vbmi2 " V4,
        " amd vpclmulqdq avx512bf16 avx512vbmi2 " V4, " amd avx512vp2intersect " V4};
    for (int i = 0; i < 8; i++) {
        int32_t level;
        words = machines[i];
        if (adze_level(&level)) return 1;
    }
    return 0;
}
END
    gcc -O1 -w -o kind kind.c -Wl,--gc-sections -ffunction-sections -Wl,--unresolved-symbols=ignore-all
    same "the version for the processor is chosen" 'v3 v3 zen3 v4 v4 spr zen4 zen5 ' "$(./kind)"
    for cc in gcc clang; do
        gives 0 '^kinds/levels.o' '' build levels.adz --cpu v3,hsw,zen2,zen3,v4,spr,zen4,zen5 -o kinds --cc=$cc
    done
    gives 0 '*' '' build levels.adz --target c --cpu v3,zen4 -o kinds
    check "the last version of a level is for all of its machines" grep -q '__builtin_cpu_supports("avx512vl")' kinds/levels.c
    check "and needs no test of the processor" sh -c '! grep -q __builtin_cpu_is kinds/levels.c'
fi

# --- costs of processors -----------------------------------------------------------------------------

cat >costs.adz <<'END'
import std.vectors (filter)

fn halves_of[n: nat](xs: [n]f32) -> [n]f32 {
    let mut ys = xs;
    for i in vectorize(8, 0, n) {
        if xs[i] > 1.0 { ys[i] = xs[i] * 0.5; }
    }
    ys
}

fn kept_of[n: nat](xs: [n]i32) -> i64 {
    let mut out: [n]i32 = undefined();
    let k = filter[16](|x| x > 0, xs, &mut out);
    let mut sum = k;
    for i in range(0, k) { sum = 3 * sum + i64(out[i]); }
    sum
}

entry fn halves[n: nat](xs: [n]f32) -> [n]f32 { halves_of(xs) }
entry fn kept[n: nat](xs: [n]i32) -> i64 { kept_of(xs) }
entry fn taken[n, m: nat](xs: [n]f32, at: [m]i32) -> [m]f32 { at |> map.vec[8](|i| xs[i] * 0.5) }

entry fn all(n: nat) -> ([n]f32, i64, [n]f32, f32) {
    let xs = generate(n, |i| f32(i % 7) / 3.0);
    let at = generate(n, |i| i32(i * i % n));
    (halves_of(xs), kept_of(map(|i| i - 9, at)), at |> map.vec[8](|i| xs[i] * 0.5), xs |> reduce(+, 0.0))
}
END
uses() { # ENTRY CPU TEXT: how many lines of its C have the text
    "$adze" explain costs.adz "$1" --cpu "$2" --stage c | grep -c -- "$3"
}
same "gathers, where they are fast" '0 1 0 0' \
    "$(uses taken v4 gather_epi32) $(uses taken spr gather_epi32) $(uses taken icx gather_epi32) $(uses taken zen5 gather_epi32)"
same "packed stores, where they are fast" '0 1 0' \
    "$(uses kept v4 compressstoreu) $(uses kept icx compressstoreu) $(uses kept zen4 compressstoreu)"
same "pext, where it is fast" '2 2 0 2' "$(uses kept v3 _pext) $(uses kept haswell _pext) $(uses kept zen2 _pext) $(uses kept zen3 _pext)"
for cpu in zen3 haswell; do
    "$adze" explain costs.adz halves --cpu $cpu --stage c |
        sed -n '/^void adze_store_where_f32x8/,/^}/ { /if (!adze_any/p; /maskstore/p; }' | sed 's/(.*//'
done | paste -sd' ' - >order
same "a branch around masked stores, where they are slow" '    if      _mm256_maskstore_epi32     _mm256_maskstore_epi32     if ' "$(cat order)"
# the flags for the C compiler
cat >noted <<'END'
#!/bin/sh
echo "$@" >>noted.flags
exec gcc "$@"
END
chmod +x noted
if [ "$(uname -m)" = x86_64 ]; then
    gives 0 '*' '' build costs.adz --cpu zen5 -o costs --cc=./noted
    check "Zen 5 is tuned for as old compilers can" grep -q -e '-march=x86-64-v4 -mtune=icelake-server' noted.flags
    gives 0 '*' '' build costs.adz --cpu v4 -o costs --cc=./noted
    check "levels are not tuned for" sh -c 'tail -n 1 noted.flags | grep -e -march=x86-64-v4 | grep -v -q -e -mtune'
    # all processors of a level have the same results
    for level in "v3 hsw zen2 zen3" "v4 skx icx spr zen4 zen5"; do
        wanted=
        for cpu in $level; do
            "$adze" run costs.adz 'all(75)' --cpu "$cpu" >result 2>"$scratch/err" || grep -q 'does not run on this machine' "$scratch/err" || fail "$cpu"
            [ -n "$wanted" ] || wanted=$(cat result)
            same "$cpu computes what its level does" "$wanted" "$(cat result)"
        done
    done
fi

# --- sizes beyond 64 bits ----------------------------------------------------------------------------

cat >wide.adz <<'END'
entry fn area(n: nat, m: nat) -> i64 { n * m }
entry fn part(n: nat, m: nat, c: bool) -> i64 { if c { n * m } else { 5 } }
entry fn total(n: nat, m: nat) -> i64 { reduce(+, 0i64, generate(n * m, |i| 1i64 + i)) }
entry fn declared(n: nat, m: nat) -> i64 {
    let k: nat = n * m;
    k
}
entry fn counted(n: nat, m: nat) -> i64 {
    for i in range(0, n * m) {
        if i > 3 { return(i) }
    }
    -1
}
entry fn next(n: nat) -> i64 {
    let mut last = 0i64;
    for i in range(0, n + 1) {
        last = i;
        if i > 9 { break() }
    }
    last
}
entry fn pairs[n: nat](xs: [n]i32) -> i64 { n * (n - 1) / 2 }
entry fn lanes[k: nat](xs: [k]i64, n: nat, m: nat) -> [k]i64 {
    let mut ys = xs;
    for i in vectorize(4, 0, k) { ys[i] = xs[i] * (n * m) + i * m + n; }
    ys
}
entry fn picked[k: nat](xs: [k]i64, n: nat, m: nat) -> i64 { xs[n * m] }
END
cat >beyond.c <<'END'
#include "wide.h"
#include <stdio.h>
#include <string.h>
int main(void)
{
    int64_t large = INT64_C(1) << 32, odd = INT64_C(3037000500), out = 0, xs[5] = {1, 2, 3, 4, 5}, ys[5];
    int32_t three[3] = {0};
    if (adze_area(large, large, &out) || out != 0) return 1;
    if (adze_area(odd, odd, &out) || out != INT64_C(-9223372036709301616)) return 2;
    if (adze_part(large, large / 2, true, &out) || out != INT64_MIN) return 3;
    if (adze_part(large, large, false, &out) || out != 5) return 4;
    if (!strstr(adze_total_message(adze_total(large, large, &out)), "E0607")) return 5;
    if (!strstr(adze_declared_message(adze_declared(large, large, &out)), "E0607")) return 6;
    if (adze_counted(large, large, &out) || out != -1) return 7;
    if (adze_counted(large, 1, &out) || out != 4) return 8;
    if (adze_next(INT64_MAX, &out) || out != 0) return 9;
    if (adze_next(INT64_MAX - 1, &out) || out != 10) return 10;
    if (adze_area(large, large / 4, &out) || out != INT64_C(1) << 62) return 11;
    if (adze_area(INT64_MAX - 1, 0, &out) || out != 0) return 12;
    if (adze_lanes(5, odd, odd, xs, ys) || ys[0] != INT64_C(-9223372033672301116)) return 13;
    if (ys[1] != INT64_C(6364949384) || ys[4] != INT64_C(-9223372020942402348)) return 14;
    if (adze_picked(5, large, large, xs, &out) || out != 1) return 15;
    if (!strstr(adze_picked_message(adze_picked(5, odd, odd, xs, &out)), "E0601")) return 16;
    return adze_pairs(3, three, &out) || out != 3 ? 17 : 0;
}
END
gives 0 '^15 passed, 0 failed' '' test "$root/tests/programs/size_values.adz"
gives 1 '' 'error E0607' run --interpret wide.adz 'declared(4294967296, 4294967296)'
gives 1 '' 'error E0607' run --interpret wide.adz 'total(4294967296, 4294967296)'
gives 0 '^wide.c' '' build wide.adz
for cc in gcc clang; do
    check "$cc compiles sizes" $cc -O1 -fsanitize=undefined -fno-sanitize-recover=all -o beyond beyond.c wide.c -lm
    check "sizes beyond 64 bits are a status, and values wrap" ./beyond
done

cat >empties.adz <<'END'
entry fn limited[n, m: nat](xs: [n][m]i32) -> i32 where 4 * m <= 100 { 1 }
entry fn guarded[n, m: nat](xs: [n][m]i32, k: nat) -> i32 { if 4 * m <= k { 2 } else { 1 } }
entry fn inside[n, m: nat](xs: [n][m]i32, k: nat) -> i32 {
    let mut s = 0;
    for i in range(0, n) {
        if 4 * m > k { s += 1; }
    }
    s
}
entry fn longer[n: nat](xs: [n]i32, k: nat, l: nat) -> bool { n + k <= l }
entry fn largest(k: nat, m: nat, l: nat) -> bool { max(4 * k, m) <= l }
entry fn least(k: nat, m: nat, l: nat) -> bool { min(4 * k, m) <= l }
entry fn divided(k: nat, l: nat) -> bool { 3 * k % 7 <= l }
entry fn negative(k: nat, m: nat) -> i32 where k - 4 * m < 7 { 1 }
entry fn powers(k: nat, m: nat) -> i32 where pow(2, k) <= m { 1 }
entry fn bases(n: nat, k: nat, m: nat) -> i32 where pow(n, k) <= m { 1 }
entry fn cubes[n, m, k: nat](xs: [n][m][k]i32, l: nat) -> bool { n * m * k <= l }
entry fn doubled[n, m: nat](xs: [n][m]i32) -> [n][2 * m]i32 { map(|x| x ++ x, xs) }
entry fn parts[n, k, m: nat](xs: [n + k - m]i32, l: nat) -> bool { 2 * n <= l }
entry fn quotients(k: nat, n: nat, m: nat) -> i32 where k / (4 * n - m) <= 7 { 1 }
END
cat >empty.c <<'END'
#include "empties.h"
#include <string.h>
#define TOO_LARGE(f, status) (strstr(adze_##f##_message(status), "E0607") != NULL)
int main(void)
{
    const int64_t large = INT64_C(1) << 62, longest = INT64_MAX;
    int32_t xs[1] = {0}, out = 0;
    bool small = true;
    if (!TOO_LARGE(limited, adze_limited(0, large, xs, &out))) return 1;
    if (!TOO_LARGE(guarded, adze_guarded(0, large, 3, xs, &out))) return 2;
    if (adze_guarded(0, large / 4, longest, xs, &out) || out != 2) return 3;
    if (adze_inside(0, longest, 3, xs, &out) || out != 0) return 4;
    if (!TOO_LARGE(longer, adze_longer(1, longest, 3, xs, &small))) return 5;
    if (!TOO_LARGE(largest, adze_largest(large, 1, 3, &small))) return 6;
    if (!TOO_LARGE(least, adze_least(large, 1, 3, &small))) return 7;
    if (!TOO_LARGE(divided, adze_divided(large, 3, &small))) return 8;
    if (!TOO_LARGE(negative, adze_negative(1, large, &out))) return 9;
    if (!TOO_LARGE(powers, adze_powers(64, 3, &out))) return 10;
    if (!TOO_LARGE(powers, adze_powers(large, 3, &out))) return 11;
    if (adze_bases(1, large, 1, &out) || adze_bases(0, large, 0, &out) || out != 1) return 12;
    if (adze_powers(62, large, &out) || adze_powers(62, large - 1, &out) == 0) return 13;
    if (!TOO_LARGE(cubes, adze_cubes(0, large, 4, 3, xs, &small))) return 14;
    if (adze_doubled(0, longest, xs, xs)) return 15;
    if (!TOO_LARGE(parts, adze_parts(large, 0, large, 3, xs, &small))) return 16;
    if (!TOO_LARGE(quotients, adze_quotients(1, large, 3, &out))) return 17;
    return 0;
}
END
gives 0 '^empties.c' '' build empties.adz
for cc in gcc clang; do
    check "$cc compiles sizes of empty arrays" $cc -O1 -fsanitize=undefined -fno-sanitize-recover=all -o empty empty.c empties.c -lm
    check "sizes of empty arrays do not overflow" ./empty
done
for call in 'longer([1], 9223372036854775807, 3)' 'largest(4611686018427387904, 1, 3)' 'least(4611686018427387904, 1, 3)' \
    'divided(4611686018427387904, 3)'; do
    gives 1 '' 'error E0607' run --interpret empties.adz "$call"
done

# Functions test what they compute from sizes that they get as arguments.
cat >own.adz <<'END'
entry fn records[n: nat](count: i64, xs: [n]i32) -> i32 {
    let k: nat = count;
    if 4 * k <= n { take[4 * k](xs) |> split[4] |> map(|r| r[0] + r[3]) |> reduce(+, 0) } else { -1 }
}
entry fn ends[n: nat](x: i64, y: i64, xs: [n]i32) -> [?n]i32 {
    let k: nat = x;
    let m: nat = y;
    if m > 0 && k > 0 && k <= n && k * m <= n { take[k * m](xs) |> split[m] |> map(|row| row[m - 1]) } else { xs }
}
entry fn product(x: i64, y: i64, c: bool) -> i64 {
    let k: nat = x;
    let m: nat = y;
    if c {
        return(-1);
    }
    let s: nat = k * m + 1;
    s
}
entry fn third[n: nat](x: i64, xs: [n]i32) -> i64 {
    let m: nat = x;
    if n / m > 2 { n / m } else { 0 }
}
entry fn power(x: i64) -> i64 {
    let m: nat = x;
    generate(pow(2, m), |i| i64(i)) |> reduce(+, 0)
}
fn doubled[n: nat](x: i64) -> i64 {
    if x <= 0 { i64(n) } else { doubled[2 * n](x - 1) }
}
entry fn steps(n: nat, x: i64) -> i64 { doubled[n](x) }
fn shares[n, m: nat](x: i64) -> i64 {
    if n / m > 3 { x } else { shares[n + 7, m](x + 1) }
}
entry fn divided(n: nat, m: nat) -> i64 { shares[n, m](0) }
entry fn least(n: nat, m: nat, c: bool) -> i64 { if c && n / m > 2 { 1 } else { 0 } }
END
cat >owner.c <<'END'
#include "own.h"
#include <string.h>
#define TOO_LARGE(f, status) (strstr(adze_##f##_message(status), "E0607") != NULL)
int main(void)
{
    const int64_t large = INT64_C(1) << 61;
    int32_t xs[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out = 0, ys[8];
    int64_t k = 0;
    if (adze_records(8, 2, xs, &out) || out != 18) return 1;
    if (adze_records(8, 3, xs, &out) || out != -1) return 2;
    if (!TOO_LARGE(records, adze_records(8, large, xs, &out))) return 3;
    if (!strstr(adze_records_message(adze_records(8, -1, xs, &out)), "E0604")) return 4;
    if (adze_ends(8, 2, 3, xs, &k, ys) || k != 2 || ys[1] != 6) return 5;
    if (!TOO_LARGE(ends, adze_ends(8, 4, large, xs, &k, ys))) return 6;
    if (adze_ends(8, large, large, xs, &k, ys) || k != 8) return 7;
    if (adze_ends(8, 0, large, xs, &k, ys) || k != 8) return 8;
    if (!TOO_LARGE(product, adze_product(large, 4, false, &k))) return 9;
    if (adze_product(large, 4, true, &k) || k != -1) return 10;
    if (adze_product(large, 3, false, &k) || k != 3 * large + 1) return 11;
    if (!TOO_LARGE(third, adze_third(8, 0, xs, &k))) return 12;
    if (adze_third(8, 2, xs, &k) || k != 4) return 13;
    if (!TOO_LARGE(power, adze_power(70, &k)) || adze_power(3, &k) || k != 28) return 14;
    if (!TOO_LARGE(steps, adze_steps(1, 100, &k)) || adze_steps(1, 61, &k) || k != large) return 15;
    if (!TOO_LARGE(divided, adze_divided(1, 0, &k)) || adze_divided(1, 7, &k) || k != 4) return 16;
    if (!TOO_LARGE(least, adze_least(1, 0, true, &k)) || adze_least(1, 0, false, &k) || k) return 17;
    return 0;
}
END
gives 0 '^own.c' '' build own.adz
for cc in gcc clang; do
    check "$cc compiles functions of sizes" $cc -O1 -fsanitize=undefined,address -fno-sanitize-recover=all -o owner owner.c own.c -lm
    check "functions test what they compute from their sizes" ./owner
done
for call in 'records(2305843009213693952, [1])' 'ends(4, 2305843009213693952, [1, 2, 3, 4])' 'third(0, [1])' 'power(70)'; do
    gives 1 '' 'error E0607' run --interpret own.adz "$call"
    gives 1 '' 'error E0607' run own.adz "$call"
done
gives 1 '' 'error E0607' run --interpret own.adz 'steps(1, 100)'
gives 1 '' '^own.adz:3:8: error E0607: the size `4\*k` cannot be computed' run --interpret own.adz 'records(2305843009213693952, [1])'

# The interpreter finds the function for each of 200000 sizes without looking at all others, which would take a minute.
cat >lengths.adz <<'END'
fn doubled(n: nat) -> i64 {
    2 * n
}

fn add_up(m: i64) -> i64 {
    let mut sum = 0i64;
    for i in range(0, m) {
        let k: nat = i;
        sum += doubled(k);
    }
    sum
}
END
timeout 20 "$adze" run --interpret lengths.adz 'add_up(200000)' >sum 2>&1
check "interpretation of a function at 200000 sizes" grep -q '^39999800000$' sum

# --- zeros -------------------------------------------------------------------------------------------

cat >chosen_zeros.adz <<'END'
fn ends[n: nat](xs: [n]f32) -> [n]f32 { map.seq(|x| 1.0 / (if x < 0.0 { -0.0 } else { x }), xs) }
fn lanes[n: nat](xs: [n]f32) -> [n]f32 { map.vec[4](|x| 1.0 / (if x > 0.0 { -0.0 } else { x }), xs) }
fn wide[n: nat](xs: [n]f64) -> [n]f64 { map.vec[4](|x| 1.0 / (if x <= 0.0 { x } else { -0.0 }), xs) }
fn branches[n: nat](xs: [n]f64) -> [n]f64 {
    map(|x| {
        let mut r = x;
        if x < -0.0 { r = 0.0; }
        1.0 / r
    }, xs)
}
fn kept() -> [4]f32 { map(|x| 1.0 / x, [0.0, -0.0, -0.0, 0.0]) }
END
for cc in gcc clang; do
    for call in 'ends([0.0, -0.0, 0.0, -0.0, 0.0])' 'lanes([0.0, -0.0, 0.0, -0.0, 0.0])' 'wide([0.0, -0.0, 0.0, -0.0, 0.0])' 'branches([0.0, -0.0, 0.0, -0.0, 0.0])'; do
        same "the zero that is chosen, $cc, $call" '[inf, -inf, inf, -inf, inf]' "$(CC=$cc "$adze" run --no-cache chosen_zeros.adz "$call")"
    done
    same "zeros of a table, $cc" '[inf, -inf, -inf, inf]' "$(CC=$cc "$adze" run --no-cache chosen_zeros.adz 'kept()')"
done

if [ "$(uname -m)" = x86_64 ]; then
    cat >zeros.adz <<'END'
entry fn greatest[n: nat](xs: [n]f32) -> [n]f32 { map.vec[8](|x| 1.0 / max(-0.0, x), xs) }
entry fn least[n: nat](xs: [n]f64) -> [n]f64 { map.vec[4](|x| 1.0 / min(x, -0.0), xs) }
END
    for cc in gcc clang; do
        for cpu in v1 v2; do
            same "max of zeros, $cc $cpu" '[inf, -inf, inf, -inf, inf, -inf, inf, -inf, inf, -inf, inf, 1.0]' \
                "$(CC=$cc "$adze" run --no-cache --cpu $cpu zeros.adz 'greatest([0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, 1.0])')"
            same "min of zeros, $cc $cpu" '[-inf, -inf, -inf, -inf]' \
                "$(CC=$cc "$adze" run --no-cache --cpu $cpu zeros.adz 'least([0.0, -0.0, 0.0, -0.0])')"
        done
    done
fi

# --- atomic updates ----------------------------------------------------------------------------------

cat >updates.adz <<'END'
import std.atomics

entry fn counts[n: nat](xs: [n]u8) -> [4]i64 {
    let mut h = repeat[4](0i64);
    for i in parallel(0, 0, n) {
        atomic_add(&mut h[xs[i] & 3], 1);
    }
    h
}
entry fn alone(xs: [2]i32) -> ([2]i32, i32, i32) {
    let mut a = xs;
    let mut most = 0i32;
    atomic_max(&mut most, a[1]);
    (a, atomic_cas(&mut a[0], 1, 7), atomic_exchange(&mut a[0], most))
}
entry fn in_lanes(xs: [16]u8) -> [4]i32 {
    let mut h = repeat[4](0i32);
    for i in vectorize(8, 0, 16) {
        atomic_add(&mut h[xs[i] & 3], 1);
    }
    h
}
END
atomics() { "$adze" explain updates.adz "$1" --target "$2" --stage c | grep -c __atomic; }
same "threads update with atomic instructions" 1 "$(atomics counts omp)"
same "one thread updates with loads and stores" 0 "$(atomics counts c)"
same "so does an entry without parallel loops" 0 "$(atomics alone omp)"
for target in omp c; do
    same "counts, $target" '[2, 1, 0, 2]' "$("$adze" run --target $target updates.adz 'counts([0, 3, 4, 1, 7])')"
    same "updates alone, $target" '([1, 5], 1, 7)' "$("$adze" run --target $target updates.adz 'alone([1, 5])')"
    same "updates in lanes, $target" '[16, 0, 0, 0]' "$("$adze" run --target $target updates.adz 'in_lanes(generate(16, |i| u8(i) * 4))')"
done

# --- rules -------------------------------------------------------------------------------------------

cat >rules.adz <<'END'
rule forth[n: nat, s, t: data](f: fn(s) -> t, xs: [n]s) { map(f, reverse(xs)) => reverse(map(f, xs)) }
rule back[n: nat, s, t: data](f: fn(s) -> t, xs: [n]s) { reverse(map(f, xs)) => map(f, reverse(xs)) }
END
echo 'rule swap[n: nat, t: data](xs: [n]t, ys: [n]t) { zip(xs, ys) => zip(ys, xs) }' >swap.adz
gives 0 '^2 rules agree on [1-9]' '' check-rules rules.adz
gives 0 '^2 rules agree on [1-9]' '' check-rules rules.adz --seed 7
gives 2 '' 'takes a number' check-rules rules.adz --seed seven
gives 1 '^2 rules agree on' 'swap.adz:1:6: error E0818' check-rules swap.adz rules.adz
gives 1 '' E0701 check-rules missing.adz
gives 0 '"rules": 2' '' check-rules rules.adz --json
"$adze" check-rules swap.adz >/dev/null 2>once
"$adze" check-rules swap.adz >/dev/null 2>again
check "the instances are the same each time" cmp once again

# --- modules -----------------------------------------------------------------------------------------

mkdir -p lib/own
printf 'fn one() -> i32 { 1 }\n' >lib/own/first.adz
printf 'import own.first (one)\nimport std.linalg (dot)\nentry fn f() -> i32 { one() }\ntest "dot" { dot([1.0], [2.0]) == 2.0 }\n' >lib/user.adz
cp lib/user.adz elsewhere.adz
gives 0 '1 passed, 0 failed' '' test lib/user.adz
gives 1 '' 'elsewhere.adz:1:8: error E0204' check elsewhere.adz
ADZE_LIB=$scratch/work/lib "$adze" check elsewhere.adz >"$scratch/out" 2>"$scratch/err"
same "ADZE_LIB is searched" 0 $?

cat >perhaps.adz <<'END'
entry fn placed[n: nat](at: [n]i32, xs: [n]i32) -> [n]i32 {
    let mut y = xs;
    for i in parallel(0, 0, n) { y[at[i]] = 1; }
    for i in parallel(0, 0, n) { if xs[i] > 0 { y[i / 2] = 1; } }
    for i in parallel(0, 0, n) { y[i] = 2 * y[i]; }
    y
}
END
gives 0 '' '^perhaps.adz:3:34: warning E0509' check perhaps.adz
gives 0 '' '^perhaps.adz:4:49: warning E0509' check perhaps.adz
same "loops that may collide are told" 2 "$("$adze" check perhaps.adz 2>&1 | grep -c E0509)"
gives 0 'perhaps.h' '' build perhaps.adz -o perhaps

cat >unknown.adz <<'END'
entry fn shifted[n: nat](xs: [n]i64, by: i64) -> [n]i64 { map(|x| x >>> by, xs) }
entry fn first[n: nat](xs: [n]i32, k: i64) -> i32 { xs[k] }
test "by numbers that are not known" { shifted([2000000000i64, -1i64], 33) == [0i64, -1i64] }
test "both fail" { first([1, 2], 2) == 1 }
END
gives 1 '^1 passed, 1 failed' '' test unknown.adz
gives 1 'FAIL unknown.adz:4 "both fail": error E0601 at unknown.adz:2:56' '' test unknown.adz

cat >apart.adz <<'END'
import std.atomics (atomic_add, atomic_fetch_add)
entry fn positive[n: nat](xs: [n]i32) -> (i32, [n]i32) {
    let mut at = 0;
    let mut out = repeat[n](0);
    for i in parallel(0, 0, n) { if xs[i] > 0 { out[atomic_fetch_add(&mut at, 1)] = xs[i]; } }
    (at, out)
}
entry fn flat[n, m: nat](xs: [n][m]i32) -> [n * m]i32 {
    let mut out = repeat[n * m](0);
    for i in parallel(0, 0, n) { for j in range(0, m) { out[i * m + j] = xs[i, j]; } }
    out
}
END
gives 0 '' '^apart.adz:5:49: warning E0509' check apart.adz
same "rows of a matrix are apart" 1 "$("$adze" check apart.adz 2>&1 | grep -c E0509)"
cat >read.adz <<'END'
import std.atomics (atomic_add)
entry fn f[n: nat](xs: [n]i32) -> [1]i32 {
    let mut out = [0];
    for i in parallel(0, 0, n) {
        atomic_add(&mut out[0], xs[i]);
        if out[0] > 3 { atomic_add(&mut out[0], 1); }
    }
    out
}
END
gives 1 '' '^read.adz:5:9: error E0509' check read.adz

cat >races.adz <<'END'
import std.atomics (atomic_add)
fn placed[n, m: nat](at: [n]i32, xs: [m]i32) -> [m]i32 {
    let mut y = xs;
    for i in parallel(0, 0, n) { y[at[i]] = i32(i); }
    y
}
fn counts[n: nat](xs: [n]i32) -> [4]i32 {
    let mut h = repeat[4](0);
    for i in parallel(0, 0, n) { for j in parallel(0, 0, 2) { atomic_add(&mut h[xs[i] & 3], 1); } }
    for i in parallel(0, 0, 4) { h[i] += 1; }
    h
}
fn seen[n: nat](xs: [n]i32, at: [n]i32) -> [n]i32 {
    let mut y = xs;
    for i in parallel(0, 0, n) { let all = y; y[at[i]] = all[i]; }
    y
}
test "apart" { placed([1, 0, 2], [5, 5, 5]) == [1, 0, 2] }
test "one place" { placed([1, 0, 1], [5, 5, 5]) == [1, 2, 5] }
test "atomic" { counts([5, 5, 1, 0]) == [3, 7, 1, 1] }
test "read and written" { seen([5, 5], [0, 1]) == [5, 5] }
fn in_lanes() -> varying[4] i64 {
    let mut p = (lanes[4](), lanes[4]());
    if p.0 > 1 { p.1 = 7; }
    p.1
}
test "parts in lanes" { extract(in_lanes(), 3) == 7 }
END
gives 1 '^FAIL races.adz:19 "one place": error E0613 at races.adz:4:34' '' test --races races.adz
gives 1 '^FAIL races.adz:21 "read and written": error E0613 at races.adz' '' test --races --seed 7 races.adz
gives 1 '^3 passed, 2 failed' '' test --races races.adz
gives 0 '^5 passed, 0 failed' '' test races.adz

cat >shared.adz <<'END'
import std.atomics
entry fn counts(n: nat) -> [4]i32 {
    let mut h = repeat[4](0);
    for i in parallel(4, 0, n) { atomic_add(&mut h[i & 3], 1); }
    h
}
entry fn sum(n: nat) -> (f64, i64) {
    let mut total = 0f64;
    let mut most = 0i64;
    for i in parallel(4, 0, n) {
        atomic_add(&mut total, 0.5);
        atomic_max(&mut most, i);
    }
    (total, most)
}
END
gives 0 '^\[1000000, 1000000, 1000000, 1000000\]$' '' run shared.adz 'counts(4000000)'
gives 0 '^(500000.0, 999999)$' '' run shared.adz 'sum(1000000)'
gives 0 '' '' check shared.adz

cat >accurate.adz <<'END'
import std.linalg (dot)
import std.stats (mean)
entry fn half(n: nat) -> f32 { mean(generate(n, |i| f32(i % 2))) }
entry fn squares(n: nat) -> bool {
    let xs = generate(n, |i| 0.3f32);
    abs(dot(xs, xs) / (n as f32) - 0.09) < 0.0000001
}
END
gives 0 '^0.5$' '' run accurate.adz 'half(40000000)'
gives 0 '^true$' '' run accurate.adz 'squares(10000000)'

# --- files of structs ----------------------------------------------------------------------------------

cat >records.adz <<'END'
import std.complex (Complex, cmul)
#[c_layout]
struct Point { x: f32, y: f32, tag: u8 }
struct Line { ends: [2]Point, tilt: Complex[f64], name: [3]u8 }
struct Pair { y: u8, x: f32 }
entry fn points(n: nat) -> [n]Point { generate(n, |i| Point { x: f32(i), y: f32(2 * i), tag: u8(i % 256) }) }
entry fn mirrored[n: nat](ps: [n]Point) -> [n]Point { map(|p| Point { x: p.y, y: p.x, tag: p.tag }, ps) }
entry fn right[n: nat](ps: [n]Point) -> f32 { ps |> map(|p| p.x) |> reduce(+, 0.0) }
fn squares[n: nat, t: float](zs: [n]Complex[t]) -> [n]Complex[t] { map(|z| cmul(z, z), zs) }
entry fn lines(n: nat) -> [n]Line {
    generate(n, |i| Line { ends: points(2), tilt: Complex { re: f64(i), im: 1.0 }, name: "abc" })
}
fn tilts[n: nat](ls: [n]Line) -> [n]f64 { map(|l| l.tilt.re * f64(l.ends[1].y) + f64(l.name[2]), ls) }
fn sum[n: nat](ps: [n]Pair) -> f32 { ps |> map(|p| p.x + f32(p.y)) |> reduce(+, 0.0) }
END
for n in 2 40 50; do
    gives 0 '' '' run records.adz "points($n)" -o "points$n.npy"
    gives 0 '' '' run records.adz "mirrored(load(\"points$n.npy\"))" -o mirrored.npy
    gives 0 '' '' run records.adz "mirrored(load(\"points$n.npy\"))" -o interpreted.npy --interpret
    check "interpreted and compiled files are the same" cmp mirrored.npy interpreted.npy
    for how in --interpret --specialise --no-specialise '' --no-cache; do
        gives 0 "^$((n * (n - 1))).0\$" '' run records.adz 'right(load("mirrored.npy"))' $how
    done
done
# Files of records alone, as a C program has them in memory.
cat >write.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct point { float x, y; uint8_t tag; };
int main(int argc, char **argv)
{
    for (int i = 0, n = argc > 1 ? atoi(argv[1]) : 0; i < n; i++) {
        struct point p;
        memset(&p, 0x77, sizeof p);
        p.x = i;
        p.y = 2 * i;
        p.tag = i % 256;
        fwrite(&p, sizeof p, 1, stdout);
    }
    return 0;
}
END
check "a C program" cc -o write write.c
for n in 0 1 13 1009; do
    ./write $n >points.bin
    cp points.bin points.nodes
    for how in --interpret --specialise --no-specialise; do
        gives 0 "^$((n * (n - 1) / 2)).0\$" '' run records.adz 'right(load("points.bin"))' $how
        gives 0 "^$((n * (n - 1))).0\$" '' run records.adz 'right(mirrored(load("points.nodes")))' $how
        gives 0 '' '' run records.adz 'mirrored(mirrored(load("points.bin")))' -o back.nodes $how
        gives 0 '' '' run records.adz "points($n)" -o here.bin $how
        check "$n records, $how" cmp back.nodes here.bin
        check "$n records have their size, $how" [ "$(wc -c <here.bin)" = $((12 * n)) ]
    done
done
check "padding is written as zero" [ "$(od -An -tx1 -j9 -N3 here.bin | tr -d ' ')" = 000000 ]
gives 0 '^\[0, 1, 2\]$' '' run records.adz 'load("points.bin") |> map(|p: Point| p.tag) |> take[3]'
gives 0 '^Point { x: 5.0, y: 10.0, tag: 5 }$' '' run records.adz '{ let ps: [1009]Point = load("points.bin"); ps[5] }'
./write 6 >six.bin
gives 0 '^\[\[0.0, 1.0, 2.0\], \[3.0, 4.0, 5.0\]\]$' '' run records.adz '{ let ps: [2][3]Point = load("six.bin"); map(map(|p| p.x), ps) }'
gives 1 '' 'E0401.*differ' run records.adz '{ let ps: [7]Point = load("six.bin"); ps }'
gives 1 '' 'E0711.*six.bin: has 72 bytes, which is no multiple of the 48 bytes of a record: 24 bytes are left over' run records.adz '{ let ps: [2][4]Point = load("six.bin"); ps }'
gives 1 '' 'it holds 6 of them' run records.adz '{ let p: Point = load("six.bin"); p }'
head -c 71 six.bin >cut.bin
gives 1 '' 'E0711.*cut.bin: has 71 bytes, which is no multiple of the 12 bytes of a record: 11 bytes are left over' run records.adz 'right(load("cut.bin"))'
gives 1 '' 'a Point has 12 bytes in C.s layout, padding included' run records.adz 'right(load("cut.bin"))'
gives 1 '' 'E0712.*cut.bin cannot be loaded as \[_\]Pair' run records.adz 'sum(load("cut.bin"))'
gives 1 '' 'write #\[c_layout\] before struct Pair' run records.adz 'sum(load("cut.bin"))'
gives 1 '' 'E0716.*write #\[c_layout\] before struct Pair' run records.adz '[Pair { y: 1, x: 2.0 }]' -o pair.bin
gives 1 '' 'E0701' run records.adz 'right(load("nothere.bin"))'
gives 1 '' 'E0702' run records.adz '{ let ps: [1]Point = load("."); ps }'
gives 0 '' '' run records.adz '[[1u16, 2], [3, 515]]' -o numbers.bin
same "numbers as in memory" 0100020003000302 "$(od -An -tx1 numbers.bin | tr -d ' ')"
gives 0 '^\[1, 2, 3, 515\]$' '' run records.adz '{ let xs: [4]u16 = load("numbers.bin"); xs }'
gives 0 '^\[1, 0, 2, 0, 3, 0, 3, 2\]$' '' run records.adz 'load("numbers.bin")'
cp numbers.bin numbers.data
gives 1 '' 'E0712.*numbers.data holds \[8\]u8' run records.adz '{ let xs: [4]u16 = load("numbers.data"); xs }'
gives 1 '' 'E0716.*bytes, \[n\]u8, or structs with C.s layout' run records.adz '[1u16]' -o numbers.data
program=records.adz
compiles 'int64_t n1, const' 'right(mirrored(load("points40.npy")))'
compiles '' 'right(mirrored(load("points50.npy")))'
compiles 'const' 'right(mirrored(load("points50.npy")))'
gives 0 '' '' run records.adz 'lines(3)' -o lines.npy
gives 0 '' '' run records.adz '[Complex { re: 1.0, im: 2.0 }, Complex { re: 3.0, im: -4.0 }]' -o z.npy
gives 0 '' '' run records.adz 'Complex { re: 1.0, im: 2.0 }' -o one.npy
for how in --interpret --specialise ''; do
    gives 0 '^\[99.0, 101.0, 103.0\]$' '' run records.adz 'tilts(load("lines.npy"))' $how
    gives 0 're: -3.0, im: 4.0 }.*re: -7.0, im: -24.0 }\]$' '' run records.adz 'squares(load("z.npy"))' $how
    gives 0 '^2.0$' '' run records.adz '{ let zs: [2]Complex[f32] = load("z.npy"); zs[0].im }' $how
    gives 0 '^(1.0, 2.0)$' '' run records.adz '{ let z: Complex[f32] = load("one.npy"); (z.re, z.im) }' $how
done
# In the file is what NumPy has: an aligned structured type, a packed one, complex numbers.
head -c 128 points2.npy | tail -c 118 >header
in_header() { # TEXT
    if grep -qF "$1" header; then pass; else fail "header of a .npy file: no $1"; fi
}
in_header "{'descr': [('x', '<f4'), ('y', '<f4'), ('tag', '|u1'), ('', '|V3')], 'fortran_order': False, 'shape': (2,), }"
check "12 bytes for each point" test "$(wc -c <points2.npy)" = 152
head -c 250 lines.npy | tail -c 240 >header
in_header "[('ends', [('x', '<f4'), ('y', '<f4'), ('tag', '|u1'), ('', '|V3')], (2,)), ('tilt', '<c16'), ('name', '|u1', (3,))]"
head -c 128 z.npy | tail -c 118 >header
in_header "{'descr': '<c8', 'fortran_order': False, 'shape': (2,), }"
gives 0 '' '' run records.adz '(lines(2)[0].ends, points(3))' -o a.npy -o b.npy
gives 0 '^1.0$' '' run records.adz 'right(load("a.npy"))'
# Names, types and numbers of dimensions must agree; nothing is converted.
gives 1 '' 'its field y is f32, but that of Pair is u8' run records.adz 'sum(load("points2.npy"))'
gives 1 '' 'E0712.*holds \[2\]complex64; \[_\]Point is needed' run records.adz 'right(load("z.npy"))'
gives 1 '' 'structs of two members' run records.adz 'right(load("z.npy"))'
gives 0 '' '' run records.adz '[1.0, 4.0]' -o squares.npy
gives 1 '' 'structs are loaded from records' run records.adz 'right(load("squares.npy"))'
gives 1 '' 'it has no field re, which' run records.adz 'squares(load("points2.npy"))'
gives 0 '^\[1.0, 3.0\]$' '' run records.adz 'load("z.npy") |> map(|z: Complex[f32]| z.re)'
gives 1 '' 'structs of two members' run records.adz 'map(|z: f32| z, load("z.npy"))'
# Functions of C are compiled with a run or a test; the interpreter does not call them.
cat >outside.adz <<'END'
extern fn total_of(n: nat, x: &[n]f32) -> f32
fn total[n: nat](x: [n]f32) -> f32 { total_of(n, &x) }
test "right" { total([1.0, 2.0]) == 3.0 }
test "wrong" { total([1.0, 2.0]) == 4.0 }
END
cat >outside.c <<'END'
#include <stdint.h>
float total_of(int64_t n, const float *x)
{
    float s = 0;
    for (int64_t i = 0; i < n; i++) s += x[i];
    return s;
}
END
gives 0 '^3.0$' '' run outside.adz 'total([1.0, 2.0])' --cflags "$PWD/outside.c"
gives 1 '^ok .*"right"$' '' test outside.adz --cflags "$PWD/outside.c"
gives 1 '^FAIL .*"wrong": false' '' test outside.adz --cflags "$PWD/outside.c"
gives 1 'FAIL .*"right": error E0608' '' test --races outside.adz --cflags "$PWD/outside.c"
gives 1 '' 'help: an `extern fn` of your own is compiled with it: --cflags' run outside.adz 'total([1.0, 2.0])'
# Sizes are compared as numbers that do not wrap.
gives 1 '' 'E0402' run "$root/tests/programs/size_values.adz" 'compared(3037000500, 3037000500)'
gives 1 '' 'E0607' run "$root/tests/programs/size_values.adz" 'compared(3037000500, 3037000500)' --interpret
# Which struct it is may be said anywhere in the expression.
gives 0 '^\[3.0, 1.0\]$' '' run records.adz 'load("z.npy") |> reverse |> map(|z: Complex[f32]| z.re)'
gives 0 're: -7.0, im: -24.0 }.*re: -3.0, im: 4.0 }\]$' '' run records.adz 'squares(reverse(load("z.npy")))'
gives 0 '^\[\[1.0\], \[3.0\]\]$' '' run records.adz 'load("z.npy") |> split[1] |> map(|r| r |> map(|z: Complex[f32]| z.re))'
gives 0 '^3.0$' '' run records.adz '{ let zs = load("z.npy"); let z: Complex[f32] = zs[1]; z.re }'
# What the struct leaves open is as in the file.
cat >open.adz <<'END'
import std.complex
fn energy[n: nat, t: float](zs: [n]Complex[t]) -> t { zs |> map(|z| cabs2(z)) |> reduce(+, 0.0) }
END
gives 0 '' '' run open.adz '[Complex { re: 3.0f64, im: 4.0 }, Complex { re: 1.0, im: 1.0 }]' -o doubles.npy
for how in --interpret --specialise ''; do
    gives 0 '^27.0$' '' run open.adz 'energy(load("doubles.npy"))' $how
    gives 0 '^27.0$' '' run open.adz 'energy(reverse(load("doubles.npy")))' $how
    gives 0 '^\[5.0, 1.4142135623730951\]$' '' run open.adz 'load("doubles.npy") |> map(cabs)' $how
done
gives 1 '' 'E0712.*the type of its struct is not known' run records.adz '{ let zs = load("z.npy"); zs[1].re }'
gives 1 '' 'E0712.*the type of its struct is not known' run records.adz 'load("z.npy") |> reverse |> map(|z| z.re)'
gives 1 '' 'structs of two members' run records.adz '{ let zs = load("z.npy"); let z: Complex[f64] = zs[1]; z.re }'
gives 1 '' 'let xs: \[2\]S = load' run records.adz 'load("points2.npy")'
gives 1 '' 'dimensions differ' run records.adz '{ let p: Point = load("points2.npy"); p.x }'
gives 1 '' 'records are loaded as structs' run records.adz '{ let p: [2]f32 = load("points2.npy"); p[0] }'
echo 'struct Odd { at: (f32, f32), tag: u8 }' >odd.adz
gives 1 '' "E0716.*hold.* and its member at is (f32, f32)" run odd.adz '[Odd { at: (1.0, 2.0), tag: 1 }]' -o odd.npy
gives 1 '' 'E0716' run records.adz 'points(3)' -o points.png
gives 1 '' 'E0716' run records.adz 'lines(3)' -o lines.data

# --- values that files do not hold --------------------------------------------------------------------

gives 1 '' 'help: unzip(...) gives an array for each component' run t.adz '[(1, 2.5)]' -o pairs.npy

# --- headers -----------------------------------------------------------------------------------------

cat >structs.adz <<'END'
struct Rows[n: nat] {
    first: [n + 1]i64,
    value: [n](f32, bool),
}
enum Found {
    At(i64, f32),
    Nothing,
}
entry fn find[n: nat](rows: Rows[n], x: f32) -> Found {
    if n > 0 && rows.value[0].0 == x { Found.At(rows.first[0], x) } else { Found.Nothing }
}
END
gives 0 '*' '' build structs.adz -o out
check "the fields of a struct in a header" grep -qF '//   rows: Rows { first: [n + 1]i64, value: [n](f32, bool) }' out/structs.h
check "the options of an enum in a header" grep -qF '//   result: Found { At(i64, f32), Nothing }' out/structs.h

# Strides of callers in C: two versions, of which the slow one is no reason for a warning.
cat >strides.adz <<'END'
entry fn twice[n, m: nat](a: [n][m]f32 strided) -> ([n][m]f32 strided, f32) {
    (a |> map(map.vec[4](|x| x + x)), 1.0)
}
entry fn first[n: nat](a: [n]f32 strided) -> f32 where n > 0 {
    a[0]
}
END
gives 0 '*' '' build strides.adz --cpu v3 -o out
same "no warning of strides that are not 1" 0 "$(grep -c warning "$scratch/err")"
check "strided arrays in a header" grep -qF '//   result: ([n][m]f32 strided, f32)' out/strides.h
gives 0 '^    if a_stride1 == 1 and out_0_stride1 == 1: elements of the last dimension are contiguous$' '' explain strides.adz twice --cpu v3
gives 0 '2:15 .*with other strides: the loop over 4 lanes is not vectorised' '' explain strides.adz twice --cpu v3
gives 0 '`a` is accessed with a stride of a_stride1 elements' '' explain strides.adz twice --cpu v3
gives 0 '"contiguous_if": "a_stride1 == 1 and out_0_stride1 == 1"' '' explain strides.adz twice --json
gives 0 '"contiguous_if": null' '' explain strides.adz first --json
gives 0 '^\[\[2.0, 4.0\]\]$' '' run strides.adz 'twice([[1.0, 2.0]]).0'

cat >parameters.adz <<'END'
entry fn f[size, status, text, workspace, bytes, n: nat](
    x: [size][n]f32,
    y: [status]f32,
    z: [text]f32,
    u: [workspace]f32,
    v: [bytes]f32,
) -> [size]f32 where size <= n {
    let t = to_mem.global(x |> map(|r| r |> scan(+, 0.0)));
    t |> transpose |> map(reduce(max, 0.0)) |> scan(+, 0.0) |> take[size]
}
END
for cpu in native v2,v3; do
    gives 0 '*' '' build parameters.adz -o out --cpu $cpu
    check "sizes with the names of parameters of C, $cpu" gcc -Wall -Wextra -Werror -c out/parameters.c -o out/parameters.o
done

# Elements that do not exist are copied.
gives 0 '*' '*' build "$root/tests/programs/opened_sizes.adz" -o out
for cc in gcc clang; do
    check "copies of [?n]t, $cc" $cc -O3 -Wall -Wextra -Werror -c out/opened_sizes.c -o out/opened_sizes.o
done

# --- workspaces that are kept -------------------------------------------------------------------------

cat >kept.adz <<'EOF'
entry fn sharp[n: nat](xs: [n]f32) -> [n]f32 {
    let sums = scan(+, 0.0, xs);
    zip(sums, reverse(sums)) |> map(|(a, b)| a - b)
}
EOF
cat >kept_caller.c <<'EOF'
#include "out/kept.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

// Calls with small and large workspaces, which two threads take from each other.
static void *calls(void *env)
{
    static const int64_t sizes[] = {0, 7, 300000, 1000, 900000, 300000, 1 << 20, 5};
    int *wrong = env;
    for (int round = 0; round < 40; round++) {
        int64_t n = sizes[round % 8];
        float *xs = malloc((n + 1) * sizeof *xs), *ys = malloc((n + 1) * sizeof *ys);
        for (int64_t i = 0; i < n; i++) xs[i] = i < 3 ? (float)(i + 1) : 0.0f;
        *wrong += adze_sharp(n, xs, ys) != 0;
        for (int64_t i = 0; i < n && n > 6; i++) {
            float sum = i < 3 ? (float)((i + 1) * (i + 2) / 2) : 6.0f;
            float back = n - 1 - i < 3 ? (float)((n - i) * (n - i + 1) / 2) : 6.0f;
            *wrong += ys[i] != sum - back;
        }
        free(xs);
        free(ys);
        if (round % 10 == 9) adze_kept_release();
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int wrong[2] = {0, 0};
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, calls, &wrong[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    adze_kept_release();
    printf("%d wrong\n", wrong[0] + wrong[1]);
    return 0;
}
EOF
gives 0 '*' '' build kept.adz -o out
for options in "-O2" "-O2 -DADZE_KEPT=0" "-O1 -DADZE_KEPT=2000000" "-O1 -g -fsanitize=address,undefined" "-O1 -g -fsanitize=thread"; do
    gcc -Wall -Wextra -Werror $options kept_caller.c out/kept.c -pthread -o kept_caller
    same "kept workspaces, $options" "0 wrong" "$(./kept_caller 2>&1)"
done

# --- stats -------------------------------------------------------------------------------------------

gives 0 'adze_plain' '^all passes .* nodes$' explain lanes.adz plain --stage c --stats
gives 0 '*' '^emit ' build t.adz -o out --stats

# --- json --------------------------------------------------------------------------------------------

gives 0 '"ok": true' '' check --json t.adz
gives 1 '"code": "E0106"' '' check --json bad.adz
gives 0 '"value": 2.5' '' run --json blur/main.adz 'mean([1.0, 4.0])'
odd=$(printf 'odd\377') # a path that is not UTF-8
cp blur/main.adz "$odd.adz"
gives 0 '"file": "odd?.adz"' '' test --json "$odd.adz"
gives 0 '"odd?/odd?.c"' '' build --json "$odd.adz" -o "$odd"
gives 0 '"text": "mean (odd?.adz' '' explain --json "$odd.adz" mean --lanes
gives 0 '"value": "18446744073709551615"' '' run --json t.adz 18446744073709551615u64
gives 0 '"value": 9223372036854775807' '' run --json t.adz 9223372036854775807u64
gives 1 '"title": "no"' '' test --json t.adz
gives 0 '"out/t.h"' '' build --json t.adz -o out
gives 0 '"choices"' '' explain --json t.adz
gives 0 '"peak_bytes"' '' check --json --stats t.adz
gives 0 '"text": "(loops' '' explain --json t.adz --stage loop
if command -v python3 >/dev/null 2>&1; then
    for arguments in "check bad.adz" "test t.adz" "explain t.adz" "run t.adz 1" "run t.adz nix" "check missing.adz"; do
        # shellcheck disable=SC2086
        "$adze" $arguments --json >"$scratch/json" 2>"$scratch/err"
        check "adze $arguments --json is JSON" python3 -c "import json; json.load(open('$scratch/json'))"
    done
fi

# --- functions of C ------------------------------------------------------------------------------------

# A struct in a variable is one pointer for each member, which the function writes.
cat >turn.adz <<'END'
struct Wave { up: f32, along: f32 }
extern fn sincosf(x: f32, out: &mut Wave) -> ()
entry fn turn[n: nat](xs: [n]f32) -> [n]f32 {
    xs |> map(|x| { let mut t = Wave { up: 7.0, along: 8.0 }; sincosf(x, &mut t); 10.0 * t.up + t.along })
}
entry fn turns[n: nat](xs: [n]f32) -> [n]f32 {
    xs |> map.vec[4](|x| { let mut t = (7.0, Wave { up: 7.0, along: x }); sincosf(x, &mut t.1); 10.0 * t.1.up + t.1.along + t.0 })
}
END
gives 0 '[1.0, 8.955011]' '' run turn.adz 'turn([0.0, 1.0])'
gives 0 '[8.0, 15.955011, 8.0, 8.0, 15.955011]' '' run turn.adz 'turns([0.0, 1.0, 0.0, 0.0, 1.0])'
printf 'extern fn nosuch(x: f32) -> f32\nfn f(x: f32) -> f32 { nosuch(x) }\n' >nosuch.adz
gives 1 '' 'an `extern fn` of your own is compiled with it' run nosuch.adz 'f(1.0)'

# --- names that C would read otherwise, and names of several files ------------------------------------

# Names that C++ has a use for stand in the header of an entry, which it reads.
mkdir names
python3 "$root/tests/programs/c_names.py" "$root/src/base/target/c_word.def" "$root/src/ir/prim.def" names || fail "programs of names that C knows"
for p in c_names c_functions; do
    gives 0 '*' '' build names/$p.adz -o names --keep-prints
    for cc in gcc clang; do
        command -v $cc >/dev/null && check "$cc takes $p.c" $cc -std=gnu17 -Wall -Wextra -Werror -fsyntax-only names/$p.c
    done
    command -v c++ >/dev/null && check "C++ reads $p.h" c++ -fsyntax-only -x c++ names/$p.h
done

odd=$(printf 'q"q\\??)\nint odd;')
printf '/// Adds one. \\\nentry fn shared[n: nat](a: [n]f32) -> [n]f32 { a |> map(|x| 2.0 * x) }\nentry fn whole(a: [8]i32) -> i32 { 1000 / a[0] }\n' >"$odd.adz"
cp "$odd.adz" -- '-o.adz'
cp "$odd.adz" other.adz
for cc in gcc clang; do
    command -v $cc >/dev/null || continue
    rm -rf linked
    gives 0 '^linked/q_q___)_int odd;[.]o' '' build "./$odd.adz" --prefix one -o linked --cc=$cc
    gives 0 '^_o[.]o' '' build ./-o.adz --prefix three_ --cc=$cc
    gives 0 '^linked/other[.]o' '' build other.adz --prefix two -o linked --cc=$cc --cpu portable
    for c in linked/*.c; do
        check "$cc takes $c" $cc -std=c17 -Wall -Wextra -Werror -Ilinked -c "$c" -o linked/strict.o
    done
    rm -f linked/strict.o
    cat >linked/main.c <<'END'
#include "other.h"
#include "_o.h"
int main(void)
{
    int32_t a[8] = {10}, b = 0, c = 0;
    return two_whole(a, &b) || three_whole(a, &c) || b != 100 || c != 100;
}
END
    check "$cc links files that share names" $cc -Ilinked -I. linked/main.c linked/*.o _o.o -o linked/main -fopenmp -lm
    check "both are called" linked/main
done
for name in '' _x 1x a-b adze_x; do
    gives 2 '' '--prefix .*: the prefix must be a C name' build other.adz --prefix "$name" -o never
done

printf 'test "first one" { true }\ntest "second" { false }\n' >titles.adz
gives 0 '^1 passed, 0 failed' '' test titles.adz --only first
gives 1 '^0 passed, 1 failed' '*' test titles.adz --only second
gives 0 '^1 passed, 0 failed' '' test titles.adz --races --only one
gives 1 '^0 passed, 0 failed' '--only third: no test' test titles.adz --only third

# --- debugging -----------------------------------------------------------------------------------------

cat >prints.adz <<'END'
/// Prints every sum.
entry fn sums[n: nat](xs: [n]i64, limit: i64) -> i64 {
    let mut s = 0;
    for i in range(0, n) {
        s += xs[i];
        print("i = ", i, ", s = ", s);
        assert(s < limit, "the sum is ", s);
    }
    s
}

entry fn spread[n: nat](xs: [n]i64) -> [n]i64 {
    let mut ys = xs;
    for i in parallel(0, 0, n) {
        print("[", xs, "]");
        ys[i] = 2 * xs[i];
    }
    ys
}

test "sums" { sums([1, 2], 10) == 3 }
test "spread" { spread([1, 2]) == [2, 4] }
END
for way in '' --interpret --json; do
    gives 0 '3' '^i = 1, s = 3$' run prints.adz 'sums([1, 2], 10)' $way
done
gives 1 '' 'E0614: assertion failed: the sum is 3$' run prints.adz 'sums([1, 2], 3)'
gives 1 '' 'E0614: assertion failed: the sum is 3$' run prints.adz 'sums([1, 2], 3)' --interpret
# Files that are no meshes: the message has the line, and the place is that of the assertion that failed.
cat >mesh.adz <<'END'
import rays.obj (obj)

fn triangles[n: nat](file: [n]u8) -> [?n / 2][3]i32 {
    obj(file).triangles
}
END
for way in '' --interpret; do
    gives 0 '^\[\[0, 1, 2\]\]$' '*' run mesh.adz 'triangles("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/1 -2//3 3")' $way
    gives 1 '' 'E0614: assertion failed: line 2: a corner has three numbers, not 2$' run mesh.adz 'triangles("\nv 1 2")' $way
    gives 1 '' 'E0614: assertion failed: line 1: word 3 is no number$' run mesh.adz 'triangles("v 1 x 2")' $way
    gives 1 '' 'E0614: assertion failed: line 1: word 4 is no number$' run mesh.adz 'triangles("v 1 2 1e999")' $way
    gives 1 '' 'E0614: assertion failed: line 1: word 2 is none of 0 corners$' run mesh.adz 'triangles("f 1 2 3")' $way
    gives 1 '' 'E0614: assertion failed: line 2: word 3 is none of 1 corners$' run mesh.adz 'triangles("v 0 0 0\nf 1 0 1")' $way
    gives 1 '' 'E0614: assertion failed: line 2: a polygon has 2 corners$' run mesh.adz 'triangles("v 0 0 0\nf 1 1")' $way
done
# Texts that are no CIGARs.
cat >cigars.adz <<'END'
import align.cigar

fn steps[k: nat](text: [k]u8) -> [?13]u8 {
    steps_of_runs(runs_of_cigar(text), (0, 0), &"GATTACA", &"GATACA")
}
END
is_wrong() { # MESSAGE FILE EXPR: with one of all ways to run it
    gives 1 '' "E0614: assertion failed: $1\$" run "$2" "$3" $way
}
for way in '' --interpret; do
    is_wrong 'letter 4 of the CIGAR is none of MIDNSHP=X' cigars.adz 'steps("3M1Q3M")'
    is_wrong 'letter 3 of the CIGAR: a number must come before each step' cigars.adz 'steps("3MM")'
    is_wrong 'the CIGAR ends in a number, without a step' cigars.adz 'steps("3M12")'
    is_wrong 'letter 3 of the CIGAR: no run has this length' cigars.adz 'steps("3M0I")'
    is_wrong 'letter 1 of the CIGAR: no run has this length' cigars.adz 'steps("9223372036854775808M")'
    is_wrong 'run 2 goes beyond the end of a sequence' cigars.adz 'steps("6M1D")'
    is_wrong 'run 1 goes beyond the end of a sequence' cigars.adz 'steps("9223372036854775807I")'
    is_wrong 'run 2 is none of M, =, X, I and D' cigars.adz 'steps("3M4N")'
done
cat >band.adz <<'END'
import align.band
import align.scoring

fn score(lowest: i64, highest: i64) -> i32 {
    let band = Band { lowest: lowest, highest: highest };
    score_in_band(GLOBAL, linear[4](letters(1, -1), 1), band, &"AC", &"ACAC")
}
END
for way in '' --interpret; do
    gives 0 '^0$' '' run band.adz 'score(0, 2)' $way
    for band in '0, 1' '1, 2' '1, 0' '3, 9'; do
        is_wrong 'no alignment is in the band' band.adz "score($band)"
    done
done
# Files that are not FASTA or FASTQ.
cat >reads.adz <<'END'
import align.alphabet
import align.fasta
import align.fastq

fn starts[k, n: nat](file: [n]u8) -> [k + 1]i64 {
    let reads: Reads[k, n] = fasta(DNA, file);
    reads.sequences.starts
}

fn lengths[n: nat](file: [n]u8) -> [?n + 1]i64 {
    let k: nat = count_fastq(file) as idx[n + 1];
    let (reads, _) = fastq[k, n](DNA, file);
    generate(k, |i| length(&reads.sequences, i64(i)))
}
END
for way in '' --interpret; do
    gives 0 '^\[0, 2, 2\]$' '*' run reads.adz 'starts[2, 8](">a\nAc\n>b")' $way
    gives 0 '^\[2, 1\]$' '*' run reads.adz 'lengths("@\nAC\n+\n@@\n@b\nA\n+\n@")' $way
    is_wrong 'line 2: the first record begins with `>`' reads.adz 'starts[1, 8]("\nAC\n>a\nA")'
    is_wrong 'line 3: its byte 2 is 45, no letter of the alphabet' reads.adz 'starts[1, 9](">a\nAC\nA-C")'
    is_wrong 'there are 1 records, not 3' reads.adz 'starts[3, 3](">a\n")'
    is_wrong 'there are more than 1 records' reads.adz 'starts[1, 6](">a\n>b\n")'
    is_wrong 'line 1: a record begins with `@`' reads.adz 'lengths(">a\nAC\n")'
    is_wrong 'line 3: no `+` in the record of line 1' reads.adz 'lengths("@a\nAC\n@b\nAC\n+\nII")'
    is_wrong 'line 2: its byte 3 is 46, no letter of the alphabet' reads.adz 'lengths("@a\nAC.\n+\nIII")'
    is_wrong 'line 3: line 1 has another title' reads.adz 'lengths("@a\nAC\n+b\nII")'
    is_wrong 'line 3: line 1 has another title' reads.adz 'lengths("@a\nAC\n+a b\nII")'
    is_wrong 'line 1: letters and qualities are not as many: 3, 2' reads.adz 'lengths("@a\nACG\n+\nII\n@b\nA\n+\nI\n")'
    is_wrong 'line 5: letters and qualities are not as many: 1, 0' reads.adz 'lengths("@a\nACG\n+\nIII\n@b\nA\n+\n")'
    is_wrong 'line 1: letters and qualities are not as many: 2, 0' reads.adz 'lengths("@a\nAC")'
    is_wrong 'line 4: more qualities than the 2 letters of the record in line 1' reads.adz 'lengths("@a\nAC\n+\nIII")'
    is_wrong 'line 4: its byte 2 is 32, no quality' reads.adz 'lengths("@a\nAC\n+\nI ")'
done
for way in '' --interpret; do
    gives 0 '^3$' '*' run prints.adz 'sums([1, 2], 3)' --no-asserts $way
done
gives 0 '2000' '*' run prints.adz 'spread(repeat[2000](1000))'
same "lines of threads are whole" 2000 "$(grep -c '^\[\[1000, .*, 1000\]\]$' "$scratch/err")"
gives 0 '^2 passed' '*' test prints.adz
same "a test prints once" "i = 0, s = 1
i = 1, s = 3" "$(grep '^i =' "$scratch/err")"
gives 0 '^ok .*sums' '^i = 1' test prints.adz --races --only sums

gives 0 'prints.c' '' build prints.adz -o quiet
check "build leaves prints out" sh -c '! grep -q -e print_ -e stdio quiet/prints.c'
check "and keeps assertions" grep -q 'E0614: assertion failed: the sum is \.\.\.' quiet/prints.c
gives 0 'prints.c' '' build prints.adz -o never --no-asserts
check "which may be left out" sh -c '! grep -q E0614 never/prints.c'
gives 0 'prints.c' '' build prints.adz -o loud --keep-prints
cat >loud/main.c <<'END'
#include "prints.h"
#include <stdio.h>
int main(void)
{
    int64_t xs[2] = {1, 2}, sum = 0;
    int good = adze_sums(2, xs, 10, &sum);
    int bad = adze_sums(2, xs, 3, &sum);
    printf("%d %s\n", good, adze_sums_message(bad));
    return 0;
}
END
for cc in gcc clang; do
    command -v $cc >/dev/null || continue
    check "$cc takes what prints" $cc -Wall -Wextra -Werror -fopenmp loud/*.c -o loud/main -lm
    check "it runs" loud/main
    same "what it prints" "i = 0, s = 1 i = 1, s = 3 i = 0, s = 1 i = 1, s = 3 assertion failed: the sum is 3 " \
        "$(tr '\n' ' ' <"$scratch/err")"
    same "and its status" 1 "$(grep -c '^0 prints.adz:7:9: error E0614' "$scratch/out")"
done
gives 0 'int adze_sums' '' explain prints.adz sums --stage c
same "explain leaves prints out" 0 "$(grep -c print_ "$scratch/out")"
gives 0 'adze_print_i64(i)' '' explain prints.adz sums --stage c --keep-prints
gives 2 '' 'there is no option .--keep-prints' run prints.adz 1 --keep-prints

gives 0 '^6$' 'running: .* (median of 3 runs, ' run t.adz '1 + 5' --time=3
same "how long compiling took" 1 "$(grep -c '^compiling: ' "$scratch/err")"
gives 0 '^6$' '^interpreting: ' run t.adz '1 + 5' --time --interpret
gives 0 '"runs": 1000' '' run t.adz '1 + 5' --time --json
gives 0 '"reading": ' '' run tables.adz 'sum(load("column.txt"))' --time --json
gives 0 '^6$' '^reading: ' run tables.adz 'sum(load("column.txt"))' --time
gives 0 '^1 passed' 'titles.adz:1 "first one": interpreted .*, compiled ' test titles.adz --only first --time
gives 0 '"compiled"' '' test titles.adz --only first --time=2 --json
for count in 0 x -1; do
    gives 2 '' '--time takes the number of runs' run t.adz 1 --time=$count
done

# On a terminal, after a second; the line is gone in the end.
cat >terminal.py <<'END'
import os, pty, re, sys
out = b''
def read(fd):
    global out
    data = os.read(fd, 4096)
    out += data
    return data
pty.spawn(sys.argv[2:], read)
text = out.decode()
assert re.search(sys.argv[1], text), text
assert re.search('\r\x1b\\[K(?![^\n]*\\([0-9]+ s\\))', text), text
END
printf '#!/bin/sh\nsleep 2\nexec cc "$@"\n' >patient-cc
chmod +x patient-cc
check "compiling is told on a terminal" \
    python3 terminal.py 'compiling .* with .*patient-cc \(1 s\)' "$adze" run t.adz 98765 --cc ./patient-cc --no-cache
gives 0 '^98765$' '' run t.adz 98765 --cc ./patient-cc --no-cache
# with sanitizers, the interpreter takes ten times as long
case $adze in *-debug/*) rounds=4000000 ;; *) rounds=30000000 ;; esac
printf 'test "quick" { true }\ntest "long" { (range_sum('$rounds')) > 0 }\nfn range_sum(n: i64) -> i64 { let mut s = 0; for i in range(0, n) { s += i; } s }\n' >long.adz
check "the test that runs is told" python3 terminal.py 'running test 2 of 2, "long"' "$adze" test long.adz

# The second time, it is known how long it takes; the value alone is on standard output.
cat >slow.adz <<'END'
fn slow(n: i64) -> i64 {
    let mut x: i64 = 1;
    let mut i: i64 = 0;
    while i < n {
        x = x * 6364136223846793005 + 1442695040888963407;
        i += 1;
    }
    x
}
END
check "computing is told" python3 terminal.py 'computing \(1 s\)' "$adze" run slow.adz 'slow(1500000000)'
check "and how long it may take" python3 terminal.py 'computing \(1 s of about [0-9]+ s\)' \
    sh -c '"$1" run slow.adz "slow(1500000000)" >value' sh "$adze"
same "the value alone is on standard output" 1 "$(grep -c '^-*[0-9]*$' value)"

# --- signals -----------------------------------------------------------------------------------------

printf '#!/bin/sh\nsleep 10\n' >slow-cc
chmod +x slow-cc
rm -rf "$XDG_CACHE_HOME/adze"
"$adze" run t.adz 12345 --cc ./slow-cc >"$scratch/out" 2>"$scratch/err" &
pid=$!
sleep 0.5
kill -TERM $pid
wait $pid 2>/dev/null
same "a signal ends it as such" 143 $?
same "a signal leaves no temporary files" "" "$(temporary)"

report cli
