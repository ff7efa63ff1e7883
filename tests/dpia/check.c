// The checker of DPIA: accepts what the translation gives, refuses one broken phrase for each thing
// it promises.
#include "dpia/programs.h"

static void each_program_is_accepted(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const char **names;
    int n = program_names(arena, &names);
    for (int i = 0; i < n; i++) {
        Session *cx = session_new();
        nat_init(cx);
        dpia_check(cx, dpia_from_core(cx, read_low(cx, names[i])));
        assert_int_equal(cx->errors, 0);
        session_delete(cx);
    }
    arena_delete(arena);
}

// What can be called.
#define CALLEES                                                                                    \
    "(phrase f [n, m] (r: &mut [n]i32, k: i64) (out: i32) (:= out (at r (size 0 : idx[n]))))"      \
    "(phrase g [n, m] (r: &[m]i32) (out: ()) (skip))"                                              \
    "(external h (xs: [n]i32) (out: [n]i32))"                                                      \
    "(external c [l] (size_l: i64, xs: &mut [l]i32, k: i64) (out: i32))"

// `type`: of the result. The fault's message contains `why`; NULL: there is none.
static void check(const char *type, const char *body, const char *why)
{
    Session *cx = session_new();
    nat_init(cx);
    const char *text =
        arena_printf(cx->arena,
                     "(phrase t [n, m] (a: [n]i32, x: [n]idx[n], k: i64, r: &mut [n]i32, s: &i32) "
                     "(out: %s) (checks (m == n)) %s)" CALLEES,
                     type, body);
    Phrase *p = dpia_read(cx, session_add_source(cx, "test", text, strlen(text)));
    if (!p) fail_msg("malformed: %s", text);
    jmp_buf boundary;
    cx->boundary = &boundary;
    if (setjmp(boundary) == 0) dpia_check(cx, p);
    if (!why) {
        if (cx->errors) fail_msg("%s: %s", body, cx->diags.at[0]->text);
    } else {
        if (!cx->errors) fail_msg("accepted: %s", body);
        assert_int_equal(cx->diags.at[0]->code, E0901);
        if (!strstr(cx->diags.at[0]->text, why)) fail_msg("%s, not %s", cx->diags.at[0]->text, why);
    }
    session_delete(cx);
}

static void scopes(void **state)
{
    (void)state;
    check("[n]i32", "(for i n (:= (acc_at out i) (at a i)))", NULL);
    check("[n]i32", "(for i n (:= (acc_at out i) (at (id b : [n]i32) i)))", "not in scope");
    check("i32", "(seq (for i n (skip)) (:= out (at a (id i : idx[n]))))", "not in scope");
    check("i64", "(:= out (size j))", "not an integer in scope");
    check("i64", "(:= out (size (k + n)))", NULL);
    check("i64", "(:= out (size a))", "not an integer in scope");
    check("[n]i32", "(for i n (for i n (:= (acc_at out i) 1)))", "bound twice");
    check("i32", "(:= (acc b : i32) 1)", "not memory in scope");
    check("[n]i32", "(for i n (:= (acc_at (acc a : [n]i32) i) 1))", "not memory in scope");
}

static void types(void **state)
{
    (void)state;
    check("i32", "(:= out 1.0)", "different types");
    check("[n]i32", "(:= out a)", "different types");
    check("[m]i32", "(for i n (:= (acc_at out i) 1))", NULL);
    check("[n + 1]i32", "(for i n (:= (acc_at out i) 1))", NULL);
    check("i32", "(when 1 (:= out 1) (:= out 2))", "not a bool");
    check("i32", "(:= out (id a : i32))", "not of the type it was bound with");
    check("i32", "(seq (check E0401 (== 1 1)) (:= out 1))", "run-time error");
    check("i32", "(new t i32 (:= out 1))", "space");
    check("i32", "(seq 1 (:= out 1))", "not a command");
    check("[n]i32", "(for i n (:= (acc_at out i) (at (repeat (m + 1) 1 : [n]i32) i)))",
          "should have");
}

