// Labels, jumps, loops and recursion: what is left, with which value, and what never ends.
#include "eval_util.h"

#include <sys/resource.h>

// The condition and the body see the continuations cont and brk.
#define WHILE(c, b) "(label brk () (forever (label cont () (if " c " " b " (app brk)))))"
#define INT(e)      "(label _ i32 " e ")" // what never gives a value, where an i32 is needed
#define SET(p, v)   "(put " p " " v ")"
#define THEN(a, b)  "(let _ " a " " b ")"

static void loops_end_by_jumps(void **state)
{
    (void)state;
    expect(0,
           "(let i (cell 0) (let s (cell 0) " THEN(
               WHILE("(< (get i) 10)",
                     THEN(SET("s", "(+ (get s) (get i))"), SET("i", "(+ (get i) 1)"))),
               "(get s)") "))",
           "45");
    // continue goes on with the next one, break ends: 1 + 3 + 5 + 7.
    expect(0,
           "(let i (cell 0) (let s (cell 0) " THEN(
               WHILE("true", THEN(SET("i", "(+ (get i) 1)"),
                                  THEN("(if (== (% (get i) 2) 0) (app cont) (tuple))",
                                       THEN("(if (> (get i) 8) (app brk) (tuple))",
                                            SET("s", "(+ (get s) (get i))"))))),
               "(get s)") "))",
           "16");
    // A loop that is left with a value.
    expect(0,
           "(let i (cell 1) (label k i32 (forever " THEN(
               "(if (> (get i) 1000) (app k (get i)) (tuple))", SET("i", "(* (get i) 2)")) ")))",
           "1024");
}

static void labels_have_values(void **state)
{
    (void)state;
    expect(0, "(label k i32 7)", "7");
    expect(0, "(label k i32 (app k 8))", "8");
    expect(0, "(+ 1 (label k i32 (+ 10 (label j i32 (+ 100 " INT("(app k 8)") ")))))", "9");
    expect(0, "(+ 1 (label k i32 (+ 10 (label j i32 (+ 100 " INT("(app j 8)") ")))))", "19");
    expect(0,
           "(label k (i32, [2]f32) (tuple " INT(
               "(app k (tuple 3 (array 1.0 2.0)))") " (array 0.0 0.0)))",
           "(3, [1.0, 2.0])");
    expect(0, "(label k i32 (let never (jump k 1) (/ 1 0)))", "1");
    expect(0, "(label k i32 (if true (jump k 1) 2))", "1");
    expect(0, "(label k () (jump k))", "()");
    // Of two jumps among the operands the left one is taken; what stands before it has been done.
    expect(0,
           "(let p (cell 0) (let v (label k i32 (+ " THEN(SET("p", "1"), "2") " (+ " INT(
               "(app k 3)") " " THEN(SET("p", "9"), "4") "))) (tuple v (get p))))",
           "(3, 1)");
}

// Out of two loops at once, and out of the whole function.
static void jumps_leave_several_levels(void **state)
{
    (void)state;
    const char *search = "(label return (i32, i32)"
                         "  (let _ (range 0 10 (lam (i: i32) (range 0 10 (lam (j: i32)"
                         "    (if (== (+ (* i 7) (* j 5)) %d) (app return (tuple i j)) (tuple))))))"
                         "    (tuple -1 -1)))";
    char text[400];
    snprintf(text, sizeof text, search, 44);
    expect(0, text, "(2, 6)");
    snprintf(text, sizeof text, search, 6);
    expect(0, text, "(-1, -1)");
    // Each label is left by its own jump only: 3 levels, each adds its digit.
    expect(0,
           "(+ 1 (label a i32 (+ 10 (label b i32 (+ 100 (label c i32"
           "  (+ 1000 " INT("(if true (app b 5) (app c 6))") "))))))))",
           "16");
}

