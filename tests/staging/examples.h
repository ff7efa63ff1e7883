// Programs that use every pattern, alone and in company, and what it takes to run them before and
// after a pass: random inputs, both algebras, sizes 0, 1, 2, 5 and 7.
#ifndef ADZE_TESTS_EXAMPLES_H
#define ADZE_TESTS_EXAMPLES_H

#include "staging/programs.h"

/// `least`: the least size for which all sizes in the program are defined.
typedef struct {
    const char *generics, *params, *body;
    int least;
} Example;

#define ADD     "(lam (a: f32, b: f32) (+ a b))"
#define MUL_ADD "(lam (a: f32, b: f32) (+ (* a 0.5) b))"
#define SQ      "(lam (x: f32) (* x x))"
#define ROOT    "(lam (x: f32) (sqrt (+ x 1.0)))"
#define PRODUCT "(lam (p: (f32, f32)) (* (proj 0 p) (proj 1 p)))"
#define ADD_ROW                                                                                    \
    "(lam (a: [n]f32, r: [n]f32) (map (lam (p: (f32, f32)) (+ (proj 0 p) (proj 1 p))) (zip a r)))"
#define SCAN_ROWS(xs) "(map (lam (r: [n]f32) (scan " MUL_ADD " 1.0 r)) " xs ")"
#define ROOT_ROWS(xs) "(map (lam (r: [n]f32) (map " ROOT " r)) " xs ")"
#define NORM_ROWS(xs)                                                                              \
    "(map (lam (r: [n]f32) (let s (reduce " ADD " 1.0 r) (map (lam (x: f32) (* x s)) r))) " xs ")"
#define V "n: nat", "xs: [n]f32"
#define M "n: nat, m: nat", "a: [m][n]f32"
#define S "n: nat", "a: [n][n]f32"

