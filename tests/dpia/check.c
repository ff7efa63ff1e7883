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

// `type`: of the result. The fault's message contains `why`; NULL: there is none.
static void check(const char *type, const char *body, const char *why)
{
    Session *cx = session_new();
    nat_init(cx);
    const char *text = arena_printf(
        cx->arena,
        "(phrase t [n, m] (a: [n]i32, x: [n]idx[n], k: i64) (out: %s) (checks (m == n)) %s)", type,
        body);
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
    check("i64", "(:= out (size j))", "no integer in scope");
    check("i64", "(:= out (size (k + n)))", NULL);
    check("i64", "(:= out (size a))", "no integer in scope");
    check("[n]i32", "(for i n (for i n (:= (acc_at out i) 1)))", "bound twice");
    check("i32", "(:= (acc b : i32) 1)", "no memory in scope");
    check("[n]i32", "(for i n (:= (acc_at (acc a : [n]i32) i) 1))", "no memory in scope");
}

static void types(void **state)
{
    (void)state;
    check("i32", "(:= out 1.0)", "one scalar type");
    check("[n]i32", "(:= out a)", "one scalar type");
    check("[m]i32", "(for i n (:= (acc_at out i) 1))", NULL);
    check("[n + 1]i32", "(for i n (:= (acc_at out i) 1))", NULL);
    check("i32", "(when 1 (:= out 1) (:= out 2))", "no bool");
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
    check("[n*n]i32", "(for i n (for j n (:= (acc_at (acc_at (acc_join out : [n][n]i32) j) i) 1)))",
          NULL);
    check("[n]i32", "(for i n (let_in q (at x i) (:= (acc_at out q) 1)))", NULL);
    check("[n]i32", "(for i n (:= (acc_at (acc_scatter x out) i) 1))", NULL);
    check("[n](i32, i32)", "(for i n (:= (acc_at (acc_zip 1 out) i) 1))",
          "a scalar of the result is not assigned");
    check("[n](i32, i32)",
          "(for i n (seq (:= (acc_at (acc_zip 1 out) i) 1) (:= (acc_at (acc_zip 0 out) i) 1)))",
          NULL);
    check("([n]i32, [n]i32)", "(for i n (:= (acc_proj 1 (acc_at (acc_unzip out) i)) 1))",
          "a scalar of the result is not assigned");
}

static void reads(void **state)
{
    (void)state;
    check("i32", "(new.stack t i32 (:= out t))", "mentioned before it is written");
    check("i32", "(new.stack t i32 (seq (:= t 1) (:= out t)))", NULL);
    check("i32", "(new.stack t (i32, i32) (seq (:= (acc_proj 0 t) 1) (:= out (proj 0 t))))",
          "mentioned before it is written");
    check("i32", "(new.stack t i32 (seq (when (== k 1i64) (:= t 1) (skip)) (:= out t)))",
          "mentioned before it is written");
    check("i32", "(seq (:= out 1) (new.stack t i32 (seq (:= t (id out : i32)) (:= out t))))", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_program_is_accepted),
        cmocka_unit_test(scopes),
        cmocka_unit_test(types),
        cmocka_unit_test(writes),
        cmocka_unit_test(reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
