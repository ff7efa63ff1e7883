// Staging: what is gone, what stays, and the errors.
#include "staging/values/staging.h"
#include "staging/programs.h"

static Session *cx;
static Program *program;

static int setup(void **state)
{
    (void)state;
    cx = session_new();
    nat_init(cx);
    program = ARENA_NEW(cx->arena, Program);
    program->by_name = map_new(cx->arena);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    session_delete(cx);
    return 0;
}

static Function *define(const char *name, const char *generics, const char *params,
                        const char *body)
{
    Function *f = text_function(cx, name, generics, params, body);
    program_add(cx, program, f);
    return f;
}

static Function *stage(const Function *entry)
{
    Function *flat = staging_run(cx, program, entry);
    if (flat) core_check(cx, flat, LEVEL_CORE);
    if (flat) core_check_flat(cx, flat);
    return flat;
}

static void gives(const Function *entry, const char *expected)
{
    Function *flat = stage(entry);
    if (!flat) fail_msg("%s", diagnostics_text(cx));
    assert_string_equal(body_text(cx, flat), expected);
}

static void fails(const Function *entry, DiagCode code, const char *part)
{
    assert_null(stage(entry));
    assert_int_equal(cx->errors, 1);
    assert_int_equal(cx->diags.at[0]->code, code);
    const char *text = diagnostics_text(cx);
    if (!strstr(text, part)) fail_msg("no `%s` in\n%s", part, text);
}

#define SUM(a, b, xs) "(reduce (lam (" a ": f32, " b ": f32) (+ " a " " b ")) 0.0 " xs ")"
#define SUMS(first, second)                                                                        \
    "(let m " first " (let d " second " (map (lam (x: f32) (+ (- x m) (- x d))) xs)))"

static void sums_are_shared(void **state)
{
    (void)state;
    const char *params = "xs: [n]f32, ys: [n]f32";
#define TWICE(name, first, second, then)                                                           \
    gives(define(name, "n: nat", params, SUMS(first, second)), then)
    // the names of bound variables do not matter
    TWICE("same", SUM("a", "b", "xs"), SUM("c", "e", "xs"),
          "(let m " SUM("a", "b", "xs") " (map (lam (x: f32) (+ (- x m) (- x m))) xs))");
    TWICE("other", SUM("a", "b", "xs"), SUM("a", "b", "ys"),
          SUMS(SUM("a", "b", "xs"), SUM("a", "b", "ys")));
    // a number that takes no loop is left to the C compiler
    TWICE("no_loop", "(sqrt (cast (size n) : f32))", "(sqrt (cast (size n) : f32))",
          SUMS("(sqrt (cast (size n) : f32))", "(sqrt (cast (size n) : f32))"));
    // operands are evaluated in order, and branches apart from each other
    const char *m = "(let m " SUM("a", "b", "xs") " (* m m))";
    const char *d = "(let d " SUM("a", "b", "xs") " (* d d))";
    gives(define("operands", "n: nat", params, arena_printf(cx->arena, "(+ %s %s)", m, d)),
          "(let m " SUM("a", "b", "xs") " (+ (* m m) (* m m)))");
    const char *apart = arena_printf(cx->arena, "(if c %s %s)", m, d);
    gives(define("apart", "n: nat", "xs: [n]f32, c: bool", apart),
          arena_printf(cx->arena, "(if c %s %s)", m, m)); // names come from the first
    // a value that needs another one that is shared
    gives(
        define("chain", "n: nat", params,
               "(let m " SUM("a", "b", "xs") " (let d " SUM(
                   "a", "b", "xs") " (let u (reduce (lam (a: f32, b: f32) (+ a (* b m))) 0.0 xs)"
                                   " (let v (reduce (lam (a: f32, b: f32) (+ a (* b d))) 0.0 xs)"
                                   " (* (+ u u) (+ v v))))))"),
        "(let m " SUM("a", "b", "xs") " (let u (reduce (lam (a: f32, b: f32) (+ a (* b m))) 0.0 xs)"
                                      " (* (+ u u) (+ u u))))");
#undef TWICE
}

