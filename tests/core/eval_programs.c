// Functions: generic parameters, functions as values, conditions, arguments, limits.
#include "eval_util.h"

static void generics(void **state)
{
    (void)state;
    const char *text =
        "(fn count [n: nat, t: data] (xs: [n]t) : i64 (size n))"
        "(fn twice [n: nat, t: data] (xs: [n]t) : [2*n]t (concat xs xs))"
        "(fn zeros [n: nat, t: data] (i: [0]idx[n], x: [0]t) : [n]t (scatter i x))"
        "(fn main () : (i64, [4]bool, [2][2]f32)"
        "  (tuple (app (global count 3 (type [2]i32) : fn([3][2]i32) -> i64) (repeat 3 (array 1 "
        "2)))"
        "    (app (global twice 2 (type bool) : fn([2]bool) -> [4]bool) (array true false))"
        "    (app (global zeros 2 (type [2]f32) : fn([0]idx[2], [0][2]f32) -> [2][2]f32)"
        "      (array : [0]idx[2]) (array : [0][2]f32))))";
    expect_main(text, "(3, [true, false, true, false], [[0.0, 0.0], [0.0, 0.0]])");
}

// A generic type decides how an operator computes.
static void generic_scalars(void **state)
{
    (void)state;
    const char *text =
        "(fn third [t: num] (x: t) : t (/ x (cast 3 : t)))"
        "(fn main () : (i32, f32) (tuple (app (global third (type i32) : fn(i32) -> i32) 10)"
        "  (app (global third (type f32) : fn(f32) -> f32) 10.0)))";
    expect_main(text, "(3, 3.3333333)");
}

static void functions_are_values(void **state)
{
    (void)state;
    const char *text =
        "(fn inc (x: i32) : i32 (+ x 1))"
        "(fn compose (f: fn(i32) -> i32, g: fn(i32) -> i32) : fn(i32) -> i32 (lam (x: i32) (app g "
        "(app f x))))"
        "(fn main () : ([2]i32, i32)"
        "  (let inc2 (app (global compose : fn(fn(i32) -> i32, fn(i32) -> i32) -> fn(i32) -> i32)"
        "      (global inc : fn(i32) -> i32) (lam (x: i32) (* 10 x)))"
        "    (tuple (map inc2 (array 1 2))"
        "      (app (if true inc2 (global inc : fn(i32) -> i32)) 7))))";
    expect_main(text, "([20, 30], 80)");
    // A closure keeps the variables it was made with.
    expect_main("(fn main () : [2]i32 (let k 5 (let f (lam (x: i32) (+ x k)) (let k 7 (map f "
                "(array 1 2))))))",
                "[6, 7]");
    // A tuple of functions.
    expect_main("(fn main () : i32 (let fs (tuple (lam (x: i32) (+ x 1)) (lam (x: i32) (* x 2))) "
                "(app (proj 1 fs) 21)))",
                "42");
}

static void constants(void **state)
{
    (void)state;
    expect_main("(fn table () : [3]i32 (array 5 6 7))"
                "(fn main () : [2]i32 (gather (array (to_idx 2i64 : idx[3]) (to_idx 0i64 : "
                "idx[3])) (global table : [3]i32)))",
                "[7, 5]");
}

// f[n] calls f[n - 1]: branches that are not taken are not evaluated.
static void recursion_over_sizes(void **state)
{
    (void)state;
    const char *text =
        "(fn sum [n: nat] (xs: [n]i32) : i32"
        "  (if (== (size n) 0i64) 0 (+ (at xs (to_idx 0i64 : idx[n]))"
        "    (app (global sum (n - 1) : fn([n - 1]i32) -> i32) (slice 1 (n - 1) xs)))))"
        "(fn main () : i32 (app (global sum 4 : fn([4]i32) -> i32) (array 1 2 3 4)))";
    expect_main(text, "10");
    expect_main("(fn f [n: nat] () : i64 (size n)) (fn main () : i64 (app (global f (2 - 3) : fn() "
                "-> i64)))",
                "E0604");
}

static void conditions(void **state)
{
    (void)state;
    const char *text =
        "(fn half [n: nat, m: nat] (xs: [n]i32) : i64 (where (n %% 2 == 0)) (checks (n == 2*m "
        "\"halves\")) (size m))"
        "(fn main () : i64 (app (global half %d %d : fn([%d]i32) -> i64) (repeat %d 1)))";
    static const struct {
        int n, m;
        const char *value;
    } rows[] = {{4, 2, "2"}, {3, 1, "E0604"}, {4, 3, "E0604"}};
    for (int i = 0; i < 3; i++) {
        char buffer[400];
        snprintf(buffer, sizeof buffer, text, rows[i].n, rows[i].m, rows[i].n, rows[i].n);
        expect_main(buffer, rows[i].value);
    }
    expect_main("(fn main () : i64 (where (1 != 1)) 1i64)", "E0604");
    expect_main("(fn main () : i64 (where (2 <= 2)) 1i64)", "1");
    expect_main("(fn main () : i64 (where (3 <= 2)) 1i64)", "E0604");
}

