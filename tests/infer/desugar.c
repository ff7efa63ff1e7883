// What the constructs of state and control become: their Core, as text.
#include "infer/support.h"

typedef struct {
    const char *source; // the function shown is the last one
    const char *core;
} Case;

static void check_cases(const Case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        Inferred r = infer_good(cases[i].source);
        Text t = text_new(r.cx->arena);
        core_print(r.cx, &t, vec_last(&r.program->functions));
        if (strcmp(text_get(&t), cases[i].core) != 0)
            fail_msg("%s\ngives\n%s\nnot\n%s", cases[i].source, text_get(&t), cases[i].core);
        session_delete(r.cx);
    }
}

#define CHECK_CASES(cases) check_cases((cases), sizeof(cases) / sizeof *(cases))

// Loops and the continuations of loops and functions.
static void test_loops(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"fn w(n: i32) -> i32 { let mut i = 0; while i < n { i += 1; } i }",
         "(fn w (n: i32) : i32\n"
         "  (let i (cell 0)\n"
         "   (let _ (label break () (forever (if (< (get i) n) (put i (+ (get i) 1)) (app "
         "break)))) (get i))))\n"},
        {"fn wc(n: i32) { let mut i = 0; while i < n { i += 1; if i == 3 { continue() } if i == 5 "
         "{ break() } } }",
         "(fn wc (n: i32) : ()\n"
         "  (let i (cell 0)\n"
         "   (label break ()\n"
         "    (forever\n"
         "      (label continue ()\n"
         "       (if\n"
         "         (< (get i) n)\n"
         "         (let _ (put i (+ (get i) 1))\n"
         "          (let _ (if (== (get i) 3) (app continue) (tuple))\n"
         "           (if (== (get i) 5) (app break) (tuple))))\n"
         "         (app break)))))))\n"},
        {"fn l(n: i32) -> i32 { let mut i = n; loop { i += 1; if i > 9 { break(i) } } }",
         "(fn l (n: i32) : i32\n"
         "  (let i (cell n)\n"
         "   (label break i32\n"
         "    (forever (let _ (put i (+ (get i) 1)) (if (> (get i) 9) (app break (get i)) "
         "(tuple)))))))\n"},
        {"fn e() -> ! { loop {} }", "(fn e () : !\n"
                                    "  (forever (tuple)))\n"},
        {"fn r(x: i32) -> i32 { if x < 0 { return(0) } x }",
         "(fn r (x: i32) : i32\n"
         "  (label return i32 (let _ (if (< x 0) (app return 0) (tuple)) x)))\n"},
    };
    CHECK_CASES(cases);
}

