// What the tests of syntax/ share: parsing a text, errors as text, sample programs, random numbers.
#ifndef ADZE_TESTS_SYNTAX_UTIL_H
#define ADZE_TESTS_SYNTAX_UTIL_H

#include "syntax/format/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static inline Module *parse_text(Session *cx, const char *text, size_t len)
{
    return parse_module(cx, session_add_source(cx, "test.adz", text, len));
}

/// "E0110@2:7 E0106@3:1": the codes and places of all errors, in order of place.
static inline const char *errors_of(Session *cx)
{
    Text out = text_new(cx->arena);
    int n = cx->diags.len;
    bool *done = ARENA_ARRAY(cx->arena, bool, n + 1);
    for (int k = 0; k < n; k++) {
        int best = -1;
        for (int i = 0; i < n; i++)
            if (!done[i] && (best < 0 || cx->diags.at[i]->span.lo < cx->diags.at[best]->span.lo))
                best = i;
        const Diag *d = cx->diags.at[best];
        int line, column;
        done[best] = true;
        session_position(cx, d->span.file, d->span.lo, &line, &column);
        text_printf(&out, "%s%s@%d:%d", k ? " " : "", diag_name(d->code), line, column);
    }
    return text_get(&out);
}

/// The errors of a whole program.
static inline void assert_errors(const char *program, const char *expected)
{
    Session *cx = session_new();
    parse_text(cx, program, strlen(program));
    assert_string_equal(errors_of(cx), expected);
    session_delete(cx);
}

/// A small fixed generator, so that every run tests the same.
static inline uint32_t random_below(uint64_t *state, uint32_t n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % n;
}

