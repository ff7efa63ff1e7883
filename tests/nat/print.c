// Printing: the language's own syntax, which reads back as the same node.
#include "nat/sizes.h"

static void test_goldens(void **state)
{
    Session *cx = *state;
    static const struct {
        const char *from, *to;
    } goldens[] = {
        {"2 + m*n", "m*n + 2"},
        {"-1 + n", "n - 1"},
        {"-2*n + 7", "7 - 2*n"},
        {"-n", "-n"},
        {"-n - 1", "-n - 1"},
        {"(n - 2)/k", "(n - 2)/k"},
        {"n % 4", "n % 4"},
        {"(n % 4)*3 + 1", "3*(n % 4) + 1"},
        {"min(b, a)", "min(a, b)"},
        {"pow(2, k)", "pow(2, k)"},
        {"pow(n, 2)", "n*n"},
        {"pow(n, 2)*m", "m*n*n"},
        {"pow(n, 9)", "pow(n, 9)"},
        {"k/(n*m)", "k/(m*n)"},
        {"n*m/k", "m*n/k"},
        {"n*m % k", "m*n % k"},
        {"(n/m) % k", "(n/m) % k"},
        {"(n/m)*k", "k*(n/m)"},
        {"n/m + 1", "n/m + 1"},
        {"n*n/(m*m)", "n*n/(m*m)"},
        {"(-n)/m", "(-n)/m"},
        {"(-3)/m", "(-3)/m"},
        {"max(n - 1, 0)", "max(n - 1, 0)"},
        {"min(n, -1)", "min(n, -1)"},
        {"?3*2", "2*?3"},
        {"(n - s + t)/t", "(n - s)/t + 1"},
        {"a - b - c + d", "a + d - b - c"},
        {"pow(n + 1, k)", "pow(n + 1, k)"},
        {"0", "0"},
        {"1/0", "overflow"},
    };
    for (size_t i = 0; i < sizeof goldens / sizeof goldens[0]; i++) {
        Node *e = size(cx, goldens[i].from);
        assert_string_equal(shown(cx, e), goldens[i].to);
        if (e->kind != NAT_OVERFLOW) assert_ptr_equal(size(cx, goldens[i].to), e);
    }
}

static void test_levels(void **state)
{
    Session *cx = *state;
    static const struct {
        const char *from;
        int level;
        const char *to;
    } goldens[] = {
        {"n + 1", 0, "n + 1"}, {"n + 1", 1, "(n + 1)"}, {"n + 1", 2, "(n + 1)"},
        {"2*n", 1, "2*n"},     {"2*n", 2, "(2*n)"},     {"n/2", 1, "n/2"},
        {"n/2", 2, "(n/2)"},   {"n", 2, "n"},           {"min(n, 2)", 2, "min(n, 2)"},
        {"-1", 0, "-1"},       {"-1", 1, "(-1)"},       {"n*n", 2, "(n*n)"},
    };
    for (size_t i = 0; i < sizeof goldens / sizeof goldens[0]; i++) {
        Text t = text_new(cx->arena);
        nat_print(&t, size(cx, goldens[i].from), goldens[i].level);
        assert_string_equal(text_get(&t), goldens[i].to);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {SIZE_TEST(test_goldens), SIZE_TEST(test_levels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
