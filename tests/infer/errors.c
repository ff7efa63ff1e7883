// Errors: each by its code and place, one per cause, and what the messages say.
#include "infer/support.h"

typedef struct {
    const char *source, *errors;
} Case;

static void check_cases(const Case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        Inferred r = infer_text(cases[i].source, strlen(cases[i].source));
        const char *errors = show_errors(&r);
        if (strcmp(errors, cases[i].errors) != 0) {
            report(&r);
            fail_msg("%s\n: %s, not %s", cases[i].source, errors, cases[i].errors);
        }
        session_delete(r.cx);
    }
}

#define CHECK_CASES(cases) check_cases((cases), sizeof(cases) / sizeof *(cases))

#define LONG "x123456789x123456789x123456789x123456789x123456789"

static void test_names(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"fn f(x: f32) -> f32 { y }", "E0201 1:23"},
        {"fn f(x: f32) -> f32 { sqrrt(x) + sqrrt(x) }", "E0201 1:23, E0201 1:34"},
        {"fn f(x: f23) -> f32 { x + 1 }", "E0201 1:9"},
        {"fn f() -> i32 { 1 }\nfn f() -> i32 { 2 }", "E0202 2:4"},
        {"fn f(x: f32, x: f32) -> f32 { x }", "E0202 1:14"},
        {"struct S { a: f32, a: f32 }", "E0202 1:20"},
        {"struct S { a: f32 }\nfn f() -> f32 { S }", "E0203 2:17"},
        {"fn f[n: nat, t: data](x: t) -> n { x }", "E0203 1:32"},
        {"fn f[t: data](x: t) -> t { t }", "E0203 1:28"},
        {"import std.nothing\nfn f() -> f32 { g(1) }", "E0204 1:8"},
        {"import std.linalg (dott)\nfn f() -> f32 { dott([1.0], [1.0]) }", "E0205 1:20"},
        {"const A: nat = B\nconst B: nat = A", "E0206 1:7"},
        {"const A = B\nconst B = A", "E0206 1:7"},
        {"struct S { s: S }", "E0206 1:8"},
        {"type T = [3]T", "E0206 1:6"},
        {"fn f(s: Nope) -> f32 { s.x + s.y }", "E0201 1:9"},
    };
    CHECK_CASES(cases);
}

static void test_types(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"fn f(x: f32) -> i32 { x }", "E0301 1:23"},
        {"fn f(x: f32) -> f32 { let y: i32 = x; f32(y) }", "E0301 1:36"},
        {"fn f(x: f32) -> f32 { if x { 1.0 } else { 2.0 } }", "E0301 1:26"},
        {"fn f(x: i32, y: f32) -> f32 { if x > 1 { x } else { y } }", "E0301 1:42"},
        {"fn f() -> [2]f32 { [1.0, true] }", "E0301 1:26"},
        {"fn g(x: f32) -> f32 { x }\nfn f() -> f32 { g(true) }", "E0301 2:19"},
        {"fn f(x: f32) -> f32 { sqrt(x, x) }", "E0302 1:23"},
        {"fn f(xs: [3]f32) -> f32 { fold(|a, x| a, 0.0) |> sqrt }", "E0304 1:27"},
        {"fn f(xs: [3]f32) -> [3]f32 { map(|a, b| a, xs) }", "E0302 1:34"},
        {"fn f(x: f32) -> f32 { x(1) }", "E0303 1:23"},
        {"fn f(x: f32) -> f32 { 1.0(x) }", "E0303 1:23"},
        {"fn f(x: f32, i: i32) -> f32 { x * i }", "E0304 1:31"},
        {"fn f[t: data](x: t) -> t { x + x }", "E0304 1:28"},
        {"fn f[t: data](x: t, y: t) -> bool { [x] == [y] }", "E0304 1:37"},
        {"fn f(xs: [3]f32, a: [3][3]f32) -> [3]f32 { xs + a }", "E0304 1:44"},
        {"fn f(x: i32) -> i32 { sqrt(x) }", "E0304 1:23"},
        {"fn f(x: f32) -> f32 { fma(x, x) }", "E0301 1:23"},
        {"fn f(x: f32) -> f32 { fma(x) }", "E0302 1:23"},
        {"fn f(x: f32, k: i32) -> f32 { fma(x, x, k) }", "E0304 1:31"},
        {"fn f(k: i32) -> i32 { fma(k, k, k) }", "E0304 1:23"},
        {"fn f(a: [2]f32, b: [3]f32) -> [2]f32 { fma(a, 2, b) }", "E0401 1:40"},
        {"fn f[n: nat](xs: [n]f32) -> [n]f32 { }", "E0301 1:36"},
        {"fn f(x: f32) -> f32 { let g = |y| y; x }", "E0305 1:32"},
        {"fn f(x: f32) -> f32 { let g = |y, z| y + z.0; x }", "E0305 1:42"},
        {"fn f(x: f32) -> f32 { x[0] }", "E0306 1:23"},
        {"fn f(xs: [2]f32) -> f32 { xs[0.5] }", "E0306 1:30"},
        {"fn f(x: (f32, f32)) -> f32 { x.2 }", "E0307 1:30"},
        {"struct S { a: f32 }\nfn f(s: S) -> f32 { s.b }", "E0307 2:23"},
        {"struct S { a: f32, b: f32 }\nfn f() -> S { S { a: 1 } }", "E0308 2:15"},
        {"struct S { a: f32 }\nfn f() -> S { S { a: 1, a: 2 } }", "E0308 2:25"},
        {"fn f() -> f32 { let x = (|y| y, 1); 1.0 }", "E0305 1:27"},
        {"fn f(x: [2]fn(f32) -> f32) -> f32 { 1.0 }", "E0309 1:12"},
        {"const F = |x: f32| x", "E0309 1:7"},
        {"fn f() -> f32 { let m = clamp; 1.0 }", "E0309 1:25"},
        {"fn f(c: bool, x: [2]f32) -> [4]f32 { pad[1, 1](if c { clamp } else { wrap }, x) }",
         "E0309 1:48"},
        {"fn f() -> u8 { 256 }", "E0310 1:16"},
        {"fn f() -> i8 { -129 }", "E0310 1:16"},
        {"fn f() -> u8 { -1 }", "E0310 1:16"},
        {"fn f() -> f32 { 1.5i32 }", "E0104 1:20"},
        {"entry fn f(g: fn(f32) -> f32) -> f32 { g(1) }", "E0311 1:12"},
        {"entry fn f[t: num](x: t) -> t { x }", "E0311 1:12"},
        {"fn f(xs: [2]f32) -> f32 { f32(xs) }", "E0301 1:27"},
        {"fn f(x: (f32, f32)) -> f32 { let (a, b, c) = x; a }", "E0313 1:34"},
        {"fn f(x: f32) -> f32 { let (a, b) = x; a }", "E0313 1:27"},
        {"fn g[n: nat]() -> [n]f32 { repeat(0) }\nfn f() -> [2]f32 { g[2, 3]() }", "E0314 2:20"},
        {"struct P[t: data] { a: t }\nfn f(p: P) -> f32 { p.a }", "E0314 2:9"},
        {"fn f() -> f32 { load(\"a.npy\")[0] }", "E0315 1:17"},
        {"fn f(x: f32) -> f32 { print(sqrt); x }", "E0309 1:29"},
        {"fn f(x: f32) -> f32 { print(x, |y: f32| y); x }", "E0309 1:32"},
        {"fn f(x: f32) -> f32 { print(x) }", "E0301 1:23"},
        {"fn f(x: f32) -> f32 { assert(); x }", "E0302 1:23"},
        {"fn f(x: f32) -> f32 { assert(x); x }", "E0301 1:30"},
        {"fn f(x: f32) -> f32 { assert(\"never\"); x }", "E0301 1:30"},
        {"fn f(x: f32) -> f32 { assert(x > 0, x, print); x }", "E0203 1:40"},
        {"fn f(x: f32) -> f32 { let p = print; x }", "E0203 1:31"},
        {"pattern p(x: f32) -> f32", "E0317 1:1"},
        {"fn f(xs: [2]f32) -> [2]f32 { rotate(1, 1, xs) }", "E0318 1:30"},
        {"fn f(xs: [2]f32) -> bool { xs |> map(|x| x) == xs }", "E0303 1:34"},
    };
    CHECK_CASES(cases);
}

