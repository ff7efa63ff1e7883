// Strategies: what they apply a rule to, in which order; that what failed leaves no trace; numbers and lists; what is reported.
#include "schedule/rules.h"

// Rules that only number: each turns a literal into another.
static const char rules[] =
    "rule fuse[n: nat, r, s, t: data](f: fn(s) -> t, g: fn(r) -> s, xs: [n]r) { map(f, map(g, xs)) "
    "=> map(|x| f(g(x)), xs) }\n"
    "rule blocks(m: nat)[n: nat, s, t: data](f: fn(s) -> t, xs: [n]s) where n % m == 0, m > 0 { "
    "map(f, xs) => xs |> split[m] |> map(|ys| map(f, ys)) |> join }\n"
    "rule turn[n: nat, t: data](xs: [n]t) { reverse(xs) => rotate(0, 1, xs) }\n"
    "rule back[n: nat, t: data](xs: [n]t) { rotate(0, 1, xs) => reverse(xs) }\n"
    "rule sums[n, m: nat, s, t: data](f: fn(s) -> t, op: fn(s, s) -> s, z: s, xs: [n][m]s) { "
    "map(|x| "
    "f(reduce(op, z, x)), xs) => map(f, map(|x| reduce(op, z, x), xs)) }\n"
    "rule local[t: data](x: t) { x => to_mem.stack(x) }\n"
    "rule seq[n: nat, s, t: data](f: fn(s) -> t, xs: [n]s) { map(f, xs) => map.seq(f, xs) }\n"
    "rule folded[n: nat, s, t: data](f: fn(t, s) -> t, z: t, xs: [n]s) { fold(f, z, xs) => "
    "fold.seq(f, z, xs) }\n"
    "rule first[n: nat, q, r, s, t: data](f: fn(r, s) -> t, g: fn(q) -> r, xs: [n]q, ys: [n]s) { "
    "map(|(x, y)| f(g(x), y), zip(xs, ys)) => map(|(x, y)| f(x, y), zip(map(g, xs), ys)) }\n"
    "fn each[n: nat, s, t: data](f: fn(s) -> t, xs: [n]s) -> [n]t { let mut ys: [n]t = "
    "undefined(); for i in range(0, n) { ys[i] = f(xs[i]); } ys }\n"
    "rule by_loop[n: nat, s, t: data](f: fn(s) -> t, xs: [n]s) { map(f, xs) => each(f, xs) }\n"
    "fn deep(x: i32) -> i32 { if x > 0 { 1 + deep(x - 1) } else { 0 } }\n"
    "rule recursive[n: nat](xs: [n]i32) { reverse(xs) => map(|x| deep(x), xs) }\n"
    "rule some_loops[n: nat, s, t: data](f: fn(s) -> t, xs: [n]s) { map(f, xs) => if n < 5 { "
    "map.seq(f, xs) } else { each(f, xs) } }\n";

// Reversals in one another: reverse(map(|row| reverse(row), reverse(a)))
#define NEST                                                                                       \
    "entry fn f[n, m: nat](a: [n][m]i32) -> [n][m]i32 { reverse(map(|row| reverse(row), "          \
    "reverse(a))) }\n"
#define ZIPS                                                                                       \
    "entry fn f[n: nat](a: [n]i32, b: [n]i32) -> [n](i32, i32) { zip(reverse(a), reverse(b)) }\n"
#define MAP "entry fn f[n: nat](a: [n]i32) -> [n]i32 where n % 24 == 0 { map(|x| x + 1, a) }\n"
#define LET                                                                                        \
    "entry fn f[n: nat](a: [n]i32) -> [n](i32, i32) { let b = map(|x| x * x, a); zip(b, "          \
    "reverse(b)) }\n"

#define AT(body) "entry fn f[n: nat](a: [n]i32, k: i64) -> i32 { let b = a[k]; " body " }\n"

#define SUMS                                                                                       \
    "entry fn f[n, m: nat](c: i32, a: [n][m]i32) -> [n]i32 { map(|x| { let d = c * c; d * d - "    \
    "reduce(+, 0, x) }, a) }\n"

// A function with a variable of its own, and one that uses a variable around it.
#define OWN                                                                                        \
    "entry fn f[n: nat](a: [n]i32) -> [n]i32 { map(|x| { let mut k = x; while k > 9 { k -= 9; } "  \
    "k }, a) }\n"
