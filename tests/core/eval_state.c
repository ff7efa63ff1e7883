// Places: what is written is read, references reach the parts of a place, values stay as they are.
#include "eval_util.h"

static void cells_hold_values(void **state)
{
    (void)state;
    expect(0, "(let p (cell 1) (let _ (put p (+ (get p) 41)) (get p)))", "42");
    // A place of a part is the part of the place.
    expect(0,
           "(let p (cell (tuple 1 (array 2.0 3.0)))"
           "  (let _ (put (ref_proj 0 p) 7)"
           "  (let _ (put (ref_at (ref_proj 1 p) (to_idx 1i64 : idx[2])) 9.0) (get p))))",
           "(7, [2.0, 9.0])");
    expect(3, "(let p (cell " IOTA ") (let _ (put p (reverse (get p))) (get p)))", "[2, 1, 0]");
    expect(0, "(let p (cell (tuple)) (let _ (put p (get p)) (get p)))", "()");
    expect(0, "(let p (cell " IOTA ") (get p))", "[]");
}

// What was read before stays as it was, and so does what was written from.
static void reading_is_a_snapshot(void **state)
{
    (void)state;
    const char *write = "(put (ref_at p (to_idx 0i64 : idx[3])) 10i64)";
    char text[400];
    snprintf(text, sizeof text,
             "(let a " IOTA " (let p (cell a) (let b (get p) (let _ %s (let c (get p)"
             "  (let _ (put p b) (tuple a b c (get p))))))))",
             write);
    expect(3, text, "([0, 1, 2], [0, 1, 2], [10, 1, 2], [0, 1, 2])");
    snprintf(text, sizeof text,
             "(let p (cell " IOTA ") (let q (cell (get p)) (let _ %s (tuple (get p) (get q)))))",
             write);
    expect(3, text, "([10, 1, 2], [0, 1, 2])");
    // Rows of a matrix that share their elements as values do not share them in a place.
    expect(3,
           "(let p (cell (repeat 2 " IOTA "))"
           "  (let _ (put (ref_at (ref_at p (to_idx 1i64 : idx[2])) (to_idx 0i64 : idx[3])) 7i64)"
           "    (get p)))",
           "[[0, 1, 2], [7, 1, 2]]");
}

static void slices_are_parts(void **state)
{
    (void)state;
    expect(6,
           "(let p (cell " IOTA ") (let s (ref_slice 1 4 p) (let t (ref_slice 1 2 s)"
           "  (let _ (put t (array 20i64 30i64)) (tuple (get p) (get s) (get t))))))",
           "([0, 1, 20, 30, 4, 5], [1, 20, 30, 4], [20, 30])");
    // Overlapping parts: the value is complete before it is written.
    expect(5,
           "(let p (cell " IOTA
           ") (let _ (put (ref_slice 1 4 p) (get (ref_slice 0 4 p))) (get p)))",
           "[0, 0, 1, 2, 3]");
    expect(3, "(let p (cell " IOTA ") (get (ref_slice 2 2 p)))", "E0604");
    expect(3, "(let p (cell " IOTA ") (get (ref_slice 3 0 p)))", "[]");
}

static void lanes_are_parts(void **state)
{
    (void)state;
    const char *lane = "(to_idx 1i64 : idx[2])";
    char text[900];
    // An element and a slice in a lane, and the whole.
    snprintf(text, sizeof text,
             "(let p (cell (array (cast 1 : vec[2]i32) (cast 2 : vec[2]i32) (cast 3 : vec[2]i32)))"
             "  (let l (ref_lane p %s)"
             "  (let _ (put (ref_at l (to_idx 0i64 : idx[3])) 7)"
             "  (let _ (put (ref_slice 1 2 l) (array 8 9)) (tuple (get p) (get l))))))",
             lane);
    expect(0, text, "([[1, 7], [2, 8], [3, 9]], [7, 8, 9])");
    // All lanes share what has no vectors: a put of the whole leaves it, one of the part does not.
    snprintf(text, sizeof text,
             "(let p (cell (tuple 5 (cast 1 : vec[2]i32)))"
             "  (let l (ref_lane p %s)"
             "  (let _ (put l (tuple 6 2))"
             "  (let a (get p)"
             "  (let _ (put (ref_proj 0 l) 6)"
             "  (let _ (put (ref_proj 1 l) 3) (tuple a (get l) (get p))))))))",
             lane);
    expect(0, text, "((5, [1, 2]), (6, 3), (6, [1, 3]))");
}

