// The default policy: golden low terms for every pattern, and how much memory typical programs
// take.
#include "memory_policy/memory_policy.h"
#include "staging/programs.h"

static Session *cx;

static int setup(void **state)
{
    (void)state;
    cx = session_new();
    nat_init(cx);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    session_delete(cx);
    return 0;
}

static Function *lower(const char *generics, const char *params, const char *body)
{
    Function *low = policy_lower(cx, text_function(cx, "main", generics, params, body), NULL);
    core_check(cx, low, LEVEL_LOW);
    policy_check_low(cx, low);
    return low;
}

static void gives(const char *generics, const char *params, const char *body, const char *expected)
{
    assert_string_equal(body_text(cx, lower(generics, params, body)), expected);
}

#define SUM    "(lam (a: f32, b: f32) (+ a b))"
#define SQUARE "(lam (x: f32) (* x x))"
#define COSTLY "(lam (x: f32) (sqrt (+ x 1.0)))"

static void maps_fuse(void **state)
{
    (void)state;
    gives("n: nat", "xs: [n]f32", "(map " SQUARE " (map " COSTLY " xs))",
          "(map.seq (lam (x: f32) (* x x)) (map.src (lam (x: f32) (sqrt (+ x 1.0))) xs))");
    gives("n: nat", "xs: [n]f32", "(reduce " SUM " 0.0 (map " COSTLY " xs))",
          "(reduce.seq (lam (a: f32, b: f32) (+ a b)) 0.0 (map.src (lam (x: f32) (sqrt (+ x 1.0))) "
          "xs))");
    gives("n: nat", "", "(generate n (lam (i: idx[n]) (cast i : f32)))",
          "(generate.seq n (lam (i: idx[n]) (cast i : f32)))");
}

static void work_read_again_is_stored(void **state)
{
    (void)state;
    gives("n: nat", "xs: [n]f32",
          "(map (lam (w: [3]f32) (reduce " SUM " 0.0 w)) (slide 3 1 (map " COSTLY " xs)))",
          "(map.seq (lam (w: [3]f32) (reduce.seq (lam (a: f32, b: f32) (+ a b)) 0.0 w)) (slide.src "
          "3 1 (to_mem (map.seq "
          "(lam (x: f32) (sqrt (+ x 1.0))) xs))))");
    gives("n: nat", "xs: [n]f32",
          "(map (lam (w: [3]f32) (reduce " SUM " 0.0 w)) (slide 3 1 (map " SQUARE " xs)))",
          "(map.seq (lam (w: [3]f32) (reduce.seq (lam (a: f32, b: f32) (+ a b)) 0.0 w)) (slide.src "
          "3 1 (map.src "
          "(lam (x: f32) (* x x)) xs)))");
    gives("n: nat", "xs: [n]f32",
          "(let ys (map " COSTLY
          " xs) (map (lam (p: (f32, f32)) (* (proj 0 p) (proj 1 p))) (zip ys (reverse ys))))",
          "(let ys (to_mem (map.seq (lam (x: f32) (sqrt (+ x 1.0))) xs)) (map.seq (lam (p: (f32, "
          "f32)) (* (proj 0 p) "
          "(proj 1 p))) (zip.src ys (reverse.src ys))))");
    gives("n: nat", "xs: [n]f32", "(let ys (map " COSTLY " xs) (map " SQUARE " ys))",
          "(let ys (map.src (lam (x: f32) (sqrt (+ x 1.0))) xs) (map.seq (lam (x: f32) (* x x)) "
          "ys))");
}

// A row that is read twice is kept while it is worked on, not the whole matrix.
static void rows_read_again_are_stored(void **state)
{
    (void)state;
    gives(
        "n: nat, m: nat", "a: [n][m]f32",
        "(map (lam (r: [m]f32) (let s (reduce " SUM
        " 0.0 r) (map (lam (x: f32) (/ x s)) r))) (map (lam (q: [m]f32) "
        "(map " COSTLY " q)) a))",
        "(map.seq (lam (r: [m]f32) (let s (reduce.seq (lam (a: f32, b: f32) (+ a b)) 0.0 r) "
        "(map.seq (lam (x: f32) (/ x s)) "
        "r))) (map.src (lam (q: [m]f32) (to_mem (map.seq (lam (x: f32) (sqrt (+ x 1.0))) q))) a))");
}

static int buffers(const char *generics, const char *params, const char *body)
{
    return count_of(cx, lower(generics, params, body)->body, CORE_TO_MEM, VARIANT_ANY);
}

