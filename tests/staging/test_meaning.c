// Staging keeps the meaning: programs give the same before and after, and calls are the same as
// their results.
#include "staging/examples.h"
#include "staging/values/staging.h"

static void examples_mean_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const Example *e = &examples[i];
        Session *cx = session_new();
        nat_init(cx);
        Function *f = text_function(cx, "main", e->generics, e->params, e->body);
        Function *flat = staging_run(cx, NULL, f);
        if (!flat) fail_msg("%s\n%s", e->body, diagnostics_text(cx));
        core_check(cx, flat, LEVEL_CORE);
        core_check_flat(cx, flat);
        same_meaning(cx, NULL, f, flat, e->least);
        session_delete(cx);
    }
}

// Every example as a library function, called by an entry with two arguments swapped or shared.
static void calls_mean_the_same(void **state)
{
    (void)state;
    Session *cx = session_new();
    nat_init(cx);
    Program p = {.by_name = map_new(cx->arena)};
    program_add(cx, &p,
                text_function(cx, "twice", "t: data", "f: fn(t) -> t, x: t", "(app f (app f x))"));
    program_add(cx, &p,
                text_function(cx, "each", "n: nat, s: data, t: data", "f: fn(s) -> t, xs: [n]s",
                              "(map f xs)"));
    program_add(cx, &p,
                text_function(cx, "swap", "s: data, t: data", "p: (s, t)",
                              "(tuple (proj 1 p) (proj 0 p))"));
    program_add(cx, &p,
                text_function(cx, "pick", "t: data", "c: bool, f: fn(t) -> t, g: fn(t) -> t",
                              "(if c f g)"));
#define TWICE "(global twice (type [n]f32) : fn(fn([n]f32) -> [n]f32, [n]f32) -> [n]f32)"
#define EACH  "(global each n (type f32) (type f32) : fn(fn(f32) -> f32, [n]f32) -> [n]f32)"
#define SWAP  "(global swap (type [n]f32) (type f32) : fn(([n]f32, f32)) -> (f32, [n]f32))"
#define PICK  "(global pick (type f32) : fn(bool, fn(f32) -> f32, fn(f32) -> f32) -> fn(f32) -> f32)"
    static const char *const bodies[] = {
        "(app " TWICE " (lam (r: [n]f32) (app " EACH " " SQ " r)) xs)",
        "(app " TWICE " (lam (r: [n]f32) (app " TWICE " (lam (q: [n]f32) (reverse q)) (scan " ADD
        " 0.0 r))) xs)",
        "(app " EACH " (app " PICK " c " SQ " " ROOT ") xs)",
        "(app " EACH " (lam (x: f32) (app (app " PICK " (< x 3.0) " SQ
        " (lam (y: f32) (+ x y))) (* x 2.0))) xs)",
        "(let t (app " SWAP " (tuple (app " EACH " " ROOT " xs) (reduce " ADD
        " 0.0 xs))) (map (lam (x: f32) (* x (proj 0 t))) (proj 1 t)))",
        "(map (lam (x: f32) (let g (if c " SQ " " ROOT ") (+ (app g x) (app g (+ x 1.0))))) xs)",
        "(map (app (if c (lam (y: f32) (lam (x: f32) (* x y))) (lam (y: f32) (lam (x: f32) (- x "
        "y)))) 3.0) xs)",
        "(map (proj 0 (if c (tuple " SQ " 1) (tuple " ROOT " 2))) xs)",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        Function *f = text_function(cx, "main", "n: nat", "c: bool, xs: [n]f32", bodies[i]);
        Function *flat = staging_run(cx, &p, f);
        if (!flat) fail_msg("%s\n%s", bodies[i], diagnostics_text(cx));
        core_check(cx, flat, LEVEL_CORE);
        core_check_flat(cx, flat);
        same_meaning(cx, &p, f, flat, 0);
    }
    session_delete(cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_mean_the_same),
        cmocka_unit_test(calls_mean_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
