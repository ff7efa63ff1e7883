// Unification: unknowns of types and sizes, kinds, equations, reasons.
#include "types/types.h"

#include <cmocka.h>
#include <stdlib.h>

static Session *cx;
static Solver *s;

static int setup(void **state)
{
    (void)state;
    cx = session_new();
    nat_init(cx);
    s = solver_new(cx, cx->arena);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    session_delete(cx);
    return 0;
}

static Node *f32(void)
{
    return type_scalar(cx, SCALAR_F32);
}

static Node *i32(void)
{
    return type_scalar(cx, SCALAR_I32);
}

static Node *var(const char *name)
{
    return nat_var(cx, session_sym(cx, name));
}

static Node *k(int64_t value)
{
    return nat_const(cx, value);
}

static Node *array(Node *n, Node *t)
{
    return type_array(cx, n, t);
}

static Node *fun1(Node *a, Node *result)
{
    return type_fun(cx, 1, &a, result);
}

static bool same(Node *a, Node *b)
{
    return solver_unify(s, a, b, NO_SPAN, NULL);
}

static void refuses(Node *a, Node *b, const char *expected)
{
    const char *why;
    assert_false(solver_unify(s, a, b, NO_SPAN, &why));
    assert_string_equal(why, expected);
}

static void no_equations(void)
{
    SizeEquation *e;
    assert_int_equal(solver_take_equations(s, &e), 0);
    assert_int_equal(solver_pending(s, &e), 0);
}

static void solves_through_chains(void **state)
{
    (void)state;
    Node *a = solver_new_type(s, META_DATA), *b = solver_new_type(s, META_DATA),
         *c = solver_new_type(s, META_ANY);
    assert_true(same(c, fun1(a, b)));
    assert_true(same(a, b));
    assert_true(same(b, array(var("n"), f32())));
    assert_ptr_equal(solver_resolve(s, c), fun1(array(var("n"), f32()), array(var("n"), f32())));
    no_equations();
}

static void sizes_are_solved(void **state)
{
    (void)state;
    Node *m = solver_new_size(s);
    assert_true(same(array(nat_add(cx, m, k(2)), f32()), array(var("n"), f32())));
    assert_ptr_equal(solver_resolve(s, m), nat_sub(cx, var("n"), k(2)));
    no_equations();
    Node *p = solver_new_size(s);
    assert_true(same(array(nat_mul(cx, p, k(32)), f32()), array(var("n"), f32())));
    assert_ptr_equal(solver_resolve(s, p), nat_div(cx, var("n"), k(32)));
    SizeEquation *e;
    assert_int_equal(solver_take_equations(s, &e), 1);
    assert_ptr_equal(e[0].left, nat_mod(cx, var("n"), k(32)));
    assert_ptr_equal(e[0].right, k(0));
    no_equations();
}

static void sizes_without_unknowns_are_written_down(void **state)
{
    (void)state;
    Node *p = solver_new_size(s);
    for (int i = 0; i < 2; i++) assert_true(same(type_idx(cx, var("n")), type_idx(cx, var("m"))));
    assert_true(same(array(nat_add(cx, p, var("n")), f32()), array(nat_add(cx, p, k(3)), f32())));
    SizeEquation *e;
    assert_int_equal(solver_take_equations(s, &e), 2);
    assert_ptr_equal(e[0].left, var("n"));
    assert_ptr_equal(e[0].right, var("m"));
    assert_ptr_equal(e[1].left, var("n"));
    assert_ptr_equal(e[1].right, k(3));
    no_equations();
}

static void sizes_are_put_off(void **state)
{
    (void)state;
    Node *p = solver_new_size(s), *q = solver_new_size(s);
    assert_true(same(array(nat_mul(cx, p, q), f32()), array(var("n"), f32())));
    SizeEquation *e;
    assert_int_equal(solver_pending(s, &e), 1);
    solver_retry(s);
    assert_int_equal(solver_pending(s, &e), 1);
    assert_true(same(array(q, f32()), array(k(4), f32())));
    solver_retry(s);
    assert_int_equal(solver_pending(s, &e), 0);
    assert_ptr_equal(solver_resolve(s, p), nat_div(cx, var("n"), k(4)));
    assert_int_equal(solver_take_equations(s, &e), 1);
}