static void test_sizes(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"fn f[n: nat](xs: [n]f32) -> [n + 1]f32 { xs }", "E0401 1:42"},
        {"fn f(a: [2]f32, b: [3]f32) -> [2](f32, f32) { zip(a, b) }", "E0401 1:54"},
        {"fn f(xs: [10]f32) -> [2]f32 { split[4](xs) |> map(|r| r[0]) }", "E0401 1:40"},
        {"fn f[n: nat](xs: [n]f32) -> [n / 0]f32 { xs }", "E0402 1:30"},
        {"fn f(k: i64) -> i64 { let a = generate(k, |i| 0.0); k }", "E0403 1:40"},
        {"fn f(k: i64) -> [k]f32 { repeat[k](0) }", "E0403 1:18"},
        {"const K = 3\nfn f() -> [K]f32 { repeat(0) }", "E0403 2:12"},
        {"fn f(xs: [2]f32) -> [3]f32 { take[3](xs) }", "E0404 1:30"},
        {"fn f(xs: [2]f32) -> f32 { xs[2..1][0] }", "E0404 1:27"},
        {"fn g[n: nat](xs: [n]f32) -> f32 where n > 3 { xs[0] }\nfn f() -> f32 { g([1.0]) }",
         "E0404 2:17"},
        {"fn f() -> f32 { reduce(+, 0.0, generate(2 - 3, |i| 0.0)) }", "E0405 1:32"},
        {"const N: nat = 2 - 3", "E0405 1:16"},
        {"fn f() -> f32 { reduce(+, 0.0, repeat(0)) }", "E0406 1:32"},
    };
    CHECK_CASES(cases);
}

static void test_places(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"fn f(x: i32) -> i32 { x = 1; x }", "E0320 1:23"},
        {"fn f() -> i32 { let x = 1; x += 1; x }", "E0320 1:28"},
        {"fn f() -> i32 { let (a, mut b) = (1, 2); a = b; b }", "E0320 1:42"},
        {"fn f(xs: &[3]f32) { xs[0] = 1.0; }", "E0320 1:21"},
        {"fn f(xs: &[3](f32, i32)) { xs[0].1 = 1; }", "E0320 1:28"},
        {"fn f() { 1 = 2; }", "E0320 1:10"},
        {"fn g() -> i32 { 1 }\nfn f() { g() = 2; }", "E0320 2:10"},
        {"fn f(x: i32) { let y = &mut x; *y = 2; }", "E0320 1:29"},
        {"fn f(x: &i32) { let y = &mut *x; *y = 2; }", "E0320 1:30"},
        {"fn f(x: i32) -> i32 { *x }", "E0321 1:23"},
        {"fn f() { let mut x = 1i32; x = 1.5; }", "E0301 1:32"},
        {"fn f() { let mut x = 1i32; x += true; }", "E0301 1:28"},
        {"fn f() { let mut x = true; x += 1; }", "E0301 1:28"},
        {"fn f() { let mut x = [1]; x ++= [2]; }", "E0304 1:29"},
        {"fn f(r: &mut i32) -> i32 { r + 1 }", "E0304 1:28"},
        {"fn f(r: &i32) -> bool { r == r }", "E0304 1:25"},
        {"fn g(r: &mut i32) {}\nfn f(r: &i32) { g(r) }", "E0301 2:19"},
        {"fn g(r: &i32) {}\nfn f(r: i32) { g(r) }", "E0301 2:18"},
        {"fn f(x: &fn(i32) -> i32) {}", "E0309 1:10"},
        {"fn f(x: i32) { let f = |y: i32| y; let r = &f; }", "E0309 1:44"},
        {"fn f(x: [2]&i32) {}", "E0309 1:12"},
        {"entry fn f(x: &i32) -> i32 { *x }", "E0311 1:12"},
        {"entry fn f(x: i32) -> fn(i32) -> i32 { |y| x + y }", "E0311 1:23"},
        {"const R = &1", "E0309 1:7"},
    };
    CHECK_CASES(cases);
}

