// What trying rules out finds: rules that are wrong, each in one way; and rules that look wrong and are good.
#include "schedule/rules.h"

typedef struct {
    const char *rule;
    const char *says; // part of the report, NULL: the rule is good
} Case;

static const Case cases[] = {
    // values
    {"rule r[n: nat, t: data](xs: [n]t, ys: [n]t) { zip(xs, ys) => zip(ys, xs) }", "differ"},
    {"rule r[n: nat, t: data](xs: [n]t) { reverse(xs) => xs }", "differ"},
    {"rule r[n: nat, t: data](xs: [n][n]t) { transpose(xs) => xs }", "differ"},
    {"rule r[n: nat, s, t: data](f: fn(s) -> t, g: fn(s) -> t, xs: [n]s) { zip(map(f, xs), map(g, "
     "xs)) => map(|x| (f(x), f(x)), xs) }",
     "differ"},
    {"rule r[n: nat, t: data](f: fn(t, t) -> t, z: t, xs: [n]t) { fold(f, z, xs) => fold(|a, x| "
     "f(x, a), z, xs) }",
     "differ"},
    {"rule r[k: nat, t: data](f: fn(t) -> t, x: t) { iterate[k](f, x) => iterate[k + 1](f, x) }",
     "differ"},
    {"rule r[n: nat, t: int](xs: [n]t) { map(|x| x / 2, xs) => map(|x| x >>> 1, xs) }", "differ"},
    {"rule r[n: nat](xs: [n]i32) { map(|x| x * 2 / 2, xs) => xs }", "differ"},
    {"rule r[n: nat](xs: [n]i32) { map(|x| 2 * x - x, xs) => xs }", NULL},
    {"rule r[n: nat](xs: [n]u8) { map(|x| x * 8 / 8, xs) => xs }", "differ"},
    {"rule r[n: nat, t: num](xs: [n]t) { map(|x| x + x, xs) => map(|x| x * x, xs) }", "differ"},
    // functions on the right side
    {"fn each[n: nat, s, t: data](f: fn(s) -> t, xs: [n]s) -> [n]t { let mut ys: [n]t = "
     "undefined(); "
     "for i in range(0, n) { ys[i] = f(xs[i]); } ys } "
     "rule r[n: nat, s, t: data](f: fn(s) -> t, xs: [n]s) { map(f, xs) => each(f, xs) }",
     NULL},
    {"fn each[n: nat, s, t: data](f: fn(s) -> t, xs: [n]s) -> [n]t { let mut ys: [n]t = "
     "undefined(); "
     "for i in range(0, n) { ys[i] = f(xs[if i == 5 { 4i64 } else { i64(i) }]); } ys } "
     "rule r[n: nat, s, t: data](f: fn(s) -> t, xs: [n]s) { map(f, xs) => each(f, xs) }",
     "differ"},
    // sizes
    {"rule r[n, k: nat, t: data](xs: [n]t) { take[k](xs) ++ drop[k](xs) => reverse(xs) }",
     "with n = "},
    // operators
    {"reassociate rule r[n: nat, t: data](op: fn(t, t) -> t, z: t, xs: [n]t) { reduce(op, z, xs) "
     "=> reduce(op, z, reverse(xs)) }",
     "differ"},
    {"reassociate rule r[n: nat, t: data](op: fn(t, t) -> t, z: t, y: t, xs: [n]t) { (y, "
     "reduce(op, z, xs)) => (y, fold(op, y, xs)) }",
     "differ"},
    {"rule r[n: nat, t: data](f: fn(t, t) -> t, z: t, xs: [n]t) { fold(f, z, xs) => reduce(f, z, "
     "xs) }",
     "not associative"},
    {"rule r[n: nat, t: data](op: fn(t, t) -> t, z: t, y: t, xs: [n]t) { (y, reduce(op, z, xs)) => "
     "(y, reduce(op, z, xs)) }",
     NULL},
    {"rule r[n: nat, t: data](op: fn(t, t) -> t, z: t, y: t, xs: [n]t) { (reduce(op, z, xs), y) => "
     "(reduce(op, y, xs), y) }",
     "differ"},
    {"rule r[n: nat, t: data](op: fn(t, t) -> t, z: t, xs: [n]t) { scan(op, z, xs) => "
     "zip(scan_ex(op, z, xs), xs) |> map(|(a, x)| op(a, x)) }",
     NULL},
    {"reassociate rule r[n: nat](xs: [n]f32) { reduce(+, 0.0, xs) => reduce(+, 0.0, reverse(xs)) }",
     NULL},
    {"reassociate rule r[n: nat, t: data](op: fn(t, t) -> t, z: t, xs: [n]t) { reduce(op, z, xs) "
     "=> reduce.vec[4](op, z, xs) }",
     "in lanes"},
    {"reassociate rule r[n: nat, t: float](xs: [n]t) { reduce(+, 0.0, xs) => reduce.vec[4](+, 0.0, "
     "xs) }",
     NULL},
    {"reassociate rule r[n: nat, t: data](op: fn(t, t) -> t, z: t, xs: [n]t) { reduce(op, z, xs) "
     "=> reduce.par(op, z, xs) }",
     NULL},
    {"reassociate rule r[n: nat, t: data](op: fn(t, t) -> t, z: t, xs: [n]t) { scan(op, z, xs) "
     "=> scan.vec[4](op, z, xs) }",
     NULL},
    {"reassociate rule r[n: nat, t: data](op: fn(t, t) -> t, z: t, xs: [n]t) { scan_ex(op, z, xs) "
     "=> scan_ex.vec[3](op, z, xs) }",
     NULL},
    {"rule r[n: nat, t: data](f: fn(t, t) -> t, z: t, xs: [n]t) { generate(n, |i| fold(f, z, "
     "generate(n, |j| if i64(j) <= i64(i) { xs[j] } else { z }))) => scan.vec[2](f, z, xs) }",
     "differ"},
    // rounding
    {"rule r[n: nat](xs: [n]f32) { scan(+, 0.0, xs) => scan.vec[2](+, 0.0, xs) }",
     "when numbers are rounded"},
    {"rule r[n: nat](xs: [n]f32) { reduce(+, 0.0, xs) => reduce.par(+, 0.0, xs) }",
     "when numbers are rounded"},
    {"rule r[n: nat](xs: [n]i32) { scan(+, 0, xs) => scan.vec[2](+, 0, xs) }", NULL},
    {"rule r[n: nat](xs: [n]f32) { scan.vec[2](+, 0.0, map(|x| x + 1.0, xs)) => scan.vec[2](+, "
     "0.0, map(|x| 1.0 + x, xs)) }",
     NULL},
    {"rule r[n: nat](xs: [n]f32) { reduce(+, 0.0, xs) => reduce(+, 0.0, reverse(xs)) }",
     "when numbers are rounded"},
    {"rule r[n: nat, t: float](xs: [n]t) { map(|x| x * 0.1 + x * 0.2, xs) => map(|x| x * (0.1 + "
     "0.2), xs) }",
     "when numbers are rounded"},
    {"rule r[n: nat](xs: [n]i32) { reduce(+, 0, xs) => reduce(+, 0, reverse(xs)) }", NULL},
    // special values
    {"rule r[t: num](a: t, b: t) { !(a < b) => a >= b }", "b = nan"},
    {"rule r[t: int](a: t, b: t) { !(a < b) => a >= b }", NULL},
    {"rule r(a: f32) { a - a => 0.0 }", "special"},
    {"rule r(a: i32) { a - a => 0 }", NULL},
    {"rule r(x: f64) { x == x => true }", "special"},
    {"rule r(x: i32) { x + 1 > x => true }", "2147483647"},
    {"rule r(x: u64) { x + 1 > x => true }", "18446744073709551615"},
    {"rule r(x: i8) { abs(x) >= 0 => true }", "-128"},
    {"rule r[t: num](x: t, y: t) { min(x, y) => min(y, x) }", "special"},
    {"rule r[t: float](x: t) { x * 1.0 => x }", NULL},
    {"rule r(x: f32) { x + 0.0 => x }", "-0.0"},
    {"rule r(x: f32) { x + -0.0 => x }", NULL},
    {"rule r(x: i16, y: i16) { -(x - y) => y - x }", NULL},
    {"rule r(x: f16, y: f16) { -(x - y) => y - x }", "special"},
    {"rule r(x: i32) { x / x => 1 }", NULL},
    {"rule r[n: nat](xs: [n](i32, i32)) { map(|p| p.0 < p.1, xs) => map(|p| p.0 - p.1 < 0, xs) }",
     "special"},
    {"rule r[n: nat](f: fn(f32) -> f32, xs: [n]f32) { map(|x| f(x) - f(x), xs) => map(|x| 0.0, "
     "xs) }",
     "special"},
    {"reassociate rule r(a: f32, b: f32) { a + (b - a) => b }", NULL},
    {"reassociate rule r(a: i32, b: i32) { a + (b - a) => b }", NULL},
    // what fails
    {"rule r[n, k: nat, s, t: data](f: fn(s) -> t, xs: [n]s) { take[k](map(f, xs)) => map(f, "
     "take[k](xs)) }",
     NULL},
    {"rule r[n, k: nat, s, t: data](f: fn(s) -> t, xs: [n]s) { map(f, take[k](xs)) => "
     "take[k](map(f, xs)) }",
     "in their failures"},
    {"rule r[n: nat](xs: [n]i32) { map(|x| x, xs) => map(|x| x / (x - x), xs) }",
     "fails with E0602"},
    {"rule r[n, size: nat, s, t: data](f: fn(s) -> t, xs: [n]s) { map(|w| map(f, w), slide[size, "
     "1](xs)) => slide[size, 1](map(f, xs)) }",
     "in their failures"},
    // nothing to try
    {"rule r[n: nat, t: data](xs: [n]t) where n < n { reverse(xs) => xs }", "no small sizes"},
    {"rule r[t: data](f: fn(idx[0]) -> t, i: idx[0]) { f(i) => f(i) }", "no small sizes"},
};

