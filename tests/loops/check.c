// The checker of Loop IR: accepts what the translation and the passes give, refuses one broken
// entry for each thing it promises.
#include "dpia/programs.h"
#include "loops/loops.h"

static void each_program_is_accepted(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const char **names;
    int n = program_names(arena, &names);
    for (int i = 0; i < n; i++) {
        Session *cx = session_new();
        nat_init(cx);
        LoopEntry *e = loops_from_dpia(cx, dpia_from_core(cx, read_low(cx, names[i])));
        loops_check(cx, e);
        loops_check(cx, e = loops_simplify(cx, e));
        loops_check(cx, e = loops_hoist(cx, e));
        loops_check(cx, loops_split(cx, e));
        assert_int_equal(cx->errors, 0);
        session_delete(cx);
    }
    arena_delete(arena);
}

// The fault's message contains `why`; NULL: there is none.
static void check(const char *body, const char *why)
{
    Session *cx = session_new();
    nat_init(cx);
    const char *text =
        arena_printf(cx->arena,
                     "(loops t [n] (a: [n]i32, k: i64, b: i32) : [n]i32 (buffers (in a i32 [n]) "
                     "(in k i64) (in b i32) (out out i32 [n])) %s)",
                     body);
    LoopEntry *e = loops_read(cx, session_add_source(cx, "test", text, strlen(text)));
    if (!e) fail_msg("malformed: %s", text);
    jmp_buf boundary;
    cx->boundary = &boundary;
    if (setjmp(boundary) == 0) loops_check(cx, e);
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
    check("(block (loop i 0 n (block (store out i (load a i)))))", NULL);
    check("(block (loop i 0 k (block (store out (i + k) b))))", NULL);
    check("(block (loop i 0 n (block)) (store out i 1))", "no integer in scope");
    check("(block (store out b 1))", "no integer in scope");
    check("(block (loop i 0 n (block (loop i 0 n (block)))))", "bound twice");
    check("(block (loop i 0 n (block)) (loop i 0 n (block)) (store out 0 1))", NULL);
    check("(block (block (decl x i32 1)) (store out 0 (local x : i32)))", "no local in scope");
    check("(block (decl j i64 1i64) (set j 2i64) (store out j 1))", "a local that changes");
    check("(block (decl j i64 1i64) (store out j 1))", NULL);
    check("(block (store out 0 (load q 0 : i32)))", "no buffer in scope");
    check("(block (set out 1))", "no local in scope");
    check("(block (set b 1))", "the input b is set");
}

static void types(void **state)
{
    (void)state;
    check("(block (store out 0 1.0))", "another type than its place");
    check("(block (decl x f32 1))", "another type than its place");
    check("(block (decl x i32 0) (set x 1.0))", "another type than its place");
    check("(block (branch 1 (block) (block)))", "another type than its place");
    check("(block (store out 0 (load a 0 : f32)))", "not of the type of the buffer");
    check("(block (store out 0 (local b : f32)))", "not of the type it was declared with");
    check("(block (require E0401 true))", "run-time error");
    check("(block (store out 0 (proj 0 (tuple 1))))", "not an expression");
    check("(block (decl x [2]i32 (tuple)))", "no scalar");
}

static void statements(void **state)
{
    (void)state;
    check("(block)", "out is not stored to");
    check("(block (store a 0 1))", "a store to an input");
    check("(block (alloc.stack t i32 n))", "without a fixed length");
    check("(block (alloc t i32 n))", "without a space");
    check("(block 1)", "not a statement");
    check("(block (loop i 0 n (store out i 1)))", NULL);
    check("(block (loop i 0 n (decl x i32 1)))", "a declaration outside of a block");
    check("(decl x i32 1)", "a declaration outside of a block");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_program_is_accepted),
        cmocka_unit_test(scopes),
        cmocka_unit_test(types),
        cmocka_unit_test(statements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
