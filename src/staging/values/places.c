// Locations inside locations: elements, components and slices, and the parts of one lane. They are
// what cells, constants and choices consist of (store.c).
#include "staging/values/stage.h"

// --- locations inside locations ----------------------------------------------------------------

static Node *inside_lane(Stage *s, Node *e, Node *place, Node *index)
{
    switch (e->kind) {
    case CORE_REF_AT: return core_at(s->cx, core_ref_at(s->cx, place, index), e->origin);
    case CORE_REF_PROJ: return core_ref_proj(s->cx, place, (int)e->attr.i);
    default: return core_ref_slice(s->cx, e->op[0], e->op[1], place);
    }
}

static Node *inner_place(Stage *s, Node *e, Node *place, Node *index)
{
    if (place->kind == CORE_REF_LANE) return inside_lane(s, e, place, index);
    Node *ops[3] = {place, index};
    if (e->kind == CORE_REF_SLICE) ops[0] = e->op[0], ops[1] = e->op[1], ops[2] = place;
    return node_make(s->cx, &(NodeSpec){.kind = (Kind)e->kind,
                                        .attr = e->attr,
                                        .type = type_ref(s->cx, e->type->op[0], true,
                                                         type_ref_space(place->type)),
                                        .nops = (int)e->nops,
                                        .ops = ops,
                                        .origin = e->origin});
}

static const Known *inside_choice(Stage *s, const Known *place, Node *e, const Known *index)
{
    Known *k = ARENA_NEW(s->arena, Known);
    *k = *place;
    if (index) k->env = stage_env_push(s, k->env, index);
    for (int b = 0; b < 2; b++) {
        Node *p = place->branches[b];
        if (index) p = node_shift(s->cx, p, 1, 0);
        Node *ops[3] = {p, index ? core_var(s->cx, 0, e->op[1]->type) : NULL};
        if (e->kind == CORE_REF_SLICE) ops[0] = e->op[0], ops[1] = e->op[1], ops[2] = p;
        k->branches[b] = node_with_ops(s->cx, e, ops);
    }
    return k;
}

static const Known *inside_constant(Stage *s, const Known *place, Node *e, const Known *index,
                                    Block *block)
{
    const Known *v = place->parts[0];
    Node *type = e->type->op[0];
    if (e->kind == CORE_REF_PROJ)
        return stage_constant(s, stage_component(s, v, (int)e->attr.i, type), type, block);
    Node *array = stage_data(s, v, e->origin), *i = index ? stage_data(s, index, e->origin) : NULL;
    if (s->failed) return known_error(s);
    if (e->kind == CORE_REF_AT)
        return stage_constant(s, stage_element(s, v, i, type, e->origin), type, block);
    Node *ops[3] = {e->op[0], e->op[1], array};
    Node *slice = stage_term(s, VIEW_SLICE, type, e->origin, 3, ops);
    return stage_constant(s, known_term(s, slice), type, block);
}

// --- lanes of locations ------------------------------------------------------------------------

// A term in variables for these values, innermost last.
static const Known *evaluate(Stage *s, Node *e, int n, const Known *const *values, Block *block)
{
    const Env *env = NULL;
    for (int i = 0; i < n; i++) env = stage_env_push(s, env, values[i]);
    return stage_evaluate(s, e, (Scope){.env = env, .block = block});
}

// The lane's part of a value of this type.
static const Known *lane_of_value(Stage *s, const Known *value, Node *type, const Known *lane,
                                  Block *block)
{
    Node *index = core_var(s->cx, 0, lane->node->type);
    return evaluate(s, core_lane_of(s->cx, core_var(s->cx, 1, type), index), 2,
                    (const Known *[]){value, lane}, block);
}

bool stage_is_lane(const Known *place)
{
    return place->kind == KNOWN_REF && place->node->kind == CORE_REF_LANE;
}

// The location with all lanes around that of one.
static const Known *all_lanes(Stage *s, const Known *place)
{
    return stage_place_in(s, place->cell, place->node->op[0], SOMEWHERE);
}

// Reads the lane's parts one by one, which are numbers in memory: nothing reads all lanes.
static const Known *get_lane_of_tuple(Stage *s, const Known *place, Span origin, Block *block)
{
    int n = (int)stage_contents(place)->nops;
    const Known **parts = ARENA_ARRAY(s->arena, const Known *, n + 1);
    for (int i = 0; i < n; i++) {
        Node *part = core_ref_proj(s->cx, place->node, i);
        parts[i] = stage_get(s, stage_place_in(s, place->cell, part, SOMEWHERE), origin, block);
        if (known_stops(parts[i])) return parts[i];
    }
    return known_tuple(s, stage_contents(place), origin, parts);
}

const Known *stage_get_lane(Stage *s, const Known *place, Span origin, Block *block)
{
    const Known *all = all_lanes(s, place);
    if (stage_is_tuple(stage_contents(place))) return get_lane_of_tuple(s, place, origin, block);
    const Known *v = stage_get(s, all, origin, block);
    if (known_stops(v)) return v;
    return lane_of_value(s, v, stage_contents(all), known_term(s, place->node->op[1]), block);
}