static const Example examples[] = {
    // maps, reductions, scans
    {V, "(map " SQ " (map " ROOT " xs))", 0},
    {V, "(reduce " ADD " 0.0 (map " ROOT " xs))", 0},
    {V, "(fold " MUL_ADD " 3.0 (map " SQ " xs))", 0},
    {V, "(scan " MUL_ADD " 2.0 (map " SQ " xs))", 0},
    {V, "(scan_ex " MUL_ADD " 2.0 xs)", 0},
    {V, "(map " SQ " (scan " MUL_ADD " 2.0 xs))", 0},
    {V, "(reduce " ADD " 0.0 (scan_ex " MUL_ADD " 2.0 xs))", 0},
    {V, "(generate n (lam (i: idx[n]) (* (at xs i) (cast (cast i : i64) : f32))))", 0},
    {V, "(let ys (map " ROOT " xs) (generate n (lam (i: idx[n]) (* (at ys i) 2.0))))", 0},
    {V, "(let ys (map " ROOT " xs) (map " PRODUCT " (zip ys (reverse ys))))", 0},
    {V, "(let s (reduce " ADD " 0.0 xs) (map (lam (x: f32) (- x s)) xs))", 0},
    {V, "(iterate 3 (lam (y: [n]f32) (map " SQ " (reverse y))) (map " ROOT " xs))", 0},
    {V, "(iterate 3 (lam (x: f32) (* x 0.5)) (reduce " ADD " 0.0 xs))", 0},
    {V, "(iterate 0 (lam (y: [n]f32) (map " SQ " y)) xs)", 0},
    // matrices
    {"n: nat, m: nat, k: nat", "a: [m][k]f32, b: [k][n]f32",
     "(map (lam (r: [k]f32) (map (lam (c: [k]f32) (reduce " ADD " 0.0 (map " PRODUCT
     " (zip r c)))) (transpose b))) a)",
     0},
    {M, "(transpose " ROOT_ROWS("a") ")", 0},
    {M, "(transpose " SCAN_ROWS("a") ")", 0},
    {M, "(transpose " NORM_ROWS("a") ")", 0},
    {M, NORM_ROWS(SCAN_ROWS("a")), 0},
    {M, NORM_ROWS(ROOT_ROWS("a")), 0},
    {M, SCAN_ROWS(NORM_ROWS("a")), 0},
    {S, NORM_ROWS("(transpose " NORM_ROWS("(transpose " NORM_ROWS("a") ")") ")"), 0},
    {M, "(join " ROOT_ROWS("a") ")", 0},
    {M, "(join " SCAN_ROWS("a") ")", 0},
    {M, "(map " SQ " (join " NORM_ROWS("a") "))", 0},
    {M, "(reduce " ADD " 0.0 (map " ROOT " (join " NORM_ROWS("a") ")))", 0},
    {M, "(reduce " ADD " 0.0 (map " PRODUCT " (zip (join a) (join " SCAN_ROWS("a") "))))", 0},
    {M, "(scan " ADD " 0.0 (join " NORM_ROWS("a") "))", 0},
    {M, "(let b " ROOT_ROWS("a") " (map (lam (r: [n]f32) (tuple (reduce " ADD " 0.0 r) r)) b))", 0},
    {"n: nat", "xs: [4*n]f32", "(split 4 (map " ROOT " xs))", 0},
    {"n: nat", "xs: [4*n]f32",
     "(map (lam (t: [4]f32) (reduce " ADD " 0.0 t)) (split 4 (map " ROOT " xs)))", 0},
    {"n: nat", "xs: [4*n]f32",
     "(join (map (lam (t: [4]f32) (scan " ADD " 0.0 t)) (split 4 (scan " ADD " 0.0 xs))))", 0},
    {S,
     "(map (lam (r: [n]f32) (reduce " ADD
     " 0.0 r)) (generate n (lam (i: idx[n]) (generate n (lam (j: idx[n]) (at (at a j) i))))))",
     0},
    {S,
     "(let b " ROOT_ROWS("a") " (generate n (lam (i: idx[n]) (generate n (lam (j: idx[n]) (+ (at "
                              "(at b j) i) 1.0))))))",
     0},
    {S,
     "(let b " SCAN_ROWS(
         "a") " (generate n (lam (i: idx[n]) (generate n (lam (j: idx[n]) (at (at b i) j))))))",
     0},
    {S, "(let b " NORM_ROWS("a") " (generate n (lam (i: idx[n]) (reduce " ADD " 0.0 (at b i)))))",
     0},
    // stencils and other views
    {V, "(map (lam (w: [3]f32) (reduce " ADD " 0.0 w)) (slide 3 1 (map " ROOT " xs)))", 2},
    {V,
     "(map (lam (w: [3]f32) (fold " MUL_ADD " 0.0 w)) (slide 3 1 (pad clamp 1 1 (map " ROOT
     " xs))))",
     1},
    {V,
     "(map (lam (w: [3]f32) (fold " MUL_ADD " 0.0 w)) (slide 3 1 (pad mirror 1 1 (scan " ADD
     " 0.0 xs))))",
     2},
    {V,
     "(map (lam (w: [3]f32) (fold " MUL_ADD " 0.0 w)) (slide 3 1 (pad wrap 1 1 (map " SQ " xs))))",
     1},
    {V,
     "(map (lam (w: [3]f32) (fold " MUL_ADD " 0.0 w)) (slide 3 1 (pad const 1 1 0.5 (map " ROOT
     " xs))))",
     0},
    {V, "(slide 2 1 (map " ROOT " xs))", 1},
    {"n: nat", "xs: [2*n]f32", "(slide 2 2 (map " ROOT " xs))", 0},
    {V, "(pad const 2 1 (reduce " ADD " 0.0 xs) (scan " ADD " 0.0 xs))", 0},
    {M, "(pad const 1 2 (generate n (lam (i: idx[n]) 1.0)) " SCAN_ROWS("a") ")", 0},
    {V, "(pad clamp 2 1 (scan " ADD " 0.0 xs))", 1},
    {V, "(pad wrap 1 1 (map " ROOT " xs))", 1},
    {V, "(pad mirror 1 1 xs)", 2},
    {"n: nat, m: nat", "xs: [n]f32, ys: [m]f32", "(concat (map " SQ " xs) (scan " ADD " 0.0 ys))",
     0},
    {"n: nat, m: nat", "xs: [n]f32, ys: [m]f32",
     "(reduce " ADD " 0.0 (concat (map " ROOT " xs) (scan " ADD " 0.0 ys)))", 0},
    {V, "(repeat 3 (map " ROOT " xs))", 0},
    {V, "(map (lam (r: [n]f32) (scan " ADD " 0.0 r)) (repeat 3 (map " ROOT " xs)))", 0},
    {V, "(repeat n (reduce " ADD " 0.0 xs))", 0},
    {"n: nat", "xs: [n + 3]f32", "(slice 2 n (scan " ADD " 0.0 xs))", 0},
    {"n: nat", "xs: [n + 3]f32", "(slice 1 (n + 1) (map " ROOT " xs))", 0},
    {M, "(reverse " SCAN_ROWS("a") ")", 0},
    {V, "(reverse (scan " ADD " 0.0 xs))", 0},
    {V, "(rotate 2i64 (map " ROOT " xs))", 0},
    {V, "(rotate -1i64 (scan " ADD " 0.0 xs))", 0},
    {M, "(rotate (size n) " SCAN_ROWS("a") ")", 0},
    {"n: nat, m: nat", "is: [n]idx[m + 1], xs: [m + 1]f32", "(gather is (map " ROOT " xs))", 0},
    {"n: nat, m: nat", "is: [n]idx[m + 1], a: [m + 1][n]f32", "(gather is " NORM_ROWS("a") ")", 0},
    {V,
     "(permute (lam (i: idx[n]) (to_idx (- (size (n - 1)) (cast i : i64)) : idx[n])) (lam (i: "
     "idx[n]) (to_idx (- (size (n "
     "- 1)) (cast i : i64)) : idx[n])) (map " ROOT " xs))",
     0},
    {V,
     "(permute (lam (i: idx[n]) (to_idx (- (size (n - 1)) (cast i : i64)) : idx[n])) (lam (i: "
     "idx[n]) (to_idx (- (size (n "
     "- 1)) (cast i : i64)) : idx[n])) (scan " ADD " 0.0 xs))",
     0},
    {V, "(scatter (generate n (lam (i: idx[n]) (cast i : idx[n + 2]))) (map " ROOT " xs))", 0},
    {M, "(scatter (generate m (lam (i: idx[m]) (cast i : idx[m + 2]))) " SCAN_ROWS("a") ")", 0},
    {"n: nat, m: nat", "is: [n]idx[m + 1], xs: [n]f32",
     "(scatter_with " MUL_ADD " 1.0 is (map " ROOT " xs))", 0},
    {"n: nat, m: nat", "is: [m]idx[3], a: [m][n]f32",
     "(scatter_with " ADD_ROW " (generate n (lam (i: idx[n]) 1.0)) is " SCAN_ROWS("a") ")", 0},
    // tuples, conditions, lets, literals
    {V, "(unzip (map (lam (x: f32) (tuple (* x x) (sqrt x))) xs))", 0},
    {V, "(proj 1 (unzip (map (lam (x: f32) (tuple (* x x) (sqrt x))) xs)))", 0},
    {V,
     "(let t (unzip (map (lam (x: f32) (tuple (* x x) (sqrt x))) xs)) (concat (proj 0 t) (proj 1 "
     "t)))",
     0},
    {V, "(zip (map " ROOT " xs) (scan " ADD " 0.0 xs))", 0},
    {V, "(tuple xs (reduce " ADD " 0.0 xs) (tuple (map " SQ " xs) 1))", 0},
    {"n: nat", "c: bool, xs: [n]f32", "(if c (scan " ADD " 0.0 xs) (map " SQ " xs))", 0},
    {"n: nat", "c: bool, xs: [n]f32", "(map " SQ " (if c (scan " ADD " 0.0 xs) xs))", 0},
    {"n: nat", "c: bool, xs: [n]f32",
     "(let t (if c (tuple xs 1.0) (tuple (reverse xs) 2.0)) (map (lam (x: f32) (* x (proj 1 "
     "t))) (proj 0 t)))",
     0},
    {V, "(map (lam (x: f32) (if (< x 0.0) (reduce " ADD " 0.0 (array x 1.0 x)) x)) xs)", 0},
    {V,
     "(let w (array 0.25 0.5 0.25) (map (lam (v: [3]f32) (reduce " ADD " 0.0 (map " PRODUCT
     " (zip w v)))) (slide 3 1 xs)))",
     2},
    {M,
     "(at " SCAN_ROWS(
         "(pad const 1 0 (generate n (lam (i: idx[n]) 2.0)) a)") " (to_idx 0i64 : idx[m + 1]))",
     0},
    {V, "(map (lam (x: f32) (iterate 4 (lam (y: f32) (* y 0.5)) x)) xs)", 0},
    // array accumulators
    {"n: nat, m: nat", "z: [n]f32, a: [m][n]f32", "(fold " ADD_ROW " z a)", 0},
    {"n: nat, m: nat", "z: [n]f32, a: [m][n]f32",
     "(fold (lam (s: [n]f32, r: [n]f32) (scan " ADD " 0.0 s)) z a)", 0},
    {"n: nat, m: nat", "z: [n]f32, a: [m][n]f32",
     "(map " SQ " (fold (lam (s: [n]f32, r: [n]f32) (map " PRODUCT
     " (zip (reverse s) r))) (map " ROOT " z) a))",
     0},
    {M, "(reduce " ADD_ROW " (generate n (lam (i: idx[n]) 0.0)) " SCAN_ROWS("a") ")", 0},
    {M, "(scan " ADD_ROW " (generate n (lam (i: idx[n]) 0.0)) " ROOT_ROWS("a") ")", 0},
    {"n: nat, m: nat", "z: [n]f32, ks: [m]f32",
     "(fold (lam (s: ([n]f32, f32), k: f32) (tuple (map (lam (x: f32) (+ (* x k) (proj 1 s))) "
     "(proj 0 s)) (+ (proj 1 s) k))) "
     "(tuple z 1.0) ks)",
     0},
    // errors are errors before and after
    {"n: nat", "xs: [n]i32, k: i32", "(map (lam (x: i32) (/ x k)) xs)", 0},
    {"n: nat", "xs: [n]i32, k: i64", "(+ (at xs (to_idx k : idx[n])) 1)", 0},
    {"n: nat, m: nat", "is: [n]idx[m + 1], xs: [n]i32", "(scatter is xs)", 0},
};