static const char *reported(const Inferred *r)
{
    Text out = text_new(r->cx->arena);
    diag_print_all(r->cx, &out, false);
    return text_get(&out);
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Case *c = &cases[i];
        Inferred r = infer_good(c->rule);
        bool good = schedule_check_rule(r.cx, find_rule(&r, "r"), 1) > 0;
        const char *text = reported(&r);
        if (good != !c->says || (c->says && !strstr(text, c->says)))
            fail_msg("%s\nis reported as %s", c->rule, *text ? text : "good");
        session_delete(r.cx);
    }
}

// A number gives the same instances, another one others.
static void test_seeds(void **state)
{
    (void)state;
    const char *texts[3];
    Arena *arena = arena_new();
    for (int i = 0; i < 3; i++) {
        Inferred r = infer_good(cases[0].rule);
        assert_int_equal(schedule_check_rule(r.cx, find_rule(&r, "r"), i < 2 ? 7 : 8), 0);
        texts[i] = arena_printf(arena, "%s", reported(&r));
        session_delete(r.cx);
    }
    assert_string_equal(texts[0], texts[1]);
    assert_string_not_equal(texts[0], texts[2]);
    arena_delete(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_seeds),
    };
    return cmocka_run_group_tests_name("check_rules", tests, NULL, NULL);
}
