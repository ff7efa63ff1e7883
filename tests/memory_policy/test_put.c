// Which functions have a put, and what the table of low Core refuses around map.dst and streams.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "memory_policy/memory_policy.h"

static Function *read_text(Session *cx, const char *text)
{
    Function *f = core_read(cx, session_add_source(cx, "low", text, strlen(text)));
    if (!f) fail_msg("%s: %s", text, cx->diags.at[0]->text);
    return f;
}

// The number of passes of map.dst(\x. body) for x of this type; v, ys : [m]f32 are free.
static void assert_passes(int expected, const char *type, const char *body)
{
    Session *cx = session_new();
    nat_init(cx);
    const char *text = arena_printf(
        cx->arena,
        "(entry f [n: nat, m: nat] (a: [n]%s, v: f32, ys: [m]f32, k: i64, i: idx[m]) : i64"
        " (let u (map.dst (lam (x: %s) %s) (copy a)) 0i64))",
        type, type, body);
    int passes = policy_put_passes(read_text(cx, text)->body->op[0]->op[0]);
    if (passes != expected) fail_msg("%s: %d passes", body, passes);
    session_delete(cx);
}

static void views_have_a_put(void **state)
{
    (void)state;
    assert_passes(1, "f32", "x");
    assert_passes(1, "[m]f32", "(reverse.dst (rotate.dst k x))");
    assert_passes(1, "[m][2]f32", "(transpose.dst (split.dst 1 (join.dst (transpose.dst x))))");
    assert_passes(1, "(f32, f32)", "(tuple (proj 1 x) v (proj 0 x))");
    assert_passes(1, "([m]f32, [m]f32)", "(zip.dst (proj 1 x) (proj 0 x))");
    assert_passes(1, "([m]f32, [m]f32)", "(concat.dst (proj 1 x) (proj 0 x))");
    assert_passes(1, "[m](f32, f32)", "(proj.dst 1 (unzip.dst x))");
    assert_passes(1, "[m]f32", "(at.dst x i)");
    assert_passes(1, "[m]f32", "(pad.dst const 1 1 v x)");
    assert_passes(1, "[m]f32", "(pad.dst clamp 1 1 (slice.dst 0 m x))");
    assert_passes(1, "[m]f32", "(repeat.dst 3 x)");
    assert_passes(1, "[m](f32, f32)", "(map.dst (lam (y: (f32, f32)) (proj 0 y)) (reverse.dst x))");
    assert_passes(1, "[m]f32", "(let z (* v v) (tuple z x))");
    assert_passes(1, "f32", "v");
}

static void what_goes_to_two_places_is_made_twice(void **state)
{
    (void)state;
    assert_passes(2, "[m]f32", "(tuple x (reverse.dst x))");
    assert_passes(3, "(f32, f32)", "(tuple (proj 0 x) (proj 1 x) x)");
    assert_passes(0, "[m]f32", "(zip.dst x x)");
    assert_passes(0, "[m]f32", "(tuple x (concat.dst x x))");
}

static void others_have_none(void **state)
{
    (void)state;
    assert_passes(0, "f32", "(+ x 1.0)");
    assert_passes(0, "(f32, f32)", "(tuple (proj 0 x) (+ (proj 1 x) 1.0))");
    assert_passes(0, "[m]f32", "(reverse.src x)");
    assert_passes(0, "[m]f32", "(copy x)");
    assert_passes(0, "[m]f32", "(at x i)");
    assert_passes(0, "[m]f32", "(repeat.dst m x)");
    assert_passes(0, "[m]f32", "(repeat.dst 0 x)");
    assert_passes(0, "[m]f32", "(slice.dst 0 m (pad.dst clamp 1 1 x))");
    assert_passes(0, "[m]f32", "(at.dst (repeat.dst 3 x) (size 0 : idx[3]))");
    assert_passes(0, "[m]f32", "(pad.dst const 1 1 (at x i) x)");
    assert_passes(0, "([m]f32, f32)", "(map.dst (lam (y: f32) (tuple y (proj 1 x))) (proj 0 x))");
    assert_passes(0, "[m]f32", "(permute.dst (lam (i: idx[m]) i) (lam (i: idx[m]) i) x)");
}