static void calls_are_inlined(void **state)
{
    (void)state;
    define("sum", "n: nat", "xs: [n]f32", "(reduce (lam (a: f32, b: f32) (+ a b)) 0.0 xs)");
    define("dot", "n: nat", "x: [n]f32, y: [n]f32",
           "(app (global sum n : fn([n]f32) -> f32) (map (lam (p: (f32, f32)) (* (proj 0 p) (proj "
           "1 p))) (zip x y)))");
    gives(define(
              "main", "n: nat, m: nat", "a: [n][m]f32, v: [m]f32",
              "(map (lam (row: [m]f32) (app (global dot m : fn([m]f32, [m]f32) -> f32) row v)) a)"),
          "(map (lam (row: [m]f32) (reduce (lam (a: f32, b: f32) (+ a b)) 0.0 (map (lam (p: (f32, "
          "f32)) (* (proj "
          "0 p) (proj 1 p))) (zip row v)))) a)");
}

static void functions_are_substituted(void **state)
{
    (void)state;
    define("compose", "a: data, b: data, c: data", "f: fn(a) -> b, g: fn(b) -> c, x: a",
           "(app g (app f x))");
    define("twice", "t: data", "f: fn(t) -> t, x: t", "(app f (app f x))");
    const char *compose =
        "(global compose (type f32) (type f32) (type f32) : fn(fn(f32) -> f32, fn(f32) -> f32, "
        "f32) -> f32)";
    const char *text = arena_printf(
        cx->arena,
        "(app %s (lam (x: f32) (+ x 1.0)) (lam (x: f32) (app (global twice (type f32) : "
        "fn(fn(f32) -> f32, f32) -> f32) (lam (z: f32) (* z z)) x)) y)",
        compose);
    gives(define("main", "", "y: f32", text), "(let x (+ y 1.0) (let z (* x x) (* z z)))");
}

static void nested_use_of_a_function_is_no_recursion(void **state)
{
    (void)state;
    define("twice", "t: data", "f: fn(t) -> t, x: t", "(app f (app f x))");
    const char *twice = "(global twice (type i32) : fn(fn(i32) -> i32, i32) -> i32)";
    gives(define("main", "", "y: i32",
                 arena_printf(cx->arena,
                              "(app %s (lam (x: i32) (app %s (lam (z: i32) (+ z 1)) x)) y)", twice,
                              twice)),
          "(+ (+ (+ (+ y 1) 1) 1) 1)");
}

static void tuples_are_taken_apart(void **state)
{
    (void)state;
    gives(define("main", "", "x: f32, y: f32",
                 "(let t (tuple (* x x) (tuple (+ x y) y)) (+ (* (proj 0 t) (proj 0 t)) (proj 0 "
                 "(proj 1 t))))"),
          "(let t (* x x) (+ (* t t) (+ x y)))");
    gives(define("functions", "", "x: f32",
                 "(let t (tuple (lam (a: f32) (+ a a)) 2.0) (app (proj 0 t) (* x (proj 1 t))))"),
          "(let a (* x 2.0) (+ a a))");
}

static void conditions_are_decided(void **state)
{
    (void)state;
    gives(define("main", "", "x: i32", "(if (< (+ 1 2) 4) (* x x) (+ x 1))"), "(* x x)");
    gives(define("sizes", "n: nat", "xs: [n + 1]i32", "(if (== (size (n + 1)) 0i64) 1 2)"), "2");
}

static void chosen_functions_move_into_branches(void **state)
{
    (void)state;
    gives(define("main", "", "c: bool, x: f32",
                 "(app (if c (lam (a: f32) (* a a)) (lam (a: f32) (+ a 1.0))) (- x 1.0))"),
          "(let x (- x 1.0) (if c (* x x) (+ x 1.0)))");
    gives(define("operand", "n: nat", "c: bool, xs: [n]f32",
                 "(map (if c (lam (a: f32) (* a a)) (lam (a: f32) (+ a 1.0))) xs)"),
          "(map (lam (x: f32) (if c (* x x) (+ x 1.0))) xs)");
}

static void lets_that_repeat_no_work_go(void **state)
{
    (void)state;
    gives(
        define(
            "once", "n: nat", "xs: [n]f32",
            "(let ys (map (lam (x: f32) (* x x)) xs) (let z 2.0 (map (lam (y: f32) (+ y z)) ys)))"),
        "(map (lam (y: f32) (+ y 2.0)) (map (lam (x: f32) (* x x)) xs))");
    gives(define("under_lambda", "n: nat", "xs: [n]f32, a: f32",
                 "(let b (* a a) (map (lam (y: f32) (+ y b)) xs))"),
          "(let b (* a a) (map (lam (y: f32) (+ y b)) xs))");
    gives(define("unused", "n: nat", "xs: [n]f32, a: f32", "(let b (* a a) (let c (* b b) a))"),
          "a");
    gives(define("used_by_unused", "", "a: f32", "(let b (* a a) (let c (* b b) (+ b 1.0)))"),
          "(+ (* a a) 1.0)");
}

