// One rule at one term: what matches, what the parameters stand for, what is made; and why a rule is not applied.
#include "schedule/rules.h"

typedef struct {
    const char *rule;    // named r
    const char *entry;   // named f; its body is the term
    const char *becomes; // the text of what is made; NULL: it is not applied
    const char *why;     // then, part of the reason
} Case;

static const Case cases[] = {
    // --- names, functions
    {"rule r[n: nat, r, s, t: data](f: fn(s) -> t, g: fn(r) -> s, xs: [n]r) { map(f, map(g, xs)) "
     "=> map(|x| f(g(x)), xs) }",
     "entry fn f[k: nat](ys: [k]i32) -> [k]i32 { map(|x| x + 1, map(|x| x * x, ys)) }",
     "(map (lam (x: i32) (+ (* x x) 1)) ys)", NULL},
    // the rule's names are the program's
    {"rule r[n: nat, s, t: data](f: fn(s) -> t, xs: [n]s) { map(f, reverse(xs)) => reverse(map(f, "
     "xs)) }",
     "entry fn f[s: nat, n: nat](xs: [s]i32) -> [s]i32 { map(|f| f + i32(n), reverse(xs)) }",
     "(reverse (map (lam (f: i32) (+ f (cast (size n) : i32))) xs))", NULL},
    {"rule r[m, n: nat, t: data](xs: [m][n]t) { transpose(transpose(xs)) => xs }",
     "entry fn f[n, m: nat](ys: [n][m]i32) -> [n][m]i32 { transpose(transpose(ys)) }", "ys", NULL},
    // a function of two variables, given in the other order
    {"rule r[n, m: nat, r, s, t: data](f: fn(r, s) -> t, xs: [n]r, ys: [m]s) { map(|x| map(|y| "
     "f(x, y), ys), xs) => transpose(map(|y| map(|x| f(x, y), xs), ys)) }",
     "entry fn f[n, m: nat](a: [n]i32, b: [m]i32) -> [n][m]i32 { map(|p| map(|q| p - q, b), a) }",
     "(transpose (map (lam (y: i32) (map (lam (x: i32) (- x y)) a)) b))", NULL},
    {"rule r[n, m: nat, r, s, t: data](f: fn(r, s) -> t, xs: [n]r, ys: [m]s) { map(|x| map(|y| "
     "f(x, y), ys), xs) => transpose(map(|y| map(|x| f(x, y), xs), ys)) }",
     "entry fn f[n, m: nat](a: [n][m]i32) -> [n][m]i32 { map(|p| map(|q| q + 1, p), a) }", NULL,
     "`ys` would depend on a variable bound inside"},
    // a parameter twice
    {"rule r[n: nat, t: data](xs: [n]t) { zip(xs, xs) => map(|x| (x, x), xs) }",
     "entry fn f[n: nat](a: [n]i32) -> [n](i32, i32) { zip(reverse(a), reverse(a)) }",
     "(map (lam (x: i32) (tuple x x)) (reverse a))", NULL},
    {"rule r[n: nat, t: data](xs: [n]t) { zip(xs, xs) => map(|x| (x, x), xs) }",
     "entry fn f[n: nat](a: [n]i32) -> [n](i32, i32) { zip(reverse(a), a) }", NULL,
     "`xs` would have two different values"},
    {"rule r[n: nat, s, t: data](f: fn(s) -> t, xs: [n]s, ys: [n]s) { zip(map(|x| f(x), xs), "
     "map(|y| f(y), ys)) => map(|(x, y)| (f(x), f(y)), zip(xs, ys)) }",
     "entry fn f[n: nat](a: [n]i32, b: [n]i32) -> [n](i32, i32) { zip(map(|x| x + 2, a), map(|x| x "
     "+ 2, b)) }",
     "(map (lam (t: (i32, i32)) (tuple (+ (proj 0 t) 2) (+ (proj 1 t) 2))) (zip a b))", NULL},
    {"rule r[n: nat, s, t: data](f: fn(s) -> t, xs: [n]s, ys: [n]s) { zip(map(|x| f(x), xs), "
     "map(|y| f(y), ys)) => map(|(x, y)| (f(x), f(y)), zip(xs, ys)) }",
     "entry fn f[n: nat](a: [n]i32, b: [n]i32) -> [n](i32, i32) { zip(map(|x| x + 2, a), map(|x| x "
     "+ 3, b)) }",
     NULL, "`f` would have two different values"},
    // components of a bound variable
    {"rule r[n: nat, s, t, u: data](f: fn(s, t) -> u, xs: [n]s, ys: [n]t) { map(|(x, y)| f(x, y), "
     "zip(xs, ys)) => map(|(y, x)| f(x, y), zip(ys, xs)) }",
     "entry fn f[n: nat](a: [n]i32, b: [n]i32) -> [n]i32 { map(|(p, q)| p - q, zip(a, b)) }",
     "(map (lam (t: (i32, i32)) (- (proj 1 t) (proj 0 t))) (zip b a))", NULL},
    {"rule r[n: nat, s, t, u: data](f: fn(s) -> u, xs: [n]s, ys: [n]t) { map(|(x, y)| f(x), "
     "zip(xs, ys)) => map(f, xs) }",
     "entry fn f[n: nat](a: [n]i32, b: [n]i32) -> [n]i32 { map(|(p, q)| p - q, zip(a, b)) }", NULL,
     "`f` would depend on more variables than its parameters"},
    // f(g(x)): one operand
    {"rule r[n: nat, r, s, t: data](f: fn(s) -> t, g: fn(r) -> s, xs: [n]r) { map(|x| f(g(x)), xs) "
     "=> map(f, map(g, xs)) }",
     "entry fn f[n: nat](a: [n]f32, c: f32) -> [n]f32 { map(|x| c * sqrt(x), a) }",
     "(map (lam (x: f32) (* c x)) (map (lam (x: f32) (sqrt x)) a))", NULL},
    {"rule r[n: nat, r, s, t: data](f: fn(s) -> t, g: fn(r) -> s, xs: [n]r) { map(|x| f(g(x)), xs) "
     "=> map(f, map(g, xs)) }",
     "entry fn f[n: nat](a: [n]f32) -> [n]f32 { map(|x| x * sqrt(x), a) }", NULL,
     "no single operand can be split off for `f`"},
    // f(a, g(x)): a part
    {"rule r[n: nat, r, s, t: data](f: fn(t, s) -> t, z: t, g: fn(r) -> s, xs: [n]r) { fold(|a, x| "
     "f(a, g(x)), z, xs) => fold(f, z, map(g, xs)) }",
     "entry fn f[n: nat](v: [n]f32) -> f32 { fold(|a, x| (a + x * x) / (a - x * x), 0.0, v) }",
     "(fold (lam (x0: f32, x1: f32) (/ (+ x0 x1) (- x0 x1))) 0.0 (map (lam (x: f32) (* x x)) v))",
     NULL},
    {"rule r[n: nat, r, s, t: data](f: fn(t, s) -> t, z: t, g: fn(r) -> s, xs: [n]r) { fold(|a, x| "
     "f(a, g(x)), z, xs) => fold(f, z, map(g, xs)) }",
     "entry fn f[n: nat](v: [n]f32) -> f32 { fold(|a, x| a + x, 0.0, v) }", NULL,
     "there is no single part that can be `g`"},
    {"rule r[n: nat, r, s, t: data](f: fn(t, s) -> t, z: t, g: fn(r) -> s, xs: [n]r) { fold(|a, x| "
     "f(a, g(x)), z, xs) => fold(f, z, map(g, xs)) }",
     "entry fn f[n: nat](v: [n]f32) -> f32 { fold(|a, x| a * sqrt(x) + x * x, 0.0, v) }", NULL,
     "there is no single part that can be `g`"},
    // f(xs[i]): a part that matches
    {"rule r[n: nat, s, t: data](f: fn(s) -> t, xs: [n]s) { generate(n, |i| f(xs[i])) => map(f, "
     "xs) }",
     "entry fn f[n: nat](v: [n]f32) -> [n]f32 { generate(n, |i| v[i] * v[i]) }",
     "(map (lam (x: f32) (* x x)) v)", NULL},
    {"rule r[n: nat, s, t: data](f: fn(s) -> t, xs: [n]s) { generate(n, |i| f(xs[i])) => map(f, "
     "xs) }",
     "entry fn f[n: nat](v: [n]f32) -> [n]f32 { generate(n, |i| v[i] * f32(i)) }", NULL,
     "`f` would depend on more variables than its parameters"},
    // f(g(x), h(x)) where each argument is such a term: two parts
    {"rule r[n, m: nat, r, s, t, u: data](f: fn(s, t) -> u, g: fn(r) -> [m]s, h: fn(r) -> [m]t, "
     "op: fn(s, s) -> s, "
     "po: fn(t, t) -> t, z: s, y: t, xs: [n]r) { map(|x| f(reduce(op, z, g(x)), reduce(po, y, "
     "h(x))), xs) => map(|(a, b)| f(reduce(op, z, a), reduce(po, y, b)), zip(map(g, xs), map(h, "
     "xs))) }",
     "entry fn f[n, m: nat](a: [n][m]f32) -> [n]f32 { map(|x| reduce(+, 0.0, x) - reduce(max, 1.0, "
     "reverse(x)), a) }",
     "(map (lam (t: ([m]f32, [m]f32)) (- (reduce (lam (a: f32, b: f32) (+ a b)) 0.0 (proj 0 t)) "
     "(reduce (lam (a: f32, b: f32) (max a b)) 1.0 (proj 1 t)))) (zip (map (lam (x: [m]f32) x) a) "
     "(map (lam (x: [m]f32) (reverse x)) a)))",
     NULL},
    {"rule r[n, m: nat, s, t: data](f: fn(s) -> t, op: fn(s, s) -> s, z: s, xs: [n][m]s) { map(|x| "
     "f(reduce(op, z, x)), xs) => map(f, map(|x| reduce(op, z, x), xs)) }",
     "entry fn f[n, m: nat](c: f32, a: [n][m]f32) -> [n]f32 { map(|x| { let d = sqrt(c); d * d - "
     "reduce(+, 0.0, x) }, a) }",
     "(map (lam (x: f32) (let d (sqrt c) (- (* d d) x))) (map (lam (x: [m]f32) (reduce (lam (a: "
     "f32, b: f32) (+ a b)) 0.0 x)) a))",
     NULL},
    {"rule r[n: nat, s, t: data](f: fn(s, s) -> t, g: fn(s) -> s, h: fn(s) -> s, xs: [n]s) { "
     "generate(n, |i| f(g(xs[i]), h(xs[i]))) => map(|x| f(g(x), h(x)), xs) }",
     "entry fn f[n: nat](v: [n]f32) -> [n]f32 { generate(n, |i| sqrt(v[i])) }", NULL,
     "no part of the term matches the left side"},
    // --- literals of a type that is a parameter
    {"rule r[n: nat, t: num](xs: [n]t) { reduce(+, 0, xs) => reduce(+, 0, reverse(xs)) }",
     "entry fn f[n: nat](a: [n]i32) -> i32 { reduce(+, 0, a) }",
     "(reduce (lam (a: i32, b: i32) (+ a b)) 0 (reverse a))", NULL},
    {"rule r[n: nat, t: float](xs: [n]t) { reduce(+, 0.0, xs) => reduce(+, 0.0, reverse(xs)) }",
     "entry fn f[n: nat](a: [n]f64) -> f64 { reduce(+, 0.0, a) }",
     "(reduce (lam (a: f64, b: f64) (+ a b)) 0.0f64 (reverse a))", NULL},
    {"rule r[n: nat, t: float](xs: [n]t) { reduce(+, 0.0, xs) => reduce(+, 0.0, reverse(xs)) }",
     "entry fn f[n: nat](a: [n]f32) -> f32 { reduce(+, 1.0, a) }", NULL,
     "the literal is a different one"},
    {"rule r[n: nat, t: float](xs: [n]t) { reduce(+, 0.0, xs) => reduce(+, 0.0, reverse(xs)) }",
     "entry fn f[n: nat](z: f32, a: [n]f32) -> f32 { reduce(+, z, a) }", NULL,
     "the program has a variable where the rule has a conversion"},
    // --- sizes
    {"rule r(m: nat)[n: nat, t: data](xs: [n]t) where n % m == 0, m > 0 { reverse(xs) => "
     "reverse(join(split[m](xs))) }",
     "entry fn f[n: nat](a: [n]i32) -> [n]i32 where n % 6 == 0 { reverse(a) }",
     "(reverse (join (split 3 a)))", NULL},
    {"rule r(m: nat)[n: nat, t: data](xs: [n]t) where n % m == 0, m > 0 { reverse(xs) => "
     "reverse(join(split[m](xs))) }",
     "entry fn f[n: nat](a: [n]i32) -> [n]i32 where n % 4 == 0 { reverse(a) }", NULL,
     "its condition n % 3 == 0 does not follow"},
    {"rule r[n, k: nat, t: data](xs: [n]t, ys: [n]t) { zip(take[k](xs), take[k](ys)) => "
     "take[k](zip(xs, ys)) }",
     "entry fn f[n: nat](a: [n + 2]i32, b: [n + 2]i32) -> [n](i32, i32) { zip(take[n](a), "
     "take[n](b)) }",
     "(slice 0 n (zip a b))", NULL},
    {"rule r[n, k: nat, t: data](xs: [n]t, ys: [n]t) { zip(take[k](xs), take[k](ys)) => "
     "take[k](zip(xs, ys)) }",
     "entry fn f[n: nat](a: [n + 2]i32, b: [n + 3]i32) -> [n](i32, i32) { zip(take[n](a), "
     "take[n](b)) }",
     NULL, "the size n + 3 is not known to be n + 2"},
    // --- types
    {"rule r[n: nat](f: fn(f32) -> f32, xs: [n]f32) { map(f, reverse(xs)) => reverse(map(f, xs)) }",
     "entry fn f[n: nat](a: [n]i32) -> [n]i32 { map(|x| x, reverse(a)) }", NULL,
     "the term has type `i32`, but the rule needs `f32`"},
    {"rule r[n: nat, t: data](f: fn(t) -> t, xs: [n]t) { map(f, reverse(xs)) => reverse(map(f, "
     "xs)) }",
     "entry fn f[n: nat](a: [n]i32) -> [n]f32 { map(|x| f32(x), reverse(a)) }", NULL, "f32"},
    {"rule r[n: nat, t: float](f: fn(t) -> t, xs: [n]t) { map(f, reverse(xs)) => reverse(map(f, "
     "xs)) }",
     "entry fn f[n: nat](a: [n]i32) -> [n]i32 { map(|x| x, reverse(a)) }", NULL,
     "the term has type `i32`, but the rule needs `t`"},
    // --- what is used twice, and effects
    {"rule r[n: nat, t: data](xs: [n]t) { reverse(xs) => map(|p| p.0, zip(reverse(xs), "
     "reverse(xs))) }",
     "entry fn f[n: nat](a: [n]i32) -> [n]i32 { reverse(a) }",
     "(map (lam (p: (i32, i32)) (proj 0 p)) (zip (reverse a) (reverse a)))", NULL},
    {"rule r[n: nat, s, t: data](f: fn(s) -> t, xs: [n]s) { map(f, xs) => map(|y| y.0, map(|x| "
     "(f(x), f(x)), xs)) }",
     "entry fn f[n: nat](a: [n]i32) -> [n]i32 { map(|x| x + 1, a) }",
     "(map (lam (y: (i32, i32)) (proj 0 y)) (map (lam (x: i32) (tuple (+ x 1) (+ x 1))) a))", NULL},
    {"rule r[n, m: nat, r, s, t: data](f: fn(r, s) -> t, xs: [n]r, ys: [m]s) { map(|x| map(|y| "
     "f(x, y), ys), xs) => transpose(map(|y| map(|x| f(x, y), xs), ys)) }",
     "entry fn f[n, m: nat](a: [n]i32, b: [m]i32) -> [n][m]i32 { map(|p| map(|q| p - q, map(|x| 1 "
     "/ x, b)), a) }",
     NULL, "`ys` would be computed where it was not computed before, and it may fail"},
    // variables around are not captured
    {"rule r[n: nat, s, t: data](f: fn(s) -> t, xs: [n]s) { map(f, xs) => generate(n, |i| "
     "f(xs[i])) }",
     "entry fn f[n: nat](i: i32, a: [n]i32) -> [n]i32 { map(|x| x + i, a) }",
     "(generate n (lam (i1: idx[n]) (+ (at a i1) i)))", NULL},
    // --- nothing to match
    {"rule r[n: nat, t: data](xs: [n]t) { reverse(xs) => xs }",
     "entry fn f[n: nat](a: [n]i32) -> [n]i32 { map(|x| x, a) }", NULL, NULL},
    {"rule r[n: nat, s, t: data](f: fn(s) -> t, xs: [n]s) { map.seq(f, xs) => map(f, xs) }",
     "entry fn f[n: nat](a: [n]i32) -> [n]i32 { map(|x| x, a) }", NULL, NULL},
};