static void test_control(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"fn f() { break() }", "E0207 1:10"},
        {"fn f(n: i32) { for i in range(0, n) {} continue() }", "E0207 1:40"},
        {"const C = return(1)", "E0207 1:11"},
        {"test \"t\" { return(true) }", "E0207 1:12"},
        {"fn f() -> ! { return() }", "E0207 1:15"},
        {"fn f() -> i32 { return(1); 2 }", "E0322 1:28"},
        {"fn f() -> i32 { loop {} 2 }", "E0322 1:25"},
        {"fn f() -> i32 { let x = return(1); x }", "E0322 1:36"},
        {"fn f(c: bool) -> i32 { if c { return(1) } else { return(2) } 3 }", "E0322 1:62"},
        {"fn f() -> i32 { 1 + 2; 3 }", "E0319 1:17"},
        {"fn f() -> i32 { 1; }", "E0319 1:17"},
        {"fn f(c: bool) -> i32 { if c { 1 } 2 }", "E0319 1:31"},
        {"fn f(c: bool) { while c { 1 } }", "E0319 1:27"},
        {"fn f(n: i32) { for i in range(0, n) { i } }", "E0319 1:39"},
        {"fn g(a: i32, b: i32) -> () {}\nfn f() { g(1); }", "E0319 2:10"},
        {"fn f(x: f32) -> f32 { if x < 0.0 { -x } }", "E0301 1:23"},
        {"fn f() -> i32 { let x = 1; }", "E0301 1:15"},
        {"fn f() -> ! { 1 }", "E0301 1:15"},
        {"fn f() -> i32 { return(1.5) }", "E0301 1:24"},
        {"fn f() -> i32 { return() }", "E0302 1:17"},
        {"fn f() -> i32 { loop { break(1); } + loop { break(true) } }", "E0301 1:17"},
        {"fn f() -> f32 { loop { if true { break(1.0) } break(true) } }", "E0301 1:53"},
        {"fn g(f: fn([2]f32) -> f32, a: [2][2]f32) -> f32 { f(a) }", "E0301 1:53"},
        {"fn f() -> f32 { loop { break() } }", "E0301 1:17"},
        {"fn f(n: i32) { while n { } }", "E0301 1:22"},
        {"fn f() { for i in range(0) {} }", "E0302 1:19"},
        {"fn f() { for i in range(0, 3.0) {} }", "E0301 1:28"},
        {"fn f() { for i, j in range(0, 3) {} }", "E0302 1:14"},
        {"fn f() { for i in range(0, 3) { break(1) } }", "E0302 1:33"},
        {"fn g(f: fn(i32) -> ()) -> fn(i32) -> i32 { |x| x }\n"
         "fn f() { let k = for i in g() { break(|x| x) }; }",
         "E0309 2:27"},
        {"fn g[t: data](k: fn(t) -> !, x: t) -> ! { k(x) }\n"
         "fn f() { loop { g(break, ()) } }",
         "E0309 2:17"},
    };
    CHECK_CASES(cases);
}

static void test_match(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"fn f(x: i32) -> i32 { match x { 0 => 1, 1 => 2 } }", "E0323 1:29"},
        {"fn f(x: bool) -> i32 { match x { true => 1, y if y => 2 } }", "E0323 1:30"},
        {"fn f(x: (bool, bool)) -> i32 { match x { (true, _) => 1, (_, true) => 2 } }",
         "E0323 1:38"},
        {"fn f(x: bool) -> i32 { match x { true => 1, false => 2, _ => 3 } }", "E0324 1:57"},
        {"fn f(x: i32) -> i32 { match x { -1 => 1, _ => 2, -1 => 3 } }", "E0324 1:50"},
        {"fn f(x: (bool, bool)) -> i32 { match x { (true, _) => 1, (_, true) => 2, "
         "(true, true) => 3, _ => 4 } }",
         "E0324 1:74"},
        {"fn f(x: f32) -> i32 { match x { 0.0 => 1, _ => 2 } }", "E0313 1:33"},
        {"fn f(x: i32) -> i32 { match x { (a, b) => 1, _ => 2 } }", "E0313 1:33"},
        {"fn f(x: i32) -> i32 { match x { true => 1, _ => 2 } }", "E0301 1:33"},
        {"fn f(x: i32) -> i32 { match x { 0 => 1, _ => 2.5 } }", "E0301 1:46"},
        {"fn f(x: u8) -> i32 { match x { 256 => 1, _ => 2 } }", "E0310 1:32"},
        {"fn f(x: i32) -> i32 { match x { S.A => 1, _ => 2 } }", "E0201 1:33"},
        {"struct S { a: i32 }\nfn f(x: S) -> i32 { match x { S.A => 1, _ => 2 } }", "E0203 2:31"},
    };
    CHECK_CASES(cases);
}

#define SHAPE "enum S { A, B(i32), C(i32, bool) }\n"

