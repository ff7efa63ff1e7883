// Random sizes under random facts, checked at random points. A term is evaluated as it was written,
// apart from the builders; whatever builders, simplification, proofs, bounds and solutions say must
// agree with that value at every point the facts allow.
#include <stdlib.h>

#include "nat/internal.h"
#include "nat/sizes.h"

enum { VARIABLES = 6, POINTS = 40, ROUNDS = 30, TERMS = 60 };

static const char *const names[VARIABLES] = {"n", "m", "i", "j", "k", "z"};

typedef struct {
    Session *cx;
    Facts *facts;
    uint64_t seed;
    int npoints;
    int64_t points[POINTS][VARIABLES];
    int64_t *at; // the point in use
} World;

static uint64_t next(World *w)
{
    w->seed = w->seed * 6364136223846793005u + 1442695040888963407u;
    return w->seed >> 33;
}

static int64_t between(World *w, int64_t lo, int64_t hi)
{
    return lo + (int64_t)(next(w) % (uint64_t)(hi - lo + 1));
}

// A size together with its value at all points as the operations define it.
typedef struct {
    Node *node;
    bool ok[POINTS];
    int64_t value[POINTS];
} Sample;

static bool apply(Kind kind, int64_t a, int64_t b, int64_t *value)
{
    switch (kind) {
    case NAT_SUM: *value = a + b; return true;
    case NAT_PRODUCT: *value = a * b; return true;
    case NAT_DIV:
        if (b == 0) return false;
        *value = a / b - (a % b != 0 && (a < 0) != (b < 0));
        return true;
    case NAT_MOD:
        if (b == 0) return false;
        *value = ((a % b) + b) % b;
        return true;
    case NAT_MIN: *value = a < b ? a : b; return true;
    case NAT_MAX: *value = a > b ? a : b; return true;
    default:
        *value = 1;
        for (int64_t k = 0; k < b && llabs(*value) < 10000000; k++) *value *= a;
        return b >= 0;
    }
}

static Sample leaf(World *w)
{
    Sample s = {.node = NULL};
    int which = (int)(next(w) % (VARIABLES + 2));
    int64_t c = between(w, -3, 9);
    s.node =
        which < VARIABLES ? nat_var(w->cx, session_sym(w->cx, names[which])) : nat_const(w->cx, c);
    for (int i = 0; i < w->npoints; i++) {
        s.ok[i] = true;
        s.value[i] = which < VARIABLES ? w->points[i][which] : c;
    }
    return s;
}

static Sample pair(World *w, Kind kind, const Sample *a, const Sample *b)
{
    Sample s = {.node = nat_apply(w->cx, kind, a->node, b->node)};
    for (int i = 0; i < w->npoints; i++) {
        s.ok[i] = a->ok[i] && b->ok[i] && apply(kind, a->value[i], b->value[i], &s.value[i]);
        // Far from overflow, wherever the builders move things.
        if (llabs(s.value[i]) > 1000000) s.ok[i] = false;
    }
    return s;
}

static Sample term(World *w, int depth)
{
    if (depth == 0 || next(w) % 8 == 0) return leaf(w);
    static const Kind kinds[] = {NAT_SUM, NAT_SUM, NAT_SUM, NAT_PRODUCT, NAT_PRODUCT,
                                 NAT_DIV, NAT_DIV, NAT_MOD, NAT_MOD,     NAT_MIN,
                                 NAT_MAX, NAT_POW, NAT_SUM, NAT_PRODUCT, NAT_DIV};
    Kind kind = kinds[next(w) % (sizeof kinds / sizeof kinds[0])];
    Sample a = term(w, depth - 1);
    Sample b = term(w, kind == NAT_POW ? 0 : depth - 1);
    if (kind == NAT_SUM && next(w) % 3 == 0) { // a difference
        Sample minus = {.node = nat_const(w->cx, -1)};
        for (int i = 0; i < w->npoints; i++) minus.ok[i] = true, minus.value[i] = -1;
        b = pair(w, NAT_PRODUCT, &minus, &b);
    }
    return pair(w, kind, &a, &b);
}

