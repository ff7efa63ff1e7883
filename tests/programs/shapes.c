// What the generated C looks like, by counts: loops, memory, divisions and branches of small
// programs, and how the size of the output grows with the program.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "programs/shape.h"

// One entry: so many loops, no memory, and no division inside them.
static void fused(const char *entry, const char *program, int loops)
{
    Shape s = shape_of(entry, program);
    assert_counts(&s, loops, 0);
    assert_no_division(loops_text(s.body));
    shape_delete(&s);
}

// --- fusion ------------------------------------------------------------------------------------

static void dot_is_one_loop(void **state)
{
    (void)state;
    fused("dot",
          "entry fn dot[n: nat](a: [n]f32, b: [n]f32) -> f32 { zip(a, b) |> map(|(x, y)| x * y) |> "
          "reduce(+, 0.0) }",
          1);
}

static void maps_and_reduce_are_one_loop(void **state)
{
    (void)state;
    fused("f",
          "entry fn f[n: nat](a: [n]f32) -> f32 {"
          "  a |> map(|x| x + 1.0) |> map(|x| x * x) |> map(|x| x - 2.0) |> reduce(+, 0.0) }",
          1);
    fused("g",
          "entry fn g[n: nat](a: [n]f32) -> [n]f32 { a |> map(|x| x + 1.0) |> map(|x| x * x) |> "
          "map(|x| x - 2.0) }",
          1);
}

static void views_cost_nothing(void **state)
{
    (void)state;
    fused("a",
          "entry fn a[n: nat](x: [n]i32, y: [n]i32) -> [n]i32 { zip(x, y) |> map(|(p, q)| p - q) }",
          1);
    fused("b",
          "entry fn b[n: nat](x: [4 * n]i32) -> [n]i32 { x |> split[4] |> map(|q| q[0] - q[3]) }",
          1);
    fused("c", "entry fn c[n, m: nat](x: [n][m]i32) -> [n * m]i32 { x |> join |> map(|q| q + 1) }",
          1);
    fused("e",
          "entry fn e[n: nat](x: [n + 2]i32) -> [n]i32 { x |> slide[3, 1] |> map(|w| w[0] + w[1] + "
          "w[2]) }",
          1);
    fused("f",
          "entry fn f[n: nat](x: [n + 4]i32) -> [n]i32 { x |> drop[1] |> take[n + 2] |> drop[2] |> "
          "map(|q| -q) }",
          1);
    fused("g", "entry fn g[n: nat](x: [n]i32) -> [n]i32 { x |> reverse |> map(|q| -q) |> reverse }",
          1);
    fused("h",
          "entry fn h[n, m: nat](x: [n]i32, y: [m]i32) -> [n + m]i32 { x ++ y |> map(|q| -q) }", 2);
    fused("i",
          "entry fn i[n: nat](x: [2 * n]i32) -> [2 * n]i32 { x |> split[n] |> transpose |> join |> "
          "map(|q| q + 1) }",
          2);
    fused("j",
          "entry fn j[n: nat](x: [n](i32, f32)) -> [n](f32, i32) { x |> map(|(p, q)| (q, p)) }", 1);
    fused("k", "entry fn k[n: nat](x: [n]i32) -> [n](i32, i32) { zip(x, reverse(x)) }", 1);
}

static void products_have_their_loops(void **state)
{
    (void)state;
    fused("gemv",
          "entry fn gemv[n, m: nat](a: [n][m]f32, x: [m]f32) -> [n]f32 {"
          "  a |> map(|row| zip(row, x) |> map(|(p, q)| p * q) |> reduce(+, 0.0)) }",
          2);
    Shape s = shape_of(
        "matmul", "entry fn matmul[n, k, m: nat](a: [n][k]f32, b: [k][m]f32) -> [n][m]f32 {"
                  "  a |> map(|row| transpose(b) |> map(|col| zip(row, col) |> map(|(p, q)| p * q) "
                  "|> reduce(+, 0.0))) }");
    // rows, blocks of sums; these are begun, take four rows at a time, then the others, are stored
    assert_counts(&s, 8, 0);
    shape_delete(&s);
}

