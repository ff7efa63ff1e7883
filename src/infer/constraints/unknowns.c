// Unknown types, and the kinds of types they are restricted to.
#include "infer/constraints/constraints.h"

Node *infer_unknown(Body *b)
{
    return solver_new_type(b->scope.solver, META_ANY);
}

Node *infer_resolve(Body *b, Node *t)
{
    return solver_resolve(b->scope.solver, t);
}

bool infer_is_unknown(Node *t)
{
    return t->kind == TYPE_META;
}

MetaKind infer_meta_kind(GenericKind kind)
{
    switch (kind) {
    case GENERIC_NAT:
    case GENERIC_DATA: return META_DATA;
    case GENERIC_NUM: return META_NUM;
    case GENERIC_INT: return META_INT;
    case GENERIC_FLOAT: return META_FLOAT;
    case GENERIC_SCALAR: return META_SCALAR;
    }
    return META_DATA;
}

static bool variable_is(GenericKind has, GenericKind needs)
{
    if (needs == GENERIC_DATA || has == needs) return true;
    if (needs == GENERIC_SCALAR) return has != GENERIC_DATA && has != GENERIC_NAT;
    return needs == GENERIC_NUM && (has == GENERIC_INT || has == GENERIC_FLOAT);
}

bool infer_require(Body *b, Node *t, GenericKind kind)
{
    t = infer_resolve(b, t);
    if (t->kind == TYPE_ERROR) return true;
    if (t->kind == TYPE_VAR) {
        const Local *l = infer_find_local(&b->scope, t->attr.sym);
        return l && l->kind == LOCAL_TYPE && variable_is(l->generic, kind);
    }
    b->changes++;
    return solver_require(b->scope.solver, t, infer_meta_kind(kind));
}

bool infer_is_number(Body *b, Node *t)
{
    return type_is_number(t) || solver_is_number(b->scope.solver, t);
}

Node *infer_unknown_in(Node *t)
{
    if (t->kind == TYPE_META || t->kind == NAT_META) return t;
    for (uint32_t i = 0; i < t->nops; i++) {
        Node *found = infer_unknown_in(t->op[i]);
        if (found) return found;
    }
    return NULL;
}

Node *infer_unit(Body *b)
{
    return type_tuple(b->cx, 0, NULL);
}

Node *infer_i64(Body *b)
{
    return type_scalar(b->cx, SCALAR_I64);
}

Node *infer_boolean(Body *b)
{
    return type_scalar(b->cx, SCALAR_BOOL);
}