const Known *stage_set_lane(Stage *s, const Known *place, const Known *value, Span origin,
                            Block *block)
{
    Session *cx = s->cx;
    Node *type = type_ref(cx, stage_contents(all_lanes(s, place)), true, SPACE_GENERIC);
    Node *lane = place->node->op[1];
    Node *set = core_set_lane(cx, core_var(cx, 2, type), core_var(cx, 1, lane->type),
                              core_var(cx, 0, stage_contents(place)), origin);
    return evaluate(s, set, 3, (const Known *[]){all_lanes(s, place), known_term(s, lane), value},
                    block);
}

// The location of the lane's part.
static const Known *lane_of_place(Stage *s, const Known *p, const Known *lane, Node *e,
                                  Block *block)
{
    if (p->kind == KNOWN_CHOICE) return inside_choice(s, p, e, lane);
    Node *t = stage_contents(p), *type = type_of_lane(s->cx, t);
    if (!type_has_vector(t)) return p;
    if (p->kind == KNOWN_CONST)
        return stage_constant(s, lane_of_value(s, p->parts[0], t, lane, block), type, block);
    if (p->kind == KNOWN_REF) {
        Node *node = core_ref_lane(s->cx, p->node, stage_data(s, lane, e->origin));
        const Known *one = stage_place_in(s, p->cell, node, SOMEWHERE);
        return p->shared ? stage_shared(s, one) : one;
    }
    const Known **parts = ARENA_ARRAY(s->arena, const Known *, known_count(p) + 1);
    for (int i = 0; i < known_count(p); i++) {
        Known *part = ARENA_NEW(s->arena, Known);
        *part = *lane_of_place(s, p->parts[i], lane, e, block);
        part->of_all_lanes = !type_has_vector(t->op[i]);
        parts[i] = part;
    }
    return known_tuple(s, type_ref(s->cx, type, true, SPACE_GENERIC), NO_SPAN, parts);
}

// --- locations by their terms ------------------------------------------------------------------

const Known *stage_place(Stage *s, Node *e, Scope scope)
{
    const Known *p = stage_operand(s, e->op[e->kind == CORE_REF_SLICE ? 2 : 0], scope);
    if (known_stops(p)) return p;
    const Known *i = NULL;
    if (e->kind == CORE_REF_AT || e->kind == CORE_REF_LANE) {
        i = stage_operand(s, e->op[1], scope);
        if (known_stops(i)) return i;
        i = stage_bind(s, i, NULL, scope.block);
    }
    if (e->kind == CORE_REF_LANE) return lane_of_place(s, p, i, e, scope.block);
    if (p->kind == KNOWN_TUPLE) return p->parts[e->attr.i];
    if (p->kind == KNOWN_CONST) return inside_constant(s, p, e, i, scope.block);
    if (p->kind == KNOWN_CHOICE) return inside_choice(s, p, e, i);
    CHECK(s->cx, p->kind == KNOWN_REF || s->failed, "a place that is not a reference");
    if (s->failed) return known_error(s);
    Node *index = i ? stage_data(s, i, e->origin) : NULL;
    bool array = stage_contents(p)->kind == TYPE_ARRAY;
    bool known = index && index->kind == CORE_LIT && p->element == WHOLE && array;
    const Known *inner = stage_place_in(s, p->cell, inner_place(s, e, p->node, index),
                                        known ? (int64_t)index->attr.bits : SOMEWHERE);
    return p->shared ? stage_shared(s, inner) : inner;
}

const Known *stage_shared(Stage *s, const Known *place)
{
    bool parts = place->kind == KNOWN_TUPLE;
    if (!parts && place->kind != KNOWN_REF) return place;
    Known *k = ARENA_NEW(s->arena, Known);
    *k = *place;
    k->shared = true;
    if (!parts) return k;
    k->parts = ARENA_ARRAY(s->arena, const Known *, known_count(place) + 1);
    for (int i = 0; i < known_count(place); i++) k->parts[i] = stage_shared(s, place->parts[i]);
    return k;
}

static Node *borrowed(Stage *s, Node *place, Node *type)
{
    if (type_ref_mutable(type)) return place;
    Node *ref = type_ref(s->cx, place->type->op[0], false, type_ref_space(place->type));
    return stage_term(s, CORE_BORROW, ref, place->origin, 1, &place);
}

bool stage_is_address(const Known *place)
{
    return place->kind != KNOWN_CONST && place->kind != KNOWN_TUPLE && !stage_is_lane(place);
}

bool stage_is_same_place(const Known *a, const Known *b)
{
    if (a->kind != b->kind || (a->kind != KNOWN_TUPLE && a->kind != KNOWN_REF)) return false;
    if (a->kind == KNOWN_REF) return a->node == b->node;
    for (int i = 0; i < known_count(a); i++)
        if (!stage_is_same_place(a->parts[i], b->parts[i])) return false;
    return known_count(a) == known_count(b);
}

Node *stage_place_term(Stage *s, const Known *place, Node *type, Block *block)
{
    if (!stage_is_address(place)) {
        Node *v = stage_data(s, stage_get(s, place, NO_SPAN, block), NO_SPAN);
        Node *ref = type_ref(s->cx, v->type, true, SPACE_GENERIC);
        Node *made = stage_term(s, CORE_NEW, ref, v->origin, 1, &v);
        return borrowed(s, stage_emit_effect(s, block, made, NULL), type);
    }
    return place->kind == KNOWN_REF ? borrowed(s, place->node, type)
                                    : stage_data(s, place, NO_SPAN);
}
