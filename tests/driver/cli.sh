#!/bin/sh
# cli.sh ADZE: the command line from outside: exit statuses, output, errors, and that nothing is
# left half-written.
# shellcheck disable=SC2016 # backquotes in messages
. "$(dirname "$0")/support.sh"

# --- usage ----------------------------------------------------------------------------------------

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

# --- new, test, fmt, check ------------------------------------------------------------------------

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

t_adz
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
# Tests chosen by their titles.
printf 'test "first one" { true }\ntest "second" { false }\n' >titles.adz
gives 0 '^1 passed, 0 failed' '' test titles.adz --only first
gives 1 '^0 passed, 1 failed' '*' test titles.adz --only second
gives 0 '^1 passed, 0 failed' '' test titles.adz --races --only one
gives 1 '^0 passed, 0 failed' '--only third: no test' test titles.adz --only third

# --- build ----------------------------------------------------------------------------------------

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

# --- run ------------------------------------------------------------------------------------------

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

# --- files of arrays ------------------------------------------------------------------------------

data=$root/examples/data

# For any sizes first, for those of the arrays when they come again or are small. The compiler
# tells what it was given.
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
# compiles GIVEN ARGUMENTS..: what the parameters of the compiled code begin with ('' when nothing
# is compiled), and that the result
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

# --- fixed sizes ----------------------------------------------------------------------------------

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

# --- arrays and pictures --------------------------------------------------------------------------

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

# --- text, archives, plots ------------------------------------------------------------------------

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

# --- sizes beyond 64 bits -------------------------------------------------------------------------

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

# The interpreter finds the function for each of 200000 sizes without looking at all others, which
# would take a minute.
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

# --- zeros ----------------------------------------------------------------------------------------

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

# --- atomic updates -------------------------------------------------------------------------------

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

# --- rules ----------------------------------------------------------------------------------------

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

# --- modules --------------------------------------------------------------------------------------

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

# --- files of structs -----------------------------------------------------------------------------

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

# --- values that files do not hold ----------------------------------------------------------------

gives 1 '' 'help: unzip(...) gives an array for each component' run t.adz '[(1, 2.5)]' -o pairs.npy

# --- json -----------------------------------------------------------------------------------------

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

# --- signals --------------------------------------------------------------------------------------

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