// A generator calls its body; break and return are captured by the lambda and leave the generator.
static void jumps_leave_functions(void **state)
{
    (void)state;
    const char *each = "(fn each (xs: [5]i32, body: fn(i32) -> ()) : i32"
                       "  (let _ (range 0i64 5i64 (lam (i: i64) (app body (at xs (to_idx i : "
                       "idx[5]))))) -1))";
    char text[800];
    snprintf(text, sizeof text,
             "%s (fn main () : (i32, i32) (let seen (cell 0) (let found"
             "  (label brk i32 (app (global each : fn([5]i32, fn(i32) -> ()) -> i32)"
             "    (array 3 1 4 1 5) (lam (x: i32) (label cont ()"
             "      (let _ (if (== x 1) (app cont) (tuple))"
             "      (let _ (put seen (+ (get seen) x)) (if (== x 4) (app brk x) (tuple))))))))"
             "  (tuple found (get seen)))))",
             each);
    expect_main(text, "(4, 7)");
    // Through two functions, one of which is recursive.
    expect_main("(fn down (n: i32, k: fn(i32) -> !) : i32"
                "  (if (== n 0) (app k 99) (+ 1 (app (global down : fn(i32, fn(i32) -> !) -> i32)"
                "    (- n 1) k))))"
                "(fn main () : i32 (label k i32 (+ 1 (app (global down : fn(i32, fn(i32) -> !) -> "
                "i32) 50 k))))",
                "99");
    // Out of functions of patterns.
    expect(5,
           "(label k i64 (reduce (lam (a: i64, b: i64) (if (> b 2i64) (app k a) (+ a b))) 0i64 "
           "" IOTA "))",
           "3");
    expect(5,
           "(label k i64 (at (map (lam (x: i64) (if (== x 3i64) (app k 30i64) x)) " IOTA ")"
           " (to_idx 0i64 : idx[n])))",
           "30");
}

static void continuations_are_values(void **state)
{
    (void)state;
    // Chosen, in a tuple, stored in a cell.
    expect(0, "(label a i32 (+ 100 (label b i32 (app (proj 1 (tuple b (if true a b))) 7))))", "7");
    expect(0,
           "(label a i32 (let p (cell a) (+ 100 (label b i32 (let _ (put p b) (app (get p) 7))))))",
           "107");
    // Called when its label has been left, and when the call that made it has ended.
    expect(0,
           "(let p (cell (lam () (tuple))) (let _ (label k () (put p (lam () (app k) : fn() -> "
           "()))) (app (get p))))",
           "E0609");
    expect(0, "(let late (label k fn(i32) -> ! (let _ (label j i32 (app k j)) k)) (app late 1))",
           "E0609");
    // Each activation of a label is its own: the outer call's continuation leaves the outer call.
    expect_main(
        "(fn f (n: i32, outer: fn(i32) -> !) : i32 (label k i32"
        "  (if (== n 0) (app outer 5) (+ 10 (app (global f : fn(i32, fn(i32) -> !) -> i32)"
        "    (- n 1) (if (== n 2) k outer))))))"
        "(fn main () : i32 (label top i32 (+ 1000 (app (global f : fn(i32, fn(i32) -> !) -> "
        "i32) 3 top))))",
        "1015");
}