static void test_enums(void **state)
{
    (void)state;
    static const Case cases[] = {
        {SHAPE "fn f(s: S) -> i32 { match s { S.A => 1, S.B(x) => x } }", "E0323 2:27"},
        {SHAPE "fn f(s: S) -> i32 { match s { S.A => 1, S.B(_) => 2, S.C(x, true) => x } }",
         "E0323 2:27"},
        {SHAPE "fn f(s: S) -> i32 { match s { S.D => 2, _ => 3 } }", "E0307 2:33"},
        {SHAPE "fn f(s: S) -> i32 { match s { S.B(x, y) => 1, _ => 3 } }", "E0313 2:31"},
        {SHAPE "fn f(s: S) -> i32 { s.B.0 }", "E0307 2:23"},
        {SHAPE "fn f() -> S { S.B }", "E0301 2:15"},
        {SHAPE "fn f() -> S { S.B(1, 2) }", "E0302 2:15"},
        {SHAPE "fn f() -> S { S.B(true) }", "E0301 2:19"},
        {SHAPE "fn f() -> S { S.D(1) }", "E0307 2:17"},
        {SHAPE "fn f() -> S { S }", "E0203 2:15"},
        {SHAPE "fn f() -> S { S { A: 1 } }", "E0203 2:15"},
        {"enum S { A, A }", "E0202 1:13"},
        {"enum S { A(S) }", "E0206 1:6"},
        {"enum S { A(fn(i32) -> i32) }", "E0309 1:12"},
        {"enum O[t: data] { Some(t), None }\nfn f() { let x = O.None; }", "E0305 2:18"},
        {"enum O[t: data] { Some(t), None }\nfn f(o: O[i32]) -> O[f32] { o }", "E0301 2:29"},
        {"extern fn f[t: data](x: t) -> f32", "E0325 1:13"},
        {"extern fn f(g: fn(i32) -> i32) -> f32", "E0325 1:13"},
        {"extern fn f(x: f32) -> [3]f32", "E0325 1:24"},
    };
    CHECK_CASES(cases);
}

static void test_silence(void **state)
{
    (void)state;
    static const Case cases[] = {
        // what follows from an error says nothing
        {"fn f(x: f32) -> f32 { let y = nope; let z = y + 1; map(|a| a.b, z)[0].c }", "E0201 1:31"},
        {"fn f() -> f32 { map(|a| a + 1, nope) |> reduce(+, 0) |> sqrt }", "E0201 1:32"},
        {"fn g(x: Nope) -> Nope { x }\nfn f() -> f32 { g(1) + 2 }", "E0201 1:9, E0201 1:18"},
        {"fn f() -> i32 { |", "E0106 1:15"},
        // independent errors are all reported
        {"fn f(x: f32) -> f32 { let a = p; let b = q; x + true }",
         "E0201 1:31, E0201 1:42, E0301 1:45"},
    };
    CHECK_CASES(cases);
}

// The note or message that has `part`.
static void expect_text(const char *source, const char *part)
{
    Inferred r = infer_text(source, strlen(source));
    Text out = text_new(r.cx->arena);
    diag_print_all(r.cx, &out, false);
    if (!strstr(text_get(&out), part)) fail_msg("no \"%s\" in\n%s", part, text_get(&out));
    session_delete(r.cx);
}

static void expect_no_text(const char *source, const char *part)
{
    Inferred r = infer_text(source, strlen(source));
    Text out = text_new(r.cx->arena);
    diag_print_all(r.cx, &out, false);
    if (strstr(text_get(&out), part)) fail_msg("\"%s\" in\n%s", part, text_get(&out));
    session_delete(r.cx);
}