static void one_line(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from != '\n' && (*from != ' ' || (to > text && to[-1] != ' '))) *to++ = *from;
    *to = 0;
}

static void try_case(const Case *c)
{
    Session *texts = session_new();
    Inferred r = infer_good(arena_printf(texts->arena, "%s\n%s", c->rule, c->entry));
    const Function *f = stage_entry(&r, "f");
    const RewriteRule *rule = find_rule(&r, "r");
    Miss miss;
    int64_t numbers[] = {3};
    Node *made = schedule_apply(r.cx, facts_of_function(r.cx, f), rule, numbers, f->body, false,
                                r.cx->arena, &miss);
    char *text = arena_printf(texts->arena, "%s", made ? term_text(f, r.cx, made) : "");
    one_line(text);
    if (made) {
        Function after = *f;
        after.body = made;
        core_check(r.cx, &after, LEVEL_LOW);
        core_check_flat(r.cx, &after);
    }
    if (!c->becomes != !made || (made && strcmp(text, c->becomes) != 0))
        fail_msg("%s\n%s\n  becomes %s (%s)", c->rule, c->entry, made ? text : "nothing",
                 miss.why ? miss.why : "-");
    if (!made && (!c->why != !miss.why || (c->why && !strstr(miss.why, c->why))))
        fail_msg("%s\n%s\n  because %s", c->rule, c->entry, miss.why ? miss.why : "of its head");
    session_delete(r.cx);
    session_delete(texts);
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) try_case(&cases[i]);
}

