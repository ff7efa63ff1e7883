// Masks: places with a vector of bools that says which lanes are active.
#include "infer/terms/terms.h"

Node *mask_type(Elab *x)
{
    return type_varying(x->cx, x->masks->length, type_scalar(x->cx, SCALAR_BOOL));
}

// The place that was bound with this many variables outside it.
Node *mask_cell(Elab *x, int level, Node *type)
{
    return core_var(x->cx, x->depth - 1 - level, type_ref(x->cx, type, true, SPACE_GENERIC));
}

Node *mask_at(Elab *x, int level)
{
    return core_get(x->cx, mask_cell(x, level, mask_type(x)));
}

Node *mask_set(Elab *x, int level, Node *value)
{
    return core_set(x->cx, mask_cell(x, level, mask_type(x)), value);
}

Node *mask_both(Elab *x, Prim op, Node *a, Node *b)
{
    return core_prim(x->cx, op, 2, (Node *[]){a, b});
}

Node *mask_but(Elab *x, Node *a, Node *b)
{
    return mask_both(x, PRIM_AND, a, core_prim(x->cx, PRIM_NOT, 1, &b));
}

Node *mask_any_live(Elab *x)
{
    Node *live = mask_at(x, x->masks->live);
    return core_pattern(x->cx, CORE_ANY, 0, 1, &live);
}

// A new place with zeros; gives its level.
int mask_push_cell(Elab *x, Lets *lets, const char *name, Node *type)
{
    elab_push(x, lets, session_sym(x->cx, name), core_new(x->cx, elab_zero(x, type)));
    return x->depth - 1;
}

bool mask_is_value(Node *t)
{
    return t->kind != TYPE_NEVER && !type_is_unit(t);
}

bool mask_may_leave(Elab *x, const Ast *e)
{
    for (int i = 0; i < x->masks->exits.len; i++)
        if (infer_mentions(x->b, e, x->masks->exits.at[i].jump)) return true;
    return false;
}

Node *mask_jump_to(Elab *x, int label)
{
    Node *type = type_continuation(x->cx, core_unit(x->cx)->type);
    return core_app(x->cx, core_var(x->cx, x->depth - 1 - label, type), 0, NULL);
}

Node *elab_fit(Elab *x, Node *n, Node *type)
{
    bool none = type_is_unit(n->type) && mask_is_value(type);
    return none ? core_seq(x->cx, n, elab_zero(x, type)) : n;
}

Node *elab_live(Elab *x)
{
    return mask_at(x, x->masks->live);
}

// A condition as one of lanes.
Node *mask_to_lanes(Elab *x, Node *condition)
{
    bool lanes = condition->type->kind == TYPE_VEC;
    return lanes ? condition : core_cast(x->cx, condition, mask_type(x));
}