// A loop index that selects a different element each time reads each once.
static void elements_by_loop_index_are_read_once(void **state)
{
    (void)state;
#define STORED(expected, body)                                                                     \
    assert_int_equal(expected, buffers("n: nat", "xs: [n]f32, a: [n][n]f32", body))
#define ROOTS "(map (lam (r: [n]f32) (map " COSTLY " r)) a)"
#define SCANS "(map (lam (r: [n]f32) (scan " SUM " 0.0 r)) a)"
    STORED(0, "(let y (map " COSTLY " xs) (generate n (lam (i: idx[n]) (* 2.0 (at y i)))))");
    STORED(1, "(let y (map " COSTLY " xs) (generate n (lam (i: idx[n]) (* (at y i) (at y i)))))");
    STORED(1, "(let y (map " COSTLY
              " xs) (generate n (lam (i: idx[n]) (at y (to_idx 0i64 : idx[n])))))");
    STORED(1, "(let y (map " COSTLY
              " xs) (generate n (lam (i: idx[n]) (generate n (lam (j: idx[n]) (at y j))))))");
    STORED(0, "(let y " ROOTS
              " (generate n (lam (i: idx[n]) (generate n (lam (j: idx[n]) (at (at y i) j))))))");
    STORED(0, "(let y " ROOTS
              " (generate n (lam (i: idx[n]) (generate n (lam (j: idx[n]) (at (at y j) i))))))");
    STORED(1, "(let y " ROOTS
              " (generate n (lam (i: idx[n]) (generate n (lam (j: idx[n]) (at (at y i) i))))))");
    STORED(0, "(let y " ROOTS " (generate n (lam (i: idx[n]) (reduce " SUM " 0.0 (at y i)))))");
    STORED(1, "(let y " SCANS
              " (generate n (lam (i: idx[n]) (generate n (lam (j: idx[n]) (at (at y i) j))))))");
    gives("n: nat", "a: [n][n]f32",
          "(let y " SCANS " (generate n (lam (i: idx[n]) (reduce " SUM " 0.0 (at y i)))))",
          "(let y (map.src (lam (r: [n]f32) (to_mem (scan.seq (lam (a: f32, b: f32) (+ a b)) 0.0 "
          "r))) a) (generate.seq n "
          "(lam (i: idx[n]) (reduce.seq (lam (a: f32, b: f32) (+ a b)) 0.0 (at y i)))))");
}

static void branches_read_in_turn(void **state)
{
    (void)state;
#define YS "(let y (map " COSTLY " xs) "
    STORED(0, YS "(if (< 0.0 1.0) (map " SQUARE " y) (reverse y)))");
    STORED(0, YS "(if (< 0.0 1.0) (reduce " SUM " 0.0 y) (reduce " SUM " 1.0 y)))");
    STORED(1, YS "(if (< 0.0 (reduce " SUM " 0.0 y)) (map " SQUARE " y) xs))");
    STORED(0, YS "(generate n (lam (i: idx[n]) (if (< 0.0 1.0) (at y i) (neg (at y i))))))");
}

// An array zipped with itself is read once for each element.
static void zips_of_one_array(void **state)
{
    (void)state;
    gives("n: nat", "xs: [n]f32",
          "(let y (map " COSTLY " xs) (map (lam (p: (f32, f32)) (* (proj 0 p) (proj 1 p))) (zip y "
          "y)))",
          "(let y (map.src (lam (x: f32) (sqrt (+ x 1.0))) xs) (map.seq (lam (p: f32) (* p p)) "
          "y))");
    gives("n: nat", "xs: [n]f32, ys: [n]f32",
          "(let y (map " COSTLY " xs) (fold (lam (s: f32, p: (f32, f32, f32)) (+ s (* (proj 0 p) "
          "(- (proj 1 p) (proj 2 p))))) 0.0 (zip y ys y)))",
          "(let y (map.src (lam (x: f32) (sqrt (+ x 1.0))) xs) (fold.seq (lam (s: f32, p: (f32, "
          "f32)) (+ s (* (proj 0 p) (- (proj 1 p) (proj 0 p))))) 0.0 (zip.src y ys)))");
    gives("n: nat", "xs: [n]f32", "(map (lam (p: (f32, f32)) p) (zip xs xs))",
          "(map.seq (lam (p: f32) (tuple p p)) xs)");
    STORED(0, "(let y " ROOTS " (map (lam (q: ([n]f32, [n]f32)) (reduce " SUM
              " 0.0 (map (lam (p: (f32, f32)) (* (proj 0 p) (proj 1 p))) (zip (proj 0 q) (proj 1 "
              "q))))) (zip y y)))");
    STORED(1, "(let y (map " COSTLY " xs) (map (lam (p: (f32, f32)) (* (proj 0 p) (proj 1 p))) "
              "(zip.src y y)))");
}

// Parts that do not overlap are each computed once, but code with loops is not repeated for them.
static void parts_are_read_once(void **state)
{
    (void)state;
#define TOTAL(y, from, to)     "(reduce " SUM " 0.0 (slice " from " " to " " y "))"
#define PARTS(value, one, two) "(let y " value " (+ " one " " two "))"
    const char *generics = "n: nat, m: nat", *params = "xs: [n + m]f32, a: [n + m][n]f32";
#define PARTS_STORED(expected, body) assert_int_equal(expected, buffers(generics, params, body))
#define COSTLY_XS                    "(map " COSTLY " xs)"
#define SUMS                         "(map (lam (r: [n]f32) (reduce " SUM " 0.0 r)) a)"
    PARTS_STORED(0, PARTS(COSTLY_XS, TOTAL("y", "0", "n"), TOTAL("y", "n", "m")));
    PARTS_STORED(0, PARTS(COSTLY_XS, TOTAL("y", "n", "m"), TOTAL("y", "0", "n")));
    PARTS_STORED(1, PARTS(COSTLY_XS, TOTAL("y", "0", "n"), TOTAL("y", "0", "n")));
    PARTS_STORED(1, PARTS(COSTLY_XS, TOTAL("y", "0", "n"), "(reduce " SUM " 0.0 y)"));
    PARTS_STORED(0, PARTS(COSTLY_XS, TOTAL("y", "0", "n"),
                          "(if (< 0.0 1.0) " TOTAL("y", "n", "m") " " TOTAL("y", "n", "m") ")"));
    PARTS_STORED(1, PARTS(COSTLY_XS, TOTAL("y", "0", "n"),
                          "(if (< 0.0 1.0) " TOTAL("y", "n", "m") " " TOTAL("y", "0", "n") ")"));
    PARTS_STORED(1, PARTS(SUMS, TOTAL("y", "0", "n"), TOTAL("y", "n", "m")));
    PARTS_STORED(1, "(let s " SUMS PARTS("(map " SQUARE " s)", TOTAL("y", "0", "n"),
                                         TOTAL("y", "n", "m")) ")");
    PARTS_STORED(1, "(let y " COSTLY_XS " (map (lam (r: [n]f32) (+ " TOTAL("y", "0", "n") " " TOTAL(
                        "y", "n", "m") ")) a))");
}

