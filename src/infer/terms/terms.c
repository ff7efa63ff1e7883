// Builds small Core terms.
#include "infer/terms/terms.h"

Node *elab_i64(Elab *x)
{
    return type_scalar(x->cx, SCALAR_I64);
}

Node *elab_var(Elab *x, int level, Node *type)
{
    return core_var(x->cx, x->depth - 1 - level, type);
}

Node *elab_cell(Elab *x, int level, Node *type)
{
    return elab_var(x, level, type_ref(x->cx, type, true, SPACE_GENERIC));
}

Node *elab_prim(Elab *x, Prim op, Node *a, Node *b)
{
    return core_prim(x->cx, op, 2, (Node *[]){a, b});
}

Node *elab_at(Elab *x, Node *array, Node *index)
{
    return core_pattern(x->cx, CORE_INDEX, 0, 2, (Node *[]){array, index});
}

Node *elab_map(Elab *x, const char *name, Node *body, Node *xs)
{
    Sym sym = session_sym(x->cx, name);
    Node *f = core_lam(x->cx, 1, &xs->type->op[1], &sym, body);
    return core_pattern(x->cx, CORE_MAP, 0, 2, (Node *[]){f, xs});
}

Node *elab_generate(Elab *x, Sym name, Node *n, Node *body)
{
    Node *index = type_idx(x->cx, n), *f = core_lam(x->cx, 1, &index, &name, body);
    return core_pattern(x->cx, CORE_GENERATE, 0, 2, (Node *[]){n, f});
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

Node *elab_part(Elab *x, Node *e, int k)
{
    if (e->type->kind != TYPE_ARRAY) return core_proj(x->cx, e, k);
    Node *i = core_int(x->cx, elab_i64(x), k);
    return elab_at(x, e, core_to_idx(x->cx, i, e->type->op[0], e->origin));
}

// Builds a zero of a type that is still unknown: an element of an array filled by an empty scatter.
static Node *zero_of_unknown(Elab *x, Node *t)
{
    Session *cx = x->cx;
    Node *one = nat_const(cx, 1), *index = type_idx(cx, one);
    Node *empty[2] = {core_array(cx, index, 0, NULL), core_array(cx, t, 0, NULL)};
    NodeSpec s = {.kind = CORE_SCATTER, .nops = 2, .ops = empty, .type = type_array(cx, one, t)};
    return elab_at(x, node_make(cx, &s), core_int(cx, index, 0));
}

Node *elab_zero(Elab *x, Node *t)
{
    Session *cx = x->cx;
    Node **parts;
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
        return elab_generate(x, session_sym(cx, "i"), t->op[0], elab_zero(x, t->op[1]));
    default: return zero_of_unknown(x, t);
    }
}

Node *elab_to_integer(Elab *x, Node *e)
{
    return e->type->kind == TYPE_IDX ? core_cast(x->cx, e, elab_i64(x)) : e;
}
