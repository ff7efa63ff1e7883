// Functions as text: printed, read back to the very same nodes, and checked.
#include "terms.h"

#include <cmocka.h>

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

static const char *show(const Function *f)
{
    Text out = text_new(cx->arena);
    core_print(cx, &out, f);
    return text_get(&out);
}

static Function *read(const char *text)
{
    Function *f = core_read(cx, session_add_source(cx, "f.core", text, strlen(text)));
    if (f) return f;
    Text out = text_new(cx->arena);
    diag_print_all(cx, &out, false);
    fail_msg("%s", text_get(&out));
    return NULL;
}

static void a_function_reads_back(void **state)
{
    (void)state;
    const char *text =
        "(entry gemv [n: nat, m: nat, t: num] (a: [n][m]f32, x: [m]f32) : [n]f32\n"
        "  (doc \"y = \\\"A\\\" x\\nrow by row\")\n"
        "  (where (1 <= m) (n != 3))\n"
        "  (checks (n*m == 2*n \"sizes\"))\n"
        "  (map\n"
        "    (lam (row: [m]f32)\n"
        "      (reduce (lam (p: f32, q: f32) (+ p q)) 0.0\n"
        "        (map (lam (pair: (f32, f32)) (* (proj 0 pair) (proj 1 pair))) (zip row x))))\n"
        "    a))\n";
    Function *f = read(text), *again = read(show(f));
    core_check(cx, f, LEVEL_CORE);
    assert_string_equal(f->doc, "y = \"A\" x\nrow by row");
    assert_int_equal(f->where.len, 2);
    assert_int_equal(f->checks.at[0].relation, SIZE_EQ);
    assert_string_equal(f->checks.at[0].why, "sizes");
    assert_ptr_equal(f->body, again->body);
    assert_string_equal(show(f), show(again));
    assert_string_equal(
        show(f),
        "(entry gemv [n: nat, m: nat, t: num] (a: [n][m]f32, x: [m]f32) : [n]f32\n"
        "  (doc \"y = \\\"A\\\" x\\nrow by row\")\n"
        "  (where (1 <= m)\n"
        "    (n != 3))\n"
        "  (checks (m*n == 2*n \"sizes\"))\n"
        "  (map\n"
        "    (lam (row: [m]f32)\n"
        "      (reduce\n"
        "        (lam (p: f32, q: f32) (+ p q))\n"
        "        0.0\n"
        "        (map (lam (pair: (f32, f32)) (* (proj 0 pair) (proj 1 pair))) (zip row x))))\n"
        "    a))\n");
}

static void random_functions_read_back(void **state)
{
    (void)state;
    bool seen[KIND_COUNT] = {0};
    for (unsigned seed = 0; seed < 400; seed++) {
        Function *f = gen_function(cx, seed, 4);
        core_check(cx, f, LEVEL_CORE);
        const char *text = show(f);
        Function *again = read(text);
        assert_ptr_equal(again->body, f->body);
        assert_ptr_equal(again->result, f->result);
        assert_int_equal(again->entry, f->entry);
        for (int i = 0; i < f->params.len; i++)
            assert_ptr_equal(again->params.at[i].type, f->params.at[i].type);
        assert_string_equal(show(again), text);
        for (int k = 0; k < KIND_COUNT; k++)
            seen[k] |= strstr(text, arena_printf(cx->arena, "(%s", kind_info[k].text)) != NULL;
    }
    for (int k = CORE_LAM; k <= CORE_HIDE; k++)
        if (!seen[k] && k != CORE_PRIM && k != CORE_LIT && k != CORE_CALL)
            fail_msg("no term had %s", kind_info[k].text);
}

static void types_that_no_rule_gives_are_written(void **state)
{
    (void)state;
    // A choice of two arrays takes the size of the first; this one was given the second's.
    const char *text = "(fn f [n: nat, m: nat] (c: bool, a: [n]f32, b: [m]f32) : [m]f32\n"
                       "  (checks (n == m))\n"
                       "  (if c a b : [m]f32))\n";
    Function *f = read(text);
    core_check(cx, f, LEVEL_CORE);
    assert_string_equal(show(f), text);
    assert_ptr_equal(read(show(f))->body, f->body);
    assert_ptr_equal(f->body->type, f->result);
}

// A text that is printed as it is written, and reads back to the same nodes.
static Function *stays(const char *text)
{
    Function *f = read(text);
    core_check(cx, f, LEVEL_CORE);
    assert_string_equal(show(f), text);
    Function *again = read(show(f));
    if (f->body) assert_ptr_equal(again->body, f->body);
    return f;
}

