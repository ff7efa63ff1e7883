// Preconditions of loops. If the difference of the two sides of a condition is monotone in the loop
// index, the condition holds in all iterations if it holds in the first and the last one. This
// precondition is exact, since the first and the last are iterations themselves. Guards around the
// condition in the body narrow the range.
#include "loops/simplify/simplify.h"

// How a size changes as an index grows. EITHER means monotone in an unknown direction.
typedef enum { FLAT, UP, DOWN, EITHER, CURVED } Trend;

typedef struct {
    Session *cx;
    Simplifier *s; // in the scope of the loop
    Node *loop, *index;
    Stmts lows, highs; // the range begins at the largest low, and ends below the smallest high
    Node *first, *last;
    Precondition out;
} Iterations;

// --- sizes --------------------------------------------------------------------------------------

static Trend flipped(Trend c)
{
    return c == UP ? DOWN : c == DOWN ? UP : c;
}

static Trend together(Trend a, Trend b)
{
    if (a == FLAT || b == FLAT) return a == FLAT ? b : a;
    return a == b && a != EITHER ? a : CURVED;
}

static Node *at_index(const Iterations *r, Node *n, Node *value)
{
    return loops_at(r->cx, n, r->index->attr.sym, value);
}

// The change of the size from one iteration to the next.
static Node *step(const Iterations *r, Node *e)
{
    Node *next = at_index(r, e, nat_add(r->cx, r->index, nat_const(r->cx, 1)));
    return nat_sub(r->cx, next, e);
}

static bool is_natural(const Iterations *r, Node *e)
{
    return nat_ge0(r->cx, r->s->facts, e) == TRUTH_YES;
}

static Trend trend(const Iterations *r, Node *e);

static Trend trend_of_product(const Iterations *r, Node *e)
{
    Trend c = FLAT;
    for (uint32_t k = 0; k < e->nops; k++) {
        if (!is_natural(r, e->op[k])) return CURVED;
        c = together(c, trend(r, e->op[k]));
        if (c == EITHER && e->nops > 1) return CURVED;
    }
    return e->attr.i < 0 ? flipped(c) : c;
}

static Trend trend(const Iterations *r, Node *e)
{
    if (!nat_occurs(e, r->index)) return FLAT;
    Node *gain = step(r, e), *zero = nat_const(r->cx, 0);
    if (is_natural(r, gain)) return UP;
    if (is_natural(r, nat_sub(r->cx, zero, gain))) return DOWN;
    if (!nat_occurs(gain, r->index)) return EITHER; // linear
    Trend c = FLAT;
    int64_t exponent;
    switch ((Kind)e->kind) {
    case NAT_PRODUCT: return trend_of_product(r, e);
    case NAT_SUM:
    case NAT_MIN:
    case NAT_MAX:
        for (uint32_t k = 0; k < e->nops; k++) c = together(c, trend(r, e->op[k]));
        return c;
    case NAT_DIV:
        if (nat_occurs(e->op[1], r->index)) return CURVED;
        return nat_lt(r->cx, r->s->facts, zero, e->op[1]) == TRUTH_YES ? trend(r, e->op[0])
                                                                       : CURVED;
    case NAT_POW:
        if (!nat_is_const(e->op[1], &exponent) || !is_natural(r, e->op[0])) return CURVED;
        return trend(r, e->op[0]);
    default: return CURVED;
    }
}

// --- the range ----------------------------------------------------------------------------------

static bool has_index(const Iterations *r, Node *e)
{
    if (e->kind == CORE_NAT) return nat_occurs(e->op[0], r->index);
    for (uint32_t k = 0; k < e->nops; k++)
        if (has_index(r, e->op[k])) return true;
    return false;
}

static void push(const Iterations *r, Stmts *v, Node *n)
{
    vec_push(r->cx->arena, v, n);
}

// Narrows the range to the iterations where e >= 0, from below if e is i + rest, and from above if
// e is rest - i. Returns false for any other e.
static bool narrow(Iterations *r, Node *e)
{
    int64_t by;
    if (!nat_is_const(step(r, e), &by) || (by != 1 && by != -1)) return false;
    Node *rest = at_index(r, e, nat_const(r->cx, 0)), *zero = nat_const(r->cx, 0);
    if (by > 0)
        push(r, &r->lows, nat_sub(r->cx, zero, rest));
    else
        push(r, &r->highs, nat_add(r->cx, rest, nat_const(r->cx, 1)));
    return true;
}