// Constructs of lanes that go different ways: a loop over lanes around what one lane does. Functions of one lane that are called in it.
static void test_simd_mode(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"entry fn i(v: varying[4] i32) -> varying[4] i32 { let mut x = v; if v > 1 { x = 0; } x }",
         "(entry i (v: vec[4]i32) : vec[4]i32\n"
         "  (let x (cell v)\n"
         "   (let _\n"
         "     (vectorize\n"
         "       (cast (size 4) : i32)\n"
         "       0i64\n"
         "       (size 4)\n"
         "       (lam (l: i64)\n"
         "         (let lane (to_idx l : idx[4])\n"
         "          (let x1 (cell (get (ref_at x lane)))\n"
         "           (let _ (if (> (extract v lane) 1) (put x1 0) (tuple))\n"
         "            (let _ (put (ref_at x lane) (get x1)) (tuple)))))))\n"
         "    (get x))))\n"},
        {"entry fn w(v: varying[4] i32) -> varying[4] i32 { let mut x = v; while x > 1 { x -= 1; } "
         "x }",
         "(entry w (v: vec[4]i32) : vec[4]i32\n"
         "  (let x (cell v)\n"
         "   (let _\n"
         "     (vectorize\n"
         "       (cast (size 4) : i32)\n"
         "       0i64\n"
         "       (size 4)\n"
         "       (lam (l: i64)\n"
         "         (let lane (to_idx l : idx[4])\n"
         "          (let x1 (cell (get (ref_at x lane)))\n"
         "           (let _ (label break () (forever (if (> (get x1) 1) (put x1 (- (get x1) 1)) "
         "(app break))))\n"
         "            (let _ (put (ref_at x lane) (get x1)) (tuple)))))))\n"
         "    (get x))))\n"},
        {"entry fn s(v: varying[4] i32) -> varying[4] i32 { let mut x = v; let mut n = 0; if v > 1 "
         "{ x = 0; "
         "scalar |m| { if any(m) { n += 1; } } x += n; } x }",
         "(entry s (v: vec[4]i32) : vec[4]i32\n"
         "  (let x (cell v)\n"
         "   (let n (cell 0)\n"
         "    (let _\n"
         "      (let live (cell (cast true : vec[4]bool))\n"
         "       (let c\n"
         "         (let r (cell (cast (cast 0i64 : bool) : vec[4]bool))\n"
         "          (let _\n"
         "            (vectorize\n"
         "              (cast (size 4) : i32)\n"
         "              0i64\n"
         "              (size 4)\n"
         "              (lam (l: i64)\n"
         "                (let lane (to_idx l : idx[4])\n"
         "                 (let _\n"
         "                   (if\n"
         "                     (get (ref_at live lane))\n"
         "                     (put (ref_at r lane) (> (extract v lane) 1))\n"
         "                     (tuple))\n"
         "                  (tuple)))))\n"
         "           (get r)))\n"
         "        (let there (& (get live) c)\n"
         "         (let others (& (get live) (! c))\n"
         "          (let _ (put live there)\n"
         "           (let _\n"
         "             (if\n"
         "               (any (get live))\n"
         "               (let _\n"
         "                 (vectorize\n"
         "                   (cast (size 4) : i32)\n"
         "                   0i64\n"
         "                   (size 4)\n"
         "                   (lam (l: i64)\n"
         "                     (let lane (to_idx l : idx[4])\n"
         "                      (let x1 (cell (get (ref_at x lane)))\n"
         "                       (let _ (if (get (ref_at live lane)) (put x1 0) (tuple))\n"
         "                        (let _ (put (ref_at x lane) (get x1)) (tuple)))))))\n"
         "                (let _ (let m (get live) (if (any m) (put n (+ (get n) 1)) (tuple)))\n"
         "                 (let _\n"
         "                   (vectorize\n"
         "                     (cast (size 4) : i32)\n"
         "                     0i64\n"
         "                     (size 4)\n"
         "                     (lam (l: i64)\n"
         "                       (let lane (to_idx l : idx[4])\n"
         "                        (let x1 (cell (get (ref_at x lane)))\n"
         "                         (let _ (if (get (ref_at live lane)) (put x1 (+ (get x1) (get "
         "n))) (tuple))\n"
         "                          (let _ (put (ref_at x lane) (get x1)) (tuple)))))))\n"
         "                  (tuple))))\n"
         "               (tuple))\n"
         "            (let _ (put live (| (get live) others)) (tuple))))))))\n"
         "     (get x)))))\n"},
        {"entry fn r(v: varying[4] i32) -> varying[4] i32 { if v > 1 { return(1) } v }",
         "(entry r (v: vec[4]i32) : vec[4]i32\n"
         "  (label return vec[4]i32\n"
         "   (let r (cell (cast (cast 0i64 : i32) : vec[4]i32))\n"
         "    (let _\n"
         "      (vectorize\n"
         "        (cast (size 4) : i32)\n"
         "        0i64\n"
         "        (size 4)\n"
         "        (lam (l: i64)\n"
         "          (let lane (to_idx l : idx[4])\n"
         "           (let _\n"
         "             (put\n"
         "               (ref_at r lane)\n"
         "               (label return i32\n"
         "                (let _ (if (> (extract v lane) 1) (app return 1) (tuple)) (extract v "
         "lane))))\n"
         "            (tuple)))))\n"
         "     (get r)))))\n"},
        {"fn f(x: f32) -> f32 { x } entry fn g(v: varying[2] f32) -> varying[2] f32 { f(v) }",
         "(entry g (v: vec[2]f32) : vec[2]f32\n"
         "  (let r (cell (cast (cast 0i64 : f32) : vec[2]f32))\n"
         "   (let _\n"
         "     (vectorize\n"
         "       (cast (size 2) : i32)\n"
         "       0i64\n"
         "       (size 2)\n"
         "       (lam (l: i64)\n"
         "         (let lane (to_idx l : idx[2])\n"
         "          (let _ (put (ref_at r lane) (app (global f : fn(f32) -> f32) (extract v "
         "lane)))\n"
         "           (tuple)))))\n"
         "    (get r))))\n"},
        {"simd[l] fn s[l: nat](v: varying[l] f32) -> varying[l] f32 { if v > 0.0 { v } else { 1.0 "
         "} } entry fn t(v: varying[4] f32) -> varying[4] f32 { if v < 2.0 { s(v) } else { v } }",
         "(entry t (v: vec[4]f32) : vec[4]f32\n"
         "  (let r (cell (cast (cast 0i64 : f32) : vec[4]f32))\n"
         "   (let _\n"
         "     (vectorize\n"
         "       (cast (size 4) : i32)\n"
         "       0i64\n"
         "       (size 4)\n"
         "       (lam (l: i64)\n"
         "         (let lane (to_idx l : idx[4])\n"
         "          (let _\n"
         "            (put\n"
         "              (ref_at r lane)\n"
         "              (if\n"
         "                (< (extract v lane) 2.0)\n"
         "                (app (global `s(lane)` 4 : fn(f32, idx[4]) -> f32) (extract v lane) "
         "lane)\n"
         "                (extract v lane)))\n"
         "           (tuple)))))\n"
         "    (get r))))\n"},
        {"enum E { A(i32), B } "
         "entry fn m(v: varying[2] i32) -> varying[2] i32 { "
         "match if v > 1 { E.A(v) } else { E.B } { E.A(n) => n, E.B => 0 } }",
         "(entry m (v: vec[2]i32) : vec[2]i32\n"
         "  (let x\n"
         "    (let r\n"
         "      (cell\n"
         "        (tuple\n"
         "          (cast (cast 0i64 : i32) : vec[2]i32)\n"
         "          (tuple (cast (cast 0i64 : i32) : vec[2]i32))\n"
         "          (tuple)\n"
         "          : E{`#`: vec[2]i32, A: (vec[2]i32,), B: ()}))\n"
         "     (let _\n"
         "       (vectorize\n"
         "         (cast (size 2) : i32)\n"
         "         0i64\n"
         "         (size 2)\n"
         "         (lam (l: i64)\n"
         "           (let lane (to_idx l : idx[2])\n"
         "            (let _\n"
         "              (put\n"
         "                (ref_lane r lane)\n"
         "                (if\n"
         "                  (> (extract v lane) 1)\n"
         "                  (tuple 0 (tuple (extract v lane)) (tuple) : E{`#`: i32, A: (i32,), B: "
         "()})\n"
         "                  (tuple 1 (tuple 0) (tuple) : E{`#`: i32, A: (i32,), B: ()})))\n"
         "             (tuple)))))\n"
         "      (get r)))\n"
         "   (let r (cell (cast (cast 0i64 : i32) : vec[2]i32))\n"
         "    (let _\n"
         "      (vectorize\n"
         "        (cast (size 2) : i32)\n"
         "        0i64\n"
         "        (size 2)\n"
         "        (lam (l: i64)\n"
         "          (let lane (to_idx l : idx[2])\n"
         "           (let _\n"
         "             (put\n"
         "               (ref_at r lane)\n"
         "               (let m\n"
         "                 (tuple\n"
         "                   (extract (proj 0 x) lane)\n"
         "                   (tuple (extract (proj 0 (proj 1 x)) lane))\n"
         "                   (proj 2 x)\n"
         "                   : E{`#`: i32, A: (i32,), B: ()})\n"
         "                (if (== (proj 0 m) 0) (proj 0 (proj 1 m)) 0)))\n"
         "            (tuple)))))\n"
         "     (get r)))))\n"},
        {"entry fn p(p: varying[2] (i32, f32), i: i64) -> (i32, f32) { extract(p, i) }",
         "(entry p (p: (vec[2]i32, vec[2]f32), i: i64) : (i32, f32)\n"
         "  (let x p\n"
         "   (let lane (to_idx i : idx[2]) (tuple (extract (proj 0 x) lane) (extract (proj 1 x) "
         "lane)))))\n"},
        {"entry fn q(p: varying[2] (i32, [3]f32), i: i64) -> varying[2] (i32, [3]f32) { "
         "insert(p, i, (1, [1.0, 2.0, 3.0])) }",
         "(entry q (p: (vec[2]i32, [3]vec[2]f32), i: i64) : (vec[2]i32, [3]vec[2]f32)\n"
         "  (let x p\n"
         "   (let lane (to_idx i : idx[2])\n"
         "    (let x1 (tuple 1 (array 1.0 2.0 3.0))\n"
         "     (tuple\n"
         "       (insert (proj 0 x) lane (proj 0 x1))\n"
         "       (generate 3 (lam (i: idx[3]) (insert (at (proj 1 x) i) lane (at (proj 1 x1) "
         "i)))))))))\n"},
        {"entry fn n(v: varying[2] i32) -> varying[2] i32 { "
         "match v { 0 => scalar |m| { if any(m) { 1 } else { 2 } }, _ => 3 } }",
         "(entry n (v: vec[2]i32) : vec[2]i32\n"
         "  (let live (cell (cast true : vec[2]bool))\n"
         "   (let r (cell (cast (cast 0i64 : i32) : vec[2]i32))\n"
         "    (let m v\n"
         "     (let rest (cell (cast (cast 0i64 : bool) : vec[2]bool))\n"
         "      (let _ (put rest (get live))\n"
         "       (let done (cell (cast (cast 0i64 : bool) : vec[2]bool))\n"
         "        (let _\n"
         "          (let _ (put live (& (get rest) (== m (cast 0 : vec[2]i32))))\n"
         "           (let _ (put rest (& (get rest) (! (get live))))\n"
         "            (let _\n"
         "              (if\n"
         "                (any (get live))\n"
         "                (let x (let m (get live) (if (any m) (cast 1 : vec[2]i32) (cast 2 : "
         "vec[2]i32)))\n"
         "                 (let place r (let x x (put place (blend (get live) x (get place))))))\n"
         "                (tuple))\n"
         "             (let _ (put done (| (get done) (get live))) (tuple)))))\n"
         "         (let _\n"
         "           (let _ (put live (get rest))\n"
         "            (let _ (put rest (& (get rest) (! (get live))))\n"
         "             (let _\n"
         "               (if\n"
         "                 (any (get live))\n"
         "                 (let x (cast 3 : vec[2]i32)\n"
         "                  (let place r (let x x (put place (blend (get live) x (get place))))))\n"
         "                 (tuple))\n"
         "              (let _ (put done (| (get done) (get live))) (tuple)))))\n"
         "          (let _ (put live (get done)) (get r)))))))))))\n"},
        {"simd[l] fn s[l: nat](k: &mut i32) { scalar { *k += 1; } } "
         "entry fn t(v: varying[2] i32) -> i32 { let mut k = 0; if v > 1 { s[2](&mut k); } k }",
         "(entry t (v: vec[2]i32) : i32\n"
         "  (let k (cell 0)\n"
         "   (let _\n"
         "     (let live (cell (cast true : vec[2]bool))\n"
         "      (let c\n"
         "        (let r (cell (cast (cast 0i64 : bool) : vec[2]bool))\n"
         "         (let _\n"
         "           (vectorize\n"
         "             (cast (size 2) : i32)\n"
         "             0i64\n"
         "             (size 2)\n"
         "             (lam (l: i64)\n"
         "               (let lane (to_idx l : idx[2])\n"
         "                (let _\n"
         "                  (if (get (ref_at live lane)) (put (ref_at r lane) (> (extract v lane) "
         "1)) (tuple))\n"
         "                 (tuple)))))\n"
         "          (get r)))\n"
         "       (let there (& (get live) c)\n"
         "        (let others (& (get live) (! c))\n"
         "         (let _ (put live there)\n"
         "          (let _\n"
         "            (if\n"
         "              (any (get live))\n"
         "              (let _ (app (global `s(lanes)` 2 : fn(&mut i32, vec[2]bool) -> ()) k (get "
         "live))\n"
         "               (tuple))\n"
         "              (tuple))\n"
         "           (let _ (put live (| (get live) others)) (tuple))))))))\n"
         "    (get k))))\n"},
    };
    CHECK_CASES(cases);
}