// What is written in other languages, and what is said about it.
static void test_foreign(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"fn f(x: f32) -> f32 { x ** 2.0 }", "a power is pow(x, y)"},
        {"fn f(a: [2][2]f32) -> [2][2]f32 { a @ a }", "matmul(a, b)"},
        {"enum E { A, B }\nfn f() -> E { E::B }", "as E.A"},
        {"fn f(a: [2][2]f32) -> [2]f32 { a[0, :] }", "write a slice as a[lo..hi]; for"},
        {"fn f(a: [4]f32) -> [2]f32 { a[1:3] }", "write a slice as a[lo..hi]; for"},
        {"fn f() -> i32 { let mut x = 1; x++; x }", "increment a variable write x += 1"},
        {"fn f() -> i32 { let mut x = 1; x--; x }", "decrement a variable write x -= 1"},
        {"fn f(a: bool) -> i32 { a ? 1 : 2 }", "if c { a } else { b }"},
        {"fn f(a: [4]f32) -> [4]f32 { map(x => x * 2.0, a) }", "without a name as |x| x + 1"},
        {"fn f(a: [4]f32) -> [4]f32 { map(lambda x: x * 2.0, a) }", "without a name as |x| x + 1"},
        {"fn f(a: [4]f32) -> [4]f32 { map(\\x -> x, a) }", "without a name as |x| x + 1"},
        {"fn f(a: bool) -> bool { a and a }", "a && b"},
        {"fn f(a: bool) -> bool { a or a }", "a || b"},
        {"fn f(a: bool) -> bool { not a }", "!a"},
        {"fn f(a: bool) -> bool { ~a }", "!x"},
        {"fn f(a: bool) -> i32 { if a { 1 } elif a { 2 } else { 3 } }", "else if"},
        {"fn f(x: i32) -> i32 { return x }", "return(x)"},
        {"def f(x: i32) -> i32 { x }", "fn name(x: i32) -> i32"},
        {"func f(x: i32) -> i32 { x }", "fn name(x: i32) -> i32"},
        {"fn f(x: i32) -> i32 { var y = x; y }", "let mut x = e;"},
        {"fn f(x: i32) -> i32 { const y = x; y }", "let mut x = e;"},
        {"fn f(x: int) -> i32 { 1 }", "signed integers"},
        {"fn f(x: double) -> i32 { 1 }", "the floats are f16, f32 and f64"},
        {"fn f(a: [4]f32) -> i64 { len(a) }", "is part of its type"},
        {"fn f(a: [4]f32) -> i64 { a.shape }", "is part of its type"},
        {"fn f(x: i32) -> i32 { println!(x); x }", "print(a, "},
        {"fn f(x: i32) -> i32 { print x; x }", "print(a, "},
        {"fn f(x: i32) -> i32 { printf(x); x }", "print(a, "},
        {"fn f(x: i32) -> i32 { assert x > 1; x }", "assert(c) checks a condition"},
        {"fn f(x: string) -> i32 { 1 }", "text is an array of bytes,"},
        {"fn f(x: char) -> i32 { 1 }", "a character is"},
        {"fn f(x: f32) -> [3]f32, [3]f32 { x }", "-> (f32, i64)"},
        {"fn f(x: (i32, i32)) -> i32 { let lo, hi = x; lo }", "let (a, b) = ..."},
        {"fn f[n: nat](x: [n]i32) -> [n]i32 { let y: [n]i32; x }", "let mut a = repeat[n](0.0);"},
        {"fn f[n: nat](x: [n]i32) -> [n]i32 { x[::2] }", "generate(n / 2, |i| a[2 * i])"},
        {"fn f[n: nat]() -> [n]f32 { [0.0; n] }", "repeat[n](0.0)"},
        {"fn f[n: nat]() -> [n]f32 { zeros(n) }", "repeat[n](0.0)"},
        {"fn f(xs: [f32]) -> f32 { 1 }", "after its length: [n]f32"},
        {"fn f(xs: [3]f32) -> [3]f32 { map(fn(x) { x }, xs) }", "without a name as |x| x + 1"},
        {"fn f(xs: [3]f32) -> [3]f32 { map(x -> x, xs) }", "without a name as |x| x + 1"},
        {"fn f(x: f32) -> i32 { (i32) x }", "write a conversion as f32(x) or"},
        {"/* one */\nfn f(x: f32) -> f32 { x }", "a comment begins with //"},
        {"fn f(x: f32) -> f32 { x /* one */ }", "a comment begins with //"},
        {"fn f(x: f32) -> f32 { x /* one two */ }", "a comment begins with //"},
        {"fn f(x: i32) -> i32 { let mut y = x; y >>= 1; y }", "x >>>= 1"},
        {"fn f(x: i32) -> i32 { match x { 1 | 2 => 1, _ => 2 } }", "x if x == 1 || x == 2"},
        {"struct P { x: i32, y: i32 }\nfn f(p: P) -> P { P { x: 1, ..p } }", "y: p.y"},
        {"fn f(x: f32) -> bool { isnan(x) }", "import std.math (is_nan)"},
        {"fn f(x: f32) -> f32 { x + nan }", "import std.math (NAN)"},
        {"fn f(x: f32) -> f32 { x + inf }", "import std.math (INF)"},
        {"fn f(x: f32) -> f32 { x + M_PI }", "import std.math (PI)"},
        {"fn f(x: [3]f32) -> f32 { std.stats.sum(x) }", "name a module only in its import"},
        {"fn f(x: f32[10]) -> i32 { 1 }", "[10]f32"},
        {"fn f(xs: [k]f32, k: i64) -> f32 { 1 }", "declare the parameter as a size"},
        {"fn g(k: i64) -> f32 { reduce(+, 0, repeat[k](0)) }",
         "declare the parameter as a size, which is a value, too: k: nat"},
        {"fn f(xs: [n]f32) -> f32 { 1 }", "declare sizes before the parameters: f[n: nat]"},
        {"struct S { a: [n]f32 }", "declare sizes after the name, as in struct S[n: nat]"},
        {"fn f(n: i64) -> [n]f32 { repeat[n](0) }", "a size, which is a value, too: n: nat"},
        {"fn f(int x) -> i32 { x }", "write the name before the type: x: i32"},
        {"fn f(x: [f32; 3]) -> i32 { 1 }", "the type of an array of n elements is [n]f32"},
        {"fn f(x: [n: nat]f32) -> i32 { 1 }", "fn f[n: nat](a: [n]f32)"},
        {"fn f(x: f32) -> f32 { let y = if x > 0 { x }; x }", "an `if` without an `else` has no"},
        {"fn f(x: f32) { while x > 0 { if x > 1 { break } } }", "write `break()`"},
        {"fn f(x: f32) { if x > 1 { return } }", "write `return()`"},
        {"fn f(xs: [3]f32) -> [3]f32 { xs.push(1) }", "arrays cannot grow: make a whole array"},
        {"enum E { A, B(i32) }\nfn f(x: i32) -> E { B(x) }", "write the option with its enum: E.B"},
        {"fn f(xs: [3]f32) -> i64 { count(|x| x > 0, xs) }", "import std.stats (count)"},
        {"fn f(xs: [3]f32, ks: [2]i32) -> [2]f32 { gather(ks, xs) }",
         "index by each number, checked at run time: map(|k| xs[k], ks)"},
        {"fn f[n: nat](xs: [n]f32) -> f32 { xs[xs > 0] }", "choose(c, a, b)"},
        {"fn f(c: u8) -> bool { c == \"a\" }", "in single quotes: 'a'"},
        {"fn f(a: [3]f32) -> [3]f32 { if a > 0 { a } else { a } }",
         "choose for each element by choose"},
        {"import std.stat", "did you mean `std.stats`?"},
        {"fn f(x: [3]f32) -> f32 { stats.sum(x) }", "import it: import std.stats (sum)"},
        {"fn f(x: [3]f32) -> f32 { reduce(+, x) }", "reduce takes 3 arguments, not 2"},
        {"fn f[n: nat](x: [n]f32) -> f32 { x[n / 2.0] }", "found a float"},
        {"fn f(n: i64) { for i in range(n, -1, -1) { } }",
         "range_rev(n, 0), which counts down from n - 1 to 0"},
        {"entry fn f[n: nat](x: &mut [n]f32) { }", "return the changed array"},
        {"fn f() -> i64 { let x = 3000000000; 1 }", "3000000000i64"},
        {"import numpy", "arrays are part of the language"},
        {"import nothing_here", "an import names a file"},
        {"from std.linalg import dot", "import std.linalg (dot)"},
        {"fn f(x: i32) -> i32 { if x > 1 1 else 2 }", "braces around each branch"},
        {"fn f(x: i32) -> i32 { for i in range(10) { } x }", "range(0, n)"},
        {"fn f(x: [4]i32) -> [4]i32 { [y * 2 for y in x] }", "map(|x| x + 1, xs)"},
        {"fn f() -> [3][1]i32 { transpose([1, 2, 3]) }", "expected an array, found a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) expect_text(cases[i][0], cases[i][1]);
    // What a lambda or a variable looks like elsewhere, where none can stand.
    expect_no_text("fn f(x: i32) -> i32 { match x { 1 -> 2, _ -> 3 } }", "|x| x + 1");
    expect_no_text("fn f(x: i32) => i32 { x }", "|x| x + 1");
    expect_no_text("fn f(int x) -> i32 { x }", "let mut x");
    // Words of other languages are names like others.
    Inferred r = infer_good("fn len(and: i32) -> i32 { let not = and; not + and }");
    session_delete(r.cx);
}