static void references_alias(void **state)
{
    (void)state;
    expect_main("(fn bump (r: &mut i32, by: &i32) : () (put r (+ (get r) (get by))))"
                "(fn main () : (i32, i32) (let p (cell 5) (let q p"
                "  (let _ (app (global bump : fn(&mut i32, &i32) -> ()) p (borrow q))"
                "    (tuple (get p) (get q))))))",
                "(10, 10)");
    // References in tuples, taken by lambdas, given back by functions.
    expect_main("(fn second (r: &mut (i32, f32)) : &mut f32 (ref_proj 1 r))"
                "(fn main () : (i32, f32) (let p (cell (tuple 1 2.0)) (let both (tuple p (lam () "
                "(put (app (global second : fn(&mut (i32, f32)) -> &mut f32) p) 7.0)))"
                "  (let _ (app (proj 1 both)) (get (proj 0 both))))))",
                "(1, 7.0)");
    // The operands of a write, from left to right: the place, then the value.
    expect(0,
           "(let i (cell 0) (let next (lam () (let _ (put i (+ (get i) 1)) (get i)))"
           "  (let p (cell (array 0 0 0))"
           "  (let _ (put (ref_at p (to_idx (cast (app next) : i64) : idx[3])) (* 10 (app next)))"
           "    (get p)))))",
           "[0, 20, 0]");
}

// A call of a function makes its places anew.
static void places_of_calls_are_their_own(void **state)
{
    (void)state;
    expect_main("(fn sum (n: i32) : i32 (let p (cell n) (if (<= n 0) 0"
                "  (let rest (app (global sum : fn(i32) -> i32) (- n 1)) (+ (get p) rest)))))"
                "(fn main () : i32 (app (global sum : fn(i32) -> i32) 10))",
                "55");
    // A function without parameters, mentioned as a value and called; a counter that two share.
    expect_main(
        "(fn counter () : fn() -> i32 (let p (cell 0)"
        "  (lam () (let _ (put p (+ (get p) 1)) (get p)))))"
        "(fn main () : (i32, i32, i32)"
        "  (let make (global counter : fn() -> fn() -> i32) (let a (app make) (let b (app make)"
        "    (let x (app a) (let y (app a) (tuple x y (app b))))))))",
        "(1, 2, 1)");
}

// Functions of patterns read places outside and have places of their own.
static void patterns_use_places(void **state)
{
    (void)state;
    expect(
        4,
        "(let p (cell 10i64) (map (lam (x: i64) (let q (cell x) (let _ (put q (* (get q) (get p)))"
        "  (get q)))) " IOTA "))",
        "[0, 10, 20, 30]");
}

static void external_functions_are_not_interpreted(void **state)
{
    (void)state;
    const char *text = "(external sin (x: f32) : f32)"
                       "(external now () : i64)"
                       "(fn main () : f32 %s)";
    static const char *const calls[] = {"(app (global sin : fn(f32) -> f32) 1.0)",
                                        "(cast (global now : i64) : f32)"};
    for (int i = 0; i < 2; i++) {
        char program[200];
        snprintf(program, sizeof program, text, calls[i]);
        expect_main(program, "E0608");
    }
    expect_main("(external sin (x: f32) : f32) (fn main () : f32"
                "  (let f (global sin : fn(f32) -> f32) 1.0))",
                "1.0");
}

static void what_staging_asks_is_run(void **state)
{
    (void)state;
    expect(0, "(tuple (known 1) (hide 2) (known (/ 1 0)) (app.run (lam (x: i32) x) 3))",
           "(false, 2, false, 3)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_hold_values),
        cmocka_unit_test(reading_is_a_snapshot),
        cmocka_unit_test(slices_are_parts),
        cmocka_unit_test(lanes_are_parts),
        cmocka_unit_test(references_alias),
        cmocka_unit_test(places_of_calls_are_their_own),
        cmocka_unit_test(patterns_use_places),
        cmocka_unit_test(external_functions_are_not_interpreted),
        cmocka_unit_test(what_staging_asks_is_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
