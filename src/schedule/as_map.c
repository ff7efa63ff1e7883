// A generate as a map over the arrays that it reads at its position, in any of their axes:
//
//     generate(n, |i| f(a[i], b[k, i]))  =  map(|(x, y)| f(x, y[k]), zip(a, transpose(b)))
//
// So rules about maps and transpositions also apply to programs that are written with positions.
#include "schedule/internal.h"

enum { MOST_AXES = 16 };

// An array that the generate reads, outside the generate, and the axis that the position selects.
typedef struct {
    Node *array;
    int axis;
} Read;

typedef struct {
    Session *cx;
    Arena *arena;
    VEC(Read) reads;
    Node *element; // the type of the map's variable, once all reads are known
    bool fails;    // the position is used in another way
    Map seen;      // terms without new reads, and then their replacements; terms are shared
} AsMap;

static uint64_t key_of(const Node *e, int depth)
{
    return (uint64_t)e->id << 20 | (uint64_t)(depth & 0xfffff);
}

// An element array[axes[0], axes[1], ..], at `depth` variables below the generate. Neither the
// array nor anything in it is bound there.
typedef struct {
    Node *array;
    Node *axes[MOST_AXES];
    int rank;
    int at; // the axis whose position is that of the generate, or -1
} Element;

static bool is_array_outside(Node *e, int depth)
{
    for (int i = 0; i <= depth; i++)
        if (node_uses(e, i)) return false;
    return term_is_path(e);
}

static Element element_of(Node *e, int depth)
{
    Element x = {.at = -1};
    for (; e->kind == CORE_INDEX && !is_array_outside(e, depth); e = e->op[0]) {
        if (x.rank == MOST_AXES) return (Element){.at = -1};
        x.axes[x.rank++] = e->op[1];
    }
    for (int i = 0; i < x.rank / 2; i++) {
        Node *axis = x.axes[i];
        x.axes[i] = x.axes[x.rank - 1 - i];
        x.axes[x.rank - 1 - i] = axis;
    }
    x.array = e;
    if (!is_array_outside(e, depth)) return x;
    for (int i = 0; i < x.rank && x.at < 0; i++)
        if (x.axes[i]->kind == CORE_VAR && x.axes[i]->attr.i == depth) x.at = i;
    return x;
}

// The number of the read, which is added if it is new.
static int read_number(AsMap *m, const Element *x, int depth)
{
    Node *array = node_shift(m->cx, x->array, -(depth + 1), 0);
    for (int i = 0; i < m->reads.len; i++)
        if (m->reads.at[i].axis == x->at && term_equal(m->arena, m->reads.at[i].array, array))
            return i;
    vec_push(m->arena, &m->reads, ((Read){array, x->at}));
    return m->reads.len - 1;
}

static void find_reads(AsMap *m, Node *e, int depth)
{
    if (m->fails || !node_uses(e, depth) || map_get(&m->seen, key_of(e, depth))) return;
    map_put(&m->seen, key_of(e, depth), (void *)(uintptr_t)e);
    Element x = element_of(e, depth);
    if (x.at >= 0) {
        read_number(m, &x, depth);
        for (int i = 0; i < x.rank; i++)
            if (i != x.at) find_reads(m, x.axes[i], depth);
        return;
    }
    m->fails |= e->kind == CORE_VAR;
    for (int k = 0; k < (int)e->nops; k++) find_reads(m, e->op[k], depth + node_binds(e, k));
}

static Node *replaced(Session *cx, Node *e, int depth, void *env);

// The element as a part of the map's variable, which has the index of the position.
static Node *part_of_element(AsMap *m, Node *e, const Element *x, int depth)
{
    Session *cx = m->cx;
    int number = read_number(m, x, depth);
    Node *part = core_var(cx, depth, m->element);
    if (m->reads.len > 1) part = core_proj(cx, part, number);
    for (int i = 0; i < x->rank; i++) {
        if (i == x->at) continue;
        Node *ops[] = {part, replaced(cx, x->axes[i], depth, m)};
        part = core_at(cx, core_pattern(cx, CORE_INDEX, 0, 2, ops), e->origin);
    }
    return part;
}

// Replaces the elements that the generate reads at its position.
static Node *replaced(Session *cx, Node *e, int depth, void *env)
{
    AsMap *m = env;
    if (!node_uses(e, depth)) return e;
    Node *known = map_get(&m->seen, key_of(e, depth));
    if (known) return known;
    Element x = element_of(e, depth);
    Node *done = x.at < 0 ? node_map(cx, e, depth, replaced, m) : part_of_element(m, e, &x, depth);
    map_put(&m->seen, key_of(e, depth), (void *)(uintptr_t)done);
    return done;
}

// The array with this axis as its first one.
static Node *axis_to_front(Session *cx, Node *array, int axis)
{
    if (axis == 0) return array;
    Node *rows = array;
    if (axis > 1) {
        Node *row = array->type->op[1];
        Node *moved = axis_to_front(cx, core_var(cx, 0, row), axis - 1);
        Node *ops[] = {core_lam(cx, 1, &row, NULL, moved), array};
        rows = core_pattern(cx, CORE_MAP, 0, 2, ops);
    }
    return core_pattern(cx, VIEW_TRANSPOSE, 0, 1, &rows);
}

Node *generate_as_map(Session *cx, Arena *arena, Node *generate)
{
    if (generate->kind != CORE_GENERATE || generate->variant != VARIANT_ANY) return NULL;
    Node *lam = generate->op[1];
    if (lam->kind != CORE_LAM) return NULL;
    AsMap m = {.cx = cx, .arena = arena, .seen = map_new(arena)};
    find_reads(&m, lam->op[0], 0);
    if (m.fails || m.reads.len == 0) return NULL;
    Node **arrays = ARENA_ARRAY(arena, Node *, m.reads.len);
    for (int i = 0; i < m.reads.len; i++)
        arrays[i] = axis_to_front(cx, m.reads.at[i].array, m.reads.at[i].axis);
    Node *source = arrays[0];
    if (m.reads.len > 1) source = core_pattern(cx, VIEW_ZIP, 0, m.reads.len, arrays);
    m.seen = map_new(arena);
    m.element = source->type->op[1];
    Node *body = replaced(cx, lam->op[0], 0, &m);
    Node *ops[] = {core_lam(cx, 1, &m.element, lam->names, body), source};
    return core_at(cx, core_pattern(cx, CORE_MAP, 0, 2, ops), generate->origin);
}