// Index expressions as views make them: (i*m + j), divided and recombined.
static Sample view_term(World *w, int depth)
{
    static const int bounded[][2] = {{2, 0}, {3, 1}}; // i < n, j < m
    Sample s = leaf(w);
    for (int d = 0; d < depth; d++) {
        const int *v = bounded[next(w) % 2];
        Sample index = leaf(w), bound = leaf(w);
        index.node = nat_var(w->cx, session_sym(w->cx, names[v[0]]));
        bound.node = nat_var(w->cx, session_sym(w->cx, names[v[1]]));
        for (int i = 0; i < w->npoints; i++) {
            index.ok[i] = bound.ok[i] = true;
            index.value[i] = w->points[i][v[0]];
            bound.value[i] = w->points[i][v[1]];
        }
        switch (next(w) % 4) {
        case 0:
            s = pair(w, NAT_PRODUCT, &s, &bound);
            s = pair(w, NAT_SUM, &s, &index);
            break;
        case 1: s = pair(w, NAT_DIV, &s, &bound); break;
        case 2: s = pair(w, NAT_MOD, &s, &bound); break;
        default: bound = leaf(w); s = pair(w, next(w) % 2 ? NAT_SUM : NAT_PRODUCT, &s, &bound);
        }
    }
    return s;
}

static Sample any_term(World *w)
{
    return next(w) % 3 == 0 ? view_term(w, 6) : term(w, (int)(next(w) % 4) + 1);
}

static bool look_up(Node *atom, int64_t *value, void *env)
{
    World *w = env;
    for (int v = 0; v < VARIABLES; v++) {
        if (atom->attr.sym != session_sym(w->cx, names[v])) continue;
        *value = w->at[v];
        return true;
    }
    return false;
}

static bool node_value(World *w, Node *e, int point, int64_t *value)
{
    w->at = w->points[point];
    return nat_eval(e, look_up, w, value);
}

static void describe(World *w, int point)
{
    for (int v = 0; v < VARIABLES; v++) print_error("%s=%d ", names[v], (int)w->points[point][v]);
    for (int i = 0; i < w->facts->ge0.len; i++)
        print_error("; %s >= 0", shown(w->cx, w->facts->ge0.at[i]));
    for (int i = 0; i < w->facts->eq0.len; i++)
        print_error("; %s == 0", shown(w->cx, w->facts->eq0.at[i]));
    print_error("\n");
}

// Points within 1 <= n, m; 0 <= i < n; 0 <= j < m; k >= 0; -6 <= z < 7 (z only negative at times).
static void choose_points(World *w)
{
    w->npoints = POINTS;
    for (int i = 0; i < POINTS; i++) {
        int64_t *p = w->points[i];
        p[0] = between(w, 1, next(w) % 4 ? 6 : 12);
        p[1] = between(w, 1, next(w) % 4 ? 6 : 12);
        p[2] = between(w, 0, p[0] - 1);
        p[3] = between(w, 0, p[1] - 1);
        p[4] = between(w, 0, 9);
        p[5] = between(w, -6, 6);
    }
}

static void choose_ranges(World *w)
{
    Session *cx = w->cx;
    w->facts = facts_new(cx, cx->arena, NULL);
    Facts *outer = w->facts;
    facts_range(w->facts, session_sym(cx, "z"), nat_const(cx, -6), nat_const(cx, 7));
    facts_range(w->facts, session_sym(cx, "i"), nat_const(cx, 0), size(cx, "n"));
    if (next(w) % 2) w->facts = facts_new(cx, cx->arena, outer);
    facts_range(w->facts, session_sym(cx, "j"), nat_const(cx, 0), size(cx, "m"));
}