#define OUTER                                                                                      \
    "entry fn f[n: nat](a: [n]idx[n]) -> [n]i32 { let mut k = generate(n, |i| i32(i)); for i in "  \
    "range(0, n) { k[i] = fold(|s, x| s + k[x], 0, a); } k }\n"

#define READS(body)                                                                                \
    "entry fn f[n, m, k: nat](a: [n][k]i32, b: [k][m]i32, c: [k][m][n]i32, d: [n][n]i32) -> "      \
    "[n][m]i32 { generate(n, |i| generate(m, |j| " body ")) }\n"

// Sums of what lies further on.
#define FURTHER(body)                                                                              \
    "entry fn f[n, k: nat](x: [n + k + 2]i32, y: [k]i32, z: [k]i32) -> [n + 1]i32 "                \
    "{ generate(n + 1, |i| reduce(+, 0, generate(k, |j| " body "))) }\n"

// Rows that are computed in several steps.
#define STEPS(result)                                                                              \
    "entry fn f[n, m: nat](a: [n][m]i32) -> [n][m]i32 { map(|x| { let s = reduce(+, 0, x); "       \
    "let y = map(|v| v + s, x); let t = reduce(max, 0, x); " result " }, a) }\n"

#define QUOTIENTS                                                                                  \
    "entry fn f[n, m: nat](a: [n][m]i32) -> [n][m]i32 { map(|x| { let s = reduce(+, 0, x); "       \
    "let y = map(|v| v / s, x); map(|(v, w)| v * w, zip(y, y)) }, a) }\n"

#define PAIRS(body)                                                                                \
    "entry fn f[n: nat](a: [n]i32, b: [n]i32, k: i32) -> [n]i32 { map(|(x, y)| " body              \
    ", zip(a, b)) }\n"

typedef struct {
    const char *entry, *schedule;
    const char *becomes; // the body afterwards, or the diagnostics
} Case;

