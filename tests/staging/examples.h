// Programs that use every pattern, alone and in company.
#ifndef ADZE_TESTS_EXAMPLES_H
#define ADZE_TESTS_EXAMPLES_H

#include "staging/meaning.h"

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

#endif