// Adds a fact that holds at some of the points, and keeps those.
static void choose_fact(World *w)
{
    Session *cx = w->cx;
    Sample s = term(w, 2);
    bool equal = next(w) % 3 == 0;
    if (equal) {
        static const char *const shapes[] = {"n % 2", "k % 3", "n - 2*m", "k - n*m",
                                             "n % m", "z + 2", "k - m"};
        s.node = size(cx, shapes[next(w) % (sizeof shapes / sizeof shapes[0])]);
        for (int i = 0; i < w->npoints; i++) s.ok[i] = node_value(w, s.node, i, &s.value[i]);
    }
    int kept = 0;
    for (int i = 0; i < w->npoints; i++)
        kept += s.ok[i] && (equal ? s.value[i] == 0 : s.value[i] >= 0);
    if (kept == 0) return;
    kept = 0;
    for (int i = 0; i < w->npoints; i++) {
        if (!s.ok[i] || !(equal ? s.value[i] == 0 : s.value[i] >= 0)) continue;
        memmove(w->points[kept++], w->points[i], sizeof w->points[i]);
    }
    w->npoints = kept;
    if (equal)
        facts_eq0(w->facts, s.node);
    else
        facts_ge0(w->facts, s.node);
}

static World *world(Session *cx, uint64_t seed)
{
    World *w = ARENA_NEW(cx->arena, World);
    w->cx = cx;
    w->seed = seed * 2654435761u + 12345;
    choose_points(w);
    choose_ranges(w);
    for (uint64_t i = next(w) % 4; i > 0; i--) choose_fact(w);
    return w;
}

static void check_value(World *w, const Sample *s, Node *e, const char *what)
{
    for (int i = 0; i < w->npoints; i++) {
        int64_t value = 0;
        if (!s->ok[i]) continue;
        if (node_value(w, e, i, &value) && value == s->value[i]) continue;
        describe(w, i);
        fail_msg("%s: %s became %s: %d, not %d", what, shown(w->cx, s->node), shown(w->cx, e),
                 (int)value, (int)s->value[i]);
    }
}

static void check_truth(World *w, Truth truth, int point, bool holds, Node *a, Node *b,
                        const char *what)
{
    if (truth == TRUTH_UNKNOWN || (truth == TRUTH_YES) == holds) return;
    describe(w, point);
    fail_msg("%s of %s and %s: %s", what, shown(w->cx, a), shown(w->cx, b),
             truth == TRUTH_YES ? "yes" : "no");
}

static void check_questions(World *w, const Sample *a, const Sample *b)
{
    Session *cx = w->cx;
    Truth ge = nat_ge0(cx, w->facts, a->node), eq = nat_eq(cx, w->facts, a->node, b->node);
    Truth le = nat_le(cx, w->facts, a->node, b->node), lt = nat_lt(cx, w->facts, a->node, b->node);
    Truth divides = nat_divides(cx, w->facts, b->node, a->node);
    for (int i = 0; i < w->npoints; i++) {
        int64_t x = a->value[i], y = b->value[i];
        if (a->ok[i]) check_truth(w, ge, i, x >= 0, a->node, a->node, "ge0");
        if (!a->ok[i] || !b->ok[i]) continue;
        check_truth(w, eq, i, x == y, a->node, b->node, "eq");
        check_truth(w, le, i, x <= y, a->node, b->node, "le");
        check_truth(w, lt, i, x < y, a->node, b->node, "lt");
        if (y > 0) check_truth(w, divides, i, x % y == 0, b->node, a->node, "divides");
    }
}

static void check_bounds(World *w, const Sample *s)
{
    int64_t lo, hi;
    bool has_lo = nat_lower(w->cx, w->facts, s->node, &lo),
         has_hi = nat_upper(w->cx, w->facts, s->node, &hi);
    for (int i = 0; i < w->npoints; i++) {
        if (!s->ok[i]) continue;
        if (has_lo)
            check_truth(w, TRUTH_YES, i, lo <= s->value[i], s->node, s->node, "lower bound");
        if (has_hi)
            check_truth(w, TRUTH_YES, i, hi >= s->value[i], s->node, s->node, "upper bound");
    }
}

static void check_reading(World *w, Node *e)
{
    if (e->kind == NAT_OVERFLOW) return;
    if (size(w->cx, shown(w->cx, e)) != e) fail_msg("%s reads back differently", shown(w->cx, e));
}

static void test_values(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        Session *cx = session_new();
        nat_init(cx);
        World *w = world(cx, (uint64_t)round);
        for (int i = 0; i < TERMS; i++) {
            Sample a = any_term(w);
            check_value(w, &a, a.node, "built");
            check_value(w, &a, nat_simplify(cx, w->facts, a.node), "simplified");
            check_reading(w, a.node);
        }
        session_delete(cx);
    }
}

