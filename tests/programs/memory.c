// The functions around a workspace, called from C: `adze_f` allocates what `adze_f_workspace` says, once, and frees it on every way;
// `adze_f_in` allocates nothing and stays in its bytes. Under sanitizers, and optimised as much as can be.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "programs/pipeline.h"
#include "this_cc.h"

static const char program[] =
    "entry fn chain[n: nat, m: nat](a: [n]f32, b: [m]i32) -> (f32, i32) {\n"
    "    let s = a |> scan(+, 0.0);\n"
    "    let t = s |> map(|x| x * 2.0) |> scan(+, 0.0);\n"
    "    let u = t |> scan(+, 1.0);\n"
    "    let v = b |> scan(+, 0);\n"
    "    (u |> reduce(+, 0.0), reverse(v) |> scan(+, 0) |> reduce(+, 0))\n"
    "}\n"
    "entry fn checked[n: nat](a: [n]i32, k: i64) -> i32 {\n"
    "    let s = a |> scan(+, 0);\n"
    "    let t = reverse(s) |> scan(+, 0);\n"
    "    t[k]\n"
    "}\n"
    "entry fn looped[n: nat](a: [n]i32) -> i32 {\n"
    "    let mut total = 0;\n"
    "    for i in range(0, 3) {\n"
    "        let s = a |> scan(+, 0);\n"
    "        total += reverse(s) |> scan(+, i as i32) |> reduce(+, 0);\n"
    "    }\n"
    "    total\n"
    "}\n"
    "fn deep[n: nat](xs: [n]i32, depth: i32) -> i32 {\n"
    "    let s = xs |> scan(+, 0);\n"
    "    if depth == 0 { s |> reduce(+, 0) } else { deep(s, depth - 1) + s[0] }\n"
    "}\n"
    "entry fn called[n: nat](a: [n + 1]i32, depth: i32) -> i32 {\n"
    "    deep(a, depth)\n"
    "}\n"
    "entry fn either[n: nat](a: [n]i32) -> i32 {\n"
    "    let small: nat = 10;\n"
    "    if n <= small { a |> reduce(+, 0) } else { reverse(a |> scan(+, 0)) |> scan(+, 0) |> "
    "reduce(+, 0) }\n"
    "}\n"
    "entry fn rows[n: nat, m: nat](a: [n][m]i32) -> [n]i32 {\n"
    "    let mut out = repeat[n](0);\n"
    "    parallel(0, 0, n, |i| {\n"
    "        let s = a[i] |> scan(+, 0);\n"
    "        out[i] = reverse(s) |> scan(+, 0) |> reduce(+, 0);\n"
    "    });\n"
    "    out\n"
    "}\n";

