// Functions of a library on vectors: what needs fewer calls is called before what needs more, where nothing in between changes it.
#include "base/target/cpu.h"
#include "loops/ir/passes.h"
#include "loops/read.h"

#define HEADER                                                                                     \
    "(loops f [n] (a: [n]f32) : [n]f32\n"                                                          \
    "  (buffers (in a f32 [n]) (out y f32 [n]))\n  "
#define V              "vec[4]f32"
#define LOAD(name, at) "(decl " name " " V " (load a " at " : " V ")) "
#define P              "(decl p " V " (* s (log r))) "
#define Q              "(decl q " V " (exp (* p p))) "

static const char *done(Session *cx, const char *body, bool exact)
{
    nat_init(cx);
    cx->cpu = cpu_named("x86-64-v3");
    cx->exact_math = exact;
    LoopEntry *e = read_loops(cx, arena_printf(cx->arena, HEADER "(block %s))", body));
    loops_check(cx, e);
    e = loops_schedule_calls(cx, e);
    loops_check(cx, e);
    Text out = text_new(cx->arena);
    loops_print(cx, &out, e);
    return flat(cx->arena, text_get(&out));
}

static void assert_becomes(const char *body, const char *expected)
{
    Session *cx = session_new();
    const char *text = done(cx, body, false);
    if (!strstr(text, expected)) fail_msg("%s is not in %s", expected, text);
    session_delete(cx);
}

static void assert_stays(const char *body, bool exact)
{
    Session *cx = session_new();
    const char *text = done(cx, body, exact);
    if (strstr(text, "ready")) fail_msg("%s", text);
    session_delete(cx);
}

static void less_deep_calls_come_first(void **state)
{
    (void)state;
    // right behind the call before, with what is done with its result
    assert_becomes(LOAD("r", "0") LOAD("s", "4") P "(decl t " V " (* p s)) " Q
                                                   "(store y 0 (+ q (* s (exp r))))",
                   P "(decl ready1 " V " (* s (exp r))) (decl t " V " (* p s)) " Q
                     "(store y 0 (+ q ready1))");
    // in front where no call is before; the same call twice is one
    assert_becomes(LOAD("r", "0") LOAD("s", "4") "(decl q " V " (exp (log r))) "
                                                 "(store y 0 (+ q (+ (exp s) (* (exp s) r))))",
                   "(decl ready1 " V " (+ (exp s) (* (exp s) r))) (decl q " V
                   " (exp (log r))) (store y 0 (+ q ready1))");
    // as many as there are, in their order
    assert_becomes(LOAD("r", "0") LOAD("s", "4") P Q "(decl t " V
                                                     " (+ q (exp r))) (store y 0 (+ t (exp s)))",
                   P "(decl ready1 " V " (exp r)) (decl ready2 " V " (exp s)) " Q "(decl t " V
                     " (+ q ready1)) (store y 0 (+ t ready2))");
}

static void what_they_need_comes_before(void **state)
{
    (void)state;
    // as deep, or deeper
    assert_stays(LOAD("r", "0") LOAD("s", "4") P "(store y 0 (+ p (exp s)))", false);
    assert_becomes(LOAD("r", "0") LOAD("s", "4") P Q "(store y 0 (+ q (exp (log s))))",
                   P "(decl ready1 " V " (log s)) " Q "(store y 0 (+ q (exp ready1)))");
    // an operand that is only there later, or changes
    assert_stays(LOAD("r", "0") LOAD("s", "4") P Q LOAD("t", "8") "(store y 0 (+ q (exp t)))",
                 false);
    assert_stays(LOAD("r", "0") LOAD("s", "4") "(decl t " V " s) " P Q
                                               "(set t r) (store y 0 (+ q (exp t)))",
                 false);
    // memory that was stored to, other statements between
    assert_stays(LOAD("r", "0") LOAD("s", "4") P Q
                 "(store y 4 q) (store y 0 (+ q (exp (load y 4 : " V "))))",
                 false);
    assert_stays(LOAD("r", "0") LOAD("s", "4") P Q
                 "(loop i 0 2 (store y i 0.0)) (store y 0 (+ q (exp s)))",
                 false);
}

// What a call gives is kept in memory until it is wanted.
static void calls_do_not_go_far(void **state)
{
    (void)state;
#define NEXT(of, from) "(decl " of " " V " (exp " from ")) "
    assert_becomes(LOAD("s", "0") LOAD("r", "4") P Q NEXT("b", "q") NEXT("c", "b") NEXT("d", "c")
                       NEXT("e", "d") "(store y 0 (+ e (exp s)))",
                   P Q "(decl ready1 " V " (exp s)) " NEXT("b", "q"));
}

static void only_calls_of_a_library_move(void **state)
{
    (void)state;
    assert_stays(LOAD("r", "0") LOAD("s", "4") P Q "(store y 0 (+ q (exp s)))", true);
    assert_stays("(decl r f32 (load a 0)) (decl p f32 (exp (log r))) (store y 0 (+ p (exp r)))",
                 false);
    // a side that may not be needed
    assert_stays(LOAD("r", "0") LOAD("s", "4") P Q "(store y 0 (? (> (load a 0) 0.0) q (exp s)))",
                 false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(less_deep_calls_come_first),
        cmocka_unit_test(what_they_need_comes_before),
        cmocka_unit_test(calls_do_not_go_far),
        cmocka_unit_test(only_calls_of_a_library_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