static const Case cases[] = {
    {ZIPS, "turn @ top_down", "(zip (rotate 1i64 a) (reverse b))"},
    {ZIPS, "one(turn)", "(zip (rotate 1i64 a) (reverse b))"},
    {ZIPS, "one_last(turn)", "(zip (reverse a) (rotate 1i64 b))"},
    {ZIPS, "all(turn)", "(zip (rotate 1i64 a) (rotate 1i64 b))"},
    {ZIPS, "some(turn)", "(zip (rotate 1i64 a) (rotate 1i64 b))"},
    {ZIPS, "arg(1, turn)", "(zip (reverse a) (rotate 1i64 b))"},
    {ZIPS, "nth(0, is(\"reverse\"), turn)", "(zip (rotate 1i64 a) (reverse b))"},
    {ZIPS, "nth(1, is(\"reverse\"), turn)", "(zip (reverse a) (rotate 1i64 b))"},
    {ZIPS, "turn @ every(is(\"reverse\"))", "(zip (rotate 1i64 a) (rotate 1i64 b))"},
    {ZIPS, "normalise(turn); one_last(back)", "(zip (rotate 1i64 a) (reverse b))"},
    {NEST, "turn @ top_down", "(rotate 1i64 (map (lam (row: [m]i32) (reverse row)) (reverse a)))"},
    {NEST, "turn @ bottom_up", "(reverse (map (lam (row: [m]i32) (rotate 1i64 row)) (reverse a)))"},
    {NEST, "arg(0, body(turn))",
     "(reverse (map (lam (row: [m]i32) (rotate 1i64 row)) (reverse a)))"},
    {NEST, "arg(0, source(turn))",
     "(reverse (map (lam (row: [m]i32) (reverse row)) (rotate 1i64 a)))"},
    {NEST, "nth(2, is(\"reverse\"), turn)",
     "(reverse (map (lam (row: [m]i32) (reverse row)) (rotate 1i64 a)))"},
    // elements that are read at a position, in any axis
    {READS("i32(m)"), "as_map", "E0811"},
    {READS("i32(i)"), "as_map", "E0811"},
    {READS("d[i, i]"), "as_map", "E0811"},
    {READS("generate(k, |l| a[i, l])[0] + i32(j)"), "body(as_map)", "E0811"},
    {READS("b[0, j]"), "body(as_map)",
     "(generate n (lam (i: idx[n]) (map (lam (j: [k]i32) (at j (to_idx 0i64 : idx[k]))) "
     "(transpose b))))"},
    {READS("c[0, j, i]"), "as_map; body(as_map)",
     "(map (lam (i: [k][m]i32) (map (lam (j: [k]i32) (at j (to_idx 0i64 : idx[k]))) "
     "(transpose i))) (transpose (map (lam (x: [m][n]i32) (transpose x)) c)))"},
    {READS("d[i, d[i, 0]] * a[i, 0]"), "as_map",
     "(map (lam (i: ([n]i32, [k]i32)) (generate m (lam (j: idx[m]) (* (at (proj 0 i) (to_idx (cast "
     "(at (proj 0 i) (to_idx 0i64 : idx[n])) : i64) : idx[n])) (at (proj 1 i) (to_idx 0i64 : "
     "idx[k])))))) (zip d a))"},
    {READS("reduce(+, 0, generate(k, |l| a[i, l] * b[l, j]))"),
     "as_map; body({ as_map; body(arg(2, as_map)) })",
     "(map (lam (i: [k]i32) (map (lam (j: [k]i32) (reduce (lam (a: i32, b: i32) (+ a b)) 0 (map "
     "(lam (l: (i32, i32)) (* (proj 0 l) (proj 1 l))) (zip i j)))) (transpose b))) a)"},
    // elements that a loop reads further on, of an array that is long enough
    {FURTHER("x[i + j] * y[j]"), "as_map; body(arg(2, as_map))",
     "(map (lam (i: [k]i32) (reduce (lam (a: i32, b: i32) (+ a b)) 0 (map (lam (j: (i32, i32)) (* "
     "(proj 0 j) (proj 1 j))) (zip i y)))) (slide k 1 (slice 0 (k + n) x)))"},
    {FURTHER("x[2 + j + i]"), "as_map",
     "(map (lam (i: [k + 2]i32) (reduce (lam (a: i32, b: i32) (+ a b)) 0 (generate k (lam (j: "
     "idx[k]) (at i (to_idx (+ 2i64 (cast j : i64)) : idx[k + 2])))))) (slide (k + 2) 1 x))"},
    {FURTHER("x[3 + j + i]"), "as_map", "E0811"},
    {FURTHER("z[i + j]"), "as_map", "E0811"},
    {FURTHER("x[i + i + j]"), "as_map", "E0811"},
    {FURTHER("x[i + i64(y[j]) % 2]"), "as_map", "E0811"},
    {FURTHER("if i64(j) < 2 { x[i + j] } else { y[j] }"), "as_map",
     "(map (lam (i: [k]i32) (reduce (lam (a: i32, b: i32) (+ a b)) 0 (generate k (lam (j: idx[k]) "
     "(if (< (cast j : i64) 2i64) (at i j) (at y j)))))) (slide k 1 (slice 0 (k + n) x)))"},
    {FURTHER("if i64(i + j) < k { z[i + j] } else { 0 }"), "as_map", "E0811"},
    // elements next to those of the position before
    {READS("reduce(+, 0, generate(k, |l| c[l, j, i]))"), "body(is_contiguous)", "E0811"},
    {READS("reduce(+, 0, generate(k, |l| c[l, j, i]))"), "is_contiguous; body(as_map)",
     "(generate n (lam (i: idx[n]) (map (lam (j: [k][n]i32) (reduce (lam (a: i32, b: i32) (+ a b)) "
     "0 (generate k (lam (l: idx[k]) (at (at j l) i))))) (transpose c))))"},
    {READS("d[i, i]"), "is_contiguous", "E0811"},
    {READS("d[d[i, 0], i]"), "is_contiguous", "E0811"},
    {READS("reduce(+, 0, map(|x| x, a[i]))"), "is_contiguous", "E0811"},
    {FURTHER("x[2 + j + i]"), "is_contiguous; as_map",
     "(map (lam (i: [k + 2]i32) (reduce (lam (a: i32, b: i32) (+ a b)) 0 (generate k (lam (j: "
     "idx[k]) (at i (to_idx (+ 2i64 (cast j : i64)) : idx[k + 2])))))) (slide (k + 2) 1 x))"},
    {FURTHER("x[i + i + j]"), "is_contiguous", "E0811"},
    {FURTHER("x[k - i + j]"), "is_contiguous", "E0811"},
    {FURTHER("z[i + j]"), "is_contiguous", "E0811"},
    // the parts of a term that was staged
    {PAIRS("x * x + k * y"), "first",
     "(map (lam (t: (i32, i32)) (+ (proj 0 t) (* k (proj 1 t)))) (zip (map (lam (x: i32) (* x x)) "
     "a) b))"},
    {PAIRS("(x + 1) * (x + 1) - y"), "first",
     "(map (lam (t: (i32, i32)) (- (proj 0 t) (proj 1 t))) (zip (map (lam (x: i32) (* (+ x 1) (+ x "
     "1))) a) b))"},
    {PAIRS("(x + k * k) * y + k * k"), "bind(is(\"*\"))",
     "(let t (* k k) (map (lam (t1: (i32, i32)) (+ (* (+ (proj 0 t1) t) (proj 1 t1)) t)) (zip a "
     "b)))"},
    // a map whose function computes an array first
    {STEPS("map(|(v, w)| v * w, zip(y, y))"), "split_at(is_map)",
     "(map (lam (y: [m]i32) (map (lam (t: (i32, i32)) (* (proj 0 t) (proj 1 t))) (zip y y))) (map "
     "(lam (x: [m]i32) (let s (reduce (lam (a: i32, b: i32) (+ a b)) 0 x) (map (lam (v: i32) (+ v "
     "s)) x))) a))"},
    {STEPS("map(|(v, w)| v * w + t, zip(y, y))"), "split_at(is_map)",
     "(map (lam (x: ([m]i32, [m]i32)) (let t (reduce (lam (a: i32, b: i32) (max a b)) 0 (proj 1 "
     "x)) (map (lam (t1: (i32, i32)) (+ (* (proj 0 t1) (proj 1 t1)) t)) (zip (proj 0 x) (proj 0 "
     "x))))) (zip (map (lam (x: [m]i32) (let s (reduce (lam (a: i32, b: i32) (+ a b)) 0 x) (map "
     "(lam (v: i32) (+ v s)) x))) a) a))"},
    {STEPS("map(|v| v * s, y)"), "split_at(is_map)", "E0811"},
    {STEPS("map(|v| v * t, y)"), "split_at(is(\"zip\"))", "E0811"},
    {STEPS("map(|v| v * t, y)"), "body(split_at(is_map))", "E0811"},
    {STEPS("map(|v| v * t / v, y)"), "split_at(is_map)", "E0811"},
    // the rest may fail, since it does so in the same order; the part may not
    {STEPS("map(|(v, w)| v * w / t, zip(y, y))"), "split_at(is_map)",
     "(map (lam (x: ([m]i32, [m]i32)) (let t (reduce (lam (a: i32, b: i32) (max a b)) 0 (proj 1 "
     "x)) (map (lam (t1: (i32, i32)) (/ (* (proj 0 t1) (proj 1 t1)) t)) (zip (proj 0 x) (proj 0 "
     "x))))) (zip (map (lam (x: [m]i32) (let s (reduce (lam (a: i32, b: i32) (+ a b)) 0 x) (map "
     "(lam (v: i32) (+ v s)) x))) a) a))"},
    {QUOTIENTS, "split_at(is_map)", "E0811"},
    // a part that is found behind a let
    {SUMS, "sums",
     "(map (lam (x: i32) (let d (* c c) (- (* d d) x))) (map (lam (x: [m]i32) (reduce (lam (a: "
     "i32, b: i32) (+ a b)) 0 x)) a))"},
    // choices
    {ZIPS, "turn <+ one(turn)", "(zip (rotate 1i64 a) (reverse b))"},
    {ZIPS, "{ one(turn); fail } <+ one_last(turn)", "(zip (reverse a) (rotate 1i64 b))"},
    {ZIPS, "try({ one(turn); one(back); fail })", "(zip (reverse a) (reverse b))"},
    {ZIPS, "not(turn); check(one(turn))", "(zip (reverse a) (reverse b))"},
    {ZIPS, "repeat(one(turn))", "(zip (rotate 1i64 a) (rotate 1i64 b))"},
    {ZIPS, "times(2, one(turn))", "(zip (rotate 1i64 a) (rotate 1i64 b))"},
    // numbers and lists
    {MAP, "blocks(2 * 3 + 2)",
     "(join (map (lam (ys: [8]i32) (map (lam (x: i32) (+ x 1)) ys)) (split 8 a)))"},
    {MAP, "by([4, 6])",
     "(join (map (lam (ys: [6]i32) (map (lam (x: i32) (+ x 1)) ys)) (split 6 a)))"},
    {MAP, "rest([4, 6, 8])",
     "(join (map (lam (ys: [8]i32) (map (lam (x: i32) (+ x 1)) ys)) (split 8 a)))"},
    {MAP, "if 7 / 2 == 3 && !(1 > 2) { seq } else { fail }", "(map.seq (lam (x: i32) (+ x 1)) a)"},
    // variables
    {OWN, "seq; is(\"map.seq\"); because(\"it is one\", check(is(\"map\")))",
     "(map.seq (lam (x: i32) (let k (cell x) (let x (label leave () (forever (let k1 (get k) (if "
     "(> k1 9) (let x (put k (- k1 9)) (tuple)) (jump leave))))) (get k)))) a)"},
    {OUTER, "arg(1, folded)", "E0811"},
    {OUTER, "folded @ top_down", "E0811"},
    // functions on the right side: of what the function uses, a variable around it
    {MAP, "by_loop",
     "(let ys (cell (undefined [n]i32)) (let x (range 0i64 (size n) (lam (i: i64) (let x (put "
     "(ref_at ys (to_idx i : idx[n])) (+ (at a (to_idx i : idx[n])) 1)) (tuple)))) (get ys)))"},
    {SUMS, "body(some_loops)", "E0811"},
    {PAIRS("x + k * y"), "by_loop",
     "(let ys (cell (undefined [n]i32)) (let x (range 0i64 (size n) (lam (i: i64) (let t (at (zip "
     "a "
     "b) (to_idx i : idx[n])) (let x (put (ref_at ys (to_idx i : idx[n])) (+ (proj 0 t) (* k (proj "
     "1 t)))) (tuple))))) (get ys)))"},
    {MAP, "some_loops",
     "(if (< (size n) 5i64) (map.seq (lam (x: i32) (+ x 1)) a) (let ys (cell (undefined [n]i32)) "
     "(let x (range 0i64 (size n) (lam (i: i64) (let x (put (ref_at ys (to_idx i : idx[n])) (+ (at "
     "a (to_idx i : idx[n])) 1)) (tuple)))) (get ys))))"},
    {ZIPS, "one(recursive)", "E0811"},
    // names
    {LET, "at(\"b\", seq)", "(let b (map.seq (lam (x: i32) (* x x)) a) (zip b (reverse b)))"},
    {LET, "inline; turn @ top_down",
     "(zip (map (lam (x: i32) (* x x)) a) (rotate 1i64 (map (lam (x: i32) (* x x)) a)))"},
    {LET, "inline; bind(is(\"map\"))",
     "(let t (map (lam (x: i32) (* x x)) a) (zip t (reverse t)))"},
    {LET, "inline; repeat(bind(is(\"map\")))",
     "(let t (map (lam (x: i32) (* x x)) a) (zip t (reverse t)))"},
    {LET, "bind(is(\"map\"))", "E0811"}, // it has one
    {ZIPS, "bind(is(\"reverse\"))", "(let t (reverse a) (zip t (reverse b)))"},
    // predicates
    {MAP, "seq; is(\"map.seq\"); not(is(\"map.\")); is(\"map\")",
     "(map.seq (lam (x: i32) (+ x 1)) a)"},
    // what a later stage would refuse is not done
    {MAP, "local", "E0811"},
    {MAP, "try({ seq; local })", "(map (lam (x: i32) (+ x 1)) a)"},
    {MAP, "local <+ seq", "(map.seq (lam (x: i32) (+ x 1)) a)"},
    {NEST, "arg(0, arg(0, local))",
     "(reverse (map (lam (row: [m]i32) (to_mem.stack (reverse row))) (reverse a)))"},
    // errors of arguments
    {ZIPS, "try(refuse(\"no\"))", "E0813"},
    // failures
    {ZIPS, "turn", "E0811"},
    {ZIPS, "all(back)", "E0811"},
    {ZIPS, "nth(2, is(\"reverse\"), turn)", "E0811"},
    {ZIPS, "times(3, one(turn))", "E0811"},
    {ZIPS, "check(turn)", "E0811"},
    {ZIPS, "arg(5, turn)", "E0811"},
    {MAP, "blocks(5)", "E0811"},
    {MAP, "blocks(0 - 1)", "E0813"},
    {MAP, "blocks(1 / 0)", "E0813"},
    {MAP, "blocks(1000000 * 1000000)", "E0813"},
    {MAP, "third([2, 3])", "E0813"},
    {MAP, "rest([])", "E0813"},
    {ZIPS, "repeat({ one(turn); one(back) })", "(zip (reverse a) (reverse b))"}, // changes nothing
    {ZIPS, "deep", "E0812"},
    {ZIPS, "at(\"b\", turn)", "E0811"},
    {ZIPS, "inline", "E0811"},
    // a value that may fail stays where it is always computed
    {AT("b * b"), "inline", "(* (at a (to_idx k : idx[n])) (at a (to_idx k : idx[n])))"},
    {AT("if k > 1 { b } else { 0 }"), "inline", "E0811"},
    {AT("reduce(+, 0, map(|x| x * b, a))"), "inline", "E0811"},
};