// for and with: calls with their body as the last argument.
static void test_generators(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"fn g(n: i64) { for i in range(0, n) {} }", "(fn g (n: i64) : ()\n"
                                                     "  (range 0i64 n (lam (i: i64) (tuple))))\n"},
        {"fn gc(n: i64) { for i in unroll(0, n) { if i == 2 { continue() } if i == 3 { break() } } "
         "}",
         "(fn gc (n: i64) : ()\n"
         "  (label break ()\n"
         "   (range.unroll 0i64 n\n"
         "     (lam (i: i64)\n"
         "       (label continue ()\n"
         "        (let _ (if (== i 2i64) (app continue) (tuple)) (if (== i 3i64) (app break) "
         "(tuple))))))))\n"},
        {"fn p(n: i64) { for i in parallel(4, 0, n) {} for i in vectorize(8, 0, n) {} }",
         "(fn p (n: i64) : ()\n"
         "  (let _ (parallel 4 0i64 n (lam (i: i64) (tuple))) (vectorize 8 0i64 n (lam (i: i64) "
         "(tuple)))))\n"},
        {"fn gen(body: fn(i32, (i32, i32)) -> bool) -> f32 { if body(1, (2, 3)) { 1.0 } else { 2.0 "
         "} }\n"
         "fn gv() -> f32 { for a, (b, c) in gen() { if a == b { break(3.0) } c == 4 } }",
         "(fn gv () : f32\n"
         "  (label break f32\n"
         "   (app\n"
         "     (global gen : fn(fn(i32, (i32, i32)) -> bool) -> f32)\n"
         "     (lam (a: i32, t: (i32, i32))\n"
         "       (let _ (if (== a (proj 0 t)) (app break 3.0) (tuple)) (== (proj 1 t) 4))))))\n"},
        {"fn gen(body: fn(i32, (i32, i32)) -> bool) -> f32 { if body(1, (2, 3)) { 1.0 } else { 2.0 "
         "} }\n"
         "fn wi() -> f32 { with a, b in gen() { if a == b.0 { break(3.0) } true } }",
         "(fn wi () : f32\n"
         "  (label break f32\n"
         "   (app\n"
         "     (global gen : fn(fn(i32, (i32, i32)) -> bool) -> f32)\n"
         "     (lam (a: i32, b: (i32, i32)) (let _ (if (== a (proj 0 b)) (app break 3.0) (tuple)) "
         "true)))))\n"},
    };
    CHECK_CASES(cases);
}

