// Small terms of Core.
#include "infer/terms/terms.h"

Node *elab_i64(Elab *x)
{
    return type_scalar(x->cx, SCALAR_I64);
}

bool elab_is_atom(Node *e)
{
    return e->kind == CORE_VAR || e->kind == CORE_LIT || e->kind == CORE_NAT;
}

bool elab_is_path(Node *e)
{
    while (e->kind == CORE_PROJ) e = e->op[0];
    return e->kind == CORE_VAR;
}

static Node *element(Elab *x, Node *array, int k)
{
    Node *i = core_int(x->cx, elab_i64(x), k);
    Node *at = core_to_idx(x->cx, i, array->type->op[0], array->origin);
    return core_pattern(x->cx, CORE_INDEX, 0, 2, (Node *[]){array, at});
}

Node *elab_part(Elab *x, Node *e, int k)
{
    return e->type->kind == TYPE_ARRAY ? element(x, e, k) : core_proj(x->cx, e, k);
}

// The first element of an array that scatter has left empty: a zero of any type.
static Node *zero_of_unknown(Elab *x, Node *t)
{
    Session *cx = x->cx;
    Node *one = nat_const(cx, 1), *index = type_idx(cx, one);
    Node *empty[2] = {core_array(cx, index, 0, NULL), core_array(cx, t, 0, NULL)};
    NodeSpec s = {.kind = CORE_SCATTER, .nops = 2, .ops = empty, .type = type_array(cx, one, t)};
    Node *ops[2] = {node_make(cx, &s), core_int(cx, index, 0)};
    return core_pattern(cx, CORE_INDEX, 0, 2, ops);
}

Node *elab_zero(Elab *x, Node *t)
{
    Session *cx = x->cx;
    Node **parts, *index;
    Sym name;
    switch ((Kind)t->kind) {
    case TYPE_SCALAR:
    case TYPE_IDX: return core_int(cx, t, 0);
    case TYPE_VEC: return core_cast(cx, core_cast(cx, core_int(cx, elab_i64(x), 0), t->op[1]), t);
    case TYPE_TUPLE:
    case TYPE_STRUCT:
        parts = ARENA_ARRAY(x->b->arena, Node *, t->nops + 1);
        for (uint32_t i = 0; i < t->nops; i++) parts[i] = elab_zero(x, t->op[i]);
        return core_tuple(cx, (int)t->nops, parts, t);
    case TYPE_ARRAY:
        index = type_idx(cx, t->op[0]);
        name = session_sym(cx, "i");
        return core_pattern(
            cx, CORE_GENERATE, 0, 2,
            (Node *[]){t->op[0], core_lam(cx, 1, &index, &name, elab_zero(x, t->op[1]))});
    default: return zero_of_unknown(x, t);
    }
}

Node *elab_to_integer(Elab *x, Node *e)
{
    return e->type->kind == TYPE_IDX ? core_cast(x->cx, e, elab_i64(x)) : e;
}