// What the linker puts in the place of the allocation functions counts.
static const char test[] =
    "#include \"memory.h\"\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "static size_t bytes, calls, freed;\n"
    "void *__real_aligned_alloc(size_t, size_t);\n"
    "void *__wrap_aligned_alloc(size_t to, size_t n);\n"
    "void *__wrap_aligned_alloc(size_t to, size_t n)\n"
    "{ bytes += n; calls++; return __real_aligned_alloc(to, n); }\n"
    "void __real_free(void *);\n"
    "void __wrap_free(void *p);\n"
    "void __wrap_free(void *p) { freed += p != NULL; __real_free(p); }\n"
    "static int bad;\n"
    "static void expect(int line, long long got, long long want)\n"
    "{ if (got != want) { printf(\"line %d: %lld, not %lld\\n\", line, got, want); bad = 1; } }\n"
    "#define EXPECT(got, want) expect(__LINE__, (long long)(got), (long long)(want))\n"
    "static void start(void) { bytes = calls = freed = 0; }\n"
    "static void allocated(int line, size_t n, size_t b)\n"
    "{ expect(line, (long long)calls, (long long)n); expect(line, (long long)freed, (long "
    "long)n);\n"
    "  expect(line, (long long)bytes, (long long)(b + 64 * n)); }\n" // each begins with its size
    "static void *workspace(size_t n)\n"
    "{ void *w = __real_aligned_alloc(64, n); memset(w, 0xa5, n); return w; }\n"
    "static float xs[1000];\n"
    "static int32_t ys[1000];\n"
    "static void chains(int64_t n, int64_t m)\n"
    "{\n"
    "    float f[2];\n"
    "    int32_t i[2];\n"
    "    size_t need = adze_chain_workspace(n, m), larger = 4 * (size_t)(n > m ? n : m);\n"
    "    EXPECT(need, (larger / 64 + 1) * 64 + (4 * (size_t)m / 64 + 1) * 64);\n"
    "    start();\n"
    "    EXPECT(adze_chain(n, m, xs, ys, &f[0], &i[0]), 0);\n"
    "    allocated(__LINE__, 1, need);\n"
    "    void *w = workspace(need);\n"
    "    start();\n"
    "    for (int k = 0; k < 2; k++) { // again in the same memory\n"
    "        EXPECT(adze_chain_in(n, m, xs, ys, &f[1], &i[1], w), 0);\n"
    "        EXPECT(f[0] == f[1] && i[0] == i[1], 1);\n"
    "    }\n"
    "    allocated(__LINE__, 0, 0);\n"
    "    __real_free(w);\n"
    "    float s = 0, t = 0, u = 1, sum = 0;\n"
    "    for (int64_t k = 0; k < n; k++) { s += xs[k]; t += s * 2; u += t; sum += u; }\n"
    "    EXPECT(f[0] == sum, 1);\n"
    "}\n"
    "int main(void)\n"
    "{\n"
    "    for (int k = 0; k < 1000; k++) { xs[k] = (float)(k % 3); ys[k] = k % 7; }\n"
    "    for (int64_t n = 0; n < 40; n += 13)\n"
    "        for (int64_t m = 0; m < 40; m += 13) chains(n, m);\n"
    "    chains(1000, 999);\n"
    "    int32_t r;\n"
    "    size_t need = adze_checked_workspace(100);\n"
    "    start();\n"
    "    EXPECT(adze_checked(100, ys, 99, &r), 0);\n"
    "    allocated(__LINE__, 1, need);\n"
    "    start();\n"
    "    EXPECT(strstr(adze_checked_message(adze_checked(100, ys, 100, &r)), \"E0601\") != NULL, "
    "1);\n"
    "    allocated(__LINE__, 0, 0);\n"
    "    start();\n"
    "    EXPECT(strstr(adze_checked_message(adze_checked(-1, ys, 0, &r)), \"E0604\") != NULL, 1);\n"
    "    EXPECT(adze_checked_workspace(-1), 0);\n"
    "    EXPECT(calls, freed);\n"
    "    EXPECT(adze_checked_workspace(INT64_MAX) == SIZE_MAX, 1);\n"
    "    EXPECT(adze_checked_workspace(INT64_MAX / 4) == SIZE_MAX, 1);\n"
    "    start();\n"
    "    EXPECT(strstr(adze_checked_message(adze_checked(INT64_MAX, ys, 0, &r)), \"E0606\") != "
    "NULL, 1);\n"
    "    EXPECT(freed, 0);\n"
    "    start();\n"
    "    EXPECT(adze_looped(50, ys, &r), 0);\n"
    "    allocated(__LINE__, 1, adze_looped_workspace(50));\n"
    "    start();\n"
    "    EXPECT(adze_called(19, ys, 5, &r), 0); // a function that calls itself: for each call\n"
    "    allocated(__LINE__, 6, 6 * 128);\n"
    "    start();\n"
    "    EXPECT(adze_either(10, ys, &r), 0); // nothing where it takes the way without arrays\n"
    "    EXPECT(r, 24);\n"
    "    allocated(__LINE__, 0, 0);\n"
    "    EXPECT(adze_either_in(10, ys, &r, NULL), 0);\n"
    "    EXPECT(adze_either(11, ys, &r), 0);\n"
    "    allocated(__LINE__, 1, adze_either_workspace(11));\n"
    "    EXPECT(adze_either_workspace(11) >= 64, 1);\n"
    "    EXPECT(adze_either_workspace(INT64_MAX) == SIZE_MAX, 1);\n"
    "    start();\n"
    "    int32_t sums[20];\n"
    "    EXPECT(adze_rows(20, 16, ys, sums), 0);\n"
    "    EXPECT(calls, freed);\n"
    "    return bad;\n"
    "}\n";