static void errors_stay_where_they_are(void **state)
{
    (void)state;
    gives(define("unused", "", "a: i32", "(let b (/ 1 a) a)"), "(let b (/ 1 a) a)");
    gives(define("branch", "", "a: i32, c: bool", "(let b (/ 1 a) (if c b 0))"),
          "(let b (/ 1 a) (if c b 0))");
    gives(define("used", "", "a: i32", "(let b (/ 1 a) (+ b 1))"), "(+ (/ 1 a) 1)");
}

static void indices_of_lambdas_and_lets_fit(void **state)
{
    (void)state;
    gives(define("main", "n: nat, m: nat", "a: [n][m]f32, s: f32",
                 "(let k (* s s) (map (lam (r: [m]f32) (let q (+ k 1.0) (let w (reduce (lam (x: "
                 "f32, y: f32) (+ x (* y "
                 "k))) q r) (map (lam (e: f32) (* (+ e w) (* q k))) r)))) a))"),
          "(let k (* s s) (map (lam (r: [m]f32) (let q (+ k 1.0) (let w (reduce (lam (x: f32, y: "
          "f32) (+ x (* y "
          "k))) q r) (map (lam (e: f32) (* (+ e w) (* q k))) r)))) a))");
}

static void constants_are_computed_at_the_beginning(void **state)
{
    (void)state;
    define("table", "", "", "(array 1 2 3)");
    define("limit", "", "", "(+ 40 2)");
    gives(define(
              "main", "n: nat", "xs: [n]idx[3]",
              "(map (lam (i: idx[3]) (+ (at (global table : [3]i32) i) (global limit : i32))) xs)"),
          "(let table (array 1 2 3) (map (lam (i: idx[3]) (+ (at table i) 42)) xs))");
}

static void recursion_is_reported(void **state)
{
    (void)state;
    define("f", "", "x: f32", "(app (global g : fn(f32) -> f32) x)");
    define("g", "", "x: f32", "(app (global f : fn(f32) -> f32) x)");
    fails(define("main", "", "x: f32", "(app (global f : fn(f32) -> f32) x)"), E0501,
          "`f` calls itself without end");
}

static void endless_specialisation_is_reported(void **state)
{
    (void)state;
    define("f", "n: nat", "x: &mut f32", "(app (global f (n + 1) : fn(&mut f32) -> f32) x)");
    fails(
        define("main", "", "x: f32", "(let p (cell x) (app (global f 0 : fn(&mut f32) -> f32) p))"),
        E0503, "each call of `f` has other sizes");
}

static void recursion_on_a_size_ends(void **state)
{
    (void)state;
    define("power", "n: nat", "x: f32",
           "(if (== (size n) 0i64) 1.0 (* x (app (global power (n - 1) : fn(f32) -> f32) x)))");
    gives(define("main", "", "x: f32", "(app (global power 3 : fn(f32) -> f32) x)"),
          "(* x (* x x))");
}

static void functions_in_results_are_reported(void **state)
{
    (void)state;
    fails(define("main", "", "x: f32", "(tuple x (lam (y: f32) y))"), E0502, "stored");
}

static SizeCheck check(SizeRelation relation, Node *left, Node *right)
{
    return (SizeCheck){.relation = relation, .left = left, .right = right};
}

static Node *size(const char *name)
{
    return nat_var(cx, session_sym(cx, name));
}

