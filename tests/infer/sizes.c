// Sizes: what is solved, what is proved, what becomes a check, what is refuted.
#include "infer/support.h"

typedef struct {
    const char *source, *function, *type, *checks;
} Case;

// The result type of the function as declared is checked by the body; `checks` is what is left to
// the run time.
static void test_checks(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"fn f[k: nat](xs: [4 * k]f32) -> [k][4]f32 { split[4](xs) }", "f", "[k][4]f32", ""},
        {"fn f[k: nat](xs: [4 * k]f32) -> [k][4]f32 { split(xs) }", "f", "[k][4]f32", ""},
        {"fn f[n: nat](xs: [n]f32) -> [n / 4][4]f32 { split[4](xs) }", "f", "[n/4][4]f32",
         "n % 4 == 0"},
        {"fn f[n: nat](xs: [n]f32) -> [n]f32 where n % 4 == 0 { split[4](xs) |> map(|x| x) |> join "
         "}",
         "f", "[n]f32", ""},
        {"fn f[n m: nat](xs: [n * m]f32) -> [n * m]f32 where m > 0 { xs |> split[m] |> join }", "f",
         "[m*n]f32", ""},
        {"fn f[n m: nat](xs: [n * m]f32) -> [n * m]f32 { xs |> split[m] |> join }", "f", "[m*n]f32",
         "1 <= m"},
        {"fn f[n m: nat](a: [n]f32, b: [m]f32) -> f32 { reduce(+, 0.0, map(|(x, y)| x * y, zip(a, "
         "b))) }",
         "f", "f32", "n == m"},
        {"fn f[n m: nat](a: [n]f32, b: [m]f32) -> [m]f32 { map(|(x, y)| x * y, zip(a, b)) }", "f",
         "[m]f32", "n == m"},
        {"fn f[n: nat](a: [n]f32) -> [n]f32 { a |> pad[1, 1](clamp) |> slide[3, 1] |> map(|w| "
         "w[1]) }",
         "f", "[n]f32", "1 <= n"},
        {"fn f[n: nat](a: [n]f32) -> [n]f32 { a |> pad[1, 1](const(0)) |> slide[3, 1] |> map(|w| "
         "w[1]) }",
         "f", "[n]f32", ""},
        {"fn f[n: nat](a: [n]f32) -> [n - 2]f32 { a |> slide[3, 1] |> map(|w| w[1]) }", "f",
         "[n - 2]f32", "2 <= n"},
        {"fn f[n: nat](a: [n]f32) -> [n - 2]f32 where n >= 2 { a |> slide[3, 1] |> map(|w| w[1]) }",
         "f", "[n - 2]f32", ""},
        {"fn f[n: nat](a: [n]f32) -> [n - 1]f32 { a[1..] }", "f", "[n - 1]f32", "1 <= n"},
        {"fn f[n: nat](a: [n + 1]f32) -> [n]f32 { a[1..] }", "f", "[n]f32", ""},
        {"fn f[n: nat](a: [n]f32) -> [n]f32 { take[4](a) ++ drop[4](a) }", "f", "[n]f32", "4 <= n"},
        {"fn f[n: nat](a: [n]f32) -> [n]f32 { a[..n / 2] ++ a[n / 2..] }", "f", "[n]f32", ""},
        {"fn f[n: nat](a: [n]f32) -> [n - 3]i64 { generate(n - 3, |i| i64(i)) }", "f", "[n - 3]i64",
         "3 <= n"},
        {"fn f[n m: nat](a: [n][m]f32) -> [n][m]f32 { a |> transpose |> map(reverse) |> transpose "
         "}",
         "f", "[n][m]f32", ""},
        {"fn f[n m k: nat](a: [n][m][k]f32) -> [k][n][m]f32 { a |> map(transpose) |> transpose }",
         "f", "[k][n][m]f32", ""},
        {"fn f[n m: nat](a: [n]f32) -> [m]f32 { a }", "f", "[m]f32", "m == n"},
        {"fn g[n: nat](a: [n]f32) -> f32 where n % 2 == 0, n > 3 { a[0] }\n"
         "fn f[n: nat](a: [n]f32) -> f32 { g(a) }",
         "f", "f32", "n % 2 == 0; 4 <= n"},
        {"fn g[n: nat](a: [n]f32) -> f32 where n % 2 == 0 { a[0] }\n"
         "fn f[n: nat](a: [n]f32) -> f32 where n % 4 == 0 { g(a) }",
         "f", "f32", ""},
        {"fn g[n m: nat](a: [n]f32, b: [m]f32) -> [n + m]f32 { a ++ b }\n"
         "fn f[n: nat](a: [n]f32) -> [2 * n]f32 { g(a, a) }",
         "f", "[2*n]f32", ""},
        {"fn f[n: nat](a: [n]f32) -> [n]f32 { let m: nat = n / 2; take[m](a) ++ drop[m](a) }", "f",
         "[n]f32", ""},
        {"fn f[n m: nat](a: [n]f32, b: [m]f32) -> bool { a == b }", "f", "bool", "n == m"},
        {"fn f[n m: nat](c: bool, a: [n]f32, b: [m]f32) -> [n]f32 { if c { a } else { b } }", "f",
         "[n]f32", "n == m"},
        {"fn f[r n: nat](w: [2 * r + 1]f32, a: [n]f32) -> [n]f32 {\n"
         "a |> pad[r, r](const(0)) |> slide[2 * r + 1, 1] |> map(|v| reduce(+, 0.0, map(|(x, y)| x "
         "* y, zip(v, w)))) }",
         "f", "[n]f32", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Inferred r = infer_good(cases[i].source);
        const Function *f = find_function(&r, cases[i].function);
        assert_string_equal(type_show(r.cx, f->result), cases[i].type);
        const char *checks = show_checks(&r, &f->checks);
        if (strcmp(checks, cases[i].checks) != 0)
            fail_msg("%s: checks %s, not %s", cases[i].source, checks, cases[i].checks);
        session_delete(r.cx);
    }
}