static void ranges_count(void **state)
{
    (void)state;
    static const struct {
        const char *type, *from, *to, *value;
    } rows[] = {
        {"i32", "0", "5", "(5, 10)"},
        {"i32", "3", "3", "(0, 0)"},
        {"i32", "4", "-4", "(0, 0)"},
        {"i8", "-128i8", "127i8", "(255, -255)"},
        {"u8", "0u8", "255u8", "(255, 32385)"},
        {"u8", "250u8", "255u8", "(5, 1260)"},
        {"u64", "18446744073709551610u64", "18446744073709551615u64", "(5, -20)"},
        {"i64", "9223372036854775805i64", "9223372036854775807i64", "(2, -5)"},
        {"u64", "18446744073709551615u64", "0u64", "(0, 0)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[400];
        snprintf(
            text, sizeof text,
            "(let n (cell 0) (let s (cell 0i64) (let _ (range %s %s (lam (i: %s) (let _ (put n "
            "(+ (get n) 1)) (put s (+ (get s) (cast i : i64)))))) (tuple (get n) (get s)))))",
            rows[i].from, rows[i].to, rows[i].type);
        expect(0, text, rows[i].value);
    }
}

static void all_loops_run_in_order(void **state)
{
    (void)state;
    static const char *const loops[] = {"range", "range.seq", "range.unroll", "parallel 0",
                                        "vectorize 4"};
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "(let s (cell 0) (let _ (%s 1 4 (lam (i: i32) (put s (+ (* 10 (get s)) i)))) "
                 "(get s)))",
                 loops[i]);
        expect(0, text, "123");
    }
}

static void functions_are_recursive(void **state)
{
    (void)state;
    expect_main("(fn fact (n: i64) : i64 (if (== n 0i64) 1i64 (* n (app (global fact : fn(i64) -> "
                "i64) (- n 1i64)))))"
                "(fn main () : i64 (app (global fact : fn(i64) -> i64) 20i64))",
                "2432902008176640000");
    expect_main("(fn ack (m: i32, n: i32) : i32 (if (== m 0) (+ n 1) (if (== n 0)"
                "  (app (global ack : fn(i32, i32) -> i32) (- m 1) 1)"
                "  (app (global ack : fn(i32, i32) -> i32) (- m 1)"
                "    (app (global ack : fn(i32, i32) -> i32) m (- n 1))))))"
                "(fn main () : i32 (app (global ack : fn(i32, i32) -> i32) 2 3))",
                "9");
    const char *parity =
        "(fn even (n: i32) : bool (if (== n 0) true (app (global odd : fn(i32) -> bool) (- n 1))))"
        "(fn odd (n: i32) : bool (if (== n 0) false (app (global even : fn(i32) -> bool) (- n 1))))"
        "(fn main () : (bool, bool) (tuple (app (global even : fn(i32) -> bool) 1000)"
        "  (app (global odd : fn(i32) -> bool) 1000)))";
    expect_main(parity, "(true, false)");
}

// The entry of one text with its callees, for n.
static const char *run_entry(Session *cx, const char *text, int64_t n)
{
    Function *f = core_read(cx, session_add_source(cx, "test", text, strlen(text)));
    stop_on_errors(cx);
    NodeBinding size = {session_sym(cx, "n"), nat_const(cx, n)};
    Value v;
    Outcome o = core_eval(cx, cx->arena, NULL, f, &size, 1, NULL, ALGEBRA_IEEE, PLENTY, &v);
    if (!o.ok) return diag_name(o.code);
    Text out = text_new(cx->arena);
    value_print(cx, &out, &v, f->result, 1000);
    return text_get(&out);
}

// Callees call one another, are over the sizes of the entry, and write to the places they are given.
static void entries_have_callees(void **state)
{
    (void)state;
    Session *cx = new_session();
    const char *text = "(entry main [n: nat] () : ([n]i64, i64)"
                       "  (let p (cell " IOTA ")"
                       "  (let _ (call double p (size n) : ()) (let v (get p) (let s (call sum "
                       "(borrow p) 0i64 : i64)"
                       "    (tuple v s))))))"
                       "(fn double (p: &mut [n]i64, n: i64) : ()"
                       "  (range 0i64 n (lam (i: i64) (let q (ref_at p (to_idx i : idx[n])) (put q "
                       "(* 2i64 (get q)))))))"
                       "(fn sum (p: &[n]i64, from: i64) : i64 (if (== from (size n)) 0i64"
                       "  (let x (get (ref_at p (to_idx from : idx[n]))) (+ x (call sum p (+ from "
                       "1i64) : i64)))))";
    assert_string_equal(run_entry(cx, text, 4), "([0, 2, 4, 6], 12)");
    assert_string_equal(run_entry(cx, text, 0), "([], 0)");
    assert_string_equal(run_entry(cx,
                                  "(entry main [n: nat] () : f32 (call sin 1.0 : f32))"
                                  "(external sin (x: f32) : f32)",
                                  1),
                        "E0608");
    session_delete(cx);
}

