// Locations: mutable variables, and values whose address is taken. Every write goes to memory. The
// written value is also tracked ("functional SSA"), so that a read of a known value needs no
// statement; memory that is never read is dropped (finish.c). A tuple variable has a cell for each
// component.
#include "staging/values/stage.h"

// --- components of values ----------------------------------------------------------------------

static Node *contents(const Known *place)
{
    return place->node->type->op[0];
}

// Component or element k of a value that is an atom or consists of atoms.
static const Known *part(Stage *s, const Known *v, int k, Node *type)
{
    if (v->kind == KNOWN_TUPLE) return v->parts[k];
    Node *e = v->node;
    if (e->kind == CORE_TUPLE || e->kind == CORE_ARRAY) return known_term(s, e->op[k]);
    return known_term(s, node_make(s->cx, &(NodeSpec){.kind = CORE_PROJ,
                                                      .attr.i = k,
                                                      .type = type,
                                                      .nops = 1,
                                                      .ops = &e,
                                                      .origin = e->origin}));
}

// If the elements of `xs` are known separately, so is the result.
const Known *stage_element(Stage *s, const Known *xs, Node *index, Node *type, Span origin)
{
    Node *array = xs->kind == KNOWN_TERM ? stage_elements(s, xs->node) : NULL;
    bool known = index->kind == CORE_LIT;
    if (array && known && index->attr.bits < array->nops)
        return known_term(s, array->op[index->attr.bits]);
    if (xs->kind == KNOWN_TUPLE && known && index->attr.bits < (uint64_t)known_count(xs))
        return xs->parts[index->attr.bits];
    Node *ops[2] = {stage_data(s, xs, origin), index};
    if (s->failed) return known_error(s);
    Kind element = ops[0]->type->kind == TYPE_VEC ? CORE_EXTRACT : CORE_INDEX;
    return known_term(s, stage_fold(s, stage_term(s, element, type, origin, 2, ops)));
}

static bool is_tuple_type(Node *t)
{
    return t->kind == TYPE_TUPLE || t->kind == TYPE_STRUCT;
}

// The maximum length of a tracked array. Each assignment to an element copies the whole list.
enum { MAX_TRACKED = 64 };

// Returns what is tracked about a written value: a scalar, or the elements of a short array.
// Returns NULL for other arrays.
static const Known *tracked(Stage *s, const Known *v, Node *type)
{
    if (type->kind != TYPE_ARRAY) return v;
    if (v->kind == KNOWN_TUPLE && known_count(v) <= MAX_TRACKED) return v;
    Node *array = v->kind == KNOWN_TERM ? stage_elements(s, v->node) : NULL;
    if (!array || array->nops > MAX_TRACKED) return NULL;
    const Known **parts = ARENA_ARRAY(s->arena, const Known *, array->nops + 1);
    for (uint32_t i = 0; i < array->nops; i++) {
        if (!known_is_atom(array->op[i])) return NULL;
        parts[i] = known_term(s, array->op[i]);
    }
    return known_tuple(s, type, array->origin, parts);
}

// --- creating locations ------------------------------------------------------------------------

static const Known *place_of(Stage *s, Cell *cell, Node *node, int64_t element)
{
    Known *k = ARENA_NEW(s->arena, Known);
    *k = (Known){.kind = KNOWN_REF, .node = node, .cell = cell, .element = element};
    return k;
}

/// A location that is created: its type, and where a CORE_NEW says that it is created.
typedef struct {
    Node *type;
    Sym hint;
    const Node *made;
} NewCell;

static const Known *new_cell(Stage *s, const Known *value, NewCell c, Block *block);

static const Known *new_tuple(Stage *s, const Known *value, NewCell c, Block *block)
{
    Node *type = c.type;
    int n = (int)type->nops;
    const Known **parts = ARENA_ARRAY(s->arena, const Known *, n + 1);
    for (int i = 0; i < n; i++)
        parts[i] = new_cell(s, part(s, value, i, type->op[i]),
                            (NewCell){type->op[i], c.hint, c.made}, block);
    return known_tuple(s, type_ref(s->cx, type, true, SPACE_GENERIC), NO_SPAN, parts);
}