static void joins_become_nested_loops(void **state)
{
    (void)state;
    gives("n: nat, m: nat", "a: [n][m]f32", "(map " SQUARE " (join a))",
          "(join.dst (map.seq (lam (row: [m]f32) (map.seq (lam (x: f32) (* x x)) row)) a))");
    gives("n: nat, m: nat", "a: [n][m]f32", "(reduce " SUM " 0.0 (join a))",
          "(fold.seq (lam (a: f32, row: [m]f32) (reduce.seq (lam (a: f32, b: f32) (+ a b)) a "
          "row)) 0.0 a)");
    gives("n: nat, m: nat", "a: [n][m]f32, b: [n][m]f32",
          "(reduce " SUM
          " 0.0 (map (lam (p: (f32, f32)) (* (proj 0 p) (proj 1 p))) (zip (join a) (join b))))",
          "(fold.seq (lam (a: f32, row: [m]f32) (reduce.seq (lam (a: f32, b: f32) (+ a "
          "b)) a row)) 0.0 (map.src "
          "(lam (row: [m](f32, f32)) (map.src (lam (p: (f32, f32)) (* (proj 0 p) (proj 1 p))) "
          "row)) (map.src (lam (rows: "
          "([m]f32, [m]f32)) (zip.src (proj 0 rows) (proj 1 rows))) (zip.src a b))))");
}

static void destinations(void **state)
{
    (void)state;
    gives("n: nat, m: nat", "xs: [n]f32, ys: [m]f32", "(concat (map " SQUARE " xs) ys)",
          "(concat.dst (map.seq (lam (x: f32) (* x x)) xs) (copy ys))");
    gives("n: nat", "xs: [n]f32", "(pad const 1 2 0.0 (map " SQUARE " xs))",
          "(pad.dst const 1 2 0.0 (map.seq (lam (x: f32) (* x x)) xs))");
    gives("n: nat", "xs: [n]f32", "(pad clamp 1 2 (map " SQUARE " xs))",
          "(copy (pad.src clamp 1 2 (map.src (lam (x: f32) (* x x)) xs)))");
    gives("n: nat, m: nat", "a: [n][m]f32", "(join (map (lam (r: [m]f32) (map " SQUARE " r)) a))",
          "(join.dst (map.seq (lam (r: [m]f32) (map.seq (lam (x: f32) (* x x)) r)) a))");
    gives("n: nat", "xs: [n](f32, f32)", "(unzip xs)", "(unzip.dst (copy xs))");
    gives("n: nat", "xs: [n]f32", "(tuple xs (map " SQUARE " xs) 1.0)",
          "(tuple (copy xs) (map.seq (lam (x: f32) (* x x)) xs) 1.0)");
    gives("n: nat", "c: bool, xs: [n]f32", "(if c xs (map " SQUARE " xs))",
          "(if c (copy xs) (map.seq (lam (x: f32) (* x x)) xs))");
}

static void one_loop_over_the_result(void **state)
{
    (void)state;
    gives("n: nat, m: nat", "a: [n][m]f32",
          "(transpose (map (lam (r: [m]f32) (map " COSTLY " r)) a))",
          "(copy (transpose.src (map.src (lam (r: [m]f32) (map.src (lam (x: f32) (sqrt (+ x 1.0))) "
          "r)) a)))");
    gives("n: nat, m: nat", "a: [n][m]f32",
          "(transpose (map (lam (r: [m]f32) (scan " SUM " 0.0 r)) a))",
          "(transpose.dst (map.seq (lam (r: [m]f32) (scan.seq (lam (a: f32, b: f32) (+ a b)) 0.0 "
          "r)) a))");
    gives("n: nat", "xs: [4*n]f32", "(split 4 (map " SQUARE " xs))",
          "(copy (split.src 4 (map.src (lam (x: f32) (* x x)) xs)))");
    gives("n: nat", "xs: [n]f32", "(reverse (scan " SUM " 0.0 xs))",
          "(reverse.dst (scan.seq (lam (a: f32, b: f32) (+ a b)) 0.0 xs))");
    gives("n: nat", "xs: [n]f32", "(rotate 1i64 (map " SQUARE " xs))",
          "(copy (rotate.src 1i64 (map.src (lam (x: f32) (* x x)) xs)))");
    gives("n: nat", "xs: [n + 2]f32", "(slice 1 n (scan " SUM " 0.0 xs))",
          "(slice.dst 1 n (scan.seq (lam (a: f32, b: f32) (+ a b)) 0.0 xs))");
    gives("n: nat, m: nat", "a: [n][m]f32",
          "(map (lam (r: [m]f32) (reverse r)) (map (lam (r: [m]f32) (scan " SUM " 0.0 r)) a))",
          "(map.dst (lam (r: [m]f32) (reverse.dst r)) (map.seq (lam (r: [m]f32) (scan.seq (lam (a: "
          "f32, b: f32) (+ a b)) 0.0 r)) a))");
    gives("n: nat, m: nat", "xs: [m]f32", "(repeat n (scan " SUM " 0.0 xs))",
          "(repeat.dst n (scan.seq (lam (a: f32, b: f32) (+ a b)) 0.0 xs))");
    gives("n: nat, m: nat", "is: [n]idx[m], xs: [m]f32", "(gather is (map " COSTLY " xs))",
          "(copy (gather.src is (to_mem (map.seq (lam (x: f32) (sqrt (+ x 1.0))) xs))))");
    gives("n: nat", "x: f32", "(repeat n (* x x))", "(copy (repeat.src n (* x x)))");
}

