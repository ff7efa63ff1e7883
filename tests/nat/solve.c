// Solving for one unknown.
#include "nat/sizes.h"

typedef struct {
    const char *left, *right, *unknown, *solution, *dividend, *divisor;
} Equation;

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static void test_solvable(void **state)
{
    Session *cx = *state;
    static const Equation equations[] = {
        {"?1", "n + 1", "?1", "n + 1", NULL, NULL},
        {"n + 1", "?1", "?1", "n + 1", NULL, NULL},
        {"?1 + 2", "n", "?1", "n - 2", NULL, NULL},
        {"2*?1 + 1", "m", "?1", "(m - 1)/2", "m - 1", "2"},
        {"?1*m", "k", "?1", "k/m", "k", "m"},
        {"?1*m", "k*m", "?1", "k", NULL, NULL},
        {"?1*m", "4*m*k + m", "?1", "4*k + 1", NULL, NULL},
        {"?1*m", "2*m", "?1", "2", NULL, NULL},
        {"n*m", "k", "n", "k/m", "k", "m"},
        {"?1*4", "n*8", "?1", "2*n", NULL, NULL},
        {"?1*4", "n*6", "?1", "3*n/2", "3*n", "2"},
        {"?1*m + ?1", "k*m + k", "?1", "k", NULL, NULL},
        {"?1*m + ?1", "k", "?1", "k/(m + 1)", "k", "m + 1"},
        {"?1*m*k", "j*k", "?1", "j/m", "j", "m"},
        {"n - ?1", "2", "?1", "n - 2", NULL, NULL},
        {"3 - 2*?1", "n", "?1", "(3 - n)/2", "3 - n", "2"},
        {"2*?1", "5", "?1", "2", "5", "2"},
        {"?1 + n/2", "m", "?1", "m - n/2", NULL, NULL},
        {"?1*m", "0", "?1", "0", NULL, NULL},
        {"?1*(n/4)", "m*(n/4)", "?1", "m", NULL, NULL},
        {"?1 + 2*?2", "2*?2 + n", "?1", "n", NULL, NULL},
    };
    for (size_t i = 0; i < COUNT(equations); i++) {
        const Equation *q = &equations[i];
        Node *solution;
        Divides condition;
        if (!nat_solve(cx, size(cx, q->left), size(cx, q->right), size(cx, q->unknown), &solution,
                       &condition))
            fail_msg("%s == %s is not solved", q->left, q->right);
        if (solution != size(cx, q->solution))
            fail_msg("%s == %s has solution %s", q->left, q->right, shown(cx, solution));
        if (!q->dividend) {
            assert_null(condition.dividend);
            assert_null(condition.divisor);
        } else {
            assert_ptr_equal(condition.dividend, size(cx, q->dividend));
            assert_ptr_equal(condition.divisor, size(cx, q->divisor));
        }
    }
}

static void test_unsolvable(void **state)
{
    Session *cx = *state;
    static const Equation equations[] = {
        {.left = "?1*?1", .right = "n", .unknown = "?1"},
        {.left = "(?1 - s + t)/t", .right = "c", .unknown = "?1"},
        {.left = "?1 % 4", .right = "c", .unknown = "?1"},
        {.left = "min(?1, n)", .right = "c", .unknown = "?1"},
        {.left = "pow(2, ?1)", .right = "c", .unknown = "?1"},
        {.left = "?1 + ?1/2", .right = "c", .unknown = "?1"},
        {.left = "?1*n", .right = "?1*m/k", .unknown = "?1"},
        {.left = "?1 + n", .right = "?1 + m", .unknown = "?1"},
        {.left = "n", .right = "m", .unknown = "?1"},
        {.left = "?1 + 1/0", .right = "m", .unknown = "?1"},
    };
    for (size_t i = 0; i < COUNT(equations); i++) {
        const Equation *q = &equations[i];
        Node *solution;
        Divides condition;
        if (nat_solve(cx, size(cx, q->left), size(cx, q->right), size(cx, q->unknown), &solution,
                      &condition))
            fail_msg("%s == %s has solution %s", q->left, q->right, shown(cx, solution));
    }
}

static void test_guesses(void **state)
{
    Session *cx = *state;
    static const struct {
        const char *left, *right, *solution;
    } equations[] = {
        {"?1*(?1 + 1)/2", "n*(n + 1)/2", "n"},
        {"n*(n + 1)/2", "?1*(?1 + 1)/2", "n"},
        {"?1*(?1 + 1)/2", "6", "3"},
        {"?1*(?1 + 1)/2", "7", NULL},
        {"?1*?1", "0", "0"},
        {"pow(2, ?1)", "1024", "10"},
        {"k*pow(2, ?1)", "k*pow(2, n)", NULL}, // k may be 0
        {"min(?1, 4)", "4", NULL},             // 5 would be another solution
        {"?1*?1", "n", NULL},
        {"?1*?1", "n*?1", NULL},
        {"?1*?1", "4611686018427387904", "2147483648"},
    };
    for (size_t i = 0; i < COUNT(equations); i++) {
        Node *found = nat_guess(cx, size(cx, equations[i].left), size(cx, equations[i].right),
                                size(cx, "?1"));
        Node *wanted = equations[i].solution ? size(cx, equations[i].solution) : NULL;
        if (found != wanted)
            fail_msg("%s == %s has solution %s", equations[i].left, equations[i].right,
                     found ? shown(cx, found) : "none");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {SIZE_TEST(test_solvable), SIZE_TEST(test_unsolvable),
                                       SIZE_TEST(test_guesses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