// An index of exactly the array's length needs no check at run time; any other does.
static void test_positions(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        bool checked;
    } cases[] = {
        {"generate(n, |i| a[i])", false}, {"generate(n, |i| a[i + 0])", true},
        {"generate(m, |i| b[i])", false}, {"generate(m, |i| a[i])", true},
        {"generate(n, |i| a[0])", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "fn f[n m: nat](a: [n]f32, b: [m]f32) -> [%s]f32 { %s }",
                 strstr(cases[i].body, "generate(m") ? "m" : "n", cases[i].body);
        Inferred r = infer_good(text);
        Text out = text_new(r.cx->arena);
        core_print(r.cx, &out, find_function(&r, "f"));
        assert_int_equal(strstr(text_get(&out), "to_idx") != NULL, cases[i].checked);
        session_delete(r.cx);
    }
}

// A border mode that is a parameter: one function for each mode, and const needs no element.
static void test_borders(void **state)
{
    (void)state;
    Inferred r = infer_good(
        "fn p[n: nat, t: data](b: mode[t], a: [n]t) -> [n + 2]t { pad[1, 1](b, a) }\n"
        "fn f[n: nat](a: [n]f32) -> [n + 2]f32 { p(clamp, a) }\n"
        "fn g[n: nat](a: [n]f32) -> [n + 2]f32 { p(const(1), a) }\n"
        "fn h[n: nat](a: [n]f32) -> [n + 6]f32 { a |> p(wrap) |> p(wrap) |> p(const(2)) }");
    assert_string_equal(show_checks(&r, &find_function(&r, "p(clamp)")->checks), "1 <= n");
    assert_string_equal(show_checks(&r, &find_function(&r, "p(const)")->checks), "");
    assert_int_equal(find_function(&r, "p(const)")->params.len, 2);
    assert_int_equal(find_function(&r, "p(wrap)")->params.len, 1);
    assert_int_equal(r.program->functions.len, 6);
    session_delete(r.cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checks),
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_borders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
