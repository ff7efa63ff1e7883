// Sizes that choose between two sizes.
#include "nat/sizes.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

typedef struct {
    const char *size, *left, *relation, *right, *holds, *fails;
} Case;

static void test_choices(void **state)
{
    Session *cx = *state;
    static const Case cases[] = {
        {"m + (n - m)*min(max(n - m, 0), 1)", "n", ">", "m", "n", "m"},
        {"n + min(max(n - 4, 0), 1)", "n", ">", "4", "n + 1", "n"},
        {"m*min(max(n - m, m - n), 1)", "m", "!=", "n", "m", "0"},
        {"n + (n/2 - n)*(1 - n % 2)", "n % 2", "!=", "0", "n", "n/2"},
        {"k + (n/max(k, 1) - k)*min(k, 1)", "k", ">", "0", "n/max(k, 1)", "k"},
        {"min(n, 1)", NULL, NULL, NULL, NULL, NULL},
        {"n + n % 2", NULL, NULL, NULL, NULL, NULL},
        {"n*(n % 3)", NULL, NULL, NULL, NULL, NULL},
        {"n + m*min(max(n - 4, 0), 2)", NULL, NULL, NULL, NULL, NULL},
        {"n + m*min(max(n - 4, m - n), 1)", NULL, NULL, NULL, NULL, NULL},
        {"m*min(n - m, 1)", NULL, NULL, NULL, NULL, NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const Case *c = &cases[i];
        NatChoice found;
        bool chooses = nat_as_choice(cx, NULL, size(cx, c->size), &found);
        if (chooses != (c->left != NULL)) fail_msg("%s: %d", c->size, chooses);
        if (!chooses) continue;
        bool more = found.relation == NAT_MORE;
        if (found.left != size(cx, c->left) || found.right != size(cx, c->right) ||
            more != (strcmp(c->relation, ">") == 0) || found.holds != size(cx, c->holds) ||
            found.fails != size(cx, c->fails))
            fail_msg("%s is %s %s %s ? %s : %s", c->size, shown(cx, found.left),
                     more ? ">" : "!=", shown(cx, found.right), shown(cx, found.holds),
                     shown(cx, found.fails));
    }
}

// A remainder by 2 or a comparison of the index of a loop is part of an address: a condition there
// would be slower.
static void test_indices(void **state)
{
    Session *cx = *state;
    Facts *f = facts(cx, "i in 0..n");
    NatChoice found;
    assert_false(nat_as_choice(cx, f, size(cx, "n*(i % 2) + i/2"), &found));
    assert_false(nat_as_choice(cx, f, size(cx, "n*min(max(i - 4, 0), 1)"), &found));
    assert_true(nat_as_choice(cx, f, size(cx, "i + n*(n % 2)"), &found));
}

static void test_proofs(void **state)
{
    Session *cx = *state;
    static const char *const at_least_0[] = {
        "m + (n - m)*min(max(n - m, m - n), 1)",
        "(n - m)*min(max(n - m, 0), 1)",
        "n*(n % 2)*min(max(n - 4, 0), 1) + m - m*(n % 2)",
        "m - n*min(max(m - n, 0), 1)",
    };
    for (size_t i = 0; i < COUNT(at_least_0); i++)
        if (nat_ge0(cx, NULL, size(cx, at_least_0[i])) != TRUTH_YES)
            fail_msg("%s >= 0 is not proved", at_least_0[i]);
    assert_int_equal(nat_ge0(cx, NULL, size(cx, "m + (n - 3*m)*min(max(n - m, 0), 1)")),
                     TRUTH_UNKNOWN);
    assert_int_equal(nat_ge0(cx, NULL, size(cx, "(n - m)*min(max(n - m, m - n), 1)")),
                     TRUTH_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {SIZE_TEST(test_choices), SIZE_TEST(test_indices),
                                       SIZE_TEST(test_proofs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
