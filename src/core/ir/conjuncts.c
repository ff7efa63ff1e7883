// The conjuncts that follow from conditions.
#include "core/ir/core.h"

static bool is_truth(Node *x, bool value)
{
    Scalar s;
    return x->kind == CORE_LIT && (x->attr.i != 0) == value && type_is_scalar(x->type, &s) &&
           s == SCALAR_BOOL;
}

void core_conjuncts(Node *c, bool holds, ConjunctVisitor *visit, void *env)
{
    Prim op = c->kind == CORE_PRIM ? (Prim)c->attr.i : PRIM_COUNT;
    if (c->kind == CORE_IF || c->kind == LOOP_SELECT) { // c && a is c ? a : false
        bool both = is_truth(c->op[2], false), either = is_truth(c->op[1], true);
        if (!(holds ? both : either)) return;
        core_conjuncts(c->op[0], holds, visit, env);
        core_conjuncts(c->op[both ? 1 : 2], holds, visit, env);
    } else if (op == PRIM_NOT) {
        core_conjuncts(c->op[0], !holds, visit, env);
    } else if (op == (holds ? PRIM_AND : PRIM_OR)) {
        core_conjuncts(c->op[0], holds, visit, env);
        core_conjuncts(c->op[1], holds, visit, env);
    } else {
        visit(c, holds, env);
    }
}

typedef struct {
    Session *cx;
    Arena *arena;
    const Facts *outer;
    Facts *facts; // NULL until the condition says something about sizes
} Assumption;

static Node *size_of(Session *cx, Node *e)
{
    Scalar s;
    bool literal = e->kind == CORE_LIT && type_is_scalar(e->type, &s) && s == SCALAR_I64;
    return e->kind == CORE_NAT ? e->op[0] : literal ? nat_const(cx, e->attr.i) : NULL;
}

static void assume_equal(Assumption *a, Node *left, Node *right, bool equal)
{
    SizeCheck c = {.relation = equal ? SIZE_EQ : SIZE_NE, .left = left, .right = right};
    size_check_assume(a->cx, a->facts, &c);
}

static void assume_comparison(Node *e, bool holds, void *env)
{
    Assumption *a = env;
    Session *cx = a->cx;
    if (e->kind != CORE_PRIM || e->nops != 2) return;
    Node *left = size_of(cx, e->op[0]), *right = left ? size_of(cx, e->op[1]) : NULL;
    if (!right) return;
    if (!a->facts) a->facts = facts_new(cx, a->arena, a->outer);
    Node *one = nat_const(cx, 1), *more = nat_sub(cx, left, right),
         *less = nat_sub(cx, right, left);
    Node *above = nat_sub(cx, more, one), *below = nat_sub(cx, less, one);
    switch ((Prim)e->attr.i) {
    case PRIM_EQ: assume_equal(a, left, right, holds); break;
    case PRIM_NE: assume_equal(a, left, right, !holds); break;
    case PRIM_LT: facts_ge0(a->facts, holds ? below : more); break;
    case PRIM_LE: facts_ge0(a->facts, holds ? less : above); break;
    case PRIM_GT: facts_ge0(a->facts, holds ? above : less); break;
    case PRIM_GE: facts_ge0(a->facts, holds ? more : below); break;
    default: break;
    }
}

Facts *core_assume(Session *cx, Arena *arena, Facts *facts, Node *condition, bool holds)
{
    Assumption a = {cx, arena, facts, NULL};
    core_conjuncts(condition, holds, assume_comparison, &a);
    return a.facts ? a.facts : facts;
}