// Expresses a comparison of sizes as one or two differences that must not be negative. Returns
// their number, or 0 if this is not possible.
static int differences(Session *cx, Node *c, Node *e[2])
{
    SetRelation relation;
    if (!loops_compared(cx, c, true, &relation, &e[0]) || relation == SET_NE0) return 0;
    if (relation == SET_GE0) return 1;
    e[1] = e[0];
    e[0] = nat_sub(cx, nat_const(cx, 0), e[0]);
    return 2;
}

static void push_ends(const Iterations *r, Stmts *ends, Node *n, Kind kind)
{
    if (n->kind != kind) push(r, ends, n);
    for (uint32_t k = 0; n->kind == kind && k < n->nops; k++) push_ends(r, ends, n->op[k], kind);
}

static bool bound_range(Iterations *r, const Precondition *d)
{
    push_ends(r, &r->lows, loops_from(r->loop), NAT_MAX);
    push_ends(r, &r->highs, loops_to(r->loop), NAT_MIN);
    for (int k = 0; k < d->guards.len; k++) {
        Node *guard = d->guards.at[k], *e[2];
        if (!has_index(r, guard)) {
            push(r, &r->out.guards, guard);
            continue;
        }
        int n = differences(r->cx, guard, e);
        if (n == 0) return false;
        for (int i = 0; i < n; i++)
            if (!narrow(r, e[i])) return false;
    }
    return true;
}

static Node *less(Session *cx, Node *a, Node *b)
{
    return core_prim(cx, PRIM_LT, 2, (Node *[]){core_size(cx, a), core_size(cx, b)});
}

// Finds the first and the last iteration, and adds guards which ensure that there is an iteration.
static void find_ends(Iterations *r)
{
    Session *cx = r->cx;
    Node *low = r->lows.at[0], *high = r->highs.at[0];
    for (int k = 1; k < r->lows.len; k++) low = nat_max(cx, low, r->lows.at[k]);
    for (int k = 1; k < r->highs.len; k++) high = nat_min(cx, high, r->highs.at[k]);
    for (int k = 0; k < r->lows.len; k++)
        for (int i = 0; i < r->highs.len; i++)
            push(r, &r->out.guards, less(cx, r->lows.at[k], r->highs.at[i]));
    r->first = low;
    r->last = nat_sub(cx, high, nat_const(cx, 1));
}

// --- conditions on sizes ------------------------------------------------------------------------

static void require_at(Iterations *r, Node *condition, Node *index)
{
    push(r, &r->out.conditions, at_index(r, condition, index));
}

static bool require_size(Iterations *r, Node *condition)
{
    Node *e[2];
    if (differences(r->cx, condition, e) == 0) return false;
    Trend c = trend(r, e[0]);
    if (c == CURVED) return false;
    bool both = c == EITHER || condition->attr.i == PRIM_EQ;
    if (c != DOWN || both) require_at(r, condition, r->first);
    if (c == DOWN || both) require_at(r, condition, r->last);
    return true;
}

// --- conditions on integers that wrap ------------------------------------------------------------

// How wrapping arithmetic changes with the index, modulo 2^64: not at all (STEADY), linearly, or in
// other ways (WILD). From the first to the last iteration, a linear change is at most a length
// (SHORT) or larger (LONG).
typedef enum { STEADY, SHORT, LONG, WILD } Pace;

static Pace pace(const Iterations *r, Node *e)
{
    if (!has_index(r, e)) return STEADY;
    Node *size = loops_size(r->cx, e);
    if (size) {
        Node *gain = step(r, size);
        if (nat_occurs(gain, r->index)) return WILD;
        Node *distance = nat_mul(r->cx, gain, nat_sub(r->cx, r->last, r->first));
        return simplifier_is_length(r->s, distance) ? SHORT : LONG;
    }
    if (e->kind != CORE_PRIM || e->nops != 2) return WILD;
    Pace a = pace(r, e->op[0]), b = pace(r, e->op[1]), slower = a < b ? a : b;
    if (a == WILD || b == WILD) return WILD;
    switch ((Prim)e->attr.i) {
    case PRIM_ADD:
    case PRIM_SUB: return slower == STEADY ? (a < b ? b : a) : LONG;
    case PRIM_MUL: return slower == STEADY ? LONG : WILD;
    default: return WILD;
    }
}