static void what_never_ends_is_stopped(void **state)
{
    (void)state;
    expect(0, "(label k i32 (forever (tuple)))", "E0605");
    expect(0, "(label k i32 (forever (label cont () (app cont))))", "E0605");
    expect(0, "(let _ (range 0u64 18446744073709551615u64 (lam (i: u64) (tuple))) 1)", "E0605");
    static const char *const bodies[] = {
        "(app (global f : fn(i32) -> i32) x)",
        "(+ 1 (app (global f : fn(i32) -> i32) x))",
        "(label k i32 (app k (app (global f : fn(i32) -> i32) x)))",
        "(at (map (lam (y: i32) (app (global f : fn(i32) -> i32) y)) (array x)) (to_idx 0i64 : "
        "idx[1]))",
        "(let p (cell x) (let _ (range 0 1 (lam (i: i32) (put p (app (global f : fn(i32) -> i32) "
        "i))))"
        " (get p)))",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "(fn f (x: i32) : i32 %s) (fn main () : i32 (app (global f : fn(i32) -> i32) 1))",
                 bodies[i]);
        Session *cx = new_session();
        assert_string_equal(run_main(cx, text, NULL, 0, NULL, 100 * PLENTY), "E0605");
        session_delete(cx);
    }
}

// Recursion that does end may be deep.
static void recursion_may_be_deep(void **state)
{
    (void)state;
    expect_main(
        "(fn sum (n: i32) : i32 (if (== n 0) 0 (+ n (app (global sum : fn(i32) -> i32) (- n "
        "1)))))"
        "(fn main () : i32 (app (global sum : fn(i32) -> i32) 2000))",
        "2001000");
}

// Long loops and many calls free what each round used, and keep what cells and jumps carry out.
static void long_loops_keep_what_is_stored(void **state)
{
    (void)state;
    expect(0,
           "(let best (cell (array 0i64 0i64)) (let k (label k i64"
           "  (let _ (range 0i64 30000i64 (lam (i: i64)"
           "    (let _ (put best (array i (+ (at (get best) (to_idx 1i64 : idx[2])) i)))"
           "      (if (== i 29000i64) (app k (* i 2i64)) (tuple))))) 0i64))"
           "  (tuple k (get best))))",
           "(58000, [29000, 420514500])");
    // A function and a reference that are made in one round and used in later ones.
    expect(
        0,
        "(let f (cell (lam (x: i64) x)) (let r (cell (cell 0i64))"
        "  (let _ (range 0i64 20000i64 (lam (i: i64)"
        "    (if (== (% i 5000i64) 1i64)"
        "      (let more (+ i 1i64) (let _ (put f (lam (x: i64) (+ x more))) (put r (cell more))))"
        "      (put (get r) (app (get f) (get (get r)))))))"
        "    (tuple (get (get r)) (app (get f) 0i64)))))",
        "(74994998, 15002)");
    // A jump carries a function out of a long loop.
    expect(0,
           "(let f (label k fn(i64) -> i64 (forever (range 0i64 30000i64 (lam (i: i64)"
           "  (if (== i 20000i64) (app k (lam (x: i64) (* x i))) (tuple))))))"
           "  (let _ (range 0i64 20000i64 (lam (i: i64) (tuple))) (app f 3i64)))",
           "60000");
    expect_main("(fn fib (n: i32) : (i32, i32) (if (< n 2) (tuple n 1)"
                "  (let a (app (global fib : fn(i32) -> (i32, i32)) (- n 1))"
                "  (let b (app (global fib : fn(i32) -> (i32, i32)) (- n 2))"
                "    (tuple (+ (proj 0 a) (proj 0 b)) (+ (proj 1 a) (proj 1 b)))))))"
                "(fn main () : (i32, i32) (app (global fib : fn(i32) -> (i32, i32)) 21))",
                "(10946, 17711)");
}