static void writes(void **state)
{
    (void)state;
    check("i32", "(skip)", "a scalar of the result is not assigned");
    check("(i32, [n]i32)", "(:= (acc_proj 0 out) 1)", "a scalar of the result is not assigned");
    check("[0]i32", "(skip)", NULL);
    check("i32", "(when (== k 1i64) (:= out 1) (skip))", "a scalar of the result is not assigned");
    check("i32", "(when (== k 1i64) (:= out 1) (:= out 2))", NULL);
    check("i32", "(for i n (:= out (at a i)))", "every iteration writes the same element");
    check("[n]i32", "(for i n (for j n (:= (acc_at out i) 1)))",
          "every iteration writes the same element");
    check("[n][n]i32", "(for i n (for j n (:= (acc_at (acc_at out j) i) 1)))", NULL);
    check("[n*n]i32",
          "(for i n (for j n (:= (acc_at (acc_at (acc_put 0 (join (hole : [n][n]i32)) out) j) i) "
          "1)))",
          NULL);
    check("[n]i32", "(for i n (let_in q (at x i) (:= (acc_at out q) 1)))", NULL);
    check("[n]i32", "(for i n (:= (acc_at (acc_put 1 (scatter x (hole : [n]i32)) out) i) 1))",
          NULL);
    check("[n](i32, i32)",
          "(for i n (:= (acc_at (acc_put 1 (zip (hole : [n]i32) (hole : [n]i32)) out) i) 1))",
          "a scalar of the result is not assigned");
    check("[n](i32, i32)",
          "(for i n (seq (:= (acc_at (acc_put 1 (zip (hole : [n]i32) (hole : [n]i32)) out) i) 1) "
          "(:= (acc_at (acc_put 0 (zip (hole : [n]i32) (hole : [n]i32)) out) i) 1)))",
          NULL);
    check("([n]i32, [n]i32)",
          "(for i n (:= (acc_proj 1 (acc_at (acc_put 0 (unzip (hole : [n](i32, i32))) out) i)) 1))",
          "a scalar of the result is not assigned");
}

static void reads(void **state)
{
    (void)state;
    check("i32", "(new.stack t i32 (:= out t))", "mentioned before it is written");
    check("i32", "(new.stack t i32 (seq (:= t 1) (:= out t)))", NULL);
    check("i32", "(new.stack t (i32, i32) (seq (:= (acc_proj 0 t) 1) (:= out (proj 1 t))))",
          "mentioned before it is written");
    check("i32", "(new.stack t (i32, i32) (seq (:= (acc_proj 0 t) 1) (:= out (proj 0 t))))", NULL);
    check("i32", "(new.stack t i32 (seq (when (== k 1i64) (:= t 1) (skip)) (:= out t)))",
          "mentioned before it is written");
    check("i32", "(seq (:= out 1) (new.stack t i32 (seq (:= t (id out : i32)) (:= out t))))", NULL);
}

// What was written to the result is read there, scalar by scalar.
static void results_read_back(void **state)
{
    (void)state;
#define FIRST  "(for i n (:= (acc_at (acc_proj 0 out) i) (at a i)))"
#define SECOND "(for j n (:= (acc_at (acc_proj 1 out) j) "
    check("([n]i32, [n]i32)", "(seq " FIRST SECOND "(at (proj 0 out) j))))", NULL);
    check("([n]i32, [n]i32)", "(seq " FIRST SECOND "(at (proj 1 out) j))))",
          "mentioned before it is written");
    check("([n]i32, [n]i32)", "(seq " SECOND "(at (proj 0 out) j))) " FIRST ")",
          "mentioned before it is written");
    check("([n]i32, [n]i32)", "(seq " FIRST SECOND "(proj 0 (at (zip (proj 0 out) a) j)))))", NULL);
    check("([n]i32, [n]i32)", "(seq " FIRST SECOND "(proj 1 (at (zip a (proj 1 out)) j)))))",
          "mentioned before it is written");
    check("[n](i32, i32)",
          "(seq (for i n (:= (acc_at (acc_put 1 (zip (hole : [n]i32) (hole : [n]i32)) out) i) 1))"
          " (for j n (:= (acc_at (acc_put 0 (zip (hole : [n]i32) (hole : [n]i32)) out) j) (at "
          "(proj 1 (unzip out)) j))))",
          NULL);
    check("[n](i32, i32)",
          "(seq (for i n (:= (acc_at (acc_put 1 (zip (hole : [n]i32) (hole : [n]i32)) out) i) 1))"
          " (for j n (:= (acc_at (acc_put 0 (zip (hole : [n]i32) (hole : [n]i32)) out) j) (at "
          "(proj 0 (unzip out)) j))))",
          "mentioned before it is written");
}

// Elements of the result are written again where they accumulate; each iteration outside of that has
// an element of its own.
static void accumulations(void **state)
{
    (void)state;
    check("i32", "(accumulate out (for i n (:= out 1)))", NULL);
    check("i32", "(for i n (accumulate out (:= out 1)))", "writes the same element");
    check("[n]i32", "(for i n (accumulate (acc_at out i) (for j n (:= (acc_at out i) 1))))", NULL);
    check("[n]i32", "(for i n (accumulate (acc_at out i) (for j n (:= (acc_at out j) 1))))",
          "writes the same element");
    check("i32", "(seq (accumulate out (:= out 1)) (for i n (:= out 1)))",
          "writes the same element");
}

