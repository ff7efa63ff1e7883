// Builds variables, and takes one lane's part of values and locations that span all lanes.
#include "infer/terms/terms.h"

Node *elab_lane_type(Elab *x, Node *t)
{
    if (!infer_has_vector(t)) return t;
    if (t->kind == TYPE_VEC) return t->op[1];
    for (uint32_t i = 0; i < t->nops; i++)
        if (infer_has_vector(t->op[i]))
            t = node_with_op(x->cx, t, (int)i, elab_lane_type(x, t->op[i]));
    return t;
}

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

// Builds a tuple or struct from this lane's part of each component of `e`.
static Node *components_of(Elab *x, Node *e)
{
    Node *type = e->type, **parts = ARENA_ARRAY(x->b->arena, Node *, type->nops + 1);
    Lets lets = {0};
    e = name_whole(x, &lets, e);
    for (uint32_t i = 0; i < type->nops; i++)
        parts[i] = elab_lane_of(x, core_proj(x->cx, e, (int)i));
    return elab_wrap(x, &lets, core_tuple(x->cx, (int)type->nops, parts, elab_lane_type(x, type)));
}

static Node *elements_of(Elab *x, Node *e)
{
    x->depth++;
    Node *one = elab_lane_of(x, core_var(x->cx, 0, e->type->op[1]));
    x->depth--;
    return elab_map(x, "v", one, e);
}

// A reference to several vectors is returned unchanged, because this lane's parts are taken from it
// later.
Node *elab_lane_of(Elab *x, Node *e)
{
    Node *t = e->type;
    if (!x->lane || !infer_has_vector(t)) return e;
    switch ((Kind)t->kind) {
    case TYPE_VEC:
        return core_pattern(x->cx, CORE_EXTRACT, 0, 2, (Node *[]){e, elab_lane_index(x, t->op[0])});
    case TYPE_REF:
        return t->op[0]->kind == TYPE_VEC
                   ? core_ref_at(x->cx, e, elab_lane_index(x, t->op[0]->op[0]))
                   : e;
    case TYPE_ARRAY: return elements_of(x, e);
    case TYPE_TUPLE:
    case TYPE_STRUCT: return components_of(x, e);
    default: return e;
    }
}

static Node *set_parts(Elab *x, Node *place, Node *value);

// `place` and `value` are variables, or paths to parts of variables. Uniform parts are assigned to
// only in code that keeps a mask, outside the program of one lane: all active lanes have the same
// value there.
static Node *set_part(Elab *x, Node *place, Node *value)
{
    if (!infer_has_vector(place->type))
        return x->masks && !x->lane ? core_set(x->cx, place, value) : core_unit(x->cx);
    if (!x->lane && value->type->kind == TYPE_VEC) {
        Node *ops[3] = {elab_live(x), value, core_get(x->cx, place)};
        return core_set(x->cx, place, core_pattern(x->cx, CORE_BLEND, 0, 3, ops));
    }
    if (!x->lane) return set_parts(x, place, value);
    place = elab_lane_of(x, place);
    bool all = infer_has_vector(place->type);
    return all ? set_parts(x, place, value) : core_set(x->cx, place, value);
}

static Node *set_components(Elab *x, Node *place, Node *value)
{
    Node *done = NULL;
    for (int i = (int)place->type->op[0]->nops - 1; i >= 0; i--) {
        Node *one = set_part(x, core_ref_proj(x->cx, place, i), core_proj(x->cx, value, i));
        done = done ? core_seq(x->cx, one, done) : one;
    }
    return done ? done : core_unit(x->cx);
}

static Node *set_elements(Elab *x, Node *place, Node *value)
{
    Session *cx = x->cx;
    Node *n = value->type->op[0], *i64 = elab_i64(x);
    Sym name = session_sym(cx, "i");
    x->depth++;
    Node *at = core_to_idx(cx, core_var(cx, 0, i64), n, NO_SPAN);
    Node *one = set_part(x, core_ref_at(cx, node_shift(cx, place, 1, 0), at),
                         elab_at(x, node_shift(cx, value, 1, 0), at));
    x->depth--;
    return core_range(cx, core_int(cx, i64, 0), core_size(cx, n),
                      core_lam(cx, 1, &i64, &name, one));
}

static Node *set_parts(Elab *x, Node *place, Node *value)
{
    return place->type->op[0]->kind == TYPE_ARRAY ? set_elements(x, place, value)
                                                  : set_components(x, place, value);
}

Node *elab_masked_set(Elab *x, Node *place, Node *value)
{
    Lets lets = {0};
    Node *to = place->type, *of = value->type;
    elab_push(x, &lets, session_sym(x->cx, "place"), place);
    elab_push(x, &lets, NULL, node_shift(x->cx, value, 1, 0));
    return elab_wrap(x, &lets, set_part(x, core_var(x->cx, 1, to), core_var(x->cx, 0, of)));
}

Node *elab_lane_set(Elab *x, Node *place, Node *value)
{
    if (!x->lane || !infer_has_vector(place->type)) return core_set(x->cx, place, value);
    return elab_masked_set(x, place, value);
}

Node *elab_splat_to(Elab *x, Node *e, Node *type)
{
    Session *cx = x->cx;
    if (e->type == type || !infer_has_vector(type)) return e;
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
    return x->lane ? elab_lane_type(x, t) : t;
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