static void test_answers(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        Session *cx = session_new();
        nat_init(cx);
        World *w = world(cx, 1000 + (uint64_t)round);
        for (int i = 0; i < TERMS / 6; i++) {
            Sample a = any_term(w), b = next(w) % 2 ? leaf(w) : any_term(w);
            check_questions(w, &a, &b);
            check_bounds(w, &a);
        }
        session_delete(cx);
    }
}

static bool has_power(Node *e)
{
    bool found = e->kind == NAT_POW;
    for (uint32_t k = 0; k < e->nops && !found; k++) found = has_power(e->op[k]);
    return found;
}

static bool divides_by_positive(World *w, Node *e, int point)
{
    int64_t d = 1;
    if (e->kind == NAT_DIV || e->kind == NAT_MOD)
        if (!node_value(w, e->op[1], point, &d) || d <= 0) return false;
    for (uint32_t k = 0; k < e->nops; k++)
        if (!divides_by_positive(w, e->op[k], point)) return false;
    return true;
}

static void check_total(World *w, Node *e)
{
    Node *total = nat_total(w->cx, w->facts, e);
    bool is_total = nat_is_total(w->cx, w->facts, e);
    if (!nat_is_total(w->cx, w->facts, total))
        fail_msg("%s became %s", shown(w->cx, e), shown(w->cx, total));
    assert_int_equal(is_total, total == e);
    for (int i = 0; i < w->npoints; i++) {
        int64_t value = 0, wanted = 0;
        bool computes = node_value(w, total, i, &value), defined = divides_by_positive(w, e, i);
        if (defined) node_value(w, e, i, &wanted);
        if (computes && (!defined || value == wanted) && (defined || !is_total)) continue;
        describe(w, i);
        fail_msg("total: %s became %s: %d, not %d", shown(w->cx, e), shown(w->cx, total),
                 (int)value, (int)wanted);
    }
}

static void test_totals(void **state)
{
    (void)state;
    int changed = 0;
    for (int round = 0; round < ROUNDS; round++) {
        Session *cx = session_new();
        nat_init(cx);
        World *w = world(cx, 9000 + (uint64_t)round);
        for (int i = 0; i < TERMS; i++) {
            Sample a = term(w, 3);
            if (a.node->kind == NAT_OVERFLOW || has_power(a.node)) continue;
            check_total(w, a.node);
            changed += !nat_is_total(cx, w->facts, a.node);
        }
        session_delete(cx);
    }
    assert_true(changed > ROUNDS);
}

// a*x + b == c for random a, b, c without x.
static void test_solutions(void **state)
{
    (void)state;
    int solved = 0;
    for (int round = 0; round < ROUNDS; round++) {
        Session *cx = session_new();
        nat_init(cx);
        World *w = world(cx, 5000 + (uint64_t)round);
        for (int i = 0; i < TERMS; i++) {
            Sample a = term(w, 1), b = term(w, 2), c = term(w, 2);
            Node *x = nat_meta(cx, 1), *left = nat_add(cx, nat_mul(cx, a.node, x), b.node),
                 *solution;
            Divides condition;
            if (!nat_solve(cx, left, c.node, x, &solution, &condition)) continue;
            assert_false(nat_occurs(solution, x));
            for (int k = 0; k < w->npoints; k++) {
                int64_t value, dividend, divisor;
                if (!a.ok[k] || !b.ok[k] || !c.ok[k] || !node_value(w, solution, k, &value))
                    continue;
                if (condition.dividend) {
                    assert_true(node_value(w, condition.dividend, k, &dividend));
                    assert_true(node_value(w, condition.divisor, k, &divisor));
                    if (dividend % divisor != 0) continue;
                }
                solved++;
                if (a.value[k] * value + b.value[k] == c.value[k]) continue;
                describe(w, k);
                fail_msg("%s == %s: ?1 = %s", shown(cx, left), shown(cx, c.node),
                         shown(cx, solution));
            }
        }
        session_delete(cx);
    }
    assert_true(solved > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values), cmocka_unit_test(test_answers),
        cmocka_unit_test(test_totals), cmocka_unit_test(test_solutions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