// Whether the condition bounds *e from above by a length (if `above`), or from below by a size that
// is not negative. If *e is NULL, sets it to whatever the condition bounds.
static bool is_limit(const Iterations *r, Node *c, Node **e, bool above)
{
    if (c->kind != CORE_PRIM || c->nops != 2 || (c->attr.i != PRIM_LE && c->attr.i != PRIM_LT))
        return false;
    Node *limit = loops_size(r->cx, c->op[above ? 1 : 0]), *value = c->op[above ? 0 : 1];
    if (!limit || (*e && *e != value) || nat_occurs(limit, r->index)) return false;
    *e = value;
    return above ? simplifier_is_length(r->s, limit)
                 : nat_ge0(r->cx, r->s->facts, limit) == TRUTH_YES;
}

// Requires that positions in arithmetic progression lie within an array. It is enough to check the
// first and the last one and, if the step may be so large that they wrap, the second one.
static bool require_integer(Iterations *r, const Precondition *d, int k)
{
    Session *cx = r->cx;
    Node *e = NULL, *limits[2] = {d->conditions.at[k], NULL};
    if (!is_limit(r, limits[0], &e, false)) return false;
    if (k + 1 < d->conditions.len) limits[1] = d->conditions.at[k + 1];
    if (!limits[1] || !is_limit(r, limits[1], &e, true)) return false;
    Pace p = pace(r, e);
    if (p == WILD || !simplifier_is_length(r->s, nat_sub(cx, r->last, r->first))) return false;
    for (int i = 0; i < 2; i++) require_at(r, limits[i], r->first);
    Node *second = nat_add(cx, r->first, nat_const(cx, 1)), *over = less(cx, r->last, second);
    for (int i = 0; i < 2 && p == LONG; i++) {
        Node *later = at_index(r, limits[i], second);
        push(r, &r->out.conditions, loops_select(cx, over, core_bool(cx, true), later));
    }
    for (int i = 0; i < 2; i++) require_at(r, limits[i], r->last);
    r->out.wraps = true;
    return true;
}

// --- preconditions ------------------------------------------------------------------------------

enum { MAX_CONDITIONS = 16 };

static bool require_all(Iterations *r, const Precondition *d)
{
    for (int k = 0; k < d->conditions.len; k++) {
        Node *c = d->conditions.at[k];
        if (!has_index(r, c)) {
            push(r, &r->out.conditions, c);
        } else if (!require_size(r, c)) {
            if (!require_integer(r, d, k)) return false;
            k++;
        }
    }
    return r->out.conditions.len <= MAX_CONDITIONS && r->out.guards.len <= MAX_CONDITIONS;
}

bool precondition_of_loop(Simplifier *s, const Precondition *d, Node *loop, Precondition *out)
{
    Iterations r = {.cx = s->cx, .s = s, .loop = loop, .index = nat_var(s->cx, loop->attr.sym)};
    Scope outer = simplifier_enter(s);
    simplifier_assume_index(s, loop->attr.sym, loops_from(loop), loops_to(loop));
    r.out.wraps = d->wraps;
    bool done = bound_range(&r, d);
    if (done) {
        find_ends(&r);
        done = require_all(&r, d);
    }
    simplifier_leave(s, outer, NULL);
    *out = r.out;
    return done;
}

// Substitutes the value of a local. A value that may wrap is not a size, so it can replace only a
// whole operand, not a local inside a larger size.
static Node *with_value(Session *cx, Node *e, Sym name, Node *value)
{
    Node *size = loops_size(cx, value);
    if (e->kind == LOOP_VAR) return e->attr.sym == name ? value : e;
    if (e->kind == CORE_NAT) {
        if (size) return loops_at(cx, e, name, size);
        Node *var = nat_var(cx, name);
        return e->op[0] == var ? value : nat_occurs(e->op[0], var) ? NULL : e;
    }
    Node *ops[3];
    if (e->nops == 0 || e->nops > 3) return e->nops ? NULL : e;
    for (uint32_t k = 0; k < e->nops; k++)
        if (!(ops[k] = with_value(cx, e->op[k], name, value))) return NULL;
    return node_with_ops(cx, e, ops);
}

static bool all_with_value(Session *cx, const Stmts *in, Stmts *out, Sym name, Node *value)
{
    enum { HEAVY = 60 };
    *out = (Stmts){0};
    for (int k = 0; k < in->len; k++) {
        Node *e = with_value(cx, in->at[k], name, value);
        if (!e || loops_weight(e, HEAVY) >= HEAVY) return false;
        vec_push(cx->arena, out, e);
    }
    return true;
}

bool precondition_without(Session *cx, const Precondition *d, Node *decl, Precondition *out)
{
    Sym name = decl->attr.sym;
    *out = *d;
    return all_with_value(cx, &d->guards, &out->guards, name, decl->op[1]) &&
           all_with_value(cx, &d->conditions, &out->conditions, name, decl->op[1]);
}