// Places: variables, their parts, references.
static void test_places(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"fn pl(xs: &mut [3](i32, f32), i: i64) { xs[i].1 = 2.0; xs[0].0 += 1; }",
         "(fn pl (xs: &mut [3](i32, f32), i: i64) : ()\n"
         "  (let _ (put (ref_proj 1 (ref_at xs (to_idx i : idx[3]))) 2.0)\n"
         "   (let place (ref_proj 0 (ref_at xs (to_idx 0i64 : idx[3]))) (put place (+ (get place) "
         "1)))))\n"},
        {"fn sl(xs: &mut [8]f32) -> f32 { let ys = &xs[2..5]; unchecked { ys[1] } }",
         "(fn sl (xs: &mut [8]f32) : f32\n"
         "  (let ys (borrow (ref_slice 2 3 xs)) (get (ref_at ys (to_idx.unchecked 1i64 : "
         "idx[3])))))\n"},
        {"fn tm() -> i32 { let (mut a, b) = (1, 2); a = b; a }",
         "(fn tm () : i32\n"
         "  (let t (tuple 1 2) (let a (cell (proj 0 t)) (let _ (put a (proj 1 t)) (get a)))))\n"},
        {"fn lm() -> fn(i32) -> i32 { |mut x| { x += 1; x } }",
         "(fn lm () : fn(i32) -> i32\n"
         "  (lam (x: i32) (let x (cell x) (let _ (put x (+ (get x) 1)) (get x)))))\n"},
        {"fn rf() -> f32 { let mut x = 1.0; let a = &x; let b = &mut x; let c = &(x + 1.0); *b = "
         "*a + *c; x }",
         "(fn rf () : f32\n"
         "  (let x (cell 1.0)\n"
         "   (let a (borrow x)\n"
         "    (let b x (let c (borrow (cell (+ (get x) 1.0))) (let _ (put b (+ (get a) (get c))) "
         "(get x)))))))\n"},
    };
    CHECK_CASES(cases);
}

