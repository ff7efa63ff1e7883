// Rules that look right and are not, among them those of an earlier simplifier for index
// expressions that brute force refuted. Each case gives a term, a point the facts allow, and the
// value there.
#include "nat/sizes.h"

typedef struct {
    const char *facts, *term, *point;
    int64_t value;
    const char *wrong; // what the rule would give
} Case;

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const Case cases[] = {
    // (c1 + m + i + c*j + m*k)/(c + m) = k + 1 + (c1 - c + i)/(c + m) when j is not known to be k
    // ...
    {"c >= 1; m >= 1", "(m + i + c*j + m*k)/(c + m)", "c=1 m=1 i=0 j=3 k=0", 2,
     "k + 1 + (i - c)/(c + m)"},
    // ... nor with j = k when division truncates: at c1 = i = k = 0, c = m = 1 it would be 1, not
    // 1/2 = 0
    {"c >= 1; m >= 1", "(m + i + c*k + m*k)/(c + m)", "c=1 m=1 i=0 k=0", 0, "k + 1"},
    // (c0 + i + c*m + c*j + m*k)/(c + m) the same way
    {"c >= 1; m >= 1", "(i + c*m + c*j + m*k)/(c + m)", "c=2 m=1 i=0 j=4 k=0", 3, "k + c"},
    // (c + i + c*m + m*j) % (c + m) = i + c - c*c without i < c + m
    {"m >= 1", "(c + i + c*m + c*j + m*j) % (c + m)", "c=3 m=1 i=0 j=0", 2, "i + c - c*c"},
    {"m >= 1", "(c + i + c*m + c*j + m*j) % (c + m)", "c=0 m=2 i=5 j=1", 1, "i + c - c*c"},
    // x < y does not give x/y = 0, or x % y = x, for a negative x
    {"x in -9..y; y >= 1", "x/y", "x=-1 y=5", -1, "0"},
    {"x in -9..y; y >= 1", "x % y", "x=-1 y=5", 4, "x"},
    {"i in 0..n; n >= 1", "(i - 1)/n", "i=0 n=3", -1, "0"},
    {"i in 0..n; n >= 1", "(i - 1) % n", "i=0 n=3", 2, "i - 1"},
    // 1 % m is 0, not 1, for m = 1
    {"m >= 1", "1 % m", "m=1", 0, "1"},
    {"m >= 1", "1/m", "m=1", 1, "0"},
    // multiples taken out of a division whose rest is negative: (2*3 - 1)/2 is 2, not 3 (as
    // truncating -1/2 to 0
    // would make it)
    {"", "(2*i - 1)/2", "i=3", 2, "i"},
    {"m >= 1", "(i*m - 1)/m", "i=3 m=2", 2, "i"},
    {"m >= 1", "(i*m - 1) % m", "i=3 m=2", 1, "-1"},
    // j < 2*m is not j < m
    {"j in 0..2*m; m >= 1", "(i*2*m + j)/m", "i=1 m=2 j=3", 3, "2*i"},
    {"j in 0..2*m; m >= 1", "(i*2*m + j) % m", "i=1 m=2 j=3", 1, "j"},
    {"j in 0..m + 1; m >= 1", "(i*m + j)/m", "i=1 m=2 j=2", 2, "i"},
    // the rest of a grouped division may be negative, or too large
    {"k >= 1; m >= 1; l in -3..k", "(j*k + l)/(m*k)", "j=0 k=2 m=1 l=-1", -1, "j/m"},
    {"k >= 1; m >= 1; l in -3..k", "(j*k + l) % (m*k)", "j=1 k=2 m=1 l=-1", 1, "k*(j % m) + l"},
    {"k >= 1; m >= 1; l in 0..k + 1", "(j*k + l)/(m*k)", "j=0 k=2 m=1 l=2", 1, "j/m"},
    {"j in -1..4", "(4*i + j)/8", "i=2 j=-1", 0, "i/2"},
    {"n % 4 == 0; i in -1..4", "(n + i)/4", "n=4 i=-1", 0, "n/4"},
    {"n % 4 == 0; i in 0..5", "(n + i)/4", "n=4 i=4", 2, "n/4"},
    // tails of a division
    {"m >= 1", "(n/m)*m", "n=5 m=2", 4, "n"},
    {"", "(n/4)*4", "n=5", 4, "n"},
    {"n % 2 == 0", "(n/4)*4", "n=6", 4, "n"},
    {"n % 2 == 0", "n % 4", "n=6", 2, "0"},
    {"", "(n/2)*2 + (n/3)*3", "n=5", 7, "2*n"},
    {"m >= 1; k >= 1", "(i % m) % k", "i=5 m=4 k=3", 1, "i % k"},
    {"m >= 1; k >= 1", "(i % (m + k)) % m", "i=5 m=2 k=3", 0, "i % m"},
    {"", "min(n, m)", "n=2 m=1", 1, "n"},
    {"", "max(n - m, 0)", "n=1 m=2", 0, "n - m"},
    {"m >= 1", "(a/m) + (b/m)", "a=1 b=1 m=2", 0, "(a + b)/m"},
};

