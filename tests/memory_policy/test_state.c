// The default policy on state and control: what is stored because a place is written.
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

static Function *lower(const char *body)
{
    const char *text = arena_printf(
        cx->arena,
        "(entry main [n: nat, m: nat] (xs: [n]f32, ys: [n]f32, k: i32, a: [n][m]f32) : %s)"
        "(fn f [n: nat, m: nat] (r: &mut [n]f32, v: [n]f32) : f32 0.0)"
        "(fn g [n: nat, m: nat] (r: &mut [n]f32, s: &[n]f32) : [n]f32"
        "  (let y (get s) (let _ (put (ref_at r (to_idx 0i64 : idx[n])) 1.0) y)))",
        body);
    Function *flat = core_read(cx, session_add_source(cx, "text", text, strlen(text)));
    if (!flat) fail_msg("%s", diagnostics_text(cx));
    core_check_flat(cx, flat);
    Function *low = policy_lower(cx, flat, NULL);
    core_check(cx, low, LEVEL_LOW);
    policy_check_low(cx, low);
    return low;
}

static void gives(const char *body, const char *expected)
{
    assert_string_equal(body_text(cx, lower(body)), expected);
}

#define SQUARE    "(lam (x: f32) (* x x))"
#define SUM       "(lam (a: f32, b: f32) (+ a b))"
#define SUM_OF(e) "(reduce " SUM " 0.0 " e ")"

static void cells_are_written(void **state)
{
    (void)state;
    gives("f32 (let p (cell (map " SQUARE " xs)) (let v (get p) " SUM_OF("v") "))",
          "(let p (cell (map.seq (lam (x: f32) (* x x)) xs)) (reduce.seq (lam (a: f32, b: f32) (+ "
          "a b)) "
          "0.0 (get p)))");
    gives("[n]f32 (let p (cell xs) (get p))", "(let p (cell (copy xs)) (copy (get p)))");
    gives("i32 (let p (cell k) (let v (get p) (let _ (put p (+ v 1)) (get p))))",
          "(let p (cell k) (let v (get p) (let _ (put p (+ v 1)) (get p))))");
}

static int buffers(const char *body)
{
    return count_of(cx, lower(body)->body, CORE_TO_MEM, VARIANT_ANY);
}

// What is read before it is written need not be stored.
static void snapshots(void **state)
{
    (void)state;
#define IN_CELL(type, body)   type " (let p (cell xs) (let q (cell ys) " body "))"
#define STORED(n, type, body) assert_int_equal(n, buffers(IN_CELL(type, body)))
#define FIRST(p)              "(ref_at " p " (to_idx 0i64 : idx[n]))"
    STORED(0, "[n]f32", "(let v (get p) (let _ (put q v) v))");
    STORED(1, "[n]f32", "(let v (get p) (let _ (put " FIRST("p") " 1.0) v))");
    STORED(0, "f32", "(let v (get p) (let s " SUM_OF("v") " (let _ (put " FIRST("p") " 1.0) s)))");
    STORED(1, "f32", "(let v (get p) (let _ (put " FIRST("p") " 1.0) " SUM_OF("v") "))");
    STORED(1, "f32",
           "(let v (get p) (let w (map " SQUARE
           " v) (let _ (put " FIRST("p") " 1.0) " SUM_OF("w") ")))");
    STORED(0, "f32",
           "(let v (get p) (let w (map " SQUARE
           " v) (let s " SUM_OF("w") " (let _ (put " FIRST("p") " s) s))))");
    // what is stored anyway does not read later
    STORED(1, "[n]f32",
           "(let v (get p) (let s (scan (lam (a: f32, b: f32) (+ a b)) 0.0 v)"
           " (let _ (put " FIRST("p") " 1.0) (map (lam (e: (f32, f32)) (+ (proj 0 e) (proj 1 e)))"
                                      " (zip s (reverse s))))))");
    // a second turn of the loop reads what the first has written
    STORED(1, "()",
           "(let v (get p) (range 0 k (lam (i: i32) (let s " SUM_OF("v") " (put " FIRST(
               "p") " s)))))");
    STORED(0, "()",
           "(range 0 k (lam (i: i32) (let v (get p) (let s " SUM_OF("v") " (put " FIRST(
               "p") " s)))))");
    STORED(1, "[n]f32", "(let v (get p) (let _ (if (== k 0) (put " FIRST("p") " 1.0) (tuple)) v))");
    STORED(0, "[n]f32", "(let v (get p) (let _ (if (== k 0) (put " FIRST("q") " 1.0) (tuple)) v))");
    STORED(1, "[n]f32", "(let v (get p) (let s (call f p xs : f32) v))");
    STORED(0, "[n]f32", "(let v (get p) (let s (call f q xs : f32) v))");
}