static void parts_of_destinations(void **state)
{
    (void)state;
    check("[n]i32", "(for i n (:= (acc_proj 1 (acc_tuple (acc_none : i32) (acc_at out i))) 1))",
          NULL);
    check("[n]i32", "(for i n (:= (acc_proj 0 (acc_tuple (acc_none : i32) (acc_at out i))) 1))",
          "a scalar of the result is not assigned");
    check("i32", "(for i n (:= (acc_at (acc_element (size 0 : idx[n]) out) i) 1))", NULL);
    check("[n]i32", "(for i n (:= (acc_at (acc_map j n (acc_at out (size j : idx[n]))) i) 1))",
          NULL);
    check("[n]i32", "(for i n (:= (acc_map j n (acc_at out (size j : idx[n]))) 1))", "scalar type");
    check("[n]i32",
          "(for i n (:= (acc_at (acc_map j n (acc_at out (size i : idx[n]))) i) (size j)))",
          "not an integer in scope");
    check("i32", "(:= out (acc_none : i32))", "not an expression");
}

static void cells(void **state)
{
    (void)state;
    check("i32", "(new.stack c i32 (seq (:= c 1) (:= c (+ c 1)) (again (:= c 2))))", NULL);
    check("i32", "(seq (for i n (:= (acc_at r i) 1)) (:= out (at r (size 0 : idx[n]))))", NULL);
    check("i32", "(seq (for_range i 0 n (:= (acc_at r (size i : idx[n])) 1)) (:= out s))", NULL);
    check("i32", "(seq (:= s 1) (:= out 1))", "may only be read");
}

static void labels(void **state)
{
    (void)state;
    check("i32",
          "(labelled k1 (seq (when (== k 1i64) (seq (:= out 1) (leave k1)) (skip)) (:= out 2)))",
          NULL);
    check("i32", "(labelled k1 (seq (when (== k 1i64) (leave k1) (skip)) (:= out 2)))",
          "a scalar of the result is not assigned");
    check("i32", "(labelled k1 (again (when (== k 1i64) (seq (:= out 1) (leave k1)) (skip))))",
          NULL);
    check("i32", "(labelled k1 (again (when (== k 1i64) (leave k1) (:= out 1))))",
          "a scalar of the result is not assigned");
    check("i32", "(again (skip))", NULL);
    check("i32", "(seq (labelled k1 (skip)) (leave k1))", "without a label around it");
    check("i32", "(labelled k1 (labelled k1 (:= out 1)))", "of an enclosing one");
    check("i32", "(new.stack t i32 (seq (labelled k1 (seq (leave k1) (:= t 1))) (:= out t)))",
          "mentioned before it is written");
    check("i32", "(labelled k1 (seq (for_range i 0 n (leave k1)) (:= out 1)))",
          "a scalar of the result is not assigned");
    check("i32", "(seq (labelled k1 (for_range i 0 n (leave k1))) (:= out 1))", NULL);
    check("i32", "(seq (labelled k1 (for i n (leave k1))) (:= out 1))", "runs to its end");
    check("i32", "(seq (for i n (labelled k1 (for_range j 0 n (leave k1)))) (:= out 1))", NULL);
    check("i32", "(seq (labelled k1 (for_parallel i 0 0 n (leave k1))) (:= out 1))",
          "runs to its end");
    check("i32", "(seq (labelled k1 (for_vector i 4 0 n (leave k1))) (:= out 1))",
          "runs to its end");
}

static void ranges(void **state)
{
    (void)state;
    check("i64", "(for_range i 0 n (:= out (size i)))", "a scalar of the result is not assigned");
    check("i64", "(seq (:= out 0i64) (for_range i k n (:= (acc_at r (size i : idx[n])) 1)))", NULL);
    check("i64", "(seq (for_range i 0 n (skip)) (:= out (size i)))", "not an integer in scope");
    check("i64", "(for_range i 0 i (:= out 1i64))", "not an integer in scope");
    check("[n]i32", "(for_range i 0 n (for j n (:= (acc_at out j) 1)))",
          "a scalar of the result is not assigned");
    check("[n]i32", "(for j n (for_range i 0 n (:= (acc_at r j) 1)))",
          "a scalar of the result is not assigned");
}