// The failed condition, with its reason and both values.
static void what_a_failure_says(void **state)
{
    (void)state;
    Session *cx = new_session();
    Program *p = read_program(
        cx, "(fn main [n: nat, m: nat] () : i64 (checks (n == 2*m \"halves\")) (size m))");
    NodeBinding sizes[] = {{session_sym(cx, "n"), nat_const(cx, 5)},
                           {session_sym(cx, "m"), nat_const(cx, 2)}};
    Value v;
    Outcome o =
        core_eval(cx, cx->arena, p, p->functions.at[0], sizes, 2, NULL, ALGEBRA_IEEE, PLENTY, &v);
    assert_false(o.ok);
    assert_string_equal(o.text, "the sizes `n` and `2*m` differ: 5 and 4\nhalves");
    session_delete(cx);
}

static void arguments(void **state)
{
    (void)state;
    Session *cx = new_session();
    const char *text = "(fn main [n: nat] (xs: [n]i32, i: idx[n]) : i32 (at xs i))";
    NodeBinding size = {session_sym(cx, "n"), nat_const(cx, 2)};
    Value items[3] = {{.bits = 7}, {.bits = 8}, {.bits = 9}};
    Value args[2] = {{.count = 2, .parts = items}, {.bits = 1}};
    assert_string_equal(run_main(cx, text, &size, 1, args, PLENTY), "8");
    args[1].bits = 2;
    assert_string_equal(run_main(cx, text, &size, 1, args, PLENTY), "E0601");
    args[1].bits = (uint64_t)-1;
    assert_string_equal(run_main(cx, text, &size, 1, args, PLENTY), "E0601");
    args[1].bits = 0;
    args[0].count = 3;
    assert_string_equal(run_main(cx, text, &size, 1, args, PLENTY), "E0604");
    session_delete(cx);
}

static void errors(void **state)
{
    (void)state;
    expect(3, "(to_idx 3i64 : idx[n])", "E0601");
    expect(3, "(to_idx -1i64 : idx[n])", "E0601");
    expect(0, "(to_idx 0i64 : idx[n])", "E0601");
    expect(0, "(/ 1u8 0u8)", "E0602");
    expect(0, "(% 1i64 (size n))", "E0602");
    expect(0, "(/ 1.0 (cast (size n) : f32))", "inf");
    expect(0, "(size (5/n))", "E0607");
    expect(1000000000, "(size n*n*n)", "E0607");
    expect(2, "(let unused (/ 1 0) 1)", "E0602");
    expect(2, "(map (lam (x: i64) (/ 1i64 x)) " IOTA ")", "E0602");
}

static void limits(void **state)
{
    (void)state;
    Session *cx = new_session();
    const char *loop = "(fn f (x: i32) : i32 (app (global f : fn(i32) -> i32) x))"
                       "(fn main () : i32 (app (global f : fn(i32) -> i32) 1))";
    assert_string_equal(run_main(cx, loop, NULL, 0, NULL, PLENTY), "E0605");
    assert_string_equal(run_main(cx, loop, NULL, 0, NULL, 100), "E0605");
    assert_string_equal(evaluate(cx, "(repeat n 1)", INT64_MAX, ALGEBRA_IEEE, PLENTY), "E0605");
    assert_string_equal(
        evaluate(cx, "(pad const n n 1 (array 1))", INT64_MAX, ALGEBRA_IEEE, PLENTY), "E0607");
    assert_string_equal(
        evaluate(cx, "(iterate n (lam (x: i32) x) 1)", INT64_MAX, ALGEBRA_IEEE, 1000), "E0605");
    assert_string_equal(evaluate(cx, "(repeat n 1)", 1, ALGEBRA_IEEE, 1000), "[1]");
    session_delete(cx);
}

// Long evaluations free what each element used, and keep what is still needed.
static void long_evaluations(void **state)
{
    (void)state;
    const char *term =
        "(let table (reverse " IOTA ") (fold (lam (a: (i64, [2]i64), x: i64)"
        "  (tuple (+ (proj 0 a) (at (proj 1 a) (to_idx 1i64 : idx[2])))"
        "    (array (at (proj 1 a) (to_idx 1i64 : idx[2])) (at table (to_idx x : idx[n])))))"
        "  (tuple 0i64 (array 0i64 0i64)) " IOTA "))";
    expect(5000, term, "(12497500, [1, 0])");
    const char *nested = "(reduce (lam (a: i64, b: i64) (+ a b)) 0i64 (map (lam (x: i64)"
                         " (fold (lam (s: i64, y: i64) (+ s (* x y))) 0i64 " IOTA ")) " IOTA "))";
    expect(150, nested, "124880625");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generics),
        cmocka_unit_test(generic_scalars),
        cmocka_unit_test(functions_are_values),
        cmocka_unit_test(constants),
        cmocka_unit_test(recursion_over_sizes),
        cmocka_unit_test(conditions),
        cmocka_unit_test(arguments),
        cmocka_unit_test(what_a_failure_says),
        cmocka_unit_test(errors),
        cmocka_unit_test(limits),
        cmocka_unit_test(long_evaluations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