// --- the table ----------------------------------------------------------------------------------

// Whether low Core of this result and body, over a : [n]f32 and b : [n][m]f32, is what the table says.
static void assert_low(bool accepted, const char *type, const char *body)
{
    Session *cx = session_new();
    nat_init(cx);
    const char *text = arena_printf(
        cx->arena, "(entry f [n: nat, m: nat] (a: [n]f32, b: [n][m]f32) : %s %s)", type, body);
    Function *f = read_text(cx, text);
    jmp_buf boundary;
    cx->boundary = &boundary;
    if (setjmp(boundary) == 0) policy_check_low(cx, f);
    if ((cx->errors == 0) != accepted)
        fail_msg("%s: %s", body, accepted ? cx->diags.at[0]->text : "accepted");
    session_delete(cx);
}

#define TWICE "(lam (x: f32) (* x 2.0))"
#define SUM   "(lam (x: f32, y: f32) (+ x y))"

static void destinations(void **state)
{
    (void)state;
    assert_low(true, "[n][m]f32", "(map.dst (lam (r: [m]f32) (reverse.dst r)) (copy b))");
    assert_low(false, "[n][m]f32", "(map.dst (lam (r: [m]f32) (reverse.dst r)) b)");
    assert_low(false, "[n][m]f32", "(map.seq (lam (r: [m]f32) (reverse.dst r)) b)");
    assert_low(true, "[n + 2]f32", "(pad.dst clamp 1 1 (copy a))");
    assert_low(false, "[n + 2]f32", "(pad.dst clamp 1 1 a)");
    assert_low(true, "[m][n]f32", "(repeat.dst m (copy a))");
    assert_low(false, "[m][n]f32", "(repeat.dst m a)");
    assert_low(true, "[n]f32", "(proj.dst 1 (tuple (copy b) (copy a)))");
    assert_low(false, "[n]f32", "(proj 1 (tuple b a))");
    assert_low(true, "f32", "(proj.dst 1 (tuple (copy b) 1.0))");
    // the argument of two passes has no effects
    assert_low(true, "([n]([m]f32, [m]f32))",
               "(map.dst (lam (r: [m]f32) (tuple r r)) (map.seq (lam (r: [m]f32) (copy r)) b))");
    assert_low(false, "([n]([m]f32, [m]f32))",
               "(let c (cell 0.0) (map.dst (lam (r: [m]f32) (tuple r r)) "
               "(map.seq (lam (r: [m]f32) (let u (put c 1.0) (copy r))) b)))");
}

static void streams(void **state)
{
    (void)state;
    assert_low(true, "[n]f32", "(map.dst " TWICE " (map.seq " TWICE " a))");
    assert_low(true, "[n]f32", "(map.dst " TWICE " (map.dst " TWICE " (map.seq " TWICE " a)))");
    assert_low(false, "[n]f32", "(map.seq " TWICE " (map.seq " TWICE " a))");
    assert_low(false, "[n]f32", "(copy (map.seq " TWICE " a))");
    assert_low(false, "f32", "(reduce.seq " SUM " 0.0 (map.seq " TWICE " a))");
    assert_low(true, "[1]f32",
               "(reduce.seq (lam (x: [1]f32, y: [1]f32) (copy y)) (copy (repeat.src 1 0.0)) "
               "(slide.window 1 1 a))");
    assert_low(true, "[n][1]f32", "(slide.window 1 1 a)");
    assert_low(true, "[n]f32",
               "(map.dst (lam (w: [1]f32) (at w (size 0 : idx[1]))) (slide.window 1 1 a))");
    assert_low(false, "[n]f32",
               "(copy (map.src (lam (w: [1]f32) (at w (size 0 : idx[1]))) (slide.window 1 1 a)))");
    assert_low(false, "[n][1]f32", "(slide.window 1 1 (copy a))");
    assert_low(false, "[n][1]f32", "(reverse.dst (slide.dst 1 1 (copy a)))");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_have_a_put), cmocka_unit_test(what_goes_to_two_places_is_made_twice),
        cmocka_unit_test(others_have_none), cmocka_unit_test(destinations),
        cmocka_unit_test(streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