static void transpositions_are_done_in_blocks(void **state)
{
    (void)state;
    static const char program[] = "entry fn d[n, m: nat](x: [n][m]i32) -> [m][n]i32 {"
                                  "  x |> transpose |> map(map(|q| q + 1)) }";
    Shape s = shape_of("d", program);
    // blocks of columns: four rows of these at a time, then the others
    assert_counts(&s, 5, 0);
    assert_no_division(innermost(s.file.cx, s.body));
    shape_delete(&s);
}

// Relaxation in place, and one grid beside the result where every element needs the old ones around it; nothing about shapes is
// computed in the inner loops.
static void grids_need_no_others(void **state)
{
    (void)state;
    Shape s = shape_of("pde", "fn relax[n: nat](c: i64, u: [n][n][n]f64) -> [n][n][n]f64 {"
                              "  with (. < [i, j, k] < .) { if (i + j + k) % 2 == c {"
                              "    u[i - 1, j, k] + u[i + 1, j, k] + u[i, j, k - 1] }"
                              "  else { u[i, j, k] } } modarray u }"
                              "entry fn pde[n: nat](k: nat, u: [n][n][n]f64) -> [n][n][n]f64 {"
                              "  u |> iterate[k](|u| u |> relax(0) |> relax(1)) }");
    assert_counts(&s, 9, 0); // the copy, the steps, the colours
    assert_no_division(innermost(s.file.cx, s.body));
    shape_delete(&s);
    s = shape_of("life", "fn next[s: shape](a: [..s]i32) -> [..s]i32 {"
                         "  let sums = with (. < iv < .) { with (ov < repeat[rank(a)](3)) {"
                         "    a[iv + ov - 1] } fold(+, 0) } genarray(s);"
                         "  a - sums }"
                         "entry fn life[n, m: nat](k: nat, a: [n][m]i32) -> [n][m]i32 {"
                         "  a |> iterate[k](next) }");
    assert_counts(&s, 14, 1);
    assert_no_division(innermost(s.file.cx, s.body));
    shape_delete(&s);
}

static void eager_arrays_are_stored_once(void **state)
{
    (void)state;
    Shape s = shape_of("f", "entry fn f[n: nat](x: [n]i32) -> [n]i32 {"
                            "  let a = scan(+, 0, x); zip(a, reverse(a)) |> map(|(p, q)| p - q) }");
    assert_counts(&s, 2, 1);
    shape_delete(&s);
    s = shape_of("g", "entry fn g[n: nat](x: [n]i32) -> [n]i32 { x |> scan(+, 0) |> reverse }");
    assert_counts(&s, 1, 0);
    shape_delete(&s);
}

// --- borders -----------------------------------------------------------------------------------

static const char *const blur =
    "fn row[n: nat](r: [n]f32) -> [n]f32 {"
    "  r |> pad[1, 1](clamp) |> slide[3, 1] |> map(|w| 0.25 * w[0] + 0.5 * w[1] + 0.25 * w[2]) }"
    "entry fn across[h, w: nat](a: [h][w]f32) -> [h][w]f32 { map(row, a) }"
    "entry fn blur[h, w: nat](a: [h][w]f32) -> [h][w]f32 { a |> map(row) |> transpose |> map(row) "
    "|> transpose }";

// The line that starts the longest loop over the interior, and its body.
static void assert_plain_interior(const Shape *s)
{
    bool found = false;
    for (const char *at = s->body; (at = strstr(at, "for (")); at++) {
        const char *inner = innermost(s->file.cx, at);
        if (strchr(inner, '?') || strstr(inner, "if (") || strstr(inner, "_min(") ||
            strstr(inner, "_max(") || strstr(inner, "adze_"))
            continue;
        if (count(inner, "for (") == 1 && count(inner, "[") >= 4) found = true;
    }
    if (!found) fail_msg("no loop over the interior without a branch in\n%s", s->body);
}