typedef struct {
    Session *cx;
    const char *point;
} Point;

static bool look_up(Node *atom, int64_t *value, void *env)
{
    Point *p = env;
    Text name = text_new(p->cx->arena);
    nat_print(&name, atom, 0);
    text_char(&name, '=');
    const char *at = strstr(p->point, text_get(&name));
    return at && sscanf(at + name.len, "%" PRId64, value) == 1;
}

static int64_t value_at(Session *cx, Node *e, const char *point)
{
    Point p = {cx, point};
    int64_t value = 0;
    if (!nat_eval(e, look_up, &p, &value)) fail_msg("%s has no value at %s", shown(cx, e), point);
    return value;
}

static void test_not_applied(void **state)
{
    Session *cx = *state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const Case *c = &cases[i];
        Facts *f = facts(cx, c->facts);
        Node *e = size(cx, c->term), *simple = nat_simplify(cx, f, e), *wrong = size(cx, c->wrong);
        assert_int_equal(value_at(cx, e, c->point), c->value);
        assert_int_not_equal(value_at(cx, wrong, c->point), c->value);
        if (value_at(cx, simple, c->point) != c->value)
            fail_msg("%s became %s", c->term, shown(cx, simple));
        assert_int_not_equal(nat_eq(cx, f, e, wrong), TRUTH_YES);
    }
}

// A division by what may be 0 stays, so that the program still fails where it should.
static void test_divisors_may_be_zero(void **state)
{
    Session *cx = *state;
    static const char *const terms[] = {"n*m/m", "n*m % m", "m/m", "0/m", "(i*m + 0)/m"};
    for (size_t i = 0; i < COUNT(terms); i++) {
        Node *e = nat_simplify(cx, NULL, size(cx, terms[i]));
        assert_true(e->kind == NAT_DIV || e->kind == NAT_MOD);
    }
    // A divisor in 0..n may be 0 as well; one with a nonempty range above it may not.
    Node *e = size(cx, "n*m/m");
    assert_ptr_equal(nat_simplify(cx, facts(cx, "m in 0..9"), e), e);
    assert_ptr_equal(nat_simplify(cx, facts(cx, "m in -3..9"), e), e);
    assert_ptr_equal(nat_simplify(cx, facts(cx, "j in 0..m"), e), size(cx, "n"));
}

// Metas and variables without facts are naturals; a range replaces that.
static void test_default_ranges(void **state)
{
    Session *cx = *state;
    assert_int_equal(nat_ge0(cx, NULL, size(cx, "n + ?1")), TRUTH_YES);
    assert_int_equal(nat_ge0(cx, facts(cx, "n in -2.."), size(cx, "n + 1")), TRUTH_UNKNOWN);
    assert_int_equal(nat_ge0(cx, facts(cx, "n in -2.."), size(cx, "n + 2")), TRUTH_YES);
    assert_int_equal(nat_ge0(cx, NULL, size(cx, "-n - 1")), TRUTH_NO);
    assert_int_equal(nat_eq(cx, NULL, size(cx, "2*n"), size(cx, "2*m + 1")), TRUTH_NO);
    assert_int_equal(nat_eq(cx, NULL, size(cx, "n"), size(cx, "m")), TRUTH_UNKNOWN);
    assert_int_equal(nat_eq(cx, NULL, size(cx, "n"), size(cx, "n + 1")), TRUTH_NO);
    assert_int_equal(nat_divides(cx, NULL, size(cx, "4"), size(cx, "8*n + 2")), TRUTH_NO);
    assert_int_equal(nat_divides(cx, NULL, size(cx, "m"), size(cx, "n*m + 2*m")), TRUTH_YES);
    assert_int_equal(nat_divides(cx, facts(cx, "n % 6 == 0"), size(cx, "3"), size(cx, "n*k + 3")),
                     TRUTH_YES);
    assert_int_equal(nat_divides(cx, facts(cx, "i in 1..m"), size(cx, "m"), size(cx, "n*m + i")),
                     TRUTH_NO);
    assert_int_equal(nat_ge0(cx, NULL, size(cx, "1/0")), TRUTH_UNKNOWN);
}

