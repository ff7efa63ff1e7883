// Normal forms: equal sizes are one node; what overflows says so.
#include "nat/sizes.h"

typedef struct {
    const char *a, *b;
} Pair;

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static void check_pairs(Session *cx, const Pair *pairs, size_t n, bool equal)
{
    for (size_t i = 0; i < n; i++) {
        Node *a = size(cx, pairs[i].a), *b = size(cx, pairs[i].b);
        if ((a == b) != equal)
            fail_msg("%s is %s, %s is %s", pairs[i].a, shown(cx, a), pairs[i].b, shown(cx, b));
    }
}

static void test_sums_and_products(void **state)
{
    static const Pair equal[] = {
        {"n + m", "m + n"},
        {"n - n", "0"},
        {"(n + 1)*(n - 1)", "n*n - 1"},
        {"(n + m)*(n + m)", "n*n + 2*n*m + m*m"},
        {"n*m*n", "pow(n, 2)*m"},
        {"2*(n + 3) - 6", "n + n"},
        {"pow(n + 1, 3)", "n*n*n + 3*n*n + 3*n + 1"},
        {"pow(2*n, 3)", "8*pow(n, 3)"},
        {"pow(n, 0)", "1"},
        {"pow(1, k)", "1"},
        {"pow(2, 10)", "1024"},
        {"pow(n, k)*pow(n, k)", "pow(pow(n, k), 2)"},
        {"?1 + n", "n + ?1"},
        {"0*(n/m)", "0"},
    };
    check_pairs(*state, equal, COUNT(equal), true);
}

static void test_divisions(void **state)
{
    static const Pair equal[] = {
        {"(4*n + 3)/4", "n"},
        {"(4*n + 5)/4", "n + 1"},
        {"(n - 1)/4", "(n + 3)/4 - 1"},
        {"(6*n + 4)/4", "n + (n + 2)/2"},
        {"(4*n + 3)/8", "n/2"},
        {"(4*n + 3) % 8", "4*(n % 2) + 3"},
        {"(n + 8*m) % 4", "n % 4"},
        {"(n % 8) % 4", "n % 4"},
        {"(n % 4) % 8", "n % 4"},
        {"(n % 8 + 1) % 4", "(n + 1) % 4"},
        {"(n % 8)/4", "(n/4) % 2"},
        {"(n % 4)/8", "0"},
        {"(n/3)/4", "n/12"},
        {"(n/3 + 1)/4", "(n + 3)/12"},
        {"(n/m)/4", "n/(4*m)"},
        {"n/(-4)", "(-n)/4"},
        {"n % (-4)", "-((-n) % 4)"},
        {"(-7)/2", "-4"},
        {"(-7) % 2", "1"},
        {"(-9223372036854775807 - 1) % 5", "2"},
        {"(n - 9223372036854775807) % 5", "(n + 3) % 5"},
        {"(n + m*k)/k", "n/k + m"},
        {"(n + m*k) % k", "n % k"},
        {"(2*n)/(2*m)", "n/m"},
        {"(2*n) % (2*m)", "2*(n % m)"},
        {"(n - s + t)/t", "(n - s)/t + 1"},
    };
    check_pairs(*state, equal, COUNT(equal), true);
    // Only when the divisor is known not to be 0 do these simplify.
    static const Pair different[] = {
        {"n*m/m", "n"}, {"n*m % m", "0"}, {"0/m", "0"}, {"m/m", "1"}, {"(n/m)/k", "n/(m*k)"}};
    check_pairs(*state, different, COUNT(different), false);
}

static void test_min_and_max(void **state)
{
    static const Pair equal[] = {
        {"min(n, m)", "min(m, n)"},
        {"min(n, n)", "n"},
        {"min(n, n + 1)", "n"},
        {"max(n, n + 1)", "n + 1"},
        {"min(min(n, 3), 5)", "min(n, 3)"},
        {"max(a, max(b, c))", "max(max(c, a), b)"},
        {"min(3, 5)", "3"},
        {"max(3, 5)", "5"},
    };
    check_pairs(*state, equal, COUNT(equal), true);
}