// The residual term for a location with this value.
static Node *cell_term(Stage *s, Node *ref, Node *value, const Node *made)
{
    return node_make(s->cx, &(NodeSpec){.kind = CORE_NEW,
                                        .variant = (Variant)made->variant,
                                        .type = ref,
                                        .nops = 1,
                                        .ops = &value,
                                        .origin = made->origin});
}

static const Known *new_cell(Stage *s, const Known *value, NewCell c, Block *block)
{
    Node *type = c.type;
    Sym hint = c.hint;
    bool data = type_is_data(type);
    if (type->kind == TYPE_ARRAY)
        value = stage_array_atoms(s, value, block);
    else
        value = stage_bind(s, value, hint, block);
    if (is_tuple_type(type) && (value->kind == KNOWN_TERM || value->kind == KNOWN_TUPLE))
        return new_tuple(s, value, c, block);
    Cell *cell = ARENA_NEW(s->arena, Cell);
    *cell = (Cell){.hint = hint, .number = s->cells++};
    Node *ref = type_ref(s->cx, type, true, SPACE_GENERIC);
    s->effects++;
    if (data) {
        Node *v = stage_data(s, value, NO_SPAN);
        cell->var = stage_emit_effect(s, block, cell_term(s, ref, v, c.made), hint);
        cell->value = tracked(s, value, type);
    } else {
        cell->var = stage_variable(s, ref, hint);
        cell->value = value;
    }
    return place_of(s, cell, cell->var, WHOLE);
}

const Known *stage_new(Stage *s, const Known *value, const Node *made, Sym hint, Block *block)
{
    return new_cell(s, value, (NewCell){made->op[0]->type, hint, made}, block);
}

const Known *stage_constant(Stage *s, const Known *value, Node *type, Block *block)
{
    Known *k = ARENA_NEW(s->arena, Known);
    Node *ref = type_ref(s->cx, type, false, SPACE_GENERIC);
    const Known **parts = ARENA_NEW(s->arena, const Known *);
    parts[0] = stage_bind(s, value, NULL, block);
    *k = (Known){.kind = KNOWN_CONST, .parts = parts};
    k->node = stage_term(s, CORE_TUPLE, ref, NO_SPAN, 0, NULL);
    return k;
}

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
        return stage_constant(s, part(s, v, (int)e->attr.i, type), type, block);
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

static bool is_lane(const Known *place)
{
    return place->kind == KNOWN_REF && place->node->kind == CORE_REF_LANE;
}

// The location with all lanes around that of one.
static const Known *all_lanes(Stage *s, const Known *place)
{
    return place_of(s, place->cell, place->node->op[0], SOMEWHERE);
}

// Reads the lane's parts one by one, which are numbers in memory: nothing reads all lanes.
static const Known *get_lane_of_tuple(Stage *s, const Known *place, Span origin, Block *block)
{
    int n = (int)contents(place)->nops;
    const Known **parts = ARENA_ARRAY(s->arena, const Known *, n + 1);
    for (int i = 0; i < n; i++) {
        Node *part = core_ref_proj(s->cx, place->node, i);
        parts[i] = stage_get(s, place_of(s, place->cell, part, SOMEWHERE), origin, block);
        if (known_stops(parts[i])) return parts[i];
    }
    return known_tuple(s, contents(place), origin, parts);
}

static const Known *get_lane(Stage *s, const Known *place, Span origin, Block *block)
{
    const Known *all = all_lanes(s, place);
    if (is_tuple_type(contents(place))) return get_lane_of_tuple(s, place, origin, block);
    const Known *v = stage_get(s, all, origin, block);
    if (known_stops(v)) return v;
    return lane_of_value(s, v, contents(all), known_term(s, place->node->op[1]), block);
}

