// Creates, reads and writes locations: mutable variables, and values whose address is taken. Every
// write goes to memory. The written value is also tracked ("functional SSA"), so that a read of a
// known value needs no statement; memory that is never read is dropped (finish.c). A tuple variable
// has a cell for each component.
#include "staging/values/stage.h"

// --- components of values ----------------------------------------------------------------------

Node *stage_contents(const Known *place)
{
    return place->node->type->op[0];
}

// Component or element k of a value that is an atom or consists of atoms.
const Known *stage_component(Stage *s, const Known *v, int k, Node *type)
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

bool stage_is_tuple(Node *t)
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

const Known *stage_place_in(Stage *s, Cell *cell, Node *node, int64_t element)
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
        parts[i] = new_cell(s, stage_component(s, value, i, type->op[i]),
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
    if (stage_is_tuple(type) && (value->kind == KNOWN_TERM || value->kind == KNOWN_TUPLE))
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
    return stage_place_in(s, cell, cell->var, WHOLE);
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
    return known_tuple(s, stage_contents(place), origin, parts);
}

const Known *stage_get(Stage *s, const Known *place, Span origin, Block *block)
{
    if (known_stops(place)) return place;
    if (place->kind == KNOWN_CHOICE)
        return access_choice(s, (Access){place, NULL, origin}, place->branches[0]->type->op[0],
                             block);
    if (place->kind == KNOWN_TUPLE) return get_tuple(s, place, origin, block);
    if (place->kind == KNOWN_CONST) return place->parts[0];
    if (stage_is_lane(place)) return stage_get_lane(s, place, origin, block);
    Cell *cell = place->cell;
    Node *type = stage_contents(place);
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
    Node *type = stage_contents(place);
    for (int i = 0; i < known_count(place); i++) {
        if (place->parts[i]->of_all_lanes) continue;
        const Known *v =
            stage_set(s, place->parts[i], stage_component(s, value, i, type->op[i]), origin, block);
        if (known_stops(v)) return v;
    }
    return known_unit(s);
}

// The known contents of the cell after the write.
static const Known *updated(Stage *s, const Known *place, const Known *value)
{
    const Known *old = place->cell->value;
    if (place->element == WHOLE) return tracked(s, value, stage_contents(place));
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
    Node *type =
        place->kind == KNOWN_CHOICE ? place->branches[0]->type->op[0] : stage_contents(place);
    value = type->kind == TYPE_ARRAY ? stage_array_atoms(s, value, block)
                                     : stage_bind(s, value, NULL, block);
    if (place->kind == KNOWN_CHOICE)
        return access_choice(s, (Access){place, value, origin}, type_tuple(s->cx, 0, NULL), block);
    if (place->kind == KNOWN_TUPLE) return set_tuple(s, place, value, origin, block);
    if (!may_write(s, place, origin, block)) return known_error(s);
    if (stage_is_lane(place)) return stage_set_lane(s, place, value, origin, block);
    s->effects++;
    if (type_is_data(type)) {
        Node *ops[2] = {place->node, stage_data(s, value, origin)};
        stage_emit_effect(
            s, block, stage_term(s, CORE_SET, type_tuple(s->cx, 0, NULL), origin, 2, ops), NULL);
    }
    stage_learn(s, place->cell, updated(s, place, value), true);
    return known_unit(s);
}