static void state_and_control_are_written(void **state)
{
    (void)state;
    stays("(fn f [n: nat] (a: [n]f32, p: &mut [n]f32, k: fn(f32) -> !) : ()\n"
          "  (label brk ()\n"
          "   (let _ (put p a)\n"
          "    (let _\n"
          "      (range.unroll 0i64\n"
          "        (size n)\n"
          "        (lam (i: i64)\n"
          "          (let q (ref_at (ref_slice 0 n p) (to_idx.unchecked i : idx[n]))\n"
          "           (let _ (if (> (get q) 1.0) (app k (get q)) (put q (* (get q) 2.0))) (app "
          "brk)))))\n"
          "     (app.run k 1.0)))))\n");
    stays("(fn f () : f32\n"
          "  (let s (cell (tuple 1.0 2i64))\n"
          "   (label return f32\n"
          "    (forever\n"
          "      (let x (get (ref_proj 0 (borrow s)))\n"
          "       (let _ (parallel 0 0 8 (lam (i: i32) (tuple))) (jump return x)))))))\n");
    stays("(fn f [n: nat] (a: [n]f32, i: idx[n + 1]) : f32\n"
          "  (open k i (reduce (lam (a: f32, b: f32) (+ a b)) 0.0 (slice 0 k a))))\n");
    // The label's name hides that of a parameter; where the body needs both, it gets another.
    stays("(fn f (k: f32) : f32\n  (label k f32 (app k 1.0)))\n");
    stays("(fn f (k: f32) : f32\n  (label k1 f32 (app k1 k)))\n");
}

static void filters_and_external_functions_are_written(void **state)
{
    (void)state;
    Function *f = stays("(fn pow (x: f32, n: i32) : f32\n"
                        "  (filters _ (known n))\n"
                        "  (if (== n 0) 1.0 (* x (hide x))))\n");
    assert_null(f->params.at[0].filter);
    assert_int_equal(f->params.at[1].filter->kind, CORE_KNOWN);
    f = stays("(external norm [n: nat] (a: &[n]f32, b: &mut global f32) : f32)\n");
    assert_true(f->external && !f->body);
}

static void callees_follow_their_entry(void **state)
{
    (void)state;
    const char *text =
        "(entry f [n: nat] (xs: [n]i64) : i64\n"
        "  (let p (cell xs) (let v (call sum (borrow p) 0i64 : i64) (call abs v : i64))))\n"
        "(fn sum (p: &[n]i64, i: i64) : i64\n"
        "  (if (== i (size n)) 0i64 (call sum p (+ i 1i64) : i64)))\n"
        "(external abs (x: i64) : i64)\n";
    Function *f = stays(text);
    core_check_flat(cx, f);
    assert_int_equal(f->callees.len, 2);
    assert_true(f->callees.at[1]->external);
    assert_string_equal(f->callees.at[0]->name->text, "sum");
}

static void malformed_functions_are_refused(void **state)
{
    (void)state;
    const char *texts[] = {"",
                           "(fn)",
                           "(fn f)",
                           "(fn f () f32 1.0)",
                           "(fn f () : f32)",
                           "(fn f () : f32 1.0",
                           "(fn f () : f32 1.0) 2",
                           "(entry f () : f32 1.0) 2",
                           "(fn f () : f32 1.0) (fn g () : f32 1.0)",
                           "(external f () : f32 1.0)",
                           "(fn f (x: f32) : f32 (filters) 1.0)",
                           "(fn f (x: f32) : f32 (filters true true) 1.0)",
                           "(fn f () : f32 (label k 1.0))",
                           "(fn f () : f32 (label k f32 k 1.0))",
                           "(fn f () : f32 (call g))",
                           "(fn f (x: &mut) : f32 1.0)",
                           "(fn f [n] () : f32 1.0)",
                           "(fn f (x f32) : f32 x)",
                           "(fn f () : f32 (where (n > 0)) 1.0)",
                           "(fn f () : f32 (checks (n == 0 1)) 1.0)",
                           "(fn f () : f32 (+ 1.0 1))",
                           "(fn f () : f32 (map 1 2))"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        int before = cx->errors;
        assert_null(core_read(cx, session_add_source(cx, "bad.core", texts[i], strlen(texts[i]))));
        assert_int_equal(cx->errors, before + 1);
    }
}

// A text with a few characters changed is read or refused with one error, never more.
static void damaged_text_is_survived(void **state)
{
    (void)state;
    jmp_buf boundary;
    cx->boundary = &boundary;
    if (setjmp(boundary)) fail_msg("%s", vec_last(&cx->diags)->text);
    for (unsigned seed = 0; seed < 1500; seed++) {
        Gen g = {.cx = cx, .seed = seed};
        const char *text = show(gen_function(cx, seed % 60, 3));
        size_t len = strlen(text);
        char *copy = arena_strndup(cx->arena, text, len);
        for (int k = 0; k <= pick(&g, 3); k++)
            copy[pick(&g, (int)len)] =
                pick(&g, 3) ? text[pick(&g, (int)len)] : "()[]{}:,.-?*0n\"` \n"[pick(&g, 18)];
        cx->diags.len = cx->errors = 0;
        Function *f =
            core_read(cx, session_add_source(cx, "damaged.core", copy,
                                             pick(&g, 4) ? len : (size_t)pick(&g, (int)len)));
        assert_int_equal(cx->errors, !f);
        if (f) show(f);
    }
    cx->boundary = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_function_reads_back, setup, teardown),
        cmocka_unit_test_setup_teardown(random_functions_read_back, setup, teardown),
        cmocka_unit_test_setup_teardown(types_that_no_rule_gives_are_written, setup, teardown),
        cmocka_unit_test_setup_teardown(state_and_control_are_written, setup, teardown),
        cmocka_unit_test_setup_teardown(filters_and_external_functions_are_written, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(callees_follow_their_entry, setup, teardown),
        cmocka_unit_test_setup_teardown(malformed_functions_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(damaged_text_is_survived, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