// Enums and match.
static void test_enums(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"enum E { A(i32), B }\n"
         "fn m(x: E) -> i32 { match x { E.A(n) if n > 0 => n, E.A(_) => 0, E.B => 1 } }",
         "(fn m (x: E{`#`: i32, A: (i32,), B: ()}) : i32\n"
         "  (let m x\n"
         "   (if\n"
         "     (if (== (proj 0 m) 0) (> (proj 0 (proj 1 m)) 0) false)\n"
         "     (proj 0 (proj 1 m))\n"
         "     (if (== (proj 0 m) 0) 0 1))))\n"},
        {"fn mi(x: (i32, bool)) -> i32 { match x { (0, _) => 1, (n, true) => n, (_, false) => -1 } "
         "}",
         "(fn mi (x: (i32, bool)) : i32\n"
         "  (let m x (if (== (proj 0 m) 0) 1 (if (proj 1 m) (proj 0 m) -1))))\n"},
        {"enum E { A(i32), B }\n"
         "fn mk() -> E { E.A(3) }",
         "(fn mk () : E{`#`: i32, A: (i32,), B: ()}\n"
         "  (tuple 0 (tuple 3) (tuple) : E{`#`: i32, A: (i32,), B: ()}))\n"},
    };
    CHECK_CASES(cases);
}