static const char *const programs[] = {
    "import std.linalg (dot, axpy)\nimport std.image\nconst N: nat = 3\nconst x = 1.0\n",
    "type Image[n, m: nat] = [n][m]f32\ntype F = fn(f32, (i32, f32)) -> [4]bool\n"
    "type G[n: nat] = (idx[n], Pair[f32, n + 1], [n, 2 * n]u8, (), (f32,))\n",
    "/// A pair.\nstruct P[t: data] {\n  /// the first\n  x: t,\n  y: t,\n}\nstruct Empty {}\n",
    "/// y = A x\nentry fn gemv[n, m: nat](a: [n][m]f32, x: [m]f32) -> [n]f32 {\n"
    "  a |> map(|row| dot(row, x)) // rows\n}\n",
    "fn f[n, m: nat, s t: data](a: [n]s, f: fn(s) -> t, k: nat) -> [n]t where n % 4 == 0, m > 0 {\n"
    "  let (p, (q, _)): (i32, (f32, bool)) = (1, (2.0, true));\n"
    "  let g = f >> |x, (a, b), y: f32| x + a.0.1 * -b.x as f32;\n"
    "  // then\n\n"
    "  let z = if a < b && !c { P { x: 1, y: 0x_ff } } else if d { P[f32] { x: 1u8 } } else { e "
    "};\n"
    "  let v = a[i][j, k] ++ b[1..n] ++ b[..3] ++ b[n..];\n"
    "  let w = reduce(-, 0, xs) + reduce(||, false, ys) - map(*, zip(a, b)) |> fold(+, -1);\n"
    "  xs |> split[32](ys) |> split[n/4] |> map.vec[8](|r| { let s = r; dot(s, [1, 2]) })\n"
    "    |> pad[1, 1](const(0.0)) |> as_type[[4]f32, idx[n], (f32, f32)](x)\n}\n",
    "pattern map[n: nat, s t: data](f: fn(s) -> t, xs: [n]s) -> [n]t\n"
    "pattern take[k, n: nat, t: data](xs: [n + k]t) -> [k]t where n > 3;\n",
    "test \"a \\\"b\\\" \\u{e9}\" { f(1.5e-3f64, 18446744073709551615, ()) == (2, || 3, |x| |y| x "
    "^ y) }\n",
    "enum Shape[t: data] {\n  /// round\n  Circle(t),\n  Rect(t, [2]t),\n  Empty,\n}\n"
    "enum None {}\nextern fn saxpy(n: nat, a: f32, xs: &[n]f32, ys: &mut shared [n]f32);\n"
    "extern fn leave(code: i32) -> !\n",
    "fn @(?n && !?x) pow(x: f32, n: i32) -> f32 {\n"
    "  let mut r = 1.0; let mut k = $n;\n"
    "  while k > 0 { if k % 2 == 1 { r *= x; } k /= 2; }\n  return(r)\n}\n"
    "/// doc\nfn each[n: nat](@ xs: &[n]f32, @(true) body: fn(f32) -> ()) {\n"
    "  for i in range(0, n) { body(xs[i]); } // all\n}\n",
    "fn f(s: Shape, a: &mut [n]f32, k: fn(i32) -> !) -> ! {\n"
    "  let area = match s { Shape.Circle(r) if r > 0.0 => { 3.0 * r } Shape.Rect(a, (b, _)) => a * "
    "b,\n"
    "    Shape.Empty => 0.0, -1 => return(1), mut x => x };\n"
    "  a[0] = area;\n  *r.x = -*p & &mut a[1..n] - *q;\n"
    "  with x, (y, _) in g(a) { unchecked { a[x] += y; } }\n  with h(a)(b) { @@k(a); }\n"
    "  let v = loop { break(1); };\n  loop { for _ in g(1)() { continue() } } -x\n}\n",
    "fn f[r, s: shape, n: nat](a: [..s]f32, b: [n, ..s]idx[..r], i: idx[n, ..s]) -> [..r][..s]f32 "
    "{\n"
    "  let v = [..shape(a), 3, ..[1, 2]];\n  a[v][..n]\n}\n",
    "fn g(a: f32, n: nat) -> f32 {\n  let b = with (. < [i, _] <= [n, 2 * n] step [2, w] width 1) "
    "{ a[i] } genarray([n], 0.0);\n"
    "  // all\n  let (c, d) = with (iv < [n]) { (a[iv], 1) } ([n] <= iv < .) { let y = a[iv]; (y, "
    "y) }\n"
    "    (modarray(a), fold(max, 0.0));\n  with (_) { x } modarray a.b[1] + with (i) {} fold(|x, "
    "y| x + y, 0)\n}\n",
    "/// f after g\nrule fuse[n: nat, r, s, t: data](f: fn(s) -> t, g: fn(r) -> s, xs: [n]r) {\n"
    "  map(f, map(g, xs)) => map(|x| f(g(x)), xs) // one\n}\n"
    "contract rule r(m: nat, k: nat)(x: f32) where m % 2 == 0, k > m { x => { let y = x; y } }\n"
    "reassociate rule q()() { 0 => 1 }\n",
    "strategy tile(a: nat, b: nat, s: strategy, order: [nat]) {\n"
    "  split_join(a) @ outermost(is_map) @ body; // then\n  fuse <+ id <+ (fail);\n"
    "  { s; try(t) } <+ u\n  ; if a > 1 && b % 2 == 0 { s } else if a == b {} else { id; s }\n"
    "  reorder([1, 2, 5, ..order[1..]], -a * (b + 1) - len(order) / 2 % 3, at(\"x\"))(order[0])\n"
    "}\nstrategy top(p: strategy) { top_down({ p; { a; b; } <+ c }) }\nstrategy none() {}\n",
    "schedule gemv for omp(mc = tune(64, 128, 2 * 128), nc = 32,) allow reassociate {\n"
    "  // first\n  split_join(mc) @ outermost(is_map); lower\n}\nschedule f {}\n"
    "schedule schedule(rule = strategy) allow contract { if rule > 1 { tune(allow) } }\n",
    "fn bits(a: u32, b: u32) -> u32 { (a & b | a ^ 1) << 3 >>> 2 % 5 }\n",
};

enum { PROGRAMS = sizeof programs / sizeof *programs };

#endif