static void accumulators(void **state)
{
    (void)state;
    const char *add = "(lam (a: [m]f32, r: [m]f32) (map (lam (p: (f32, f32)) (+ (proj 0 p) (proj 1 "
                      "p))) (zip a r)))";
    gives("n: nat, m: nat", "z: [m]f32, rows: [n][m]f32",
          arena_printf(cx->arena, "(fold %s z rows)", add),
          "(fold.inplace (lam (a: [m]f32, r: [m]f32) (map.seq (lam (p: (f32, f32)) (+ (proj 0 p) "
          "(proj 1 p))) (zip.src a "
          "r))) (copy z) rows)");
    gives("n: nat, m: nat", "z: [m]f32, rows: [n][m]f32",
          "(fold (lam (a: [m]f32, r: [m]f32) (map (lam (p: (f32, f32)) (+ (proj 0 p) (proj 1 p))) "
          "(zip (reverse a) r))) z rows)",
          "(fold.seq (lam (a: [m]f32, r: [m]f32) (map.seq (lam (p: (f32, f32)) (+ (proj 0 p) (proj "
          "1 p))) (zip.src "
          "(reverse.src a) r))) (copy z) rows)");
    gives("n: nat", "x: [n]f32", "(iterate 3 (lam (a: [n]f32) (map " SQUARE " a)) x)",
          "(iterate.inplace 3 (lam (a: [n]f32) (map.seq (lam (x: f32) (* x x)) a)) (copy x))");
}