// Filters, functions of C, what does not come back, arguments given before.
static void test_calls(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"fn nv(x: i32) -> i32 { x + return(1) }",
         "(fn nv (x: i32) : i32\n"
         "  (label return i32 (+ x (label k i32 (app return 1)))))\n"},
        {"fn @(?n) f(@(?x) x: i32, n: i32, @ k: i32) -> i32 { $x + @@f(x, n, k) }",
         "(fn f (x: i32, n: i32, k: i32) : i32\n"
         "  (filters (if (known x) true (known n)) (known n) (if true true (known n)))\n"
         "  (+ (hide x) (app.run (global f : fn(i32, i32, i32) -> i32) x n k)))\n"},
        {"extern fn c(n: nat, xs: &[n]f32, y: f32) -> f32;\n"
         "fn cc(xs: &mut [4]f32) -> f32 { c(4, xs, 1.0) }",
         "(fn cc (xs: &mut [4]f32) : f32\n"
         "  (app (global c 4 : fn(&[4]f32, f32) -> f32) (borrow xs) 1.0))\n"},
        {"fn h(a: i32, b: i32) -> i32 { a + b }\n"
         "fn pa(x: &i32) -> fn(i32) -> i32 { h(*x) }",
         "(fn pa (x: &i32) : fn(i32) -> i32\n"
         "  (let x (get x) (lam (a: i32) (app (global h : fn(i32, i32) -> i32) x a))))\n"},
    };
    CHECK_CASES(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops),      cmocka_unit_test(test_simd_mode),
        cmocka_unit_test(test_generators), cmocka_unit_test(test_places),
        cmocka_unit_test(test_enums),      cmocka_unit_test(test_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