static void calls(void **state)
{
    (void)state;
    check("i32", "(invoke f out (acc r : [n]i32) k)", NULL);
    check("i32", "(seq (invoke g (skip) (acc r : [n]i32)) (:= out 1))", NULL);
    check("[n]i32", "(invoke h out a)", NULL);
    check("[2][n]i32",
          "(seq (invoke h (acc_at out (size 0 : idx[2])) a) (invoke h (acc_at out (size 1 : "
          "idx[2])) a))",
          NULL);
    check("i32", "(invoke e out k)", "no function");
    check("i32", "(invoke f out (acc r : [n]i32))", "number of arguments");
    check("i32", "(invoke f out k k)", "not an acceptor");
    check("i32", "(invoke f out (acc r : [n]i32) 1)", "another type");
    check("i32", "(invoke f (skip) (acc r : [n]i32) k)", "a result that is not written");
    check("i64", "(invoke f out (acc r : [n]i32) k)", "not written to memory of its type");
    check("i32", "(invoke f out (acc a : [n]i32) k)", "not memory in scope");
    check("i32", "(new.stack t [n]i32 (invoke f out (acc t : [n]i32) k))",
          "to memory that is not assigned");
    check("i32", "(invoke f out (acc_put 0 (reverse (hole : [n]i32)) (acc r : [n]i32)) k)",
          "not written to its elements");
    check("[n]i32", "(invoke h out (reverse a))", "not in memory");
    check("[n]i32", "(for i n (invoke f (acc_at out i) (acc r : [n]i32) k))", NULL);
    check("i32", "(for i n (invoke f out (acc r : [n]i32) k))", "writes the same element");
    check("i32", "(invoke c out (size m) (acc r : [n]i32) k)", NULL);
    check("i32", "(invoke c out (size (n + 1)) (acc r : [n]i32) k)", "of the parameter's type");
    check("i32", "(invoke c out k (acc r : [n]i32) k)", "of the parameter's type");
    check("i32", "(invoke c out 5i64 (acc r : [n]i32) k)", "of the parameter's type");
}

// What is outside of an iteration in any order is written at its index only.
static void any_order(void **state)
{
    (void)state;
    check("[n]i32", "(for.par i n (:= (acc_at out i) (at a i)))", NULL);
    check("[n]i32", "(for.vec i n (:= (acc_at out i) (at a i)) 8)", NULL);
    check("[n]i32", "(for.unroll i n (:= (acc_at out i) (at a i)))", NULL);
    check("[n]i32", "(for.seq i n (:= (acc_at out i) (at a i)))", "an unknown variant");
    check("[n]i32", "(for.par i n (:= (acc_at out i) (at a i)) 8)", "an unknown variant");
    check("[n]i32", "(for.vec i n (:= (acc_at out i) (at a i)))", "an unknown variant");
    check("[n]i32", "(for.vec i n (:= (acc_at out i) (at a i)) n)", "an unknown number of lanes");
    check("[n]i32", "(for.vec i n (:= (acc_at out i) (at a i)) 0)", "an unknown number of lanes");
#define SHARED "write the same element"
    check("i32", "(new.stack t i32 (seq (for.par i n (:= t (at a i))) (:= out t)))", SHARED);
    check("i32", "(new.stack t i32 (seq (for.unroll i n (:= t (at a i))) (:= out t)))", NULL);
    check("[n]i32",
          "(for.par i n (new.stack t i32 (seq (:= t (at a i)) (for j n (:= t (+ t (at a j)))) "
          "(:= (acc_at out i) t))))",
          NULL);
    check("[n]i32",
          "(new.global t [n]i32 (for j n (seq (for.vec i n (:= (acc_at t j) (at a i)) 4) "
          "(:= (acc_at out j) (at t j)))))",
          SHARED);
    check("[n]i32",
          "(for j n (new.global t [n]i32 (seq (for.par i n (:= (acc_at t i) (at a i))) "
          "(:= (acc_at out j) (at t j)))))",
          NULL);
    check("[n]i32",
          "(for j n (seq (for.par i n (:= (acc_at (acc r : [n]i32) j) 1)) (:= (acc_at out j) 1)))",
          SHARED);
    check("[n]i32", "(labelled k1 (for.par i n (seq (:= (acc_at out i) 1) (leave k1))))",
          "out of a loop that runs to its end");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_program_is_accepted),
        cmocka_unit_test(scopes),
        cmocka_unit_test(types),
        cmocka_unit_test(writes),
        cmocka_unit_test(reads),
        cmocka_unit_test(results_read_back),
        cmocka_unit_test(accumulations),
        cmocka_unit_test(parts_of_destinations),
        cmocka_unit_test(cells),
        cmocka_unit_test(labels),
        cmocka_unit_test(ranges),
        cmocka_unit_test(calls),
        cmocka_unit_test(any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
