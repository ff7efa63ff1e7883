// The part of one lane in data with vectors: its value, and its location.
#include "core/ir/core.h"

// The lane as an index of a vector of this type, whose length may be written in another way.
static Node *lane_in(Session *cx, Node *vector, Node *lane)
{
    Node *t = type_idx(cx, vector->op[0]);
    return lane->type == t ? lane : core_cast(cx, lane, t);
}

Node *core_lane_of(Session *cx, Node *e, Node *lane)
{
    Node *t = e->type;
    if (!type_has_vector(t)) return e;
    if (t->kind == TYPE_REF) return core_ref_lane(cx, e, lane);
    if (t->kind == TYPE_VEC)
        return core_pattern(cx, CORE_EXTRACT, 0, 2, (Node *[]){e, lane_in(cx, t, lane)});
    if (t->kind == TYPE_ARRAY) {
        Node *one = core_lane_of(cx, core_var(cx, 0, t->op[1]), node_shift(cx, lane, 1, 0));
        Sym name = session_sym(cx, "v");
        Node *f = core_lam(cx, 1, &t->op[1], &name, one);
        return core_pattern(cx, CORE_MAP, 0, 2, (Node *[]){f, e});
    }
    if (t->kind != TYPE_TUPLE && t->kind != TYPE_STRUCT) return e;
    Node **parts = ARENA_ARRAY(cx->arena, Node *, t->nops + 1);
    for (int i = 0; i < (int)t->nops; i++) parts[i] = core_lane_of(cx, core_proj(cx, e, i), lane);
    return core_tuple(cx, (int)t->nops, parts, type_of_lane(cx, t));
}

Node *core_ref_lane(Session *cx, Node *place, Node *lane)
{
    Node *t = place->type->op[0];
    if (!type_has_vector(t)) return place;
    if (t->kind == TYPE_VEC) return core_ref_at(cx, place, lane_in(cx, t, lane));
    return core_pattern(cx, CORE_REF_LANE, 0, 2, (Node *[]){place, lane});
}

Node *core_set_parts(Session *cx, Node *place, Node *value, int depth, CoreSetPart set, void *env)
{
    Node *t = place->type->op[0];
    if (t->kind == TYPE_ARRAY && type_has_vector(t)) {
        Node *i64 = type_scalar(cx, SCALAR_I64), *n = t->op[0];
        Sym name = session_sym(cx, "i");
        Node *at = core_to_idx(cx, core_var(cx, 0, i64), n, NO_SPAN);
        Node *to = core_ref_at(cx, node_shift(cx, place, 1, 0), at);
        Node *of = core_pattern(cx, CORE_INDEX, 0, 2, (Node *[]){node_shift(cx, value, 1, 0), at});
        Node *one = core_set_parts(cx, to, of, depth + 1, set, env);
        return core_range(cx, core_int(cx, i64, 0), core_size(cx, n),
                          core_lam(cx, 1, &i64, &name, one));
    }
    if (t->kind == TYPE_VEC || !type_has_vector(t)) return set(cx, place, value, depth, env);
    Node *done = NULL;
    for (int i = (int)t->nops - 1; i >= 0; i--) {
        Node *one = core_set_parts(cx, core_ref_proj(cx, place, i), core_proj(cx, value, i), depth,
                                   set, env);
        done = done ? core_seq(cx, one, done) : one;
    }
    return done ? done : core_unit(cx);
}

typedef struct {
    Node *lane;
    Span origin;
} SetLane;

// Assigns the lane's element of a vector. Data without vectors is not assigned: all lanes share it.
static Node *set_lane(Session *cx, Node *place, Node *value, int depth, void *env)
{
    const SetLane *l = env;
    if (!type_has_vector(place->type)) return core_unit(cx);
    Node *to = core_ref_lane(cx, place, node_shift(cx, l->lane, depth, 0));
    return core_at(cx, core_set(cx, to, value), l->origin);
}

Node *core_set_lane(Session *cx, Node *place, Node *lane, Node *value, Span origin)
{
    SetLane l = {lane, origin};
    return core_at(cx, core_set_parts(cx, place, value, 0, set_lane, &l), origin);
}