// What makes an update in place right or wrong: each row is a body over a (the accumulator,
// [m](f32, f32)) and x.
static void updates_in_place(void **state)
{
    (void)state;
    static const struct {
        bool inplace;
        const char *body;
    } rows[] = {
        {true, "(map (lam (e: (f32, f32)) (tuple (+ (proj 0 e) x) (* (proj 1 e) x))) a)"},
        {false, "(map (lam (e: (f32, f32)) (tuple (proj 1 e) (proj 0 e))) a)"},
        {false, "(map (lam (e: (f32, f32)) (tuple (proj 0 e) (+ (proj 0 e) (proj 1 e)))) a)"},
        {true, "(map (lam (e: (f32, f32)) (let s (+ (proj 0 e) (proj 1 e)) (tuple s (* s x)))) a)"},
        {true,
         "(map (lam (e: (f32, f32)) (if (< (proj 0 e) (proj 1 e)) e (tuple 0.0 (proj 1 e)))) a)"},
        {true, "(generate m (lam (i: idx[m]) (tuple (+ (proj 0 (at a i)) x) 1.0)))"},
        {true, "(generate m (lam (i: idx[m]) (at a (to_idx (cast i : i64) : idx[m]))))"},
        {true, "(if (< x 0.0) a (map (lam (e: (f32, f32)) e) a))"},
        {false, "(let s (reduce (lam (p: (f32, f32), q: (f32, f32)) (tuple (+ (proj 0 p) (proj 0 "
                "q)) 0.0)) (tuple 0.0 "
                "0.0) a) (map (lam (e: (f32, f32)) (tuple (proj 0 s) (proj 1 (at a i)))) a))"},
        {true, "(let s (reduce (lam (p: (f32, f32), q: (f32, f32)) (tuple (+ (proj 0 p) (proj 0 "
               "q)) 0.0)) (tuple 0.0 "
               "0.0) a) (map (lam (e: (f32, f32)) (tuple (proj 0 s) (proj 1 e))) a))"},
        {false, "(map (lam (e: (f32, f32)) (tuple (proj 0 (reduce (lam (p: (f32, f32), q: (f32, "
                "f32)) p) e a)) 0.0)) a)"},
        {false, "(scan (lam (p: (f32, f32), q: (f32, f32)) (tuple (+ (proj 0 p) (proj 0 q)) 0.0)) "
                "(tuple 0.0 x) a)"},
        {true, "(map (lam (e: (f32, f32)) (tuple (proj 0 e) 1.0)) (map (lam (e: (f32, f32)) (tuple "
               "(* (proj 0 e) 2.0) 0.0)) a))"},
        {false, "(map (lam (e: (f32, f32)) (tuple (proj 0 e) 1.0)) (map (lam (e: (f32, f32)) (at a "
                "i)) a))"},
        {true, "(map (lam (e: (f32, f32)) (tuple x x)) z)"},
        {true, "(fold (lam (b: [m](f32, f32), y: f32) (map (lam (e: (f32, f32)) (tuple (+ (proj 0 "
               "e) y) (proj 1 e))) b)) a xs)"},
        {true, "(fold (lam (b: [m](f32, f32), y: f32) (map (lam (e: (f32, f32)) (tuple (+ (proj 0 "
               "e) y) (proj 1 e))) b)) (map (lam (e: (f32, f32)) (tuple (proj 0 e) 0.0)) a) xs)"},
        {false, "(fold (lam (b: [m](f32, f32), y: f32) (map (lam (e: (f32, f32)) (tuple (proj 0 "
                "(at a i)) y)) b)) a xs)"},
        {false, "(fold (lam (b: [m](f32, f32), y: (f32, f32)) (map (lam (e: (f32, f32)) (tuple "
                "(proj 0 y) (proj 1 e))) b)) a a)"},
        {false, "(fold (lam (b: [m](f32, f32), y: f32) (map (lam (e: (f32, f32)) (tuple (proj 0 "
                "e) y)) b)) (reverse a) xs)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Function *low =
            lower("n: nat, m: nat", "z: [m](f32, f32), xs: [n]f32, i: idx[m]",
                  arena_printf(cx->arena, "(fold (lam (a: [m](f32, f32), x: f32) %s) z xs)",
                               rows[i].body));
        if ((low->body->variant == VARIANT_INPLACE) != rows[i].inplace)
            fail_msg("%s", rows[i].body);
    }
}

#define AT(e)     "(at a (to_idx " e " : idx[n]))"
#define I         "(cast i : i64)"
#define BEFORE(k) AT("(- " I " " k "i64)")
#define AFTER(k)  AT("(+ " I " " k "i64)")
#define EVERY(condition, then)                                                                     \
    "(generate n (lam (i: idx[n]) (if " condition " (+ " then " 1.0) (at a i))))"
#define ODD(r) "(== (% " I " 2i64) " r "i64)"

// Other elements are read where they have not been changed: each row is a step over a, an array of n.
static void updates_from_neighbours(void **state)
{
    (void)state;
    static const struct {
        bool inplace;
        const char *body;
    } rows[] = {
        // every element is changed, in order
        {false, "(generate n (lam (i: idx[n]) " BEFORE("1") "))"},
        {true, "(generate n (lam (i: idx[n]) " AFTER("1") "))"},
        {false, "(generate n (lam (i: idx[n]) " AT("(- (- (size n) 1i64) " I ")") "))"},
        // in any order
        {false, "(generate.par n (lam (i: idx[n]) " AFTER("1") "))"},
        {false, "(generate.vec n (lam (i: idx[n]) " AFTER("1") ") 4)"},
        {true, "(generate.par n (lam (i: idx[n]) (* 2.0 (at a i))))"},
        {true, "(map.vec (lam (x: f32) (* x x)) a 8)"},
        {true, "(generate.par n (lam (i: idx[n]) (if " ODD("0") BEFORE("1") " (at a i))))"},
        {false, "(generate.par n (lam (i: idx[n]) (if " ODD("0") AFTER("2") " (at a i))))"},
        // one colour
        {true, EVERY(ODD("0"), BEFORE("1"))},
        {true, EVERY(ODD("1"), "(* " BEFORE("1") " " AFTER("3") ")")},
        {false, EVERY(ODD("1"), "(* " BEFORE("1") " " BEFORE("2") ")")},
        {true, EVERY(ODD("1"), AFTER("2"))},
        {true, EVERY("(== (% " I " 3i64) 0i64)", BEFORE("1"))},
        {false, EVERY("(< (% " I " 3i64) 2i64)", BEFORE("1"))},
        {true, EVERY("(> (% " I " 3i64) 1i64)", BEFORE("1"))},
        {false, EVERY("(! (== (% " I " 3i64) 1i64))", BEFORE("1"))},
        {true, EVERY("(! (! (== (% " I " 3i64) 1i64)))", BEFORE("1"))},
        // one element, a part
        {true, EVERY("(== " I " 5i64)", BEFORE("3"))},
        {true, EVERY("(< " I " 5i64)", AT("7i64"))},
        {false, EVERY("(< " I " 9i64)", AT("7i64"))},
        {true, EVERY("(> " I " 7i64)", AT("7i64"))},
        {true, EVERY("(if (< " I " 5i64) true (< 9i64 " I "))", AFTER("1"))},
        {false, EVERY("(if (< " I " 5i64) true (< 9i64 " I "))", BEFORE("1"))},
        // conditions that say nothing
        {false, EVERY("(< x 0.0)", BEFORE("1"))},
        {true, EVERY("(if " ODD("0") " (< x 0.0) false)", BEFORE("1"))},
        {true, EVERY("(if " ODD("0") " (< " BEFORE("1") " 0.0) false)", BEFORE("3"))},
        {false, EVERY("(if " ODD("0") " (< " BEFORE("2") " 0.0) false)", BEFORE("3"))},
        // any element, all elements
        {false, EVERY(ODD("0"), "(at a k)")},
        {false, EVERY(ODD("0"), "(reduce (lam (p: f32, q: f32) (+ p q)) 0.0 a)")},
        {true, EVERY(ODD("0"),
                     "(reduce (lam (p: f32, q: f32) (+ p q)) 0.0 (generate 2 (lam (d: idx[2]) " AT(
                         "(+ (* 2i64 (cast d : i64)) (- " I " 1i64))") ")))")},
        {false, EVERY(ODD("0"),
                      "(reduce (lam (p: f32, q: f32) (+ p q)) 0.0 (generate 2 (lam (d: idx[2]) " AT(
                          "(+ (cast d : i64) (- " I " 2i64))") ")))")},
        // a name for the index
        {true, "(generate n (lam (i: idx[n]) (let m (- " I " 1i64) (if (if (> " I
               " 0i64) (== (% m 2i64) 1i64) false) " AT("m") " (at a i)))))"},
        // kept before the update
        {true,
         "(let b (to_mem a) (generate n (lam (i: idx[n]) (at b (to_idx (- (- (size n) 1i64) " I
         ") : idx[n])))))"},
        // one after the other
        {true, "(let b " EVERY(ODD("0"), BEFORE("1")) " (generate n (lam (i: idx[n]) (if " ODD(
                   "1") " (at b (to_idx (- " I " 1i64) : idx[n])) (at b i)))))"},
        {false, "(let b " EVERY(ODD("0"), BEFORE("1")) " (generate n (lam (i: idx[n]) (if " ODD(
                    "1") " (at a (to_idx (- " I " 1i64) : idx[n])) (at b i)))))"},
        {false, "(let b " EVERY(ODD("0"), BEFORE("2")) " (generate n (lam (i: idx[n]) (if " ODD(
                    "1") " (at b (to_idx (- " I " 1i64) : idx[n])) (at b i)))))"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Function *low =
            lower("n: nat", "z: [n]f32, x: f32, k: idx[n]",
                  arena_printf(cx->arena, "(iterate 3 (lam (a: [n]f32) %s) z)", rows[i].body));
        if ((low->body->variant == VARIANT_INPLACE) != rows[i].inplace)
            fail_msg("%zu: %s", i, rows[i].body);
    }
}

#define TWICE     "(lam (x: f32) (* x 2.0))"
#define ROW       "(lam (r: [4]f32) (map " TWICE " r))"
#define ROWS(a)   "(map " ROW " " a ")"
#define CORNER(i) "(at (at a (to_idx " i "i64 : idx[6])) (to_idx 0i64 : idx[4]))"
#define COLUMNS   "(lam (r: [6]f32) (map " TWICE " r))"

// Views of the accumulator and views that write: each row is a step over a, of six rows of four elements.
static void updates_through_views(void **state)
{
    (void)state;
    static const struct {
        bool inplace;
        const char *body;
    } rows[] = {
        {true, "(split.dst 4 (map " TWICE " (join a)))"},
        {true, "(split.dst 4 (join.dst " ROWS("a") "))"},
        {true, "(transpose.dst (map " COLUMNS " (transpose a)))"},
        {false,
         "(split.dst 4 (join.dst (transpose.dst (map.seq " COLUMNS " (split 6 (join a))))))"},
        // the same element, and another one
        {true, "(reverse.dst " ROWS("(reverse a)") ")"},
        {false, ROWS("(reverse a)")},
        {false, "(reverse.dst " ROWS("a") ")"},
        {true, "(map.dst (lam (r: [4]f32) (reverse.dst r)) (map.seq (lam (r: [4]f32) (map " TWICE
               " (reverse r))) a))"},
        {false, "(map.dst (lam (r: [4]f32) (reverse.dst r)) (map.seq " ROW " a))"},
        {true, "(map.dst (lam (r: [4]f32) (reverse.dst r)) (map.seq " ROW
               " (map (lam (r: [4]f32) (reverse r)) a)))"},
        // parts
        {true, "(concat.dst " ROWS("(slice 0 2 a)") " " ROWS("(slice 2 4 a)") ")"},
        {true, "(concat.dst " ROWS("(slice 0 2 a)") " (slice 2 4 a))"},
        {true, "(concat.dst (slice 0 2 a) " ROWS("(slice 2 4 a)") ")"},
        {true, "(concat.dst " ROWS("(slice 4 2 a)") " " ROWS("(slice 2 4 a)") ")"},
        {false, "(concat.dst " ROWS("(slice 4 2 a)") " " ROWS("(slice 0 4 a)") ")"},
        {false, "(concat.dst " ROWS("(slice 0 4 a)") " " ROWS("(slice 0 2 a)") ")"},
        {false, "(concat.dst (slice 1 2 a) " ROWS("(slice 2 4 a)") ")"},
        {false, "(concat.dst " ROWS("(slice 0 2 a)") " (map.seq (lam (r: [4]f32) (let s " CORNER(
                    "0") " (map (lam (x: f32) (* x s)) "
                         "r))) (slice 2 4 a)))"},
        {true, "(concat.dst " ROWS("(slice 0 2 a)") " (let s " CORNER(
                   "5") " (map.seq (lam (r: [4]f32) (map (lam (x: f32) (* x s)) "
                        "r)) (slice 2 4 a))))"},
        {false, "(concat.dst " ROWS("(slice 0 2 a)") " (let s " CORNER(
                    "1") " (map.seq (lam (r: [4]f32) (map (lam (x: f32) (* x s)) "
                         "r)) (slice 2 4 a))))"},
        // tiles: rows and columns in blocks, there and back
        {true, "(join.dst (map (lam (rs: [2][4]f32) (transpose.dst (join.dst (map (lam (t: "
               "[2][2]f32) (transpose.dst (map (lam (r: [2]f32) (map " TWICE
               " r)) t))) (transpose (map (lam (r: [4]f32) (split 2 r)) rs)))))) (split 2 a)))"},
        {false, "(join.dst (map (lam (rs: [2][4]f32) (transpose.dst (join.dst (map (lam (t: "
                "[2][2]f32) (map (lam (r: [2]f32) (map " TWICE
                " r)) t)) (transpose (map (lam (r: [4]f32) (split 2 r)) rs)))))) (split 2 a)))"},
        // all of a view is read
        {false, "(map (lam (r: [4]f32) (let s (reduce " SUM
                " 0.0 (join a)) (map (lam (x: f32) (* x s)) r))) a)"},
        {true, "(let s (reduce " SUM
               " 0.0 (join a)) (map (lam (r: [4]f32) (map (lam (x: f32) (* x s)) r)) a))"},
        {true, "(map (lam (r: [4]f32) (let s (reduce " SUM
               " 0.0 (reverse r)) (map (lam (x: f32) (* x s)) r))) a)"},
        {false,
         "(reverse.dst (map.seq (lam (r: [4]f32) (let s (reduce " SUM
         " 0.0 (at a (to_idx 5i64 : idx[6]))) (map (lam (x: f32) (* x s)) r))) (reverse a)))"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Function *low =
            lower("", "z: [6][4]f32",
                  arena_printf(cx->arena, "(iterate 3 (lam (a: [6][4]f32) %s) z)", rows[i].body));
        if ((low->body->variant == VARIANT_INPLACE) != rows[i].inplace)
            fail_msg("%zu: %s", i, rows[i].body);
    }
}

static void memory_of_programs(void **state)
{
    (void)state;
    assert_int_equal(
        0, buffers("n: nat", "x: [n]f32, y: [n]f32",
                   "(reduce " SUM
                   " 0.0 (map (lam (p: (f32, f32)) (* (proj 0 p) (proj 1 p))) (zip x y)))"));
    assert_int_equal(0, buffers("n: nat, m: nat, k: nat", "a: [n][k]f32, b: [k][m]f32",
                                "(map (lam (r: [k]f32) (map (lam (c: [k]f32) (reduce " SUM
                                " 0.0 (map (lam (p: (f32, f32)) (* (proj 0 p) (proj 1 p))) (zip r "
                                "c)))) (transpose b))) a)"));
    const char *row =
        "(map (lam (w: [3]f32) (/ (reduce " SUM " 0.0 w) 3.0)) (slide 3 1 (pad clamp 1 1 r)))";
    const char *blur = arena_printf(
        cx->arena,
        "(transpose (map (lam (r: [n]f32) %s) (transpose (map (lam (r: [m]f32) %s) image))))", row,
        row);
    assert_int_equal(1, buffers("n: nat, m: nat", "image: [n][m]f32", blur));
}

// 20 maps over one another, all in one loop; each twice as expensive to lower would be a million
// times.
static void deep_nests_take_linear_time(void **state)
{
    (void)state;
    enum { STAGES = 20 };
    const char *stages = "xs";
    for (int i = 0; i < STAGES; i++)
        stages = arena_printf(cx->arena, "(map " COSTLY " %s)", stages);
    assert_int_equal(0, buffers("n: nat", "xs: [n]f32", stages));
    const char *views = "xs";
    for (int i = 0; i < STAGES; i++)
        views = arena_printf(cx->arena,
                             "(transpose (map (lam (r: [n]f32) (scan " SUM " 0.0 r)) %s))", views);
    uint32_t before = node_count(cx);
    buffers("n: nat", "xs: [n][n]f32", views);
    assert_true(node_count(cx) - before < 60 * STAGES);
    const char *rows = "xs";
    for (int i = 0; i < STAGES; i++)
        rows = arena_printf(cx->arena,
                            "(map (lam (r: [n]f32) (let s (reduce " SUM
                            " 0.0 r) (map (lam (x: f32) (/ x s)) r))) %s)",
                            rows);
    before = node_count(cx);
    buffers("n: nat", "xs: [n][n]f32", rows);
    assert_true(node_count(cx) - before < 60 * STAGES);
}

static void long_programs_take_linear_time(void **state)
{
    (void)state;
    enum { LETS = 2000 };
    Node *row = type_array(cx, nat_const(cx, 3), type_scalar(cx, SCALAR_F32));
    Function *square = text_function(cx, "square", "", "xs: [3]f32", "(map " COSTLY " xs)");
    Node *e = core_var(cx, 0, row);
    for (int i = 0; i < LETS; i++) e = core_let(cx, session_sym(cx, "v"), square->body, e);
    Function f = {.name = session_sym(cx, "long"), .result = row, .body = e};
    Param x = {.name = session_sym(cx, "x"), .type = row};
    vec_push(cx->arena, &f.params, x);
    uint32_t before = node_count(cx);
    policy_check_low(cx, policy_lower(cx, &f, NULL));
    assert_true(node_count(cx) - before < 4 * LETS);
}

static void choices_are_told(void **state)
{
    (void)state;
    Choices choices = {0};
    policy_lower(cx,
                 text_function(cx, "main", "n: nat", "xs: [n]f32",
                               "(concat (gather (generate n (lam (i: idx[n]) i)) (map " COSTLY
                               " xs)) xs)"),
                 &choices);
    bool stored = false, placed = false;
    for (int i = 0; i < choices.len; i++) {
        stored |=
            !strcmp(choices.at[i].what, "to_mem") && strstr(choices.at[i].why, "more than once");
        placed |= !strcmp(choices.at[i].what, "concat.dst");
    }
    assert_true(stored && placed);
}

static void is_refused(const char *body)
{
    Function *f = text_function(cx, "main", "n: nat", "xs: [n]f32", body);
    jmp_buf boundary;
    cx->boundary = &boundary;
    if (setjmp(boundary) == 0) {
        policy_check_low(cx, f);
        fail_msg("%s was accepted", body);
    }
    cx->boundary = NULL;
    assert_int_equal(cx->errors, 1);
    assert_int_equal(cx->diags.at[0]->code, E0901);
    cx->errors = cx->diags.len = 0;
}

static void misplaced_terms_are_found(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "xs",
        "(map.src (lam (x: f32) x) xs)",
        "(map (lam (x: f32) x) xs)",
        "(copy (scan.seq (lam (a: f32, b: f32) a) 0.0 xs))",
        "(copy (reverse.dst xs))",
        "(pad.dst clamp 1 1 xs)",
        "(copy (if true xs xs))",
        "(map.seq (lam (x: f32) x) (map.seq (lam (x: f32) x) xs))",
        "(to_mem (copy xs))",
        "(copy (array 1.0 2.0))",
        "(map.par (lam (x: [1]f32) (at x (size 0 : idx[1]))) (slide.window 1 1 xs))",
        "(map.vec (lam (x: f32) x) xs n)",
        "(map.vec (lam (x: f32) x) xs 0)",
        "(scan.par (lam (a: f32, b: f32) a) 0.0 (map.seq (lam (x: f32) x) xs))",
        "(map.seq (lam (x: f32) (fold.par (lam (a: f32, b: f32) a) x xs)) xs)",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) is_refused(bodies[i]);
}

// A variant that says which loop a pattern becomes stays; written, it is read from memory.
static void loops_as_the_program_says(void **state)
{
    (void)state;
    gives(
        "n: nat", "xs: [n]f32", "(map.par " SQUARE " (map.vec " COSTLY " xs 8))",
        "(map.par (lam (x: f32) (* x x)) (to_mem (map.vec (lam (x: f32) (sqrt (+ x 1.0))) xs 8)))");
    gives("n: nat", "", "(generate.par n (lam (i: idx[n]) (cast i : f32)))",
          "(generate.par n (lam (i: idx[n]) (cast i : f32)))");
    gives("n: nat", "a: [n][4]f32", "(map.par (lam (r: [4]f32) (reduce.unroll " SUM " 0.0 r)) a)",
          "(map.par (lam (r: [4]f32) (reduce.unroll (lam (a: f32, b: f32) (+ a b)) 0.0 r)) a)");
    gives("", "xs: [4]f32", "(scan.unroll " SUM " 0.0 xs)",
          "(scan.unroll (lam (a: f32, b: f32) (+ a b)) 0.0 xs)");
    gives("n: nat, m: nat", "a: [n][m]f32", "(map.par " SQUARE " (join a))",
          "(map.par (lam (x: f32) (* x x)) (join.src a))");
    gives("n: nat", "xs: [n]f32", "(reduce.par " SUM " 0.0 (map " COSTLY " xs))",
          "(reduce.par (lam (a: f32, b: f32) (+ a b)) 0.0 (map.src (lam (x: f32) (sqrt (+ x 1.0))) "
          "xs))");
    gives("n: nat", "xs: [n]f32", "(reduce.vec " SUM " 0.0 xs 8)",
          "(reduce.vec (lam (a: f32, b: f32) (+ a b)) 0.0 xs 8)");
    // a scan in lanes reads the elements once, one in chunks twice
    gives("n: nat", "xs: [n]f32", "(scan.vec " SUM " 0.0 (map " COSTLY " xs) 8)",
          "(scan.vec (lam (a: f32, b: f32) (+ a b)) 0.0 (map.src (lam (x: f32) (sqrt (+ x 1.0))) "
          "xs) 8)");
    gives("n: nat", "xs: [n]f32", "(scan.par " SUM " 0.0 (map " COSTLY " xs))",
          "(scan.par (lam (a: f32, b: f32) (+ a b)) 0.0 (to_mem (map.seq (lam (x: f32) (sqrt (+ x "
          "1.0))) xs)))");
    // windows move along in order only
    gives("n: nat", "xs: [n + 2]f32",
          "(map.par (lam (w: [3]f32) (reduce " SUM " 0.0 w)) (slide.window 3 1 xs))",
          "(map.par (lam (w: [3]f32) (reduce.seq (lam (a: f32, b: f32) (+ a b)) 0.0 w)) (to_mem "
          "(slide.window 3 1 xs)))");
}

static void is_error(DiagCode code, const char *params, const char *body)
{
    teardown(NULL);
    setup(NULL);
    policy_lower(cx, text_function(cx, "main", "n: nat", params, body), NULL);
    assert_int_equal(cx->errors, 1);
    assert_int_equal(cx->diags.at[0]->code, code);
}

static void numbers_of_variants(void **state)
{
    (void)state;
    is_error(E0415, "xs: [n]f32", "(map.unroll " SQUARE " xs)");
    is_error(E0415, "xs: [65]f32", "(map.unroll " SQUARE " xs)");
    is_error(E0415, "xs: [n]f32", "(reduce.unroll " SUM " 0.0 xs)");
    is_error(E0415, "xs: [n]f32", "(scan.unroll " SUM " 0.0 xs)");
    is_error(E0506, "xs: [n]f32", "(map.vec " SQUARE " xs n)");
    is_error(E0506, "xs: [n]f32", "(map.vec " SQUARE " xs 0)");
    is_error(E0506, "xs: [n]f32", "(scan.vec " SUM " 0.0 xs n)");
    is_error(E0506, "xs: [n]f32", "(scan_ex.vec " SUM " 0.0 xs 0)");
    is_error(E0506, "xs: [n]f32, at: [n]idx[4]", "(scatter_with.vec " SUM " 0.0 at xs n)");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(maps_fuse),
        TEST(work_read_again_is_stored),
        TEST(rows_read_again_are_stored),
        TEST(elements_by_loop_index_are_read_once),
        TEST(branches_read_in_turn),
        TEST(zips_of_one_array),
        TEST(parts_are_read_once),
        TEST(joins_become_nested_loops),
        TEST(destinations),
        TEST(one_loop_over_the_result),
        TEST(accumulators),
        TEST(updates_in_place),
        TEST(updates_from_neighbours),
        TEST(updates_through_views),
        TEST(memory_of_programs),
        TEST(deep_nests_take_linear_time),
        TEST(long_programs_take_linear_time),
        TEST(choices_are_told),
        TEST(loops_as_the_program_says),
        TEST(numbers_of_variants),
        TEST(misplaced_terms_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
