#!/bin/sh
# c_files.sh ADZE: the files that `adze build` writes: versions for processors, headers, workspaces,
# functions and names of C.
# shellcheck disable=SC2016 # backquotes in messages
. "$(dirname "$0")/support.sh"
t_adz

# --- versions for several processors --------------------------------------------------------------

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

# --- headers --------------------------------------------------------------------------------------

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

# --- workspaces that are kept ---------------------------------------------------------------------

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

# --- functions of C -------------------------------------------------------------------------------

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

# --- names that C would read otherwise, and names of several files --------------------------------

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

report c_files