// Scopes: inner ones see outer ones, the latest range of a name counts.
static void test_scopes(void **state)
{
    Session *cx = *state;
    Facts *outer = facts(cx, "i in 0..n; n >= 4");
    Facts *inner = facts_new(cx, cx->arena, outer);
    int64_t bound;
    facts_range(inner, session_sym(cx, "j"), size(cx, "i"), size(cx, "10"));
    assert_int_equal(nat_le(cx, inner, size(cx, "i"), size(cx, "j")), TRUTH_YES);
    assert_int_equal(nat_lt(cx, inner, size(cx, "i"), size(cx, "10")), TRUTH_YES);
    assert_int_equal(nat_lt(cx, outer, size(cx, "i"), size(cx, "10")), TRUTH_UNKNOWN);
    assert_true(nat_upper(cx, inner, size(cx, "2*j + 1"), &bound));
    assert_int_equal(bound, 19);
    assert_true(nat_lower(cx, inner, size(cx, "n - 1"), &bound));
    assert_int_equal(bound, 3);
    assert_true(nat_lower(cx, inner, size(cx, "n - i"), &bound));
    assert_int_equal(bound, 1);
    assert_false(nat_upper(cx, inner, size(cx, "n"), &bound));
    Facts *again = facts_new(cx, cx->arena, inner);
    facts_range(again, session_sym(cx, "j"), size(cx, "2"), size(cx, "4"));
    assert_true(nat_upper(cx, again, size(cx, "j"), &bound));
    assert_int_equal(bound, 3);
}

// Ranges that refer to each other, and facts that contradict each other, must not hang.
static void test_strange_facts(void **state)
{
    Session *cx = *state;
    Facts *f = facts(cx, "i in 0..j; j in 0..i + 5; a in b..; b in a..; n >= m; m >= n + 1");
    static const char *const terms[] = {"i - j", "(i*j + a)/(b + 1)", "n - m", "a - b",
                                        "n*m - i*j"};
    for (size_t i = 0; i < COUNT(terms); i++) {
        nat_ge0(cx, f, size(cx, terms[i]));
        nat_simplify(cx, f, size(cx, terms[i]));
    }
}

static void test_contradictions(void **state)
{
    Session *cx = *state;
    static const char *const contradict[] = {"m % 3 == 0; m == 1", "n/4 == 2; n == 12", "0 >= 1",
                                             "0 >= n + 1"};
    static const char *const agree[] = {"", "m % 3 == 0; m == 6", "m % 3 == 0; m in 0..3",
                                        "n >= m; m >= n"};
    for (size_t i = 0; i < COUNT(contradict); i++)
        assert_true(facts_contradict(cx, facts(cx, contradict[i]), NULL));
    for (size_t i = 0; i < COUNT(agree); i++)
        assert_false(facts_contradict(cx, facts(cx, agree[i]), NULL));
    Facts *f = facts(cx, "m % 3 == 0; m == 1; n >= 2");
    assert_true(facts_contradict(cx, f, size(cx, "m + k")));
    assert_false(facts_contradict(cx, f, size(cx, "n")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SIZE_TEST(test_not_applied),    SIZE_TEST(test_divisors_may_be_zero),
        SIZE_TEST(test_default_ranges), SIZE_TEST(test_scopes),
        SIZE_TEST(test_strange_facts),  SIZE_TEST(test_contradictions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