#define TYPES "fn f[n: nat](i: idx[n], k: i64, a: i32, c: u8, x: f32, xs: [n]u8, zs: [n]f32)"

// Whoever follows a hint gets the value that was meant.
static void test_conversions(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {TYPES " -> f64 { (k + 1) / n }", "convert the operands: f64(k + 1) / f64(n)"},
        {TYPES " -> f64 { (k + 1) / n }", "integer division"},
        {TYPES " -> f32 { let m: f32 = k / 2; m }", "convert the operands: f32(k) / 2"},
        {TYPES " -> f32 { if x > 0.0 { k / 2 } else { x } }", "f32(k) / 2"},
        {TYPES " -> i32 { reduce(+, 0, xs) }", "convert the operands: reduce(+, 0, i32(xs))"},
        {TYPES " -> i32 { xs |> map(|x| x * x) |> reduce(+, 0) }",
         "convert the operands: xs |> map(|x| i32(x) * i32(x)) |> reduce(+, 0)"},
        {TYPES " -> f32 { reduce(+, 0.0, xs) }", "convert the operands: reduce(+, 0.0, f32(xs))"},
        {TYPES " -> [n]i32 { scan(+, 0, xs) }", "convert the operands: scan(+, 0, i32(xs))"},
        {TYPES " -> [n]i32 { xs + xs }", "convert the operands: i32(xs) + i32(xs)"},
        {TYPES " -> f32 { abs(c - 1) / 2.0 }", "convert the operands: abs(f32(c) - 1) / 2.0"},
        {TYPES " -> i64 { k + a * a }", "convert the operands: k + i64(a) * i64(a)"},
        {TYPES " -> f32 { 1 / n * x }", "convert the operands: 1 / f32(n) * x"},
        {TYPES " -> f32 { let mut s = 0i64; s += x; x }", "let mut s: f32 = 0.0"},
        {TYPES " -> f32 { let mut s = x; s += k; s }", "convert it: s += f32(k)\n"},
        {TYPES " -> f32 { x * i }", "convert it: x * f32(i)"},
        {TYPES " -> f32 { -2.0 * x * i / n }", "convert it: -2.0 * x * f32(i)"},
        {TYPES " -> f32 { 1.0 / n }", "convert it: 1.0 / f32(n)"},
        {"fn f(k: i64) -> f64 { 1.0 / k }", "convert it: 1.0 / f64(k)"},
        {TYPES " -> f32 { i * 0.5 }", "convert it: f32(i) * 0.5"},
        {TYPES " -> f32 { c / 255.0 }", "convert it: f32(c) / 255.0"},
        {TYPES " -> [n]f32 { xs * 0.5 }", "convert it: f32(xs) * 0.5"},
        {TYPES " -> f32 { max(x, k) }", "convert it: max(x, f32(k))"},
        {TYPES " -> f32 { sqrt(k) }", "convert it: sqrt(f32(k))"},
        {TYPES " -> i64 { let s = a * 3u32; 1 }", "convert it: i64(a) * i64(3u32)"},
        {TYPES " -> f32 { zs[floor(x)] }", "cut off the fraction: i64(floor(x))"},
        {TYPES " -> i64 { x * 2.0 }", "cut off the fraction: i64(x * 2.0)"},
        {TYPES " -> i64 { let mut s = 0i64; s = x; s }",
         "declare the variable as a float: let mut x = 0.0"},
        {TYPES " -> f32 { let y = if x > 0.0 { k } else { x }; x }", "to a float: f32(...)"},
        {TYPES " -> i32 { let mut s = 0; s += x > 0.0; s }", "convert it: s += i32(x > 0.0)\n"},
        {TYPES " -> f32 { (x > 0.0) * x }", "convert it: f32(x > 0.0) * x"},
        {TYPES " -> i32 { reduce(+, 0, zs > 0.0) }", "i32(zs > 0.0)"},
        {"fn h[t: num](x: t, y: t) -> t { x + y }\n" TYPES " -> i32 { h(c, c) }",
         "convert the operands: h(i32(c), i32(c))"},
        {TYPES " -> i32 { c << 8 | c }", "convert the operands: i32(c) << 8 | i32(c)"},
        {TYPES " -> i64 { k + (a * a) % 7 }", "convert the operands: k + (i64(a) * i64(a)) % 7"},
        {TYPES " -> f32 { x * (c << 1) }", "convert it: x * f32(c << 1)"},
        {TYPES " -> i32 { if k { 1 } else { 2 } }", "compare the number: k != 0"},
        {TYPES " -> i32 { if !k { 1 } else { 2 } }", "compare the number: k == 0"},
        {TYPES " -> bool { k & 1 }", "compare the number: k & 1 != 0"},
        {"fn f(v: varying[4] u8) -> varying[4] u8 { if v & 1 { 1 } else { 2 } }", "v & 1 != 0"},
        {"fn f(v: varying[4] u8) -> varying[4] u8 { shuffle(v, v ^ 1) }", "convert it: i64(v ^ 1)"},
        {TYPES " -> f32 { from_bits(popcount(x)) }",
         "the bits of a float are an integer: to_bits(x)"},
        {"fn f[t: num](x: t) -> t { popcount(x) }", "declare it as `t: int`"},
        {"fn f[t: int](x: t, y: t) -> t { abs_diff(x, y) }",
         "gives a type that depends on its operand"},
        {"fn f[n: nat](xs: [n]i32, k: i64) -> [?n]i32 { let m: nat = k; xs[0..m] }",
         "let m: nat = ... as idx[n + 1];"},
        {"fn f[n: nat](xs: [2 * n + 1]i32, k: i64) -> [?2 * n + 1]i32 { let m: nat = k; xs[0..m] }",
         "let m: nat = ... as idx[2*n + 2];"},
        {"const LOCAL = 1\nfn f() -> i32 { Local }", "did you mean `LOCAL`?"},
        {"fn f(x: u32) -> u32 { bswap(x) }", "rotl(x, 8) swaps the bytes of a u16"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) expect_text(cases[i][0], cases[i][1]);
    // What follows from an error has no report, and nothing that is computed is converted as a
    // whole.
    expect_no_text(TYPES " -> f32 { x * i / n }", "f32(x * i");
    expect_no_text(TYPES " -> f64 { (k + 1) / n }", "f64((");
}

