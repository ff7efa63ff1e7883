// Gathers of elements side by side become gathers of runs, where nothing between them changes what they load.
#include <stdio.h>

#include "loops/ir/passes.h"
#include "loops/read.h"

#define HEADER                                                                                     \
    "(loops f [n] (a: [n]f32, k: i32) : [n]f32\n"                                                  \
    "  (buffers (in a f32 [n]) (in k i32) (out y f32 [n]))\n  "
#define AT                                                                                         \
    "(decl at vec[4]i32 (cast (load a 0 : vec[4]f32) : vec[4]i32)) "                               \
    "(decl m vec[4]bool (> (load a 0 : vec[4]f32) (splat 0.0 : vec[4]f32))) "
#define PLACE               "(cast at : vec[4]i64)"
#define NEXT(by)            "(+ (cast at : vec[4]i64) (splat (size " by ") : vec[4]i64))"
#define GATHER(name, place) "(decl " name " vec[4]f32 (gather_where a " place " m : vec[4]f32))"
#define HALF(name, half)                                                                           \
    "(decl " name " vec[4]f32 (gather_runs a " PLACE " m 2 " half " : vec[4]f32))"
#define SUM "(store y 0 (+ p q))"

static const char *done(Session *cx, const char *body)
{
    LoopEntry *e = read_loops(cx, arena_printf(cx->arena, HEADER "(block %s))", body));
    loops_check(cx, e);
    e = loops_coalesce_gathers(cx, e);
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
    if (strstr(text, "gather_runs")) fail_msg("%s", text);
    session_delete(cx);
}

static void neighbours_are_pairs(void **state)
{
    (void)state;
    assert_becomes(
        AT GATHER("p", PLACE) GATHER("q", NEXT("1")) SUM,
        HALF("pairs1", "0") " " HALF(
            "pairs2",
            "1") " "
                 "(decl p vec[4]f32 (shuffled pairs1 pairs2 0 2 4 6)) "
                 "(decl q vec[4]f32 (shuffled pairs1 pairs2 1 3 5 7)) (store y 0 (+ p q))");
    // the one behind comes first; offsets that are no numbers; parts of expressions
    assert_becomes(AT GATHER("q", NEXT("(n + 1)")) "(decl z f32 (load a 0))"
                                                   "(store y 0 (* q (gather_where a " NEXT(
                                                       "n") " m : vec[4]f32)))",
                   "(decl q vec[4]f32 (shuffled pairs1 pairs2 1 3 5 7)) (decl z f32 (load a 0)) "
                   "(store y 0 (* q (shuffled pairs1 pairs2 0 2 4 6)))");
}

static void four_are_transposed(void **state)
{
    (void)state;
    assert_becomes(AT GATHER("q", NEXT("1")) GATHER("p", PLACE) GATHER("s", NEXT("3"))
                       GATHER("r", NEXT("2"))
                           GATHER("t", NEXT("4")) "(store y 0 (+ (+ p q) (+ (+ r s) t)))",
                   "(decl rows4 vec[4]f32 (gather_runs a (cast at : vec[4]i64) m 4 3 : vec[4]f32)) "
                   "(decl half1 vec[4]f32 (shuffled rows1 rows2 0 4 1 5)) "
                   "(decl half2 vec[4]f32 (shuffled rows1 rows2 2 6 3 7)) "
                   "(decl half3 vec[4]f32 (shuffled rows3 rows4 0 4 1 5)) "
                   "(decl half4 vec[4]f32 (shuffled rows3 rows4 2 6 3 7)) "
                   "(decl q vec[4]f32 (shuffled half1 half3 2 3 6 7)) "
                   "(decl p vec[4]f32 (shuffled half1 half3 0 1 4 5)) "
                   "(decl s vec[4]f32 (shuffled half2 half4 2 3 6 7)) "
                   "(decl r vec[4]f32 (shuffled half2 half4 0 1 4 5)) "
                   "(decl t vec[4]f32 (gather_where a ");
    // in steps, too, where pairs stay
    const char *steps = "(gather_where a (+ (* (iota : vec[4]i64) (splat 4i64 : vec[4]i64)) (splat "
                        "(size %d) : vec[4]i64)) (splat true : vec[4]bool) : vec[4]f32)";
    char text[1200] = AT "(store y 0 (+ (+ ";
    for (int i = 0; i < 4; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), steps, i);
        strcat(text, i == 1 ? ") (+ " : i == 3 ? ")))" : " ");
    }
    assert_becomes(text, "(splat true : vec[4]bool) 4 3 : vec[4]f32)");
}