// The body is run at once; each has a number of its own.
static void tasks_have_numbers(void **state)
{
    (void)state;
    expect(0,
           "(let p (cell 1) (let a (spawn (lam () (put p 2))) (let b (spawn (lam () (put p (* 5 "
           "(get p)))))"
           " " THEN("(sync b)", THEN("(sync a)", "(tuple (get p) (- b a))")) ")))",
           "(10, 1)");
    expect(0, "(let a (spawn (lam () (tuple))) (sync (+ a 1)))", "E0610");
    expect(0, "(sync -1)", "E0610");
    expect(0, "(let a (spawn (lam () (let _ (/ 1 0) (tuple)))) a)", "E0602");
}

// A hint changes nothing, and its index is not used to read.
static void hints_change_nothing(void **state)
{
    (void)state;
    expect(0,
           "(let p (cell (array 1 2)) " THEN(
               "(prefetch p (to_idx 1 : idx[2]))",
               THEN("(put (ref_at p (size 0 : idx[2])) 7)", "(get p)")) ")",
           "[7, 2]");
    expect(0, "(prefetch (array 1 2) (to_idx 0 : idx[2]))", "()");
    expect(0, "(prefetch (array 1 2) (to_idx 2 : idx[2]))", "E0601");
    expect(0, "(prefetch (array (/ 1 0)) (to_idx 0 : idx[1]))", "E0602");
}

// In the body the value is a size, of types, too.
static void values_become_sizes(void **state)
{
    (void)state;
    expect(0,
           "(let i (to_idx (+ 1i64 2i64) : idx[9])"
           " (open k i (+ (size 2*k) (reduce (lam (a: i64, b: i64) (+ a b)) 0i64"
           "   (generate k (lam (j: idx[k]) (cast j : i64)))))))",
           "9");
    expect(0, "(let f (open k (to_idx 4i64 : idx[5]) (lam (x: i64) (+ x (size k)))) (app f 1i64))",
           "5");
    expect(0, "(open k (to_idx 0i64 : idx[9]) (open m (to_idx 7i64 : idx[9]) (size (m - k))))",
           "7");
    expect(0, "(open k (to_idx -1i64 : idx[9]) (size k))", "E0601");
    expect(0, "(open k (to_idx -1i64 : idx[4611686018427387904]) (size k))", "E0604");
}

enum { DEEP = 96 << 20 };

int main(void)
{
    // as the thread in which adze compiles: frames are larger with sanitizers
    struct rlimit stack;
    getrlimit(RLIMIT_STACK, &stack);
    stack.rlim_cur = stack.rlim_max < DEEP ? stack.rlim_max : DEEP;
    setrlimit(RLIMIT_STACK, &stack);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_end_by_jumps),
        cmocka_unit_test(labels_have_values),
        cmocka_unit_test(values_become_sizes),
        cmocka_unit_test(jumps_leave_several_levels),
        cmocka_unit_test(jumps_leave_functions),
        cmocka_unit_test(continuations_are_values),
        cmocka_unit_test(ranges_count),
        cmocka_unit_test(all_loops_run_in_order),
        cmocka_unit_test(functions_are_recursive),
        cmocka_unit_test(entries_have_callees),
        cmocka_unit_test(tasks_have_numbers),
        cmocka_unit_test(hints_change_nothing),
        cmocka_unit_test(what_never_ends_is_stopped),
        cmocka_unit_test(recursion_may_be_deep),
        cmocka_unit_test(long_loops_keep_what_is_stored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