/// A deterministic source of random bits.
typedef uint64_t Random;
static inline uint64_t random_bits(Random *r)
{
    *r = hash_mix(*r, 0x5eed);
    return *r >> 8;
}

static inline uint64_t random_atom(Node *t, Algebra algebra, Random *r)
{
    int64_t n = 0;
    if (t->kind == TYPE_IDX)
        return nat_is_const(t->op[0], &n) && n > 0 ? random_bits(r) % (uint64_t)n : 0;
    if (t->attr.i == SCALAR_BOOL) return random_bits(r) & 1;
    if (!type_is_float(t)) return scalar_wrap((Scalar)t->attr.i, random_bits(r) % 8 - 2);
    if (algebra == ALGEBRA_FIELD) return random_bits(r) % ((UINT64_C(1) << 61) - 1);
    double x = (double)(random_bits(r) % 64) / 4.0;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/// A random value of a type with constant sizes; false when there is none (a negative size, an
/// index below 0).
static inline bool random_value(Arena *arena, Node *t, Algebra algebra, Random *r, Value *v)
{
    int64_t n;
    *v = (Value){0};
    if (type_is_atom(t)) {
        v->bits = random_atom(t, algebra, r);
        return t->kind != TYPE_IDX || (nat_is_const(t->op[0], &n) && n > 0);
    }
    bool array = t->kind == TYPE_ARRAY;
    v->count = array ? 0 : (int64_t)t->nops;
    if (array && (!nat_is_const(t->op[0], &v->count) || v->count < 0)) return false;
    v->parts = ARENA_ARRAY(arena, Value, v->count + 1);
    for (int64_t i = 0; i < v->count; i++)
        if (!random_value(arena, array ? t->op[1] : t->op[i], algebra, r, &v->parts[i]))
            return false;
    return true;
}

/// Runs both functions (the first in a program, which may be NULL) on random inputs of all sizes
/// and says where they differ.
static inline void same_meaning(Session *cx, const Program *p, const Function *before,
                                const Function *after, int least)
{
    static const int sizes[] = {0, 1, 2, 5, 7};
    int good = 0;
    for (int run = 0; run < 10; run++) {
        Algebra algebra = run < 5 ? ALGEBRA_IEEE : ALGEBRA_FIELD;
        Arena *arena = arena_new();
        Random r = (Random)run + 1;
        NodeBinding generics[4];
        for (int i = 0; i < before->generics.len; i++) {
            int n = sizes[(run + 2 * i) % 5];
            generics[i] =
                (NodeBinding){before->generics.at[i].name, nat_const(cx, n < least ? least : n)};
        }
        Value args[8];
        bool defined = true;
        for (int i = 0; i < before->params.len; i++) {
            Node *t =
                node_replace_names(cx, before->params.at[i].type, generics, before->generics.len);
            defined &= random_value(arena, t, algebra, &r, &args[i]);
        }
        Value x = {0}, y = {0};
        if (defined) {
            enum { FUEL = 1000000 };
            Outcome a = core_eval(cx, arena, p, before, generics, before->generics.len, args,
                                  algebra, FUEL, &x);
            Outcome b = core_eval(cx, arena, NULL, after, generics, before->generics.len, args,
                                  algebra, FUEL, &y);
            good += a.ok;
            bool same = a.ok == b.ok && (a.ok ? value_equal(&x, &y) : a.code == b.code);
            if (!same) {
                Text out = text_new(cx->arena);
                if (a.ok) value_print(cx, &out, &x, before->result, 100);
                text_put(&out, a.ok ? "\n" : a.text);
                if (b.ok) value_print(cx, &out, &y, before->result, 100);
                fail_msg("run %d:\n%s\n%s\n%s%s", run, body_text(cx, before), body_text(cx, after),
                         text_get(&out), b.ok ? "" : b.text);
            }
        }
        arena_delete(arena);
    }
    if (good == 0) fail_msg("never runs without an error:\n%s", body_text(cx, before));
}

#endif