static void test_overflow(void **state)
{
    Session *cx = *state;
    static const char *const big[] = {
        "9223372036854775807 + 1",
        "4611686018427387904*2",
        "9223372036854775807*n + n",
        "pow(3, 50)",
        "n/0",
        "n % 0",
        "pow(n, -1)",
        "pow(pow(n, 2000000000), 2000000000)",
        "min(n, 1/0)",
        "2*(1/0) + n",
        "pow(n + m, 100)",
        "pow(a + b + c + d + e + f + g + h, 30)",
        "0*(1/0)",
    };
    for (size_t i = 0; i < COUNT(big); i++)
        if (size(cx, big[i])->kind != NAT_OVERFLOW)
            fail_msg("%s is %s", big[i], shown(cx, size(cx, big[i])));
    assert_int_equal(nat_const(cx, INT64_MIN)->attr.i, INT64_MIN);
    assert_ptr_equal(size(cx, "9223372036854775806 + 1"), nat_const(cx, INT64_MAX));
}

// The order of a sum does not depend on which name was made first.
static void test_order_is_by_name(void **state)
{
    (void)state;
    const char *texts[2];
    Session *sessions[2];
    for (int turn = 0; turn < 2; turn++) {
        Session *cx = sessions[turn] = session_new();
        nat_init(cx);
        size(cx, turn ? "z + b*y + a/x" : "a/x + y*b + z");
        texts[turn] = shown(cx, size(cx, "z + y*b + a/x + pow(c, z) + ?2 + 7"));
    }
    assert_string_equal(texts[0], texts[1]);
    session_delete(sessions[0]);
    session_delete(sessions[1]);
}

static Node *swap_names(Node *atom, void *env)
{
    Session *cx = env;
    if (atom == size(cx, "n")) return size(cx, "m + 1");
    if (atom == size(cx, "m")) return size(cx, "n");
    return NULL;
}

static void test_replace(void **state)
{
    Session *cx = *state;
    Node *e = size(cx, "n*m + n/m + min(n, k)");
    assert_ptr_equal(nat_replace(cx, e, swap_names, cx),
                     size(cx, "(m + 1)*n + (m + 1)/n + min(m + 1, k)"));
    Node *k = size(cx, "k*k + 1");
    assert_ptr_equal(nat_replace(cx, k, swap_names, cx), k);
}

static void count_atom(Node *atom, void *env)
{
    (void)atom;
    ++*(int *)env;
}

static void test_atoms(void **state)
{
    Session *cx = *state;
    int n = 0;
    nat_atoms(cx, size(cx, "n*m + n/m + min(n, ?1) + pow(2, k)"), count_atom, &n);
    assert_int_equal(n, 4);
    assert_true(nat_occurs(size(cx, "n + m/k"), size(cx, "k")));
    assert_false(nat_occurs(size(cx, "n + m/k"), size(cx, "j")));
}

// Walks over a graph whose tree has 2^60 leaves.
static void test_shared_graphs(void **state)
{
    Session *cx = *state;
    Node *e = size(cx, "n"), *m = size(cx, "m");
    for (int i = 0; i < 60; i++) e = nat_add(cx, nat_div(cx, e, m), nat_mod(cx, e, m));
    assert_false(nat_occurs(e, size(cx, "k")));
    assert_true(nat_replace(cx, e, swap_names, cx) != e);
    assert_int_equal(nat_ge0(cx, NULL, nat_sub(cx, e, m)), TRUTH_UNKNOWN);
    nat_simplify(cx, facts(cx, "m >= 1"), e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SIZE_TEST(test_sums_and_products),
        SIZE_TEST(test_divisions),
        SIZE_TEST(test_min_and_max),
        SIZE_TEST(test_overflow),
        SIZE_TEST(test_order_is_by_name),
        SIZE_TEST(test_replace),
        SIZE_TEST(test_atoms),
        SIZE_TEST(test_shared_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