// An array is overwritten in place where each element needs at most itself.
static void overwriting(void **state)
{
    (void)state;
    STORED(0, "()", "(let v (get p) (put p (map " SQUARE " v)))");
    STORED(1, "()", "(let v (get p) (put p (reverse v)))");
    STORED(0, "()", "(let v (get p) (put q (reverse v)))");
    STORED(0, "()", "(put p (generate n (lam (i: idx[n]) (let x (get (ref_at p i)) (* x 2.0)))))");
    STORED(1, "()",
           "(put p (generate n (lam (i: idx[n]) (let x (get " FIRST("p") ") (* x 2.0)))))");
    STORED(0, "()", "(put p (generate n (lam (i: idx[n]) (let x (get (ref_at q i)) (* x 2.0)))))");
    STORED(
        0, "()",
        "(let v (get p) (let w (get q) (put p (map (lam (e: (f32, f32)) (+ (proj 0 e) (proj 1 e))) "
        "(zip v w)))))");
    STORED(1, "()", "(let v (get p) (put p (scan " SUM " 0.0 v)))");
    STORED(1, "()", "(let v (get p) (let w (map " SQUARE " v) (put p (map " SQUARE " w))))");
    STORED(1, "f32", "(let v (get p) (call f p v : f32))");
    STORED(0, "f32", "(let v (get p) (call f q v : f32))");
    gives("() (let p (cell a) (range 0i64 (size n) (lam (i: i64) (let r (get (ref_at p (to_idx i : "
          "idx[n]))) (put (ref_at p (to_idx i : idx[n])) (map " SQUARE " r))))))",
          "(let p (cell (copy a)) (range 0i64 (size n) (lam (i: i64) (put (ref_at p (to_idx i : "
          "idx[n])) "
          "(map.seq (lam (x: f32) (* x x)) (get (ref_at p (to_idx i : idx[n]))))))))");
}

// What several ways give, and what functions give, needs memory where it is read.
static void control(void **state)
{
    (void)state;
    gives("[n]f32 (label ret [n]f32 (let _ (if (== k 0) (jump ret (map " SQUARE
          " xs)) (tuple)) (reverse xs)))",
          "(label ret [n]f32 (let _ (if (== k 0) (jump ret (map.seq (lam (x: f32) (* x x)) xs)) "
          "(tuple)) "
          "(copy (reverse.src xs))))");
    gives("f32 (let v (label ret [n]f32 (if (== k 0) (jump ret xs) ys)) " SUM_OF("v") ")",
          "(let v (to_mem (label ret [n]f32 (if (== k 0) (jump ret (copy xs)) (copy ys)))) "
          "(reduce.seq "
          "(lam (a: f32, b: f32) (+ a b)) 0.0 v))");
    gives("f32 (let p (cell xs) (let v (call g p (borrow p) : [n]f32) " SUM_OF("v") "))",
          "(let p (cell (copy xs)) (let v (to_mem (call g p (borrow p) : [n]f32)) (reduce.seq (lam "
          "(a: "
          "f32, b: f32) (+ a b)) 0.0 v)))");
    gives(
        "f32 (let p (cell 0.0) (let _ (range 0 k (lam (i: i32) (put p (cast i : f32)))) (get p)))",
        "(let p (cell 0.0) (let _ (range 0 k (lam (i: i32) (put p (cast i : f32)))) (get p)))");
}

// Work with loops in it is never done again.
static void loops_are_work(void **state)
{
    (void)state;
    const char *body = "[n + 1]f32 (map (lam (w: [2]f32) " SUM_OF(
        "w") ") (slide 2 1 (pad const 1 1 0.0 "
             "(map (lam (x: f32) (let c (cell x) (let _ (range 0 k (lam (i: i32) (let v (get "
             "c) (put c (+ v v))))) (get c)))) xs))))";
    assert_int_equal(1, buffers(body));
}

// Two references may be one place.
static void references(void **state)
{
    (void)state;
    const Function *g = lower("()  (tuple)")->callees.at[1];
    assert_string_equal(
        body_text(cx, g),
        "(let y (to_mem.inplace (copy (get s))) (let _ (put (ref_at r (to_idx 0i64 : idx[n])) 1.0) "
        "(copy y)))");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cells_are_written, setup, teardown),
        cmocka_unit_test_setup_teardown(snapshots, setup, teardown),
        cmocka_unit_test_setup_teardown(overwriting, setup, teardown),
        cmocka_unit_test_setup_teardown(control, setup, teardown),
        cmocka_unit_test_setup_teardown(loops_are_work, setup, teardown),
        cmocka_unit_test_setup_teardown(references, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