static void unknown_sizes_become_each_other(void **state)
{
    (void)state;
    Node *p = solver_new_size(s), *q = solver_new_size(s), *r = solver_new_size(s);
    assert_true(same(array(p, f32()), array(q, f32())));
    assert_true(same(array(r, f32()), array(nat_mul(cx, p, q), f32())));
    assert_true(same(array(q, f32()), array(var("n"), f32())));
    assert_ptr_equal(solver_resolve(s, r), nat_mul(cx, var("n"), var("n")));
    no_equations();
}

static void reasons_are_resolved(void **state)
{
    (void)state;
    Node *a = solver_new_type(s, META_DATA);
    assert_true(same(a, f32()));
    refuses(array(var("n"), a), array(var("n"), i32()), "f32 is not i32");
    refuses(fun1(a, a), type_fun(cx, 2, (Node *[]){a, a}, a),
            "a function of 1 parameter is not one of 2");
    refuses(type_tuple(cx, 2, (Node *[]){a, a}), type_tuple(cx, 1, &a),
            "(f32, f32) has 2 components, (f32,) has 1");
    refuses(array(var("n"), a), a, "[n]f32 is not f32");
    Node *b = solver_new_type(s, META_ANY);
    refuses(b, array(var("n"), b), "[n]_ would contain itself");
    refuses(type_var(cx, session_sym(cx, "t")), f32(), "t is not f32");
    Node *p = type_struct(cx, session_sym(cx, "P"), 0, NULL, NULL);
    Node *q = type_struct(cx, session_sym(cx, "Q"), 0, NULL, NULL);
    refuses(p, q, "P is not Q");
}

static void kinds_restrict(void **state)
{
    (void)state;
    Node *num = solver_new_type(s, META_NUM), *data = solver_new_type(s, META_DATA);
    Node *whole = solver_new_type(s, META_INT), *real = solver_new_type(s, META_FLOAT);
    refuses(num, type_scalar(cx, SCALAR_BOOL), "bool is not a number");
    refuses(data, fun1(f32(), f32()), "fn(f32) -> f32 is not data");
    refuses(whole, real, "a float is not an integer");
    refuses(whole, f32(), "f32 is not an integer");
    assert_true(same(data, num));
    assert_true(same(data, real));
    refuses(num, i32(), "i32 is not a float");
    assert_true(solver_require(s, i32(), META_NUM));
    Node *scalar = solver_new_type(s, META_SCALAR), *lane = solver_new_type(s, META_SCALAR);
    refuses(scalar, array(k(2), f32()), "[2]f32 is not a number or a bool");
    assert_true(solver_is_scalar(s, scalar));
    assert_true(same(scalar, type_scalar(cx, SCALAR_BOOL)));
    assert_true(same(type_varying(cx, k(4), lane), type_varying(cx, k(4), f32())));
    assert_ptr_equal(solver_resolve(s, lane), f32());
    refuses(type_varying(cx, k(4), f32()), f32(), "varying[4] f32 is not f32");
    assert_false(solver_require(s, type_idx(cx, k(3)), META_INT));
}

static void parts_of_data_are_data(void **state)
{
    (void)state;
    Node *any = solver_new_type(s, META_ANY), *data = solver_new_type(s, META_DATA);
    assert_true(same(data, array(k(2), any)));
    refuses(any, fun1(f32(), f32()), "fn(f32) -> f32 is not data");
}

static void generics_have_kinds(void **state)
{
    (void)state;
    Sym t = session_sym(cx, "t");
    Node *num = solver_new_type(s, META_NUM);
    refuses(num, type_var(cx, t), "t is not a number");
    solver_declare(s, t, META_INT);
    assert_true(same(num, type_var(cx, t)));
    assert_false(solver_require(s, type_var(cx, t), META_FLOAT));
}

