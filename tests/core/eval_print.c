// What print writes and what a failed assert says, in Core and as the calls that staging leaves.
#include "eval_util.h"

typedef struct {
    Session *cx;
    Text lines;
} Printed;

static void collect(void *env, const char *line, size_t len)
{
    Printed *p = env;
    text_add(&p->lines, line, len);
}

static Printed printing(void)
{
    Session *cx = new_session();
    cx->keeps_prints = true;
    return (Printed){cx, text_new(cx->arena)};
}

// The term gives `value` and prints `lines`.
static void expect_lines(const char *term, Algebra algebra, const char *value, const char *lines)
{
    Printed p = printing();
    p.cx->print = collect;
    p.cx->print_env = &p;
    assert_string_equal(evaluate(p.cx, term, 3, algebra, PLENTY), value);
    assert_string_equal(text_get(&p.lines), lines);
    session_delete(p.cx);
}

static void values_are_written_like_results(void **state)
{
    (void)state;
    expect_lines("(let _ (print (tuple) (text \"i = \") 3 (text \", \") (array 0.1 2.0 1e20)) 7)",
                 ALGEBRA_IEEE, "7", "i = 3, [0.1, 2.0, 1e+20]\n");
    expect_lines("(let _ (print (tuple) (tuple true (tuple 1u8) (tuple))) (print (tuple)))",
                 ALGEBRA_IEEE, "()", "(true, (1,), ())\n\n");
    expect_lines("(print (tuple) (+ 1.0 2.0))", ALGEBRA_FIELD, "()", "3\n");
}

// Lanes that are not there.
static void masks_hide_lanes(void **state)
{
    (void)state;
    expect_lines("(let v (lanes 3) (print (< v (cast 2i64 : vec[3]i64)) v (text \" \") 9))",
                 ALGEBRA_IEEE, "()", "[0, 1, _] 9\n");
    expect_lines("(let v (lanes 3) (print (< v (cast 2i64 : vec[3]i64)) (tuple v (lanes 2))))",
                 ALGEBRA_IEEE, "()", "([0, 1, _], [0, 1])\n");
}

// Nothing of a line is seen when one of its values fails; what stands in order is printed so.
static void lines_are_whole_and_in_order(void **state)
{
    (void)state;
    expect_lines("(let _ (print (tuple) (text \"a\")) (print (tuple) (text \"b\") (/ 1 0)))",
                 ALGEBRA_IEEE, "E0602", "a\n");
    expect_lines("(range 0i64 3i64 (lam (i: i64) (print (tuple) i)))", ALGEBRA_IEEE, "()",
                 "0\n1\n2\n");
    expect_lines("(if false (print (tuple) 1) (print (tuple) 2))", ALGEBRA_IEEE, "()", "2\n");
}

static void it_may_be_left_out(void **state)
{
    (void)state;
    Printed p = printing();
    p.cx->print = collect;
    p.cx->print_env = &p;
    p.cx->keeps_prints = false;
    const char *term = "(print (tuple) (/ 1 0))";
    assert_string_equal(evaluate(p.cx, term, 3, ALGEBRA_IEEE, PLENTY), "()");
    p.cx->drops_asserts = true;
    assert_string_equal(evaluate(p.cx, "(assert false)", 3, ALGEBRA_IEEE, PLENTY), "()");
    assert_int_equal(p.lines.len, 0);
    session_delete(p.cx);
}

// The steps of a line: a new one forgets what a failure has left of the last.
static void steps_make_lines(void **state)
{
    (void)state;
    expect_lines("(let _ (call `print start [` : ()) (let _ (call `print next` : ())"
                 " (let _ (call `print i64` 1i64 : ()) (let _ (call `print next` : ())"
                 " (let _ (call `print f32` 0.1 : ()) (let _ (call `print text ]\\5c\\60` : ())"
                 " (call `print line` : ())))))))",
                 ALGEBRA_IEEE, "()", "[1, 0.1]\\`\n");
    expect_lines("(let _ (call `print start lost` : ()) (let _ (call `print start ` : ())"
                 " (let _ (call `print bool` true : ()) (call `print line` : ()))))",
                 ALGEBRA_IEEE, "()", "true\n");
}

// What the failure of the term says.
static void expect_message(const char *term, const char *message)
{
    Printed p = printing();
    Function *f = read_closed(p.cx, term);
    NodeBinding generic = {session_sym(p.cx, "n"), nat_const(p.cx, 3)};
    Value v;
    Outcome o = core_eval(p.cx, p.cx->arena, NULL, f, &generic, 1, NULL, ALGEBRA_IEEE, PLENTY, &v);
    assert_false(o.ok);
    assert_string_equal(diag_name(o.code), "E0614");
    assert_string_equal(o.text, message);
    session_delete(p.cx);
}

static void assertions_say_why(void **state)
{
    (void)state;
    expect(0, "(let _ (assert (== 1 1)) 5)", "5");
    expect_message("(assert (== 1 2))", "assertion failed");
    expect_message("(assert false (text \"i is \") 3 (text \"!\"))", "assertion failed: i is 3!");
    expect_message("(let _ (call `print start why: ` : ()) (let _ (call `print i64` 4i64 : ())"
                   " (let _ (call `print message` : ()) (assert false))))",
                   "why: 4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_written_like_results),
        cmocka_unit_test(masks_hide_lanes),
        cmocka_unit_test(lines_are_whole_and_in_order),
        cmocka_unit_test(it_may_be_left_out),
        cmocka_unit_test(steps_make_lines),
        cmocka_unit_test(assertions_say_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