#define ARRAYS "fn g[n, m: nat](x: [4 * n]f32, y: [n]f32, z: [n][m]f32, b: [n]u8, k: i64) -> "

// Sizes, calls and loops as they are in other languages.
static void test_calls(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {ARRAYS "[n][4]f32 { split(4, x) }", "write sizes in brackets: split[4](x)"},
        {ARRAYS "[n][4]f32 { slide(4, x) }", "write sizes in brackets: slide[4, step](x)"},
        {ARRAYS "[3][n]f32 { repeat(3, y) }", "write sizes in brackets: repeat[3](y)"},
        {ARRAYS "[n]f32 { iterate(3, |v| v + 1, y) }", "iterate[3](|v| v + 1, y)"},
        {ARRAYS "[2]f32 { take(2, y) }", "write sizes in brackets: take[2](y)"},
        {ARRAYS "[2]f32 { y |> take(2) }", "write sizes in brackets: take[2](y)"},
        {"fn h[n, k: nat](x: [n]f32) -> [n]f32 { x }\n" ARRAYS "[n]f32 { h(2, y) }",
         "write sizes in brackets: h[n, 2](y)"},
        {"fn h[n, k: nat](x: [n]f32) -> [n]f32 { x }\n" ARRAYS "[n]f32 { h[2](y) }",
         "give it in brackets: h[n, k](...)"},
        {ARRAYS "f32 { let t = y |> slide[3]; 1 }", "give it in brackets: slide[size, step](...)"},
        {ARRAYS "[n][m]f32 { generate(n, m, |i, j| z[i, j]) }",
         "generate(n, |i| generate(m, |j| ...))"},
        {ARRAYS "[n]f32 { map(|a, b| a + b, y, y) }", "map(|(a, b)| ..., zip(y, y))"},
        {ARRAYS "[n]f32 { map(|i, v| v, y) }", "generate(n, |i| f(i, xs[i]))"},
        {ARRAYS "[n][m]f32 { repeat[n, m](0.0) }", "repeat[n](repeat[m](0.0))"},
        {ARRAYS "[n]f32 { generate[n](|i| y[i]) }", "generate[t: data](n: nat, f: fn(idx[n])"},
        {"fn h(a: f32, b: f32, c: f32) -> f32 { a }\n" ARRAYS "f32 { h(1.0) }",
         "missing: `b: f32`, `c: f32`"},
        {"fn h(a: f32, b: f32) -> f32 { a }\n" ARRAYS "f32 { 1.0 + (h(1.0)) }", "an argument may"},
        {ARRAYS "f32 { max(y) }", "maximum(xs) of std.stats"},
        {"fn h[n: nat](x: [n]f32, k: f32) -> [n]f32 { x }\n" ARRAYS "[n]f32 { y |> h(2.0) }",
         "write the first one in the call: h(y, 2.0)"},
        {ARRAYS "f32 { let t = (1.0, 2.0); t[1] }", "write a component of a tuple with a dot: t.1"},
        {ARRAYS "[2]f32 { let i = [1, 2]; y[i] }", "map(|k| y[k], i)"},
        {ARRAYS "f32 { z(0, 0) }", "of a matrix a[i, j]"},
        {"fn sum[n: nat, t: num](xs: [n]t) -> t { xs[0] }\n" ARRAYS "f32 { sum(z) }",
         "for each row write map(sum, z), for all elements sum(join(z))"},
        {"fn f(x: f32) { x * 2.0 }", "f has no `->`, so it has no result"},
        {"fn f(x: f32) { x * 2.0 }", "write the type of its result: -> f32"},
        {ARRAYS "f32 { let mut s = 0.0; y |> map(|v| { s += v; }); s }",
         "write a loop for its side effects"},
        {ARRAYS "f32 { let mut s = 0.0; for v in map(|v| v, y) { s += v; } s }",
         "iterate over numbers, not over an array"},
        {ARRAYS "f32 { let mut s = 0.0; for (i, v) in zip(y, y) { s += v; } s }",
         "iterate over numbers, not over an array"},
        {ARRAYS "[256]i64 { scatter_with(+, 0, b, repeat[n](1)) }",
         "map(|k| k as idx[m], b), with a size in the brackets"},
        {ARRAYS "f32 { print(\"k = \" + k); 1 }", "print(\"k = \", k)"},
        {ARRAYS "[n]f32 { [0.0] * n }", "equal elements is repeat[n](x)"},
        {ARRAYS "f32 { y[0] ^ 2 }", "a power is pow(x, y), a square x * x"},
        {ARRAYS "(f32, f32) { return (y[0], y[1]); }", "a tuple: return((a, b))"},
        {ARRAYS "f32 { for i in range(0, n) { break(i) } 1 }", "break carries no value here"},
        {"test \"t\" { assert(1 == 1); }", "end the test with a condition"},
        {ARRAYS "f32 { let c = k * 2; let v = generate(c, |i| y[i]); 1 }",
         "a let makes it a size in the rest of the block: let count: nat = c;"},
        {ARRAYS "f32 { let v = repeat[k](0.0); 1 }", "declare the parameter as a size"},
        {ARRAYS "i64 { map(|v| v > 0.0, y) |> count }", "count(|x| x, xs) of std.stats"},
        {"fn h[n: nat](x: [n]f32) -> f32 { x[0] }\nfn f() -> f32 { h(\"x.npy\") }",
         "load(\"x.npy\") is the contents of the file"},
        {"fn h[s: shape](to: shape, x: [..s]f32) -> f32 { 1 }\n" ARRAYS "f32 { h(3, y) }",
         "write a shape of one size in brackets, too: [3]"},
        {"fn h[s: shape](to: shape, x: [..s]f32) -> f32 { 1 }\n" ARRAYS "f32 { h(y, [3]) }",
         "h[s: shape](to: shape, x: [..s]f32)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) expect_text(cases[i][0], cases[i][1]);
    // A call that lacks an argument has no sizes to give, and no order to change.
    expect_no_text(ARRAYS "[n][4]f32 { split(y, x) }", "generic arguments in brackets");
    expect_no_text(ARRAYS "bool { k == \"a\" }", "help");
    expect_no_text("fn h(a: f32, b: f32) -> f32 { a }\n" ARRAYS "f32 { true |> h(1.0) }", "a pipe");
}

static void test_messages(void **state)
{
    (void)state;
    expect_text("fn f(x: f32) -> f32 { sqrrt(x) }", "did you mean `sqrt`?");
    expect_text("fn f(length: f32) -> f32 { lenght }", "did you mean `length`?");
    expect_text("fn f(xs: [2]f32) -> f32 { reduec(+, 0.0, xs) }", "did you mean `reduce`?");
    // A name that is far longer is not similar.
    expect_no_text("fn f(x: f32) -> f32 { " LONG LONG LONG LONG " }", "did you mean");
    // Only rules and strategies are similar to a name in a schedule.
    expect_text("strategy at_insids() { id }\nentry fn at_insid(x: f32) -> f32 { x }\n"
                "schedule at_insid { at_insi; }",
                "did you mean `at_insids`?");
    expect_text("fn f[t: data](x: t) -> t { x + x }", "declare it as `t: num`");
    expect_text("fn g[n: nat](a: [n]f32, b: [n]f32) -> f32 { 1 }\nfn f() -> f32 { g(1, 2, 3) }",
                "g[n: nat](a: [n]f32, b: [n]f32) -> f32");
    expect_text("fn g(a: f32, b: f32) -> f32 { a }\nfn f(i: i32) -> f32 { g(1, i) }",
                "argument `b` of g");
    expect_text("fn f(i: i32) -> f32 { i }", "convert it: f32(i)");
    expect_text("fn f(xs: [3](f32, f32)) -> [3]f32 { map(|a, b| a, xs) }", "|(a, b)| ...");
    expect_text("fn f[n: nat](xs: [n]f32) -> [n]f32 { xs[1..] }",
                "the sizes `n` and `n - 1` differ");
    expect_text("fn f(xs: [2]f32) -> bool { xs |> map(|x| x) == xs }",
                "put parentheses around the pipe");
    expect_text("fn f(k: i64) -> [k]f32 { repeat[k](0) }", "known only when the program runs");
}

static void test_messages_of_state(void **state)
{
    (void)state;
    expect_text("fn f(x: i32) { x = 1; }", "let mut x = x;");
    expect_text("fn f(x: [3]i32) { x[0] = 1; }", "declare `x: &mut [3]i32`");
    expect_text("entry fn f(x: [3]i32) -> [3]i32 { x[0] = 1; x }", "let mut new = x; ...; new");
    expect_text("fn f(x: &mut [3]i32) { x = [1, 2, 3]; }",
                "assign the target of the reference by `*x = ...`");
    expect_text("fn f(x: &mut i32, y: &i32) { x = y; }", "by `*x = *...`");
    expect_text("fn f(x: &i32) { x = 1; }", "declare the parameter as `&mut i32`");
    expect_text("fn f() { let x = 1; x = 1; }", "let mut x = ...");
    expect_text("fn f(x: &i32) { *x = 1; }", "&mut T");
    expect_text("fn f() -> i32 { 1; }", "without a `;`");
    expect_text("fn f(x: i32) -> i32 { let g = |a: i32, b: i32| a + b; g(x) }",
                "this function takes 2 arguments, not 1");
    expect_text("fn f() { 1i32; }", "it is of type `i32`");
    expect_text("fn f(xs: [3]f32, a: [3][3]f32) -> [3]f32 { xs * a }",
                "use map for the rows of one of them");
    expect_text("fn f(xs: [3]f32) -> [3]f32 { xs.map(sqrt) }", "x |> map(...)");
    expect_text("fn f(xs: [3]f32) -> i64 { xs.len }", "the length of an array");
    expect_text("fn f(x: i32) -> i32 { x >> 1 }", "write >>>");
    expect_text("fn f() -> f32 { dot([1.0], [2.0]) }", "import std.linalg (dot)");
    // of the module that passes it on
    expect_text(
        "entry fn f(xs: [2]i32) -> [2]i32 { scan(+, 0, xs) }\nschedule f { scan_in_order; }",
        "import std.rules (scan_in_order)");
    expect_text("fn f(x: &f32) -> f32 { x }", "*e is the value that it refers to");
    expect_text("fn f(x: (bool, i32)) -> i32 { match x { (true, 0) => 1, (false, _) => 2 } }",
                "covers `(true, 1)`");
    expect_text("fn f(x: i32) -> i32 { match x { 0 => 1, 1 => 2, 3 => 4 } }", "covers `2`");
    expect_text(
        "enum E { A(bool, i32), B }\nfn f(e: E) -> i32 { match e { E.B => 1, E.A(true, _) => 2 "
        "} }",
        "covers `E.A(false, _)`");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_silence),
        cmocka_unit_test(test_foreign),
        cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_messages_of_state),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_control),
        cmocka_unit_test(test_match),
        cmocka_unit_test(test_enums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