static const char strategies[] = "strategy by(sizes: [nat]) { blocks(sizes[len(sizes) - 1]) }\n"
                                 "strategy rest(sizes: [nat]) { by(sizes[1..]) }\n"
                                 "strategy third(sizes: [nat]) { blocks(sizes[2]) }\n"
                                 "strategy deep() { try(turn); deep; deep }\n";

// As a later stage would: here an array of the entry's own size has no place on the stack, and what
// is around a term is given as parameters.
static const char *refuses_large(Session *cx, const Function *f)
{
    bool stack = f->body->kind == CORE_TO_MEM && f->body->variant == VARIANT_STACK;
    core_check(cx, f, LEVEL_LOW);
    return stack && f->params.len < 2 ? "it is too large" : NULL;
}

static char *one_line(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from != '\n' && (*from != ' ' || (to > text && to[-1] != ' '))) *to++ = *from;
    *to = 0;
    return text;
}

static bool try_case(const Case *c)
{
    Session *texts = session_new();
    Inferred r = infer_good(arena_printf(texts->arena, "%s%s%sschedule f { %s }\n", rules,
                                         strategies, c->entry, c->schedule));
    Session *cx = r.cx;
    const Function *f = stage_entry(&r, "f");
    ScheduleTrace trace = {0};
    Function *done =
        schedule_run(cx, f, schedule_find(r.program, f->name, "c"), NULL, 0, refuses_large, &trace);
    const char *text =
        done ? one_line(arena_printf(texts->arena, "%s", term_text(f, cx, done->body)))
             : diag_name(cx->diags.at[0]->code);
    bool good = strcmp(text, c->becomes) == 0;
    if (!good)
        print_error("%s%s\n  becomes %s%s\n", c->entry, c->schedule, text,
                    done ? "" : cx->diags.at[0]->text);
    if (done) {
        core_check(cx, done, LEVEL_LOW);
        core_check_flat(cx, staging_run(cx, r.program, done)); // as in the driver
        // Each step begins where the one before it left the term: what failed is not among them.
        assert_int_equal(trace.applied, trace.steps.len);
    } else {
        assert_true(cx->diags.at[0]->span.file != 0);
    }
    session_delete(cx);
    session_delete(texts);
    return good;
}

