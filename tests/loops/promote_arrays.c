// Vectors that have a name are locals.
#include "loops/ir/passes.h"
#include "loops/read.h"

#define HEADER                                                                                     \
    "(loops f [n] (a: [n]f32, k: i64) : f32\n"                                                     \
    "  (buffers (in a f32 [n]) (in k i64) (out y f32))\n  "
#define A "(load a 0 : vec[4]f32)"
#define T "(load t 0 : vec[4]f32)"

static const char *done(Session *cx, const char *body)
{
    LoopEntry *e = read_loops(cx, arena_printf(cx->arena, HEADER "(block %s))", body));
    loops_check(cx, e);
    e = loops_promote_registers(cx, e);
    loops_check(cx, e);
    Text out = text_new(cx->arena);
    loops_print(cx, &out, e);
    return flat(cx->arena, text_get(&out));
}

static void assert_becomes(const char *body, const char *expected)
{
    Session *cx = session_new();
    nat_init(cx);
    const char *text = done(cx, body);
    if (!strstr(text, expected)) fail_msg("%s is not in %s", expected, text);
    session_delete(cx);
}

static void assert_stays(const char *body)
{
    Session *cx = session_new();
    nat_init(cx);
    const char *text = done(cx, body);
    if (!strstr(text, "alloc.stack t")) fail_msg("%s", text);
    session_delete(cx);
}

static void vectors_are_locals(void **state)
{
    (void)state;
    assert_becomes("(alloc.stack t f32 4) (store t 0 " A ") (store y 0 (* (load t 3) (load t k)))",
                   "(decl t1 vec[4]f32 (load a 0 : vec[4]f32)) "
                   "(store y 0 (* (lane t1 3) (lane t1 k)))");
    // two vectors, of which the second one is first stored in a branch
    assert_becomes("(alloc.stack t f32 8) (store t 0 " A
                   ") (branch (< (size k) 2i64) (store t 4 (* " T " " T ")) (block))"
                   " (store y 0 (load t 5))",
                   "(decl t2 vec[4]f32 (splat 0.0 : vec[4]f32)) "
                   "(decl t1 vec[4]f32 (load a 0 : vec[4]f32)) "
                   "(branch (< (size k) 2i64) (set t2 (* t1 t1)) (block)) "
                   "(store y 0 (lane t2 1))");
}

static void only_the_first_store_declares(void **state)
{
    (void)state;
    assert_becomes("(alloc.stack t f32 4) (store t 0 " A ") (store y 0 (load t 1))"
                   " (store t 0 " A ") (store y 0 (load t 2))",
                   "(decl t1 vec[4]f32 (load a 0 : vec[4]f32)) (store y 0 (lane t1 1)) "
                   "(set t1 (load a 0 : vec[4]f32)) (store y 0 (lane t1 2))");
}

static void masks_are_selections(void **state)
{
    (void)state;
    assert_becomes("(alloc.stack t f32 4) (store t 0 " A ") (decl m vec[4]bool (< " A " " T "))"
                   " (store_where t 0 (+ " T " " T ") m) (alloc.stack u f32 4)"
                   " (store u 0 (? m (load_where t 0 m : vec[4]f32) " A "))"
                   " (store y 0 (* (load u 1) (load t 2)))",
                   "(decl t1 vec[4]f32 (load a 0 : vec[4]f32)) "
                   "(decl m vec[4]bool (< (load a 0 : vec[4]f32) t1)) "
                   "(set t1 (? m (+ t1 t1) t1)) "
                   "(decl u1 vec[4]f32 (? m t1 (load a 0 : vec[4]f32))) "
                   "(store y 0 (* (lane u1 1) (lane t1 2)))");
}

static void other_arrays_stay(void **state)
{
    (void)state;
    assert_stays("(alloc.stack t f32 4) (store t 0 " A ") (store t 1 2.0) (store y 0 (load t 3))");
    assert_stays("(alloc.stack t f32 5) (store t 0 " A ") (store y 0 (load t 3))");
    assert_stays("(alloc.stack t f32 8) (store t 0 " A ") (store t 4 " A ")"
                 " (store y 0 (load t k))");
    assert_stays("(alloc.stack t f32 8) (store t 0 " A ") (store t 4 " A ")"
                 " (decl v vec[4]f32 (load t 2 : vec[4]f32)) (store y 0 (lane v 1))");
    assert_stays("(alloc.stack t f32 4) (store t 0 " A ") (decl s f32 0.0)"
                 " (loop i 0 4 (set s (+ s (load t i)))) (store y 0 s)");
    assert_stays("(alloc.stack t f32 4) (store t 0 " A ") (decl s f32 (load t 1))"
                 " (loop_parallel i 0 0 2 (store t 0 " T ")) (store y 0 (+ s (load t 0)))");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_locals), cmocka_unit_test(only_the_first_store_declares),
        cmocka_unit_test(masks_are_selections), cmocka_unit_test(other_arrays_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