static void interiors_have_no_branches(void **state)
{
    (void)state;
    Shape s = shape_of("across", blur);
    assert_plain_interior(&s);
    assert_int_equal(count_arrays(&s), 0);
    shape_delete(&s);
    s = shape_of("blur", blur);
    assert_plain_interior(&s);
    assert_int_equal(count_arrays(&s), 1); // three rows, for both stages are in one loop
    for (const char *at = s.body; (at = strstr(at, "for (")); at++)
        assert_no_division(innermost(s.file.cx, at));
    shape_delete(&s);
}

// Arithmetic on indices that memory, or a condition on sizes, keeps within 64 bits is arithmetic on
// sizes: no detour by unsigned numbers, and no check in the loops.
static const char index_arithmetic[] =
    "fn at[n: nat](u: &[n][n]f32, x: i64, y: i64) -> f32 {\n"
    "    if x < 0 || x >= n || y < 0 || y >= n { 0.0 } else { u[y, x] }\n"
    "}\n"
    "entry fn square[n: nat](u: [n][n]f32) -> [n][n]f32 {\n"
    "    generate(n, |y| generate(n, |x| at(&u, i64(x) - 1, i64(y)) + at(&u, i64(x), i64(y) + "
    "1)))\n"
    "}\n"
    "entry fn levels[n: nat](u: [2 * n][2 * n]f32) -> [n][n]f32 {\n"
    "    generate(n, |y| generate(n, |x| u[2 * y + 1, 2 * x] + u[2 * y, 2 * x + 1]))\n"
    "}\n"
    "entry fn triangle[n, t: nat](l: [t]f32, v: [n]f32) -> [n]f32 where 2 * t == n * n - n {\n"
    "    generate(n, |i| {\n"
    "        let mut sum = v[i];\n"
    "        for j in range(0, i) { sum += l[i * (i - 1) / 2 + j] * v[j]; }\n"
    "        sum\n"
    "    })\n"
    "}\n";

static void index_arithmetic_is_on_sizes(void **state)
{
    (void)state;
    static const char *const entries[] = {"square", "levels", "triangle"};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        Shape s = shape_of(entries[i], index_arithmetic);
        if (strstr(s.body, "uint64_t")) fail_msg("%s:\n%s", entries[i], s.body);
        shape_delete(&s);
    }
}

// --- growth ------------------------------------------------------------------------------------

typedef struct {
    size_t text;
    uint32_t nodes, loops;
} Cost;

static Cost cost_of(const char *program)
{
    Shape s = shape_of("f", program);
    Cost c = {strlen(s.body), node_count(s.file.cx), (uint32_t)count(s.body, "for (")};
    shape_delete(&s);
    return c;
}

// From length n to 2n everything at most doubles, give or take a constant.
static void assert_linear(Cost (*cost)(int length))
{
    Cost at[] = {cost(5), cost(10), cost(20), cost(40)};
    for (int i = 0; i < 3; i++) {
        bool text = at[i + 1].text <= 2 * at[i].text + 400;
        bool nodes = at[i + 1].nodes <= 2 * at[i].nodes + 2000;
        if (!text || !nodes)
            fail_msg("C of %zu, %zu, %zu, %zu bytes; %u, %u, %u, %u nodes", at[0].text, at[1].text,
                     at[2].text, at[3].text, at[0].nodes, at[1].nodes, at[2].nodes, at[3].nodes);
    }
}

static Cost cost_of_maps(int length)
{
    Arena *arena = arena_new();
    Text p = text_new(arena);
    text_put(&p, "entry fn f[n: nat](x: [n]f32) -> [n]f32 { x");
    for (int i = 0; i < length; i++) text_printf(&p, " |> map(|v| v * v + %d.0)", i);
    text_put(&p, " }");
    Cost c = cost_of(text_get(&p));
    arena_delete(arena);
    assert_int_equal(c.loops, 1);
    return c;
}