static void each_is_in_one_pair(void **state)
{
    (void)state;
    assert_becomes(AT GATHER("p", PLACE) GATHER("q", NEXT("1"))
                       GATHER("r", NEXT("2")) "(store y 0 (+ (+ p q) (+ r (gather_where a " PLACE
                                              " m : vec[4]f32))))",
                   "(decl r vec[4]f32 (gather_where a (+ (cast at : vec[4]i64) (splat (size 2) : "
                   "vec[4]i64)) m : vec[4]f32)) (store y 0 (+ (+ p q) (+ r "
                   "(shuffled pairs1 pairs2 0 2 4 6))))");
}

static void changes_come_between(void **state)
{
    (void)state;
    // memory, the mask, a statement that may not come to its end
    assert_stays("(alloc.stack t f32 8) (store t 0 (load a 0 : vec[4]f32)) "
                 "(store t 4 (load a 0 : vec[4]f32))" AT "(decl p vec[4]f32 (gather_where t " PLACE
                 " m : vec[4]f32)) (store t 0 1.0)"
                 "(decl q vec[4]f32 (gather_where t " NEXT("1") " m : vec[4]f32)) " SUM);
    assert_stays(AT GATHER("p", PLACE) "(set m (! m))" GATHER("q", NEXT("1")) SUM);
    assert_stays(AT GATHER("p", PLACE) "(require E0601 (< (size n) 9i64))" GATHER("q", NEXT("1"))
                     SUM);
    assert_stays(AT GATHER("p", PLACE) "(branch (< k 1i32) (block " GATHER("q", NEXT("1")) SUM
                 ") (block))");
    assert_stays(AT GATHER("p", PLACE) "(store y 0 (? (< k 1i32) (gather_where a " NEXT(
        "1") " m : vec[4]f32) p))");
    // what was met before the change still pairs with what was met there
    assert_becomes(AT GATHER("p", PLACE) GATHER("q", NEXT("1")) "(set m (! m))" GATHER(
                       "r", PLACE) "(store y 0 (+ (+ p q) r))",
                   "(decl r vec[4]f32 (gather_where a (cast at : vec[4]i64) m : vec[4]f32))");
}

static void others_stay(void **state)
{
    (void)state;
    assert_stays(AT GATHER("p", PLACE) GATHER("q", NEXT("2")) SUM);
    assert_stays(
        AT GATHER("p", PLACE) "(decl o vec[4]bool (! m)) (store y 0 (+ p (gather_where a " NEXT(
            "1") " o : vec[4]f32)))");
    assert_stays("(store y 0 (+ (gather_where a (* (iota : vec[4]i64) (splat 2i64 : vec[4]i64)) "
                 "(splat true : vec[4]bool) : vec[4]f32) (gather_where a (+ (* (iota : vec[4]i64) "
                 "(splat 2i64 : vec[4]i64)) (splat (size 1) : vec[4]i64)) "
                 "(splat true : vec[4]bool) : vec[4]f32)))");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_are_pairs), cmocka_unit_test(four_are_transposed),
        cmocka_unit_test(each_is_in_one_pair), cmocka_unit_test(changes_come_between),
        cmocka_unit_test(others_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
