// Broken programs: every prefix (under sanitizers every seventh) of a source, and sources with tokens taken out, doubled or
// exchanged. Inference comes back with some diagnostic or none, and whatever it gives is well
// typed.
#include "infer/support.h"
#include "this_cc.h"

enum { STEP = SANITIZED ? 11 : 2 }; // of the lengths of prefixes

static const char arrays[] =
    "import std.linalg (dot)\n"
    "const K: nat = 4\n"
    "const W = [1.0, 2.0]\n"
    "struct P[t: data] { x: t, y: [K]t }\n"
    "type M[n m: nat] = [n][m]f32\n"
    "entry fn gemv[n, m: nat](a: M[n, m], x: [m]f32) -> [n]f32 where n > 0 { a |> map(|row| "
    "dot(row, x)) }\n"
    "fn g[n: nat, t: num](f: fn(t, t) -> t, b: mode[t], xs: [n]t) -> t { xs |> pad[1, K](b) |> "
    "slide[3, 1] |> map(reduce(f, 0)) |> reduce(f, 1) }\n"
    "fn h(k: nat, p: P[f32]) -> (f32, [k]i64) {\n"
    "    let (a, (b, _)) = (p.x, (p.y[0], -1.5));\n"
    "    let s: nat = k / 2;\n"
    "    let c = if a < b && true { P { x: 1, y: repeat(2) } } else { p };\n"
    "    (g(+, const(0.5), c.y[1..3]) + f32(K) as f32, generate(k, |i| i * 2 + s))\n"
    "}\n"
    "test \"t\" { h(3, P { x: 1, y: repeat(0) }).1 == [1, 3, 5] || W[1] != 2.0 }\n";

static const char state[] =
    "import std.loops (range_step)\n"
    "enum Shape[t: num] { Circle(t), Rect(t, t), Empty }\n"
    "struct Acc { read: fn(i64) -> f32, write: fn(i64, f32) -> () }\n"
    "extern fn fill(n: nat, out: &mut [n]f32, x: f32);\n"
    "fn area(s: Shape[f32]) -> f32 { match s { Shape.Circle(r) if r > 0.0 => r * r, "
    "Shape.Rect(mut a, b) => { a += b; a }, _ => 0.0 } }\n"
    "fn view[n: nat](xs: &mut [n]f32) -> Acc { Acc { read: |i| xs[i], write: |i, v| { xs[i] = v; } "
    "} }\n"
    "fn find[n: nat](xs: &[n]i32, x: i32) -> i64 { let mut i = 0; while i < n { if xs[i] == x { "
    "return(i) } i += 1; } -1 }\n"
    "fn @(?n) pow(x: f32, @ n: i32) -> f32 { if n == 0 { 1.0 } else { x * @@pow(x, $n - 1) } }\n"
    "fn never() -> ! { loop {} }\n"
    "fn run[n: nat](a: [n][2]f32, flag: bool) -> f32 {\n"
    "    let mut m = a;\n"
    "    let (mut s, mut k) = (0.0, |x: f32| x + 1.0);\n"
    "    let (mut p, q) = (1, (2, true));\n"
    "    for i in range(0, n) { if i == 3 { continue() } m[i, 0] += 1.0; m[i][1] = s; }\n"
    "    for i in range_step(0, 10, 2) { if i > p { break() } unchecked { s += m[i][0]; } }\n"
    "    let r = &mut m[0]; r[1] = 2.0; fill(2, r, 3.0);\n"
    "    let t = loop { p += q.0; match (p, q.1) { (0, _) => {} (7, true) => break(p), (x, _) if x "
    "> 9 => "
    "break(-x), _ => continue() } };\n"
    "    let acc = view(&mut m[0][..]); acc.write(1, acc.read(0));\n"
    "    let leave = return; if flag { leave(k(*&s)) } else { s = area(Shape.Circle(s)); }\n"
    "    s + f32(t) + pow(2.0, 3)\n"
    "}\n"
    "test \"t\" { run([[1.0, 2.0]], true) == 2.0 || Shape.Rect(1, 2) != Shape.Empty }\n";

static void check(const char *text, size_t len)
{
    Inferred r = infer_text(text, len);
    if (r.cx->errors == 0) {
        for (int i = 0; i < r.program->functions.len; i++)
            core_check(r.cx, r.program->functions.at[i], LEVEL_CORE);
        for (int i = 0; i < r.program->tests.len; i++)
            core_check(r.cx, test_function(&r, r.program->tests.at[i]), LEVEL_CORE);
    }
    session_delete(r.cx);
}

static void test_prefixes(void **context)
{
    (void)context;
    for (size_t len = 0; len < sizeof arrays; len += STEP) check(arrays, len);
    for (size_t len = 0; len < sizeof state; len += STEP) check(state, len);
}

// Pieces between blanks and signs.
static int cut(const char *text, const char *at[], int len[], int max)
{
    int n = 0;
    for (const char *p = text; *p && n < max;) {
        size_t k = strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        at[n] = p;
        len[n] = k ? (int)k : 1;
        p += len[n++];
    }
    return n;
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void mutate(const char *source, int runs)
{
    enum { MAX = 2000 };
    const char *at[MAX];
    int len[MAX], n = cut(source, at, len, MAX);
    uint32_t seed = 1;
    for (int run = 0; run < runs; run++) {
        Arena *arena = arena_new();
        Text t = text_new(arena);
        int where = (int)(next_random(&seed) % (uint32_t)n),
            other = (int)(next_random(&seed) % (uint32_t)n);
        int kind = (int)(next_random(&seed) % 4);
        for (int i = 0; i < n; i++) {
            int k = i == where && kind != 1 ? other : i == other && kind == 2 ? where : i;
            if (i == where && kind == 0) continue;
            text_add(&t, at[k], (size_t)len[k]);
            if (i == where && kind == 1) text_add(&t, at[k], (size_t)len[k]);
        }
        check(text_get(&t), t.len);
        arena_delete(arena);
    }
}

static void test_mutations(void **context)
{
    (void)context;
    mutate(arrays, SANITIZED ? 200 : 400);
    mutate(state, SANITIZED ? 300 : 600);
}

// Depth: long chains and deep nests come back too.
static void test_depth(void **context)
{
    (void)context;
    Arena *arena = arena_new();
    Text t = text_new(arena);
    text_put(&t, "fn f(x: i32) -> i32 { x");
    for (int i = 0; i < 2000; i++) text_put(&t, " + x");
    text_put(&t, " }\nfn g(x: i32) -> i32 {\n");
    for (int i = 0; i < 2000; i++) text_put(&t, "    let x = x + 1;\n");
    text_put(&t, "    x\n}\nfn h(x: i32) -> i32 { ");
    for (int i = 0; i < 200; i++) text_put(&t, "(|y| y + ");
    text_put(&t, "x");
    for (int i = 0; i < 200; i++) text_put(&t, ")(x)");
    text_put(&t, " }\n");
    Inferred r = infer_text(text_get(&t), t.len);
    if (r.cx->errors) report(&r);
    assert_int_equal(r.cx->errors, 0);
    session_delete(r.cx);
    arena_delete(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_mutations),
        cmocka_unit_test(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
