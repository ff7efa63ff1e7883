// Builds variables, and takes one lane's part of values and locations that span all lanes.
#include "infer/terms/terms.h"

Node *elab_lane_index(Elab *x, Node *length)
{
    Node *at = elab_var(x, x->lane->index, type_idx(x->cx, x->lane->length));
    return length == x->lane->length ? at : core_cast(x->cx, at, type_idx(x->cx, length));
}

// Let-binds a term whose components are about to be taken, unless it is a path.
static Node *name_whole(Elab *x, Lets *lets, Node *e)
{
    Node *type = e->type;
    if (elab_is_path(e)) return e;
    elab_push(x, lets, NULL, e);
    return core_var(x->cx, 0, type);
}

Node *elab_lane_of(Elab *x, Node *e)
{
    Lets lets = {0};
    if (!x->lane || !type_has_vector(e->type)) return e;
    if (infer_is_compound(e->type)) e = name_whole(x, &lets, e);
    Node *lane = elab_lane_index(x, x->lane->length);
    return elab_wrap(x, &lets, core_lane_of(x->cx, e, lane));
}

// Assigns the active lanes of a vector. What has no vectors has the same value in all of them.
static Node *set_active(Session *cx, Node *place, Node *value, int depth, void *env)
{
    Elab *x = env;
    if (value->type->kind != TYPE_VEC) return core_set(cx, place, value);
    x->depth += depth;
    Node *ops[3] = {elab_live(x), value, core_get(cx, place)};
    x->depth -= depth;
    return core_set(cx, place, core_pattern(cx, CORE_BLEND, 0, 3, ops));
}

Node *elab_masked_set(Elab *x, Node *place, Node *value)
{
    Lets lets = {0};
    Node *to = place->type, *of = value->type;
    elab_push(x, &lets, session_sym(x->cx, "place"), place);
    elab_push(x, &lets, NULL, node_shift(x->cx, value, 1, 0));
    Node *set =
        core_set_parts(x->cx, core_var(x->cx, 1, to), core_var(x->cx, 0, of), 0, set_active, x);
    return elab_wrap(x, &lets, set);
}

Node *elab_splat_to(Elab *x, Node *e, Node *type)
{
    Session *cx = x->cx;
    if (e->type == type || !type_has_vector(type)) return e;
    if (type->kind == TYPE_VEC) return core_cast(cx, e, type);
    if (type->kind == TYPE_ARRAY)
        return elab_map(x, "x", elab_splat_to(x, core_var(cx, 0, e->type->op[1]), type->op[1]), e);
    Node **parts = ARENA_ARRAY(x->b->arena, Node *, type->nops + 1);
    Lets lets = {0};
    e = name_whole(x, &lets, e);
    for (uint32_t i = 0; i < type->nops; i++)
        parts[i] = elab_splat_to(x, core_proj(cx, e, (int)i), type->op[i]);
    return elab_wrap(x, &lets, core_tuple(cx, (int)type->nops, parts, type));
}

Sym elab_lane_name(Elab *x, const Symbol *y)
{
    return session_sym(x->cx, arena_printf(x->b->arena, "%s(lane)", y->full->text));
}

Sym elab_masked_name(Elab *x, const Symbol *y)
{
    return session_sym(x->cx, arena_printf(x->b->arena, "%s(lanes)", y->full->text));
}

Node *elab_whole_type(Elab *x, Node *t)
{
    t = infer_resolve(x->b, t);
    return x->b->in->spaces ? type_without_spaces(x->cx, t) : t;
}

Node *elab_type(Elab *x, Node *t)
{
    t = elab_whole_type(x, t);
    return x->lane ? type_of_lane(x->cx, t) : t;
}

Node *elab_variable(Elab *x, const Local *l)
{
    bool all = x->lane && l->level < x->lane->base; // it holds the values of all lanes
    Node *type = all ? elab_whole_type(x, l->type) : elab_type(x, l->type);
    if (l->mutable) type = type_ref(x->cx, type, true, SPACE_GENERIC);
    if (l->parent && !l->mutable) return elab_part(x, elab_variable(x, l->parent), l->component);
    CHECK(x->cx, l->level >= 0 && l->level < x->depth, "variable %s is not bound",
          l->name ? l->name->text : "_");
    return elab_var(x, l->level, type);
}

Node *elab_local(Elab *x, const Local *l)
{
    return elab_lane_of(x, elab_variable(x, l));
}

Node *elab_extents(Elab *x, const Extents *v)
{
    Node **sizes = ARENA_ARRAY(x->b->arena, Node *, v->n + 1);
    for (int i = 0; i < v->n; i++) sizes[i] = core_size(x->cx, elab_type(x, v->at[i]));
    return core_array(x->cx, elab_i64(x), v->n, sizes);
}
