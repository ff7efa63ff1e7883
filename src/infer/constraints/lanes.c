// Types with one value per lane (lane_types.c) that may contain unknowns.
#include "infer/constraints/constraints.h"

Node *infer_lanes_inside(Body *b, Node *t)
{
    Node *found = NULL;
    t = infer_resolve(b, t);
    if (t->kind == TYPE_VEC) return t->op[0];
    if (type_is_enum(t)) return infer_lanes_inside(b, t->op[0]);
    for (uint32_t i = t->kind == TYPE_ARRAY; infer_is_compound(t) && i < t->nops && !found; i++)
        found = infer_lanes_inside(b, t->op[i]);
    return found;
}

bool infer_is_lane(Body *b, Node *t)
{
    return t->kind == TYPE_SCALAR || solver_is_scalar(b->scope.solver, t) ||
           (t->kind == TYPE_VAR && infer_require(b, t, GENERIC_SCALAR));
}

Node *infer_like_lanes(Body *b, Node *t, Node *found)
{
    t = infer_resolve(b, t);
    found = infer_resolve(b, found);
    if (found->kind == TYPE_VEC)
        return infer_is_lane(b, t) ? type_varying(b->cx, found->op[0], t) : t;
    if (t->kind != found->kind || !infer_is_compound(t) || t->nops != found->nops) return t;
    if (t->kind == TYPE_STRUCT && t->attr.sym != found->attr.sym) return t;
    if (type_is_enum(t) && !infer_lanes_inside(b, found)) return t;
    for (uint32_t i = t->kind == TYPE_ARRAY; i < t->nops; i++) {
        Node *part = infer_like_lanes(b, t->op[i], found->op[i]);
        if (part != t->op[i]) t = node_with_op(b->cx, t, (int)i, part);
    }
    return t;
}

static bool is_lane(void *env, Node *t)
{
    return infer_is_lane(env, t);
}

Node *infer_many(Body *b, Node *t, Node *lanes)
{
    return infer_in_lanes(b->in, infer_resolve(b, t), lanes, false, is_lane, b);
}

Node *infer_rest_in_lanes(Body *b, Node *t, Node *lanes)
{
    return infer_in_lanes(b->in, infer_resolve(b, t), lanes, true, is_lane, b);
}
