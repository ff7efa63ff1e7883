// Guards: what the conditions enclosing a term say about sizes.
#include "core/ir/core.h"

// --- conditions ---------------------------------------------------------------------------------

SizeCheck size_check_negated(Session *cx, SizeCheck c)
{
    Node *left = c.left;
    switch (c.relation) {
    case SIZE_EQ: c.relation = SIZE_NE; break;
    case SIZE_NE: c.relation = SIZE_EQ; break;
    case SIZE_LE:
        c.left = nat_add(cx, c.right, nat_const(cx, 1));
        c.right = left;
        break;
    }
    return c;
}

const SizeCondition *size_condition_check(Arena *arena, SizeCheck check)
{
    SizeCondition *c = ARENA_NEW(arena, SizeCondition);
    *c = (SizeCondition){.kind = CONDITION_CHECK, .check = check};
    return c;
}

const SizeCondition *size_condition_join(Arena *arena, ConditionKind kind, const SizeCondition *a,
                                         const SizeCondition *b)
{
    if (!a || !b) return kind == CONDITION_OR ? NULL : a ? a : b;
    SizeCondition *c = ARENA_NEW(arena, SizeCondition);
    *c = (SizeCondition){.kind = kind, .a = a, .b = b};
    return c;
}

static int count_cases(const SizeCondition *c)
{
    return c->kind == CONDITION_OR ? count_cases(c->a) + count_cases(c->b) : 1;
}

static void assume_case(Session *cx, Facts *inside, int k, const void *disjunction)
{
    const SizeCondition *c = disjunction;
    while (c->kind == CONDITION_OR) {
        int left = count_cases(c->a);
        bool first = k < left;
        if (!first) k -= left;
        c = first ? c->a : c->b;
    }
    size_condition_assume(cx, inside, c);
}

void size_condition_assume(Session *cx, Facts *facts, const SizeCondition *c)
{
    switch (c->kind) {
    case CONDITION_CHECK: size_check_assume(cx, facts, &c->check); return;
    case CONDITION_AND:
        size_condition_assume(cx, facts, c->a);
        size_condition_assume(cx, facts, c->b);
        return;
    case CONDITION_OR: facts_one_of(facts, count_cases(c), assume_case, c); return;
    }
}

static const char *check_text(Session *cx, const SizeCheck *c)
{
    return arena_printf(cx->arena, "%s %s %s", nat_show(cx, c->left),
                        size_relation_text[c->relation], nat_show(cx, c->right));
}

static void print_condition(Session *cx, Text *out, const SizeCondition *c)
{
    if (c->kind == CONDITION_CHECK) {
        text_printf(out, "`%s`", check_text(cx, &c->check));
        return;
    }
    print_condition(cx, out, c->a);
    text_put(out, c->kind == CONDITION_AND ? " and " : " or ");
    print_condition(cx, out, c->b);
}

// A size that is at least 0 if and only if the comparison holds.
static Node *excess_of_check(Session *cx, const SizeCheck *c)
{
    Node *less = nat_sub(cx, c->left, c->right), *more = nat_sub(cx, c->right, c->left);
    switch (c->relation) {
    case SIZE_LE: return more;
    case SIZE_EQ: return nat_min(cx, less, more);
    case SIZE_NE: return nat_sub(cx, nat_max(cx, less, more), nat_const(cx, 1));
    }
    return more;
}

// A size that is at least 0 if and only if the condition does not hold.
static Node *excess_of_failure(Session *cx, const SizeCondition *c)
{
    if (c->kind == CONDITION_CHECK) {
        SizeCheck fails = size_check_negated(cx, c->check);
        return excess_of_check(cx, &fails);
    }
    Node *a = excess_of_failure(cx, c->a), *b = excess_of_failure(cx, c->b);
    return c->kind == CONDITION_AND ? nat_max(cx, a, b) : nat_min(cx, a, b);
}

// --- guards -------------------------------------------------------------------------------------

SizeGuard *size_guard_push(Arena *arena, SizeGuard *up, const SizeCondition *holds)
{
    SizeGuard *g = ARENA_NEW(arena, SizeGuard);
    *g = (SizeGuard){.holds = holds, .up = up};
    return g;
}

// What the condition says of sizes that are known when the entry starts, or NULL for nothing.
static const SizeCondition *at_entry(Arena *arena, const SizeCondition *c, IsLater *later,
                                     const void *env)
{
    if (!c) return NULL;
    if (c->kind == CONDITION_CHECK) return later(&c->check, env) ? NULL : c;
    const SizeCondition *a = at_entry(arena, c->a, later, env);
    const SizeCondition *b = at_entry(arena, c->b, later, env);
    return a == c->a && b == c->b ? c : size_condition_join(arena, c->kind, a, b);
}

SizeGuard *size_guard_at_entry(Arena *arena, SizeGuard *g, IsLater *later, const void *env)
{
    if (!g) return NULL;
    SizeGuard *up = size_guard_at_entry(arena, g->up, later, env);
    const SizeCondition *holds = at_entry(arena, g->holds, later, env);
    if (!holds) return up;
    return up == g->up && holds == g->holds ? g : size_guard_push(arena, up, holds);
}

static bool is_refuted(Session *cx, const Facts *facts, const SizeCondition *c)
{
    return c && c->kind == CONDITION_CHECK && size_check_truth(cx, facts, &c->check) == TRUTH_NO;
}

