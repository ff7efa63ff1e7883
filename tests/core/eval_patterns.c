// Patterns of the interpreter, each at the sizes 0, 1, 2 and 7, in order and in both algebras.
#include "eval_util.h"

static void map_and_generate(void **state)
{
    (void)state;
    const char *term = "(map (lam (x: i64) (* x x)) " IOTA ")";
    expect(0, term, "[]");
    expect(1, term, "[0]");
    expect(2, term, "[0, 1]");
    expect(7, term, "[0, 1, 4, 9, 16, 25, 36]");
    expect(7, "(map.seq (lam (x: i64) (* x x)) " IOTA ")", "[0, 1, 4, 9, 16, 25, 36]");
    expect(2, "(map (lam (row: [3]i64) (at row (to_idx 1i64 : idx[3]))) " ROWS ")", "[1, 4]");
    expect(2, "(to_mem (copy " IOTA "))", "[0, 1]");
}

// a operator b = 2a + b is neither associative nor commutative: it shows the order.
#define OP "(lam (a: i64, b: i64) (+ (* 2i64 a) b))"

static void reduce_and_fold(void **state)
{
    (void)state;
    expect(0, "(reduce " OP " 1i64 " IOTA ")", "1");
    expect(1, "(reduce " OP " 1i64 " IOTA ")", "2");
    expect(2, "(reduce " OP " 1i64 " IOTA ")", "5");
    expect(7, "(reduce " OP " 1i64 " IOTA ")", "248");
    expect(7, "(fold " OP " 1i64 " IOTA ")", "248");
    expect(2,
           "(fold (lam (a: (i64, f32), x: i64) (tuple x (+ (proj 1 a) 0.5))) (tuple 7i64 1.0) " IOTA
           ")",
           "(1, 2.0)");
    expect(2,
           "(fold (lam (a: [2]i64, x: i64) (reverse a)) (array 1i64 2i64) (concat " IOTA
           " (array 0i64)))",
           "[2, 1]");
}

static void scans(void **state)
{
    (void)state;
    expect(0, "(scan " OP " 1i64 " IOTA ")", "[]");
    expect(1, "(scan " OP " 1i64 " IOTA ")", "[2]");
    expect(7, "(scan " OP " 1i64 " IOTA ")", "[2, 5, 12, 27, 58, 121, 248]");
    expect(0, "(scan_ex " OP " 1i64 " IOTA ")", "[]");
    expect(1, "(scan_ex " OP " 1i64 " IOTA ")", "[1]");
    expect(7, "(scan_ex " OP " 1i64 " IOTA ")", "[1, 2, 5, 12, 27, 58, 121]");
    // The value after the last element is not asked for, so it cannot fail.
    expect(1, "(scan_ex (lam (a: i64, b: i64) (/ a b)) 1i64 " IOTA ")", "[1]");
}

static void iterate(void **state)
{
    (void)state;
    const char *term = "(iterate n (lam (x: i32) (* 2 x)) 1)";
    expect(0, term, "1");
    expect(1, term, "2");
    expect(2, term, "4");
    expect(7, term, "128");
    expect(7, "(iterate n (lam (x: [2]i32) (reverse x)) (array 1 2))", "[2, 1]");
    expect(0, "(iterate (n - 1) (lam (x: i32) x) 1)", "E0604");
}

// Targets 2i mod 5.
#define TARGETS "(generate n (lam (i: idx[n]) (to_idx (% (* 2i64 (cast i : i64)) 5i64) : idx[5])))"

static void scatters(void **state)
{
    (void)state;
    expect(0, "(scatter " TARGETS " " IOTA ")", "[0, 0, 0, 0, 0]");
    expect(1, "(scatter " TARGETS " (array true))", "[true, false, false, false, false]");
    expect(2, "(scatter " TARGETS " (map (lam (x: i64) (tuple x 1.5)) " IOTA "))",
           "[(0, 1.5), (0, 0.0), (1, 1.5), (0, 0.0), (0, 0.0)]");
    expect(5, "(scatter " TARGETS " (repeat n (array 1)))", "[[1], [1], [1], [1], [1]]");
    expect(2, "(scatter (array (to_idx 2i64 : idx[3]) (to_idx 2i64 : idx[3])) (array 1 2))",
           "E0603");
    expect(7, "(scatter " TARGETS " " IOTA ")", "E0603");
    const char *with = "(scatter_with " OP " 1i64 " TARGETS " " IOTA ")";
    expect(0, with, "[1, 1, 1, 1, 1]");
    expect(1, with, "[2, 1, 1, 1, 1]");
    expect(2, with, "[2, 1, 3, 1, 1]");
    expect(7, with, "[9, 5, 12, 6, 4]");
    expect(1, "(scatter " TARGETS " (array 1 2))", "E0604");
}

static void branches(void **state)
{
    (void)state;
    expect(0, "(if (== (size n) 0i64) 1 (/ 1 (cast (size n) : i32)))", "1");
    expect(2, "(if (== (size n) 0i64) 1 (/ 4 (cast (size n) : i32)))", "2");
    expect(2, "(let x (size n) (let y (* x x) (- y x)))", "2");
}

// Any bracketing of a sum gives one value in the field, and not in floats.
static void field(void **state)
{
    (void)state;
    Session *cx = new_session();
    const char *left = "(== (+ (+ 1.0 1e20) -1e20) (+ 1.0 (+ 1e20 -1e20)))";
    assert_string_equal(evaluate(cx, left, 0, ALGEBRA_IEEE, PLENTY), "false");
    assert_string_equal(evaluate(cx, left, 0, ALGEBRA_FIELD, PLENTY), "true");
    const char *third = "(== (* (/ 1.0 3.0) 3.0f16) 1.0)";
    third = "(== (* (/ 0.1 0.3) 0.3) 0.1)";
    assert_string_equal(evaluate(cx, third, 0, ALGEBRA_FIELD, PLENTY), "true");
    const char *sum = "(== (reduce (lam (a: f32, b: f32) (+ a b)) 0.0 (map (lam (x: i64) (/ (cast "
                      "x : f32) 7.0)) " IOTA ")) "
                      "(/ (cast (size ((n - 1)*n/2)) : f32) 7.0))";
    assert_string_equal(evaluate(cx, sum, 7, ALGEBRA_FIELD, PLENTY), "true");
    assert_string_equal(
        evaluate(cx, "(== (sqrt (+ 1.0 1.0)) (sqrt 2.0))", 0, ALGEBRA_FIELD, PLENTY), "true");
    assert_string_equal(evaluate(cx, "(== (sqrt 4.0) 2.0)", 0, ALGEBRA_FIELD, PLENTY), "false");
    assert_string_equal(evaluate(cx, "(cast (+ 3.0 4.0) : i32)", 0, ALGEBRA_FIELD, PLENTY), "7");
    assert_string_equal(
        evaluate(cx, "(scatter (array : [0]idx[2]) (array : [0]f32))", 0, ALGEBRA_FIELD, PLENTY),
        "[0.0, 0.0]");
    session_delete(cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(map_and_generate),
        cmocka_unit_test(reduce_and_fold),
        cmocka_unit_test(scans),
        cmocka_unit_test(iterate),
        cmocka_unit_test(scatters),
        cmocka_unit_test(branches),
        cmocka_unit_test(field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
