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
    for (int k = CORE_LAM; k <= CORE_COPY; k++)
        if (!seen[k] && k != CORE_PRIM && k != CORE_LIT)
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
        cmocka_unit_test_setup_teardown(malformed_functions_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(damaged_text_is_survived, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
