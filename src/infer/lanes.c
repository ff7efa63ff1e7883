// Types in lanes: a tuple, a struct or an array of vectors is what each lane has one of. Members that are vectors already stay what they are
// (Sierra's structs of vectors: Leissa's thesis, 3.2; in memory each member is a row of its own).
#include "infer/internal.h"

#include <string.h>

// An enum is as a whole the same option in all lanes.
static bool is_enum(Node *t)
{
    return t->kind == TYPE_STRUCT && t->nops > 0 && strcmp(t->names[0]->text, "#") == 0;
}

static bool is_compound(Node *t)
{
    bool compound = t->kind == TYPE_TUPLE || t->kind == TYPE_STRUCT || t->kind == TYPE_ARRAY;
    return compound && !is_enum(t);
}

Node *infer_in_lanes(Session *cx, Node *t, Node *lanes, bool (*is_lane)(void *env, Node *t),
                     void *env)
{
    if (t->kind == TYPE_VEC || t->kind == TYPE_ERROR) return t;
    if (is_lane(env, t)) return type_varying(cx, lanes, t);
    if (!is_compound(t)) return NULL;
    for (uint32_t i = t->kind == TYPE_ARRAY; i < t->nops; i++) {
        Node *part = infer_in_lanes(cx, t->op[i], lanes, is_lane, env);
        if (!part) return NULL;
        if (part != t->op[i]) t = node_with_op(cx, t, (int)i, part);
    }
    return t;
}

Node *infer_lanes_inside(Body *b, Node *t)
{
    Node *found = NULL;
    t = infer_resolve(b, t);
    if (t->kind == TYPE_VEC) return t->op[0];
    for (uint32_t i = t->kind == TYPE_ARRAY; is_compound(t) && i < t->nops && !found; i++)
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
    if (t->kind != found->kind || !is_compound(t) || t->nops != found->nops) return t;
    if (t->kind == TYPE_STRUCT && t->attr.sym != found->attr.sym) return t;
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
    return infer_in_lanes(b->cx, infer_resolve(b, t), lanes, is_lane, b);
}