static Cost cost_of_lets(int length)
{
    Arena *arena = arena_new();
    Text p = text_new(arena);
    text_put(&p, "entry fn f[n: nat](x: [n]i32) -> [n]i32 { x |> map(|v0| {");
    for (int i = 0; i < length; i++) text_printf(&p, " let v%d = v%d * v%d + v%d;", i + 1, i, i, i);
    text_printf(&p, " v%d }) }", length);
    Cost c = cost_of(text_get(&p));
    arena_delete(arena);
    assert_int_equal(c.loops, 1);
    return c;
}

static Cost cost_of_zips(int length)
{
    Arena *arena = arena_new();
    Text p = text_new(arena);
    text_put(&p, "entry fn f[n: nat](x0: [n]i32) -> [n]i32 {");
    for (int i = 0; i < length; i++)
        text_printf(&p, " let x%d = zip(x%d, x%d) |> map(|(p, q)| p * q + %d);", i + 1, i, i, i);
    text_printf(&p, " x%d }", length);
    Cost c = cost_of(text_get(&p));
    arena_delete(arena);
    return c;
}

static void long_chains_grow_linearly(void **state)
{
    (void)state;
    assert_linear(cost_of_maps);
    assert_linear(cost_of_lets);
    assert_linear(cost_of_zips);
}

static Cost cost_of_view_chain(int depth)
{
    Arena *arena = arena_new();
    Text p = text_new(arena);
    text_put(&p, "entry fn f[n: nat](x: [4 * n]i32) -> [4 * n]i32 where n > 0 { x");
    for (int i = 0; i < depth; i++)
        text_put(&p, " |> pad[1, 1](clamp) |> slide[3, 1] |> map(|w| w[0] + w[1] - w[2]) |> "
                     "split[4] |> map(reverse) |> join");
    text_put(&p, " }");
    Cost c = cost_of(text_get(&p));
    arena_delete(arena);
    return c;
}

// Each stage reads three elements of the one before, so stages are stored; the C grows by a
// constant per stage.
static void deep_view_chains_stay_small(void **state)
{
    (void)state;
    Cost at[] = {cost_of_view_chain(1), cost_of_view_chain(2), cost_of_view_chain(4)};
    size_t step = at[1].text - at[0].text;
    if (at[2].text > at[1].text + 2 * step + step / 2 + 400)
        fail_msg("C of %zu, %zu, %zu bytes", at[0].text, at[1].text, at[2].text);
}

static Cost cost_of_pure_views(int depth)
{
    Arena *arena = arena_new();
    Text p = text_new(arena);
    text_put(&p, "entry fn f[n: nat](x: [8 * n]i32) -> [8 * n]i32 { x");
    for (int i = 0; i < depth; i++) text_put(&p, " |> split[2] |> transpose |> join |> reverse");
    text_put(&p, " }");
    Cost c = cost_of(text_get(&p));
    arena_delete(arena);
    return c;
}

static void pure_view_chains_stay_small(void **state)
{
    (void)state;
    Cost at[] = {cost_of_pure_views(1), cost_of_pure_views(2), cost_of_pure_views(4)};
    if (at[2].text > 3 * at[1].text)
        fail_msg("C of %zu, %zu, %zu bytes", at[0].text, at[1].text, at[2].text);
}

// --- hints for the C compiler --------------------------------------------------------------------

static int count_in(const char *program, const char *what)
{
    Shape s = shape_of("f", program);
    int n = count(s.body, what);
    shape_delete(&s);
    return n;
}

// An index of type i32 is one in C where it is only converted and a position.
static void indices_are_as_narrow_as_written(void **state)
{
    (void)state;
    static const char narrow[] = "for (int32_t ", check[] = " >= n)";
    const char *sum = "entry fn f[n: nat](xs: [n]f32) -> f32 { let mut sum = 0.0; "
                      "for j in range(0, i32(n)) { sum += f32(j * j) * xs[j]; } sum }";
    assert_int_equal(count_in(sum, narrow), 1);
    assert_int_equal(count_in(sum, check), 0); // i32(n) <= n
    assert_int_equal(count_in("entry fn f[n: nat](xs: [n]f32) -> f32 { let mut sum = 0.0; "
                              "for j in range(0, i32(n) + 1) { sum += xs[j]; } sum }",
                              check),
                     1);
    assert_int_equal(count_in("entry fn f[n: nat](xs: [n]f32) -> f32 { let mut sum = 0.0; "
                              "for j in range(0, n) { sum += f32(i32(j)) * xs[j]; } sum }",
                              narrow),
                     0);
    assert_int_equal(
        count_in(
            "entry fn f[n: nat](xs: [2 * n]f32) -> f32 { let mut sum = 0.0; "
            "for j in range(0, i32(n)) { sum += f32(j) * unchecked { xs[2 * i64(j)] }; } sum }",
            narrow),
        0);
}