static void checks_come_to_the_entry(void **state)
{
    (void)state;
    Function *f = define("f", "n: nat, m: nat", "x: [n]f32, y: [m]f32", "x");
    vec_push(cx->arena, &f->checks, check(SIZE_EQ, size("n"), size("m")));
    vec_push(cx->arena, &f->where, check(SIZE_LE, nat_const(cx, 1), size("n")));
    Function *e = define(
        "main", "k: nat, l: nat", "x: [k]f32, y: [l]f32",
        "(tuple (app (global f k l : fn([k]f32, [l]f32) -> [k]f32) x y) (app (global f k k : "
        "fn([k]f32, [k]f32) -> [k]f32) x x) (app (global f k l : fn([k]f32, [l]f32) -> [k]f32) x "
        "y))");
    Function *flat = stage(e);
    assert_non_null(flat);
    assert_int_equal(flat->checks.len, 2);
    assert_ptr_equal(flat->checks.at[0].right, size("k"));
    assert_ptr_equal(flat->checks.at[1].left, size("k"));
    assert_ptr_equal(flat->checks.at[1].right, size("l"));
    vec_push(cx->arena, &e->where, check(SIZE_EQ, size("k"), size("l")));
    flat = stage(e);
    assert_non_null(flat);
    assert_int_equal(flat->where.len, 1);
    assert_int_equal(flat->checks.len, 1);
    Function *bad = define("bad", "k: nat", "x: [k]f32, y: [k + 1]f32",
                           "(app (global f k (k + 1) : fn([k]f32, [k + 1]f32) -> [k]f32) x y)");
    fails(bad, E0401, "in `f`");
}

// g_k(x) calls g_{k-1}(x) twice: the flat term is linear as a graph; f_k passes what it computes.
static void graphs_stay_graphs(void **state)
{
    (void)state;
    enum { N = 200 };
    define("g0", "", "x: f32", "(* x x)");
    for (int i = 1; i <= N; i++) {
        const char *call =
            arena_printf(cx->arena, "(app (global g%d : fn(f32) -> f32) (+ x 1.0))", i - 1);
        define(arena_printf(cx->arena, "g%d", i), "", "x: f32",
               arena_printf(cx->arena, "(let y %s (+ y y))", call));
    }
    uint32_t before = node_count(cx);
    Function *flat =
        stage(define("main", "", "x: f32",
                     arena_printf(cx->arena, "(app (global g%d : fn(f32) -> f32) x)", 150)));
    assert_non_null(flat);
    assert_true(node_count(cx) - before < 40 * N);
}

// Lets used once would nest 2000 terms; some stay.
static void terms_do_not_get_too_high(void **state)
{
    (void)state;
    Node *f32 = type_scalar(cx, SCALAR_F32), *e = core_var(cx, 0, f32);
    for (int i = 0; i < 2000; i++) {
        Node *args[2] = {core_var(cx, 0, f32), core_float(cx, f32, 2.0)};
        e = core_let(cx, session_sym(cx, "v"), core_prim(cx, PRIM_MUL, 2, args), e);
    }
    Function f = {.name = session_sym(cx, "high"), .result = f32, .body = e};
    Param x = {.name = session_sym(cx, "x"), .type = f32};
    vec_push(cx->arena, &f.params, x);
    Function *flat = stage(&f);
    assert_non_null(flat);
    int lets = count_of(cx, flat->body, CORE_LET, VARIANT_ANY);
    assert_true(lets > 2 && lets < 20);
}

static void long_programs_take_linear_time(void **state)
{
    (void)state;
    enum { N = 2000 };
    Node *f32 = type_scalar(cx, SCALAR_F32);
    Node *e = core_var(cx, 0, f32);
    for (int i = N - 1; i >= 0; i--) {
        Node *args[2] = {core_var(cx, 0, f32), core_var(cx, i, f32)};
        e = core_let(cx, session_sym(cx, "v"), core_prim(cx, PRIM_MUL, 2, args), e);
    }
    Function f = {.name = session_sym(cx, "long"), .result = f32, .body = e};
    Param x = {.name = session_sym(cx, "x"), .type = f32};
    vec_push(cx->arena, &f.params, x);
    uint32_t before = node_count(cx);
    Function *flat = stage(&f);
    assert_non_null(flat);
    assert_true(node_count(cx) - before < 12 * N);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(sums_are_shared),
        TEST(calls_are_inlined),
        TEST(functions_are_substituted),
        TEST(nested_use_of_a_function_is_no_recursion),
        TEST(tuples_are_taken_apart),
        TEST(conditions_are_decided),
        TEST(chosen_functions_move_into_branches),
        TEST(lets_that_repeat_no_work_go),
        TEST(errors_stay_where_they_are),
        TEST(indices_of_lambdas_and_lets_fit),
        TEST(constants_are_computed_at_the_beginning),
        TEST(recursion_is_reported),
        TEST(endless_specialisation_is_reported),
        TEST(recursion_on_a_size_ends),
        TEST(functions_in_results_are_reported),
        TEST(checks_come_to_the_entry),
        TEST(graphs_stay_graphs),
        TEST(terms_do_not_get_too_high),
        TEST(long_programs_take_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
