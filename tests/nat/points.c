// The signs that sizes are seen to have at points where all facts hold: never one that the facts
// exclude, and for the facts that loops give all those that they allow.
#include "nat/internal.h"
#include "nat/sizes.h"

enum { N = SIGN_NEGATIVE, Z = SIGN_ZERO, P = SIGN_POSITIVE };

typedef struct {
    const char *facts, *size;
    unsigned signs;
} Case;

static const Case cases[] = {
    {"", "n", Z | P},
    {"", "n - m", N | Z | P},
    {"n >= 1; i in 0..n", "i", Z | P},
    {"n >= 1; i in 0..n", "n - 1 - i", Z | P},
    {"n >= 1; i in 0..n", "i - n", N},
    {"n >= 5; i in 2..n - 2", "i - 2", Z | P},
    {"x in -9..4", "x", N | Z | P},
    // one fact moves what another is about
    {"n >= 1; m == n + 3", "m - n", P},
    {"n >= 1; m == n + 3", "m - 4", Z | P},
    {"k >= 7; m >= k; n >= m", "n - 7", Z | P},
    {"n/16 >= 1", "n - 16", Z | P},
    {"n % 4 == 0", "n % 4", Z},
    {"n >= 1; i in 0..n; i == n - 1", "i + 1 - n", Z},
    // no point at all says nothing
    {"n >= 1; n == 0", "n - 5", 0},
    {"i in 3..3", "i", 0},
};

static void test_signs(void **state)
{
    Session *cx = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Case *c = &cases[i];
        unsigned signs = points_signs(facts(cx, c->facts), size(cx, c->size));
        if (signs != c->signs)
            fail_msg("%s under '%s': %x, not %x", c->size, c->facts, signs, c->signs);
    }
}

// What is added later counts, in the scope and in those around it; scopes inside move only copies.
static void test_scopes_grow(void **state)
{
    Session *cx = *state;
    Node *n = size(cx, "n");
    Facts *outer = facts_new(cx, cx->arena, NULL), *inner = facts_new(cx, cx->arena, outer);
    assert_true(points_signs(inner, n) & Z);
    facts_ge0(inner, size(cx, "n - 1"));
    assert_int_equal(points_signs(inner, n), P);
    assert_true(points_signs(outer, n) & Z);
    facts_eq0(outer, size(cx, "n - 3"));
    assert_int_equal(points_signs(inner, size(cx, "n - 3")), Z);
    facts_value(inner, session_sym(cx, "half"), size(cx, "n/2"));
    assert_int_equal(points_signs(inner, size(cx, "half - 1")), Z);
}

// What was proved is known again, until a name gets another range.
static void test_proofs_are_kept(void **state)
{
    Session *cx = *state;
    Facts *outer = facts(cx, "x in 2..9; y in 0..x"), *inner = facts_new(cx, cx->arena, outer);
    Node *e = size(cx, "x - y - 1");
    assert_false(facts_proved(inner, e));
    assert_int_equal(nat_ge0(cx, outer, e), TRUTH_YES);
    assert_true(facts_proved(outer, e));
    assert_true(facts_proved(inner, e));
    facts_range(inner, session_sym(cx, "x"), size(cx, "-5"), size(cx, "9"));
    assert_false(facts_proved(inner, e));
}

int main(void)
{
    const struct CMUnitTest tests[] = {SIZE_TEST(test_signs), SIZE_TEST(test_scopes_grow),
                                       SIZE_TEST(test_proofs_are_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