// Three arrays of 16 that could be taken apart, in loops inside each other.
static void writing_out_has_an_end(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Text p = text_new(arena);
    text_put(&p, "entry fn f(x: i32) -> i32 {");
    for (char c = 'd'; c >= 'b'; c--)
        text_printf(&p, "let mut %c = repeat[16](x); for k in range(0, 16) { %c[k] = x * i32(k); }",
                    c, c);
    text_put(&p, "for j in range(0, 16) { for k in range(0, 16) { for l in range(0, 16) {"
                 "d[l] = d[l] + c[k] * b[j]; } c[k] = c[k] + b[j]; } b[j] = b[j] + 1; } 0");
    for (char c = 'b'; c <= 'd'; c++)
        for (int k = 0; k < 16; k++) text_printf(&p, " + %c[%d]", c, k);
    text_put(&p, " }");
    Shape s = shape_of("f", text_get(&p));
    if (strlen(s.body) > 30000) fail_msg("C of %zu bytes", strlen(s.body));
    shape_delete(&s);
    arena_delete(arena);
}

// Iterations on a thread that store to what they do not read are said to be apart.
static void loops_of_threads_are_apart(void **state)
{
    (void)state;
    static const char apart[] = "#pragma GCC ivdep";
    static const char rows[] =
        "entry fn f[h, w: nat](a: [h][w]f32) -> [h][w]f32 { let mut out = a; "
        "for y in %s { for x in range(1, w) { out[y, x] = %s; } } out }";
    char program[512];
    snprintf(program, sizeof program, rows, "parallel(0, 0, h)", "a[y, x - 1] + a[y, x]");
    assert_int_equal(count_in(program, apart), 1);
    snprintf(program, sizeof program, rows, "parallel(0, 0, h)", "out[y, x - 1] + a[y, x]");
    assert_int_equal(count_in(program, apart), 0);
    snprintf(program, sizeof program, rows, "range(0, h)", "a[y, x - 1] + a[y, x]");
    assert_int_equal(count_in(program, apart), 0);
    // a place that depends on more than the index
    assert_int_equal(count_in("entry fn f[h, w: nat](ks: [h][w]idx[w], a: [h][w]i32) -> "
                              "[h][2 * w]i32 { let mut out = repeat[h](repeat[2 * w](0)); "
                              "for y in parallel(0, 0, h) { for x in range(0, w) { "
                              "let k = ks[y, x]; out[y, x + k] = a[y, x]; } } out }",
                              apart),
                     0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dot_is_one_loop),
        cmocka_unit_test(maps_and_reduce_are_one_loop),
        cmocka_unit_test(views_cost_nothing),
        cmocka_unit_test(products_have_their_loops),
        cmocka_unit_test(grids_need_no_others),
        cmocka_unit_test(eager_arrays_are_stored_once),
        cmocka_unit_test(transpositions_are_done_in_blocks),
        cmocka_unit_test(interiors_have_no_branches),
        cmocka_unit_test(index_arithmetic_is_on_sizes),
        cmocka_unit_test(long_chains_grow_linearly),
        cmocka_unit_test(deep_view_chains_stay_small),
        cmocka_unit_test(pure_view_chains_stay_small),
        cmocka_unit_test(indices_are_as_narrow_as_written),
        cmocka_unit_test(loops_of_threads_are_apart),
        cmocka_unit_test(writing_out_has_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