Facts *size_guard_facts(Session *cx, Arena *arena, Facts *base, SizeGuard *guard)
{
    VEC(SizeGuard *) new = {0};
    SizeGuard *g = guard;
    for (; g && !g->facts; g = g->up) vec_push(arena, &new, g);
    Facts *facts = g ? g->facts : base;
    for (int i = new.len; i-- > 0;) {
        g = new.at[i];
        g->dead = (g->up && g->up->dead) || is_refuted(cx, facts, g->holds);
        g->facts = facts_new(cx, arena, facts);
        if (g->holds) size_condition_assume(cx, g->facts, g->holds);
        facts = g->facts;
    }
    return facts;
}

const char *size_guard_text(Session *cx, const SizeGuard *g)
{
    enum { MOST = 4 };
    Text text = text_new(cx->arena);
    const char *and = "";
    for (int i = 0; g && i < MOST; g = g->up) {
        if (!g->holds) continue;
        text_put(&text, and);
        print_condition(cx, &text, g->holds);
        and = " and ";
        i++;
    }
    return text_get(&text);
}

SizeCheck size_guard_check(Session *cx, SizeCheck c, const SizeGuard *g)
{
    enum { MOST = 64 }; // guards used, innermost first; with fewer, the check is stronger
    const char *text = size_guard_text(cx, g);
    if (!*text) return c;
    Node *size = excess_of_check(cx, &c);
    if (!c.guarded)
        c.guarded =
            arena_printf(cx->arena, "`%s` does not hold where %s", check_text(cx, &c), text);
    for (int i = 0; g && i < MOST; g = g->up) {
        if (!g->holds) continue;
        size = nat_max(cx, size, excess_of_failure(cx, g->holds));
        i++;
    }
    c.relation = SIZE_LE;
    c.left = nat_const(cx, 0);
    c.right = size;
    c.branch = false;
    return c;
}

// --- Core conditions ----------------------------------------------------------------------------

// What is stored: a schedule may store sizes and conditions too (`store_local @ everywhere`).
static Node *unstored(Node *e)
{
    while (e->kind == CORE_TO_MEM) e = e->op[0];
    return e;
}

static Node *size_of(Session *cx, Node *e)
{
    e = unstored(e);
    Scalar s;
    bool literal = e->kind == CORE_LIT && type_is_scalar(e->type, &s) && s == SCALAR_I64;
    return e->kind == CORE_NAT ? e->op[0] : literal ? nat_const(cx, e->attr.i) : NULL;
}

static const SizeCondition *comparison(Session *cx, Arena *arena, Node *e, bool holds)
{
    if (e->kind != CORE_PRIM || e->nops != 2) return NULL;
    Node *a = size_of(cx, e->op[0]), *b = a ? size_of(cx, e->op[1]) : NULL;
    if (!b) return NULL;
    bool swapped = false;
    SizeCheck c = {.relation = SIZE_LE};
    switch ((Prim)e->attr.i) {
    case PRIM_EQ: c.relation = SIZE_EQ; break;
    case PRIM_NE:
        c.relation = SIZE_EQ;
        holds = !holds;
        break;
    case PRIM_LE: break;
    case PRIM_GE: swapped = true; break;
    case PRIM_GT: holds = !holds; break;
    case PRIM_LT:
        swapped = true;
        holds = !holds;
        break;
    default: return NULL;
    }
    c.left = swapped ? b : a;
    c.right = swapped ? a : b;
    return size_condition_check(arena, holds ? c : size_check_negated(cx, c));
}

static const SizeCondition *joined(Session *cx, Arena *arena, Node *a, Node *b, bool both,
                                   bool holds)
{
    const SizeCondition *left = core_size_condition(cx, arena, a, holds),
                        *right = core_size_condition(cx, arena, b, holds);
    return size_condition_join(arena, both == holds ? CONDITION_AND : CONDITION_OR, left, right);
}

const SizeCondition *core_size_condition(Session *cx, Arena *arena, Node *c, bool holds)
{
    c = unstored(c);
    Prim op = c->kind == CORE_PRIM ? (Prim)c->attr.i : PRIM_COUNT;
    if (c->kind == CORE_IF || c->kind == PH_SELECT) { // c && a is c ? a : false
        if (core_is_bool(c->op[2], false))
            return joined(cx, arena, c->op[0], c->op[1], true, holds);
        if (core_is_bool(c->op[1], true))
            return joined(cx, arena, c->op[0], c->op[2], false, holds);
        return NULL;
    }
    if (op == PRIM_NOT) return core_size_condition(cx, arena, c->op[0], !holds);
    if (prim_is_hint(op)) return core_size_condition(cx, arena, c->op[0], holds);
    if (op == PRIM_AND || op == PRIM_OR)
        return joined(cx, arena, c->op[0], c->op[1], op == PRIM_AND, holds);
    return comparison(cx, arena, c, holds);
}

Facts *core_assume(Session *cx, Arena *arena, Facts *facts, Node *condition, bool holds)
{
    const SizeCondition *c = core_size_condition(cx, arena, condition, holds);
    if (!c) return facts;
    Facts *inside = facts_new(cx, arena, facts);
    size_condition_assume(cx, inside, c);
    return inside;
}
