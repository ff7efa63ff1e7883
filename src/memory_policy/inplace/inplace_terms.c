// Translates low Core terms to sizes in terms of loop indices, and their conditions to conditions
// on such sizes.
#include "memory_policy/inplace/inplace.h"

enum { MAX_LITERAL = 1 << 30, MAX_WEIGHT = 40 };

static bool is_integer(Node *type)
{
    Scalar s;
    return type->kind == TYPE_IDX || (type_is_scalar(type, &s) && s == SCALAR_I64);
}

static bool is_small(Node *size)
{
    int left = MAX_WEIGHT;
    Node *stack[MAX_WEIGHT];
    int n = 0;
    for (stack[n++] = size; n > 0; left--) {
        size = stack[--n];
        if (left == 0 || size->kind == NAT_OVERFLOW || n + (int)size->nops > MAX_WEIGHT)
            return false;
        for (uint32_t i = 0; i < size->nops; i++) stack[n++] = size->op[i];
    }
    return true;
}

static Node *product(InPlace *c, Node *a, Node *b)
{
    int64_t k;
    bool constant = nat_is_const(a, &k) || nat_is_const(b, &k);
    return constant && k > -MAX_LITERAL && k < MAX_LITERAL ? nat_mul(c->cx, a, b) : NULL;
}

// Returns a quotient or remainder. Returns NULL unless the divisor is known to be positive and the
// dividend is known not to be negative, since truncating and floor division differ below 0.
static Node *quotient(InPlace *c, Prim op, Node *a, Node *b, const Scope *scope)
{
    const Facts *f = scope ? scope->facts : NULL;
    if (nat_lt(c->cx, f, nat_const(c->cx, 0), b) != TRUTH_YES) return NULL;
    if (nat_ge0(c->cx, f, a) != TRUTH_YES) return NULL;
    return op == PRIM_DIV ? nat_div(c->cx, a, b) : nat_mod(c->cx, a, b);
}

static Node *size_of_prim(InPlace *c, Node *e, const Env *env, const Scope *scope)
{
    if (e->nops != 2) return NULL;
    Node *a = inplace_size(c, e->op[0], env, scope);
    Node *b = a ? inplace_size(c, e->op[1], env, scope) : NULL;
    if (!b) return NULL;
    switch ((Prim)e->attr.i) {
    case PRIM_ADD: return nat_add(c->cx, a, b);
    case PRIM_SUB: return nat_sub(c->cx, a, b);
    case PRIM_MUL: return product(c, a, b);
    case PRIM_MIN: return nat_min(c->cx, a, b);
    case PRIM_MAX: return nat_max(c->cx, a, b);
    case PRIM_DIV:
    case PRIM_REM: return quotient(c, (Prim)e->attr.i, a, b, scope);
    default: return NULL;
    }
}

static Node *size_of(InPlace *c, Node *e, const Env *env, const Scope *scope)
{
    if (!is_integer(e->type)) return NULL;
    switch ((Kind)e->kind) {
    case CORE_VAR: {
        Part p = inplace_at(env, e->attr.i);
        if (p.kind == INDEX) return p.index;
        return p.kind == OTHER && p.term ? inplace_size(c, p.term, p.env, scope) : NULL;
    }
    case CORE_NAT: return e->op[0];
    case CORE_LIT:
        return e->attr.i > -MAX_LITERAL && e->attr.i < MAX_LITERAL ? nat_const(c->cx, e->attr.i)
                                                                   : NULL;
    case CORE_CAST:
    case CORE_TO_IDX: return inplace_size(c, e->op[0], env, scope);
    case CORE_PRIM: return size_of_prim(c, e, env, scope);
    default: return NULL;
    }
}

Node *inplace_size(InPlace *c, Node *e, const Env *env, const Scope *scope)
{
    if (c->fuel-- <= 0) return NULL;
    Node *size = size_of(c, e, env, scope);
    return size && is_small(size) ? size : NULL;
}

// --- what is known in a scope --------------------------------------------------------------------

static Scope *inside(InPlace *c, const Scope *scope)
{
    Scope *a = ARENA_NEW(c->arena, Scope);
    a->up = scope;
    a->facts = facts_new(c->cx, c->arena, scope ? scope->facts : NULL);
    return a;
}

static Scope *in_loop(InPlace *c, const Scope *scope, Sym loop, Node *count)
{
    Scope *a = inside(c, scope);
    a->loop = loop;
    a->count = count;
    facts_range(a->facts, loop, nat_const(c->cx, 0), count);
    return a;
}

