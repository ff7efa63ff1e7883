// Length inference: a program whose variables have no types written is the one in which they have the least lengths that go.
#include "infer/support.h"

typedef struct {
    const char *text;     // with ~ where a type is left out
    const char *types[4]; // what stands there
} Case;

static const char *core_of(Inferred *r)
{
    Text t = text_new(r->cx->arena);
    core_print(r->cx, &t, vec_last(&r->program->functions));
    return text_get(&t);
}

// The text with the types in their places, or without them.
static const char *written(Session *cx, const Case *c, bool types)
{
    Text t = text_new(cx->arena);
    int k = 0;
    for (const char *s = c->text; *s; s++)
        if (*s != '~')
            text_char(&t, *s);
        else if (types)
            text_printf(&t, ": %s", c->types[k++]);
    return text_get(&t);
}

static void check(const Case *c)
{
    Session *cx = session_new();
    Inferred with = infer_good(written(cx, c, true)), without = infer_good(written(cx, c, false));
    const char *wanted = core_of(&with), *found = core_of(&without);
    if (strcmp(wanted, found) != 0) fail_msg("%s\ngives\n%s\nnot\n%s", c->text, found, wanted);
    session_delete(with.cx);
    session_delete(without.cx);
    session_delete(cx);
}

static void the_least_lengths(void **state)
{
    (void)state;
    static const Case cases[] = {
        // nothing asks for vectors
        {"fn f(v: varying[4] f32) -> f32 { let mut x~ = 0.0; x = extract(v, 0); x }", {"f32"}},
        // a vector is assigned; what is assigned from a variable that is one; as often as it takes
        {"fn f(v: varying[4] f64) -> varying[4] f64 { let mut x~ = 0.0; x = v; x }",
         {"varying[4] f64"}},
        {"fn f(v: varying[4] f64) -> varying[4] f64 { let mut x~ = 1; x += v; x }",
         {"varying[4] f64"}},
        {"fn f(v: varying[4] f32) -> varying[4] f32 {\n"
         "  let mut x~ = 0.0; let mut y~ = 0.0; let mut z~ = 0.0; let mut u~ = 0.0;\n"
         "  z = y; y = x; x = v; u = 1.0; x + y + z + u }",
         {"varying[4] f32", "varying[4] f32", "varying[4] f32", "f32"}},
        // only some lanes come, also on their way out
        {"fn f(v: varying[4] f32) -> varying[4] i32 {\n"
         "  let mut n~ = 0; let mut m~ = 0; if v > 0.0 { n += 1; } m += 1; n + m }",
         {"varying[4] i32", "i32"}},
        {"fn f(v: varying[4] f32) -> varying[4] i32 {\n"
         "  let mut k~ = 0;\n"
         "  for i in range(0, 9) { if v > f32(i) { break() } k += 1; }\n"
         "  k }",
         {"varying[4] i32"}},
        // what is declared there belongs to the lanes that come
        {"fn f(v: varying[4] f32) -> varying[4] i32 {\n"
         "  let mut r~ = 0; if v > 0.0 { let mut k~ = 1; k += 1; r = k; } r }",
         {"varying[4] i32", "i32"}},
        // structs, tuples and arrays
        {"struct P { x: f32, n: i32 }\n"
         "fn f(v: varying[4] f32) -> varying[4] f32 {\n"
         "  let mut p~ = P { x: 1.0, n: 2 }; p.x = v; p.x + f32(p.n) }",
         {"varying[4] P"}},
        {"fn f(v: varying[4] f64) -> varying[4] f64 {\n"
         "  let mut q~ = (0.0, true); if v > 1.0 { q = (1.0, false); } q.0 + v }",
         {"varying[4] (f64, bool)"}},
        {"fn g(x: f32) -> (f32, bool) { (x, true) }\n"
         "fn f(v: varying[4] f32) -> varying[4] f32 {\n"
         "  let mut q~ = g(1.0); if q.1 { q.0 = v; } q.0 + v }",
         {"varying[4] (f32, bool)"}},
        {"enum E { A(f32), B }\n"
         "fn f(v: varying[4] f32) -> varying[4] f32 {\n"
         "  let mut e~ = E.B; if v > 0.0 { e = E.A(v); }\n"
         "  match e { E.A(x) => x, E.B => v } }",
         {"varying[4] E"}},
        {"fn f(v: varying[4] f32) -> varying[4] f32 {\n"
         "  let mut a~ = [0.0, 1.0]; a[1] = v; a[0] + a[1] }",
         {"varying[4] [2]f32"}},
        // parts that are vectors already ask for nothing
        {"struct R { v: varying[4] f32, w: f32 }\n"
         "fn f(a: varying[4] f32) -> f32 {\n"
         "  let mut r~ = R { v: a, w: 1.0 }; r = R { v: a + 1.0, w: 2.0 }; r.w }",
         {"R"}},
        {"fn f(a: varying[4] f32) -> f32 {\n"
         "  let mut r~ = (a, 1.0); r = (a, 2.0); r.0 = a + a; r.1 }",
         {"(varying[4] f32, f32)"}},
        // lengths that are parameters
        {"fn f[L: nat](v: varying[L] f32) -> varying[L] f32 {\n"
         "  let mut x~ = 0.0; while v > x { x += 1.0; } x }",
         {"varying[L] f32"}},
        {"simd[L] fn f[L: nat](v: varying[L] f32) -> varying[L] f32 {\n"
         "  let mut x~ = 0.0; if v > 1.0 { x = v; } x }",
         {"varying[L] f32"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i]);
}

// Example 4.5 of the thesis: the text for one point, in which nothing is a vector but what comes in.
static void mandelbrot(void **state)
{
    (void)state;
    check(&(Case){"fn iter(re: varying[8] f32, im: f32, limit: i32) -> varying[8] i32 {\n"
                  "  let mut x~ = 0.0; let mut y~ = 0.0; let mut k~ = 0;\n"
                  "  while k < limit && x * x + y * y <= 4.0 {\n"
                  "    let next = x * x - y * y + re;\n"
                  "    y = 2.0 * x * y + im; x = next; k = k + 1; }\n"
                  "  k }",
                  {"varying[8] f32", "varying[8] f32", "varying[8] i32"}});
}

// What is wrong beside the lengths is told once, and what other declarations have wrong is not forgotten.
static void errors_in_rounds(void **state)
{
    (void)state;
    static const struct {
        const char *text, *errors;
    } cases[] = {
        {"fn f(v: varying[4] f32) -> i32 { let mut x = 0.0; x = v; let y = nope; 1 }",
         "E0201 1:66"},
        {"fn f(v: varying[4] f32) -> i32 { let mut x = 0.0; x = v; C }\n"
         "const C = 1 + true",
         "E0301 2:11"},
        {"fn f(v: varying[4] f32) { let mut x = map; x = v; }", "E0301 1:48"},
        {"fn f(v: varying[4] f32) -> f32 { let (mut x, mut y) = (1.0, 2.0); x = v; y = x; y }",
         "E0301 1:81"},
        {"fn f(v: varying[4] f32) -> f32 { let (mut x, mut y) = (1.0, 2.0); x = v; y }", ""},
        {"fn f(v: varying[4] f32) { let mut x = g(); x = v; }\nfn g() -> (f32, f32) { (1, 2) }",
         "E0301 1:48"},
        {"fn f(v: varying[4] f32) { let x = 0.0; x = v; }", "E0320 1:40, E0301 1:44"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Inferred r = infer_text(cases[i].text, strlen(cases[i].text));
        if (strcmp(show_errors(&r), cases[i].errors) != 0)
            fail_msg("%s: %s", cases[i].text, show_errors(&r));
        session_delete(r.cx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_lengths),
        cmocka_unit_test(mandelbrot),
        cmocka_unit_test(errors_in_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
