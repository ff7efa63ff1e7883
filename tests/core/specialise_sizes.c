// Functions for some of their sizes: what was a name is a number everywhere, and no parameter.
#include "core/ir/core.h"

#include <cmocka.h>

static Function *read(Session *cx, const char *text)
{
    Function *f = core_read(cx, session_add_source(cx, "test", text, strlen(text)));
    if (!f) fail_msg("%s\n%s", cx->diags.at[0]->text, text);
    core_check(cx, f, LEVEL_CORE);
    return f;
}

static void expect(const char *text, const char *names, const int64_t *values, const char *wanted)
{
    Session *cx = session_new();
    nat_init(cx);
    NodeBinding sizes[4];
    int n = 0;
    for (; names[n]; n++)
        sizes[n] = (NodeBinding){sym_intern(cx->syms, names + n, 1), nat_const(cx, values[n])};
    Function *f = core_specialise(cx, read(cx, text), sizes, n);
    core_check(cx, f, LEVEL_CORE);
    Text out = text_new(cx->arena);
    core_print(cx, &out, f);
    assert_string_equal(text_get(&out), wanted);
    session_delete(cx);
}

static const char turned[] =
    "(entry f [n: nat, m: nat] (a: [n][m]f32) : [m]([n]f32, i64) (where (3 <= n) (m <= n))"
    " (map (lam (c: [n]f32) (tuple c (size (m + n)))) (transpose a)))";

static void all_sizes(void **state)
{
    (void)state;
    expect(turned, "nm", (int64_t[]){4, 2},
           "(entry f_n4_m2 (a: [4][2]f32) : [2]([4]f32, i64)\n"
           "  (map (lam (c: [4]f32) (tuple c (size 6))) (transpose a)))\n");
}

static void some_sizes(void **state)
{
    (void)state;
    expect(turned, "n", (int64_t[]){4},
           "(entry f_n4 [m: nat] (a: [4][m]f32) : [m]([4]f32, i64)\n"
           "  (where (m <= 4))\n"
           "  (map (lam (c: [4]f32) (tuple c (size (m + 4)))) (transpose a)))\n");
    expect("(entry g (x: f32) : f32 x)", "n", (int64_t[]){4}, "(entry g (x: f32) : f32\n  x)\n");
}

// Conditions that hold are gone; others are for staging to report.
static void what_does_not_hold_stays(void **state)
{
    (void)state;
    expect(turned, "nm", (int64_t[]){2, 7},
           "(entry f_n2_m7 (a: [2][7]f32) : [7]([2]f32, i64)\n"
           "  (where (3 <= 2)\n"
           "    (7 <= 2))\n"
           "  (map (lam (c: [2]f32) (tuple c (size 9))) (transpose a)))\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_sizes),
        cmocka_unit_test(some_sizes),
        cmocka_unit_test(what_does_not_hold_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