static const Known *set_lane(Stage *s, const Known *place, const Known *value, Span origin,
                             Block *block)
{
    Session *cx = s->cx;
    Node *type = type_ref(cx, contents(all_lanes(s, place)), true, SPACE_GENERIC);
    Node *lane = place->node->op[1];
    Node *set = core_set_lane(cx, core_var(cx, 2, type), core_var(cx, 1, lane->type),
                              core_var(cx, 0, contents(place)), origin);
    return evaluate(s, set, 3, (const Known *[]){all_lanes(s, place), known_term(s, lane), value},
                    block);
}

// The location of the lane's part.
static const Known *lane_of_place(Stage *s, const Known *p, const Known *lane, Node *e,
                                  Block *block)
{
    if (p->kind == KNOWN_CHOICE) return inside_choice(s, p, e, lane);
    Node *t = contents(p), *type = type_of_lane(s->cx, t);
    if (!type_has_vector(t)) return p;
    if (p->kind == KNOWN_CONST)
        return stage_constant(s, lane_of_value(s, p->parts[0], t, lane, block), type, block);
    if (p->kind == KNOWN_REF) {
        Node *node = core_ref_lane(s->cx, p->node, stage_data(s, lane, e->origin));
        const Known *one = place_of(s, p->cell, node, SOMEWHERE);
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
    bool array = contents(p)->kind == TYPE_ARRAY;
    bool known = index && index->kind == CORE_LIT && p->element == WHOLE && array;
    const Known *inner = place_of(s, p->cell, inner_place(s, e, p->node, index),
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
    return place->kind != KNOWN_CONST && place->kind != KNOWN_TUPLE && !is_lane(place);
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

// --- reading -----------------------------------------------------------------------------------

typedef struct {
    const Known *place, *value; // value is NULL for a read
    Span origin;
} Access;

static const Known *access_chosen(Stage *s, int side, Scope scope, void *env)
{
    const Access *a = env;
    Scope at = {.env = a->place->env, .chain = a->place->chain, .block = scope.block};
    const Known *p = stage_evaluate(s, a->place->branches[side], at);
    if (known_stops(p)) return p;
    return a->value ? stage_set(s, p, a->value, a->origin, scope.block)
                    : stage_get(s, p, a->origin, scope.block);
}

static const Known *access_choice(Stage *s, Access a, Node *type, Block *block)
{
    return stage_choose(s, a.place->node, type, a.origin, (Scope){.block = block}, access_chosen,
                        &a);
}

static const Known *get_tuple(Stage *s, const Known *place, Span origin, Block *block)
{
    int n = known_count(place);
    const Known **parts = ARENA_ARRAY(s->arena, const Known *, n + 1);
    for (int i = 0; i < n; i++) parts[i] = stage_get(s, place->parts[i], origin, block);
    return known_tuple(s, contents(place), origin, parts);
}

const Known *stage_get(Stage *s, const Known *place, Span origin, Block *block)
{
    if (known_stops(place)) return place;
    if (place->kind == KNOWN_CHOICE)
        return access_choice(s, (Access){place, NULL, origin}, place->branches[0]->type->op[0],
                             block);
    if (place->kind == KNOWN_TUPLE) return get_tuple(s, place, origin, block);
    if (place->kind == KNOWN_CONST) return place->parts[0];
    if (is_lane(place)) return get_lane(s, place, origin, block);
    Cell *cell = place->cell;
    Node *type = contents(place);
    s->effects++;
    if (cell->value && place->element == WHOLE && type->kind != TYPE_ARRAY) return cell->value;
    if (cell->value && place->element >= 0 && place->element < known_count(cell->value))
        return cell->value->parts[place->element];
    if (!type_is_data(type))
        return stage_fail(s, E0502, origin, NULL,
                          "the function in this variable is not known at compile time: it is "
                          "assigned in a loop or in a branch");
    Node *get = stage_term(s, CORE_GET, type, origin, 1, (Node *[]){place->node});
    const Known *v = known_term(
        s, stage_emit_effect(s, block, get, place->element == WHOLE ? cell->hint : NULL));
    if (place->element == WHOLE && type->kind != TYPE_ARRAY) stage_learn(s, cell, v, false);
    return v;
}

// --- writing -----------------------------------------------------------------------------------

static const char *const barrier_text[] = {
    [BARRIER_PATTERN] = "a function given to a pattern assigns a variable from outside",
    [BARRIER_PARALLEL] = "iterations that run in parallel assign a variable from outside",
    [BARRIER_VECTORIZE] = "all lanes at once assign a variable from outside",
    [BARRIER_SPAWN] = "a task assigns a variable from outside",
};

static const char *const barrier_help[] = {
    [BARRIER_PATTERN] = "use reduce or fold to carry a value from one element to the next",
    [BARRIER_PARALLEL] = "to add up over iterations use reduce(+, 0, xs) or reduce.par; to change "
                         "shared elements use atomic_add of std.atomics",
    [BARRIER_VECTORIZE] = "to add up over lanes use reduce.vec[8](+, 0, xs)",
    [BARRIER_SPAWN] = "to change shared elements from several tasks use atomic_add of std.atomics",
};

// Whether code in the block may write the location. A function passed to a pattern may not assign
// to anything outside it; concurrent iterations may assign to elements of outside arrays, but to
// nothing else outside. Reports E0504 if the write is not allowed.
static bool may_write(Stage *s, const Known *place, Span origin, const Block *block)
{
    for (; block; block = block->up) {
        if (block->barrier == BARRIER_NONE || place->cell->number >= block->cells) continue;
        if (block->barrier != BARRIER_PATTERN && place->element != WHOLE) continue;
        Diag *d = stage_fail_diag(s, E0504, origin, NULL, barrier_text[block->barrier]);
        if (d) diag_help(s->cx, d, "%s", barrier_help[block->barrier]);
        return false;
    }
    return true;
}

static const Known *set_tuple(Stage *s, const Known *place, const Known *value, Span origin,
                              Block *block)
{
    Node *type = contents(place);
    for (int i = 0; i < known_count(place); i++) {
        if (place->parts[i]->of_all_lanes) continue;
        const Known *v =
            stage_set(s, place->parts[i], part(s, value, i, type->op[i]), origin, block);
        if (known_stops(v)) return v;
    }
    return known_unit(s);
}

// The known contents of the cell after the write.
static const Known *updated(Stage *s, const Known *place, const Known *value)
{
    const Known *old = place->cell->value;
    if (place->element == WHOLE) return tracked(s, value, contents(place));
    if (place->element < 0 || !old || place->element >= known_count(old)) return NULL;
    Known *k = ARENA_NEW(s->arena, Known);
    *k = *old;
    int n = known_count(old);
    k->parts = ARENA_ARRAY(s->arena, const Known *, n + 1);
    for (int i = 0; i < n; i++) k->parts[i] = i == place->element ? value : old->parts[i];
    return k;
}

const Known *stage_set(Stage *s, const Known *place, const Known *value, Span origin, Block *block)
{
    if (known_stops(place)) return place;
    Node *type = place->kind == KNOWN_CHOICE ? place->branches[0]->type->op[0] : contents(place);
    value = type->kind == TYPE_ARRAY ? stage_array_atoms(s, value, block)
                                     : stage_bind(s, value, NULL, block);
    if (place->kind == KNOWN_CHOICE)
        return access_choice(s, (Access){place, value, origin}, type_tuple(s->cx, 0, NULL), block);
    if (place->kind == KNOWN_TUPLE) return set_tuple(s, place, value, origin, block);
    if (!may_write(s, place, origin, block)) return known_error(s);
    if (is_lane(place)) return set_lane(s, place, value, origin, block);
    s->effects++;
    if (type_is_data(type)) {
        Node *ops[2] = {place->node, stage_data(s, value, origin)};
        stage_emit_effect(
            s, block, stage_term(s, CORE_SET, type_tuple(s->cx, 0, NULL), origin, 2, ops), NULL);
    }
    stage_learn(s, place->cell, updated(s, place, value), true);
    return known_unit(s);
}
