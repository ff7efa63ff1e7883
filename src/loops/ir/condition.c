// Negates conditions, and expresses comparisons as relations between sizes.
#include "loops/ir/statements.h"

static Prim opposite(Prim op)
{
    switch (op) {
    case PRIM_LT: return PRIM_GE;
    case PRIM_GE: return PRIM_LT;
    case PRIM_GT: return PRIM_LE;
    case PRIM_LE: return PRIM_GT;
    case PRIM_EQ: return PRIM_NE;
    case PRIM_NE: return PRIM_EQ;
    default: return PRIM_COUNT;
    }
}

// Returns the negation of a condition without adding a `!`, or NULL if that is impossible, as for
// loads, locals, and comparisons of floats (because of NaN).
static Node *pushed(Session *cx, Node *c)
{
    Node *a, *b;
    if (c->kind == CORE_LIT) return core_bool(cx, !c->attr.i);
    if (c->kind == CORE_IF ||
        c->kind == LOOP_SELECT) { // c && a is c ? a : false, c || b is c ? true : b
        bool both = core_is_bool(c->op[2], false), either = core_is_bool(c->op[1], true);
        if (!both && !either) return NULL;
        a = pushed(cx, c->op[0]);
        b = a ? pushed(cx, c->op[both ? 1 : 2]) : NULL;
        Node *ops[3] = {a, both ? core_bool(cx, true) : b, both ? b : core_bool(cx, false)};
        return b ? node_with_ops(cx, c, ops) : NULL;
    }
    if (c->kind != CORE_PRIM) return NULL;
    Prim op = (Prim)c->attr.i;
    if (op == PRIM_NOT) return c->op[0];
    if (op == PRIM_AND || op == PRIM_OR) {
        a = pushed(cx, c->op[0]);
        b = a ? pushed(cx, c->op[1]) : NULL;
        return b ? core_prim(cx, op == PRIM_AND ? PRIM_OR : PRIM_AND, 2, (Node *[]){a, b}) : NULL;
    }
    if (prim_is_hint(op)) {
        a = pushed(cx, c->op[0]);
        return a ? core_prim(cx, op == PRIM_LIKELY ? PRIM_UNLIKELY : PRIM_LIKELY, 1, &a) : NULL;
    }
    if (opposite(op) == PRIM_COUNT || type_is_float(c->op[0]->type)) return NULL;
    return core_prim(cx, opposite(op), 2, (Node *[]){c->op[0], c->op[1]});
}

Node *loops_negated(Session *cx, Node *c)
{
    Node *n = pushed(cx, c);
    return n ? n : core_prim(cx, PRIM_NOT, 1, &c);
}

void loops_conjuncts(Node *c, bool holds, ConjunctVisitor *visit, void *env)
{
    Prim op = c->kind == CORE_PRIM ? (Prim)c->attr.i : PRIM_COUNT;
    if (c->kind == CORE_IF || c->kind == LOOP_SELECT) { // c && a is c ? a : false
        bool both = core_is_bool(c->op[2], false), either = core_is_bool(c->op[1], true);
        if (!(holds ? both : either)) return;
        loops_conjuncts(c->op[0], holds, visit, env);
        loops_conjuncts(c->op[both ? 1 : 2], holds, visit, env);
    } else if (op == PRIM_NOT) {
        loops_conjuncts(c->op[0], !holds, visit, env);
    } else if (op != PRIM_COUNT && prim_is_hint(op)) {
        loops_conjuncts(c->op[0], holds, visit, env);
    } else if (op == (holds ? PRIM_AND : PRIM_OR)) {
        loops_conjuncts(c->op[0], holds, visit, env);
        loops_conjuncts(c->op[1], holds, visit, env);
    } else {
        visit(c, holds, env);
    }
}

// Returns b - a - 1, which is >= 0 exactly if a < b.
static Node *less(Session *cx, Node *a, Node *b)
{
    return nat_sub(cx, nat_sub(cx, b, a), nat_const(cx, 1));
}

bool loops_compared(Session *cx, Node *c, bool holds, SetRelation *relation, Node **size)
{
    if (c->kind != CORE_PRIM || c->nops != 2) return false;
    Node *a = loops_size(cx, c->op[0]), *b = a ? loops_size(cx, c->op[1]) : NULL;
    Prim op = holds ? (Prim)c->attr.i : opposite((Prim)c->attr.i);
    if (!b) return false;
    *relation = op == PRIM_EQ ? SET_EQ0 : op == PRIM_NE ? SET_NE0 : SET_GE0;
    switch (op) {
    case PRIM_LT: *size = less(cx, a, b); return true;
    case PRIM_LE: *size = nat_sub(cx, b, a); return true;
    case PRIM_GT: *size = less(cx, b, a); return true;
    case PRIM_GE:
    case PRIM_EQ:
    case PRIM_NE: *size = nat_sub(cx, a, b); return true;
    default: return false;
    }
}