static void test_cases(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) wrong += !try_case(&cases[i]);
    assert_int_equal(wrong, 0);
}

// The first choice unless another number is given.
static void test_open_numbers(void **state)
{
    (void)state;
    Session *texts = session_new();
    Inferred r = infer_good(arena_printf(
        texts->arena, "%s%s%sschedule f(m = tune(4, 6)) { blocks(m) }\n", rules, strategies, MAP));
    Session *cx = r.cx;
    const Function *f = stage_entry(&r, "f");
    const Schedule *s = schedule_find(r.program, f->name, "c");
    NodeBinding six = {session_sym(cx, "m"), nat_const(cx, 6)};
    NodeBinding other = {session_sym(cx, "k"), nat_const(cx, 6)};
    NodeBinding unknown = {session_sym(cx, "m"), nat_var(cx, session_sym(cx, "n"))};
    const char *first = term_text(f, cx, schedule_run(cx, f, s, NULL, 0, NULL, NULL)->body);
    assert_non_null(strstr(first, "(split 4 a)"));
    assert_non_null(
        strstr(term_text(f, cx, schedule_run(cx, f, s, &six, 1, NULL, NULL)->body), "(split 6 a)"));
    assert_string_equal(first,
                        term_text(f, cx, schedule_run(cx, f, s, &other, 1, NULL, NULL)->body));
    assert_null(schedule_run(cx, f, s, &unknown, 1, NULL, NULL));
    assert_int_equal(cx->diags.at[0]->code, E0813);
    session_delete(cx);
    session_delete(texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_open_numbers),
    };
    return cmocka_run_group_tests_name("strategies", tests, NULL, NULL);
}
