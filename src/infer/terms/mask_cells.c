// Masks: cells that contain a vector of bools, true for active lanes.
#include "infer/terms/terms.h"

Node *mask_type(Elab *x)
{
    return type_varying(x->cx, x->masks->length, type_scalar(x->cx, SCALAR_BOOL));
}

Node *mask_at(Elab *x, int level)
{
    return core_get(x->cx, elab_cell(x, level, mask_type(x)));
}

Node *mask_set(Elab *x, int level, Node *value)
{
    return core_set(x->cx, elab_cell(x, level, mask_type(x)), value);
}

void mask_push_set(Elab *x, Lets *lets, int level, Node *value)
{
    elab_push(x, lets, NULL, mask_set(x, level, value));
}

void mask_push_or(Elab *x, Lets *lets, int level, Node *lanes)
{
    mask_push_set(x, lets, level, elab_prim(x, PRIM_OR, mask_at(x, level), lanes));
}

void mask_push_if_live(Elab *x, Lets *lets, Node *statement)
{
    elab_push(x, lets, NULL, core_if(x->cx, mask_any_live(x), statement, core_unit(x->cx)));
}

Node *mask_result(Elab *x, int level, Node *type)
{
    return level < 0 ? core_unit(x->cx) : core_get(x->cx, elab_cell(x, level, type));
}

Node *mask_but(Elab *x, Node *a, Node *b)
{
    return elab_prim(x, PRIM_AND, a, core_prim(x->cx, PRIM_NOT, 1, &b));
}

Node *mask_any_live(Elab *x)
{
    Node *live = elab_live(x);
    return core_pattern(x->cx, CORE_ANY, 0, 1, &live);
}

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
    return core_app(x->cx, elab_var(x, label, type), 0, NULL);
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

Node *mask_to_lanes(Elab *x, Node *condition)
{
    bool lanes = condition->type->kind == TYPE_VEC;
    return lanes ? condition : core_cast(x->cx, condition, mask_type(x));
}