const Scope *inplace_in_loop(InPlace *c, const Scope *scope, Sym loop, Node *count, bool read)
{
    Scope *a = in_loop(c, scope, loop, count);
    a->read = read;
    return a;
}

const Scope *inplace_in_pattern(InPlace *c, const Scope *scope, Sym loop, Node *count,
                                Node *pattern)
{
    Scope *a = in_loop(c, scope, loop, count);
    a->any = policy_in_any_order(pattern);
    return a;
}

static const Scope *where(InPlace *c, const Scope *scope, SetRelation relation, Node *e)
{
    Scope *a = inside(c, scope);
    a->condition = (SetCondition){relation, e};
    if (relation == SET_GE0) facts_ge0(a->facts, e);
    if (relation == SET_EQ0) facts_eq0(a->facts, e);
    return a;
}

const Scope *inplace_in_phase(InPlace *c, const Scope *scope, Sym loop, int k)
{
    const Scope *turn = in_loop(c, scope, loop, nat_const(c->cx, 2));
    return where(c, turn, SET_EQ0, nat_sub(c->cx, nat_var(c->cx, loop), nat_const(c->cx, k)));
}

// The comparison that holds if `op` does not.
static Prim negated(Prim op)
{
    switch (op) {
    case PRIM_LT: return PRIM_GE;
    case PRIM_GE: return PRIM_LT;
    case PRIM_LE: return PRIM_GT;
    case PRIM_GT: return PRIM_LE;
    case PRIM_EQ: return PRIM_NE;
    case PRIM_NE: return PRIM_EQ;
    default: return PRIM_COUNT;
    }
}

static const Scope *where_compared(InPlace *c, const Scope *scope, Node *e, const Env *env,
                                   bool holds)
{
    Session *cx = c->cx;
    if (e->nops != 2 || !is_integer(e->op[0]->type)) return scope;
    Node *a = inplace_size(c, e->op[0], env, scope);
    Node *b = a ? inplace_size(c, e->op[1], env, scope) : NULL;
    if (!b) return scope;
    Node *a_b = nat_sub(cx, a, b), *b_a = nat_sub(cx, b, a), *one = nat_const(cx, 1);
    switch (holds ? (Prim)e->attr.i : negated((Prim)e->attr.i)) {
    case PRIM_LT: return where(c, scope, SET_GE0, nat_sub(cx, b_a, one));
    case PRIM_LE: return where(c, scope, SET_GE0, b_a);
    case PRIM_GT: return where(c, scope, SET_GE0, nat_sub(cx, a_b, one));
    case PRIM_GE: return where(c, scope, SET_GE0, a_b);
    case PRIM_EQ: return where(c, scope, SET_EQ0, a_b);
    case PRIM_NE: return where(c, scope, SET_NE0, a_b);
    default: return scope;
    }
}

static bool is_literal(Node *e, bool value)
{
    return e->kind == CORE_LIT && (e->attr.i != 0) == value;
}

// c ? a : false is c && a, and c ? true : b is c || b. A disjunction that holds adds no condition.
static const Scope *where_chosen(InPlace *c, const Scope *scope, Node *e, const Env *env,
                                 bool holds)
{
    bool both = is_literal(e->op[2], false), either = is_literal(e->op[1], true);
    if (!(holds ? both : either)) return scope;
    scope = inplace_where(c, scope, e->op[0], env, holds);
    return inplace_where(c, scope, e->op[both ? 1 : 2], env, holds);
}

const Scope *inplace_where(InPlace *c, const Scope *scope, Node *e, const Env *env, bool holds)
{
    if (c->fuel-- <= 0) return scope;
    if (e->kind == CORE_VAR) {
        Part p = inplace_at(env, e->attr.i);
        return p.kind == OTHER && p.term ? inplace_where(c, scope, p.term, p.env, holds) : scope;
    }
    if (e->kind == CORE_IF) return where_chosen(c, scope, e, env, holds);
    if (e->kind != CORE_PRIM) return scope;
    Prim op = (Prim)e->attr.i;
    if (op == PRIM_NOT) return inplace_where(c, scope, e->op[0], env, !holds);
    if (prim_is_hint(op)) return inplace_where(c, scope, e->op[0], env, holds);
    if (op == (holds ? PRIM_AND : PRIM_OR)) {
        scope = inplace_where(c, scope, e->op[0], env, holds);
        return inplace_where(c, scope, e->op[1], env, holds);
    }
    return where_compared(c, scope, e, env, holds);
}