static void numbers_have_defaults(void **state)
{
    (void)state;
    Node *num = solver_new_type(s, META_NUM), *real = solver_new_type(s, META_FLOAT);
    Node *known = solver_new_type(s, META_NUM), *data = solver_new_type(s, META_DATA),
         *size = solver_new_size(s);
    assert_true(same(known, type_scalar(cx, SCALAR_U8)));
    solver_default_numbers(s);
    assert_ptr_equal(solver_resolve(s, num), i32());
    assert_ptr_equal(solver_resolve(s, real), f32());
    assert_ptr_equal(solver_resolve(s, known), type_scalar(cx, SCALAR_U8));
    assert_ptr_equal(solver_resolve(s, data), data);
    assert_ptr_equal(solver_resolve(s, size), size);
}

static void errors_agree(void **state)
{
    (void)state;
    assert_true(same(type_error(cx), fun1(f32(), f32())));
    assert_true(same(array(k(2), f32()), array(k(2), type_error(cx))));
}

// 200 levels of pairs (t, t): exponential when shared parts were resolved once per path.
static void shared_types_stay_cheap(void **state)
{
    (void)state;
    Node *leaf = solver_new_type(s, META_ANY), *t = leaf, *expected = f32();
    for (int i = 0; i < 200; i++) {
        t = fun1(t, t);
        expected = fun1(expected, expected);
    }
    assert_true(same(leaf, f32()));
    assert_ptr_equal(solver_resolve(s, t), expected);
}

// A random type, its leaves replaced by unknowns at random: unifying with the original finds them
// all.
static Node *random_type(int depth, unsigned *seed, bool unknowns)
{
    int pick = rand_r(seed) % (depth > 0 ? 6 : 2);
    bool hide = rand_r(seed) % 3 == 0;
    if (hide && unknowns && pick < 2) return solver_new_type(s, META_ANY);
    switch (pick) {
    case 0: return f32();
    case 1: return type_idx(cx, var("n"));
    case 2: {
        Node *n = nat_mul(cx, var("n"), k(rand_r(seed) % 3 + 1));
        return array(hide && unknowns ? solver_new_size(s) : n,
                     random_type(depth - 1, seed, unknowns));
    }
    case 3:
        return fun1(random_type(depth - 1, seed, unknowns), random_type(depth - 1, seed, unknowns));
    case 4: return type_tuple(cx, 1, (Node *[]){random_type(depth - 1, seed, unknowns)});
    default: return type_mode(cx, random_type(depth - 1, seed, unknowns));
    }
}

static void hidden_parts_are_found(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 300; i++) {
        unsigned a = i, b = i;
        Node *whole = random_type(4, &a, false), *hidden = random_type(4, &b, true);
        assert_true(i % 2 ? same(whole, hidden) : same(hidden, whole));
        assert_ptr_equal(solver_resolve(s, hidden), whole);
        no_equations();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(solves_through_chains, setup, teardown),
        cmocka_unit_test_setup_teardown(sizes_are_solved, setup, teardown),
        cmocka_unit_test_setup_teardown(sizes_without_unknowns_are_written_down, setup, teardown),
        cmocka_unit_test_setup_teardown(sizes_are_put_off, setup, teardown),
        cmocka_unit_test_setup_teardown(unknown_sizes_become_each_other, setup, teardown),
        cmocka_unit_test_setup_teardown(reasons_are_resolved, setup, teardown),
        cmocka_unit_test_setup_teardown(kinds_restrict, setup, teardown),
        cmocka_unit_test_setup_teardown(parts_of_data_are_data, setup, teardown),
        cmocka_unit_test_setup_teardown(generics_have_kinds, setup, teardown),
        cmocka_unit_test_setup_teardown(numbers_have_defaults, setup, teardown),
        cmocka_unit_test_setup_teardown(errors_agree, setup, teardown),
        cmocka_unit_test_setup_teardown(shared_types_stay_cheap, setup, teardown),
        cmocka_unit_test_setup_teardown(hidden_parts_are_found, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