typedef struct {
    Session *cx;
    LoopEntry **entries;
    int n;
    const char *dir;
} Emission;

static void emit_all(void *env)
{
    Emission *e = env;
    write_text(arena_printf(e->cx->arena, "%s/memory.c", e->dir),
               emit_text(e->cx, e->entries, e->n, false, e->dir, "memory.h"));
}

static void run(const char *dir, const char *cc, const char *level, const char *sanitize,
                const char *threads)
{
    char program_path[256], source[256], object[256], main_path[256];
    snprintf(program_path, sizeof program_path, "%s/test", dir);
    snprintf(source, sizeof source, "%s/memory.c", dir);
    snprintf(object, sizeof object, "%s/memory.o", dir);
    snprintf(main_path, sizeof main_path, "%s/test.c", dir);
    const char *compile[] = {cc,
                             "-std=c17",
                             level,
                             "-Wall",
                             "-Wextra",
                             "-Werror",
                             "-g",
                             sanitize,
                             "-fno-sanitize-recover=all",
                             threads,
                             "-ffp-contract=off",
                             "-c",
                             "-o",
                             object,
                             source,
                             NULL};
    const char *link[] = {cc,
                          "-std=c17",
                          "-g",
                          sanitize,
                          threads,
                          "-o",
                          program_path,
                          main_path,
                          object,
                          "-I",
                          dir,
                          "-lm",
                          "-Wl,--wrap=aligned_alloc",
                          "-Wl,--wrap=free",
                          NULL};
    const char *call[] = {program_path, NULL};
    if (!finish_command(start_command(compile))) fail_msg("%s %s does not compile", cc, level);
    if (!finish_command(start_command(link))) fail_msg("%s %s does not link", cc, level);
    if (!finish_command(start_command(call))) fail_msg("%s %s: the test fails", cc, level);
}

static void workspaces_are_as_planned(void **state)
{
    (void)state;
    static const char *const names[] = {"chain", "checked", "looped", "called", "either", "rows"};
    enum { N = sizeof names / sizeof *names };
    File f = read_program("memory.adz", program);
    assert_non_null(f.program);
    LoopEntry *loops[N];
    for (int i = 0; i < N; i++) {
        Stages s = run_stages(&f, find_entry(&f, names[i]));
        assert_true(s.done);
        loops[i] = s.loops[LOOPS_DONE];
    }
    char dir[] = "/tmp/adze-memory-XXXXXX", path[256];
    assert_non_null(mkdtemp(dir));
    Emission e = {f.cx, loops, N, dir};
    if (!guarded(f.cx, emit_all, &e)) fail_msg("%s", take_diagnostics(f.cx));
    snprintf(path, sizeof path, "%s/test.c", dir);
    write_text(path, test);
    run(dir, THIS_CC, "-O1", "-fsanitize=address,undefined", "-fopenmp-simd");
    run(dir, THIS_CC, "-O3", "-DNDEBUG", "-fopenmp-simd");
    run(dir, "gcc", "-O3", "-march=native", "-fopenmp");
    const char *clean[] = {"rm", "-rf", dir, NULL};
    finish_command(start_command(clean));
    session_delete(f.cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(workspaces_are_as_planned)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