// What a function makes of its argument is computed once, where it is used twice.
static void test_lets(void **state)
{
    (void)state;
    Inferred r = infer_good(
        "rule r[n: nat, s, t: data](f: fn(s) -> t, xs: [n]s) { map(f, map(|x| x, xs)) => map(f, "
        "xs) }\n"
        "rule fuse[n: nat, r, s, t: data](f: fn(s) -> t, g: fn(r) -> s, xs: [n]r) { map(f, map(g, "
        "xs)) => map(|x| f(g(x)), xs) }\n"
        "entry fn f[n: nat](a: [n]f32) -> [n]f32 { map(|y| y * y, map(|x| sqrt(x), a)) }");
    const Function *f = stage_entry(&r, "f");
    Miss miss;
    Node *made = schedule_apply(r.cx, facts_of_function(r.cx, f), find_rule(&r, "fuse"), NULL,
                                f->body, false, NULL, &miss);
    assert_non_null(made);
    assert_string_equal(term_text(f, r.cx, made),
                        "(map (lam (x: f32) (let y (sqrt x) (* y y))) a)");
    assert_int_equal(made->origin.lo, f->body->origin.lo); // what is new stands where the old was
    session_delete(r.cx);
}

// Sixty times the first part of an array behind itself: as a tree it has 2^60 leaves.
static Node *doubled(Session *cx)
{
    Node *n = nat_const(cx, 4), *zero = nat_const(cx, 0);
    Node *x = core_int(cx, type_scalar(cx, SCALAR_I32), 1);
    x = core_pattern(cx, VIEW_REPEAT, 0, 2, (Node *[]){n, x});
    for (int i = 0; i < 60; i++) {
        x = core_pattern(cx, VIEW_CONCAT, 0, 2, (Node *[]){x, x});
        x = core_pattern(cx, VIEW_SLICE, 0, 3, (Node *[]){zero, n, x});
    }
    return x;
}

// Two terms that differ in nothing but their places are compared in time that their nodes take, not their occurrences.
static void test_shared(void **state)
{
    (void)state;
    Inferred r =
        infer_good("rule r[n: nat, t: data](xs: [n]t) { zip(xs, xs) => map(|x| (x, x), xs) }\n"
                   "entry fn f(a: i32) -> i32 { a }");
    Session *cx = r.cx;
    Node *first = doubled(cx);
    node_begin(cx);
    Node *second = doubled(cx);
    assert_true(first != second);
    Node *term = core_pattern(cx, VIEW_ZIP, 0, 2, (Node *[]){first, second});
    const Function *f = stage_entry(&r, "f");
    Miss miss;
    Node *made = schedule_apply(cx, facts_of_function(cx, f), find_rule(&r, "r"), NULL, term, true,
                                NULL, &miss);
    assert_non_null(made);
    assert_int_equal(made->kind, CORE_MAP);
    session_delete(cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_lets),
        cmocka_unit_test(test_shared),
    };
    return cmocka_run_group_tests_name("match", tests, NULL, NULL);
}
