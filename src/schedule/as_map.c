// A generate as a map over the arrays that it reads at its position, in any of their axes:
//
//     generate(n, |i| f(a[i], b[k, i]))  =  map(|(x, y)| f(x, y[k]), zip(a, transpose(b)))
//
// So rules about maps and transpositions also apply to programs that are written with positions. An
// element x[i + j] that the loop over j reads is one of a window:
//
//     generate(n, |i| f(generate(k, |j| x[i + j])))
//         =  map(|w| f(generate(k, |j| w[j])), slide[k, 1](x))
//
// and an element x[i + k] is one of a part of x:
//
//     generate(n, |i| f(x[i + k]))  =  map(f, x[k..k + n])
#include "schedule/internal.h"

enum { MOST_AXES = 16, MOST_TERMS = 8 };

// An array that the generate reads, outside the generate, and the axis that the position selects.
typedef struct {
    Node *array;
    int axis;
    Node *window; // the size of the windows if their elements are read, and otherwise NULL
} Read;

typedef struct {
    Session *cx;
    Arena *arena;
    VEC(Read) reads;
    Node *n;       // the number of positions
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

// Adds to *most what a sum of numbers, sizes and indices is at most. Returns false if it has other
// terms.
static bool add_most(Session *cx, Node *e, Node **most)
{
    if (e->kind == CORE_PRIM && e->attr.i == PRIM_ADD)
        return add_most(cx, e->op[0], most) && add_most(cx, e->op[1], most);
    Node *index = e->kind == CORE_CAST ? e->op[0] : e, *added = NULL;
    if (e->kind == CORE_NAT)
        added = e->op[0];
    else if (e->kind == CORE_LIT && (int64_t)e->attr.bits >= 0)
        added = nat_const(cx, (int64_t)e->attr.bits);
    else if (index->kind == CORE_VAR && index->type->kind == TYPE_IDX)
        added = nat_sub(cx, index->type->op[0], nat_const(cx, 1));
    if (added) *most = nat_add(cx, *most, added);
    return added;
}

bool term_is_in_range(Session *cx, Node *at)
{
    Node *end = nat_const(cx, 1);
    return at->kind == CORE_TO_IDX && add_most(cx, at->op[0], &end) &&
           nat_le(cx, NULL, end, at->type->op[0]) == TRUTH_YES;
}

static bool is_path(Session *cx, Node *e)
{
    if (e->kind != CORE_INDEX) return term_is_path(e);
    return is_path(cx, e->op[0]) && (term_is_path(e->op[1]) || term_is_in_range(cx, e->op[1]));
}

static bool is_array_outside(AsMap *m, Node *e, int depth)
{
    for (int i = 0; i <= depth; i++)
        if (node_uses(e, i)) return false;
    return is_path(m->cx, e);
}

static Element element_of(AsMap *m, Node *e, int depth)
{
    Element x = {.at = -1};
    for (; e->kind == CORE_INDEX && !is_array_outside(m, e, depth); e = e->op[0]) {
        if (x.rank == MOST_AXES) return (Element){.at = -1};
        x.axes[x.rank++] = e->op[1];
    }
    for (int i = 0; i < x.rank / 2; i++) {
        Node *axis = x.axes[i];
        x.axes[i] = x.axes[x.rank - 1 - i];
        x.axes[x.rank - 1 - i] = axis;
    }
    x.array = e;
    if (!is_array_outside(m, e, depth)) return x;
    for (int i = 0; i < x.rank && x.at < 0; i++)
        if (x.axes[i]->kind == CORE_VAR && x.axes[i]->attr.i == depth) x.at = i;
    return x;
}

// An element array[i + beyond], `depth` variables below the generate over i. What is added to the
// position are positions of loops in between, numbers and sizes, at most `most` in all.
typedef struct {
    Node *array;
    int here; // the number of times that i is added
    Node *beyond[MOST_TERMS];
    int n;
    Node *most;
    bool loops, sizes; // whether there are positions of loops, and sizes
    Node *window;      // the size of the windows that the element lies in; NULL if there are none
    Node *part; // the part of the array that the positions read; NULL if the element is of a window
} Further;

static bool add_terms(AsMap *m, Node *e, int depth, Further *x)
{
    if (e->kind == CORE_PRIM && e->attr.i == PRIM_ADD)
        return add_terms(m, e->op[0], depth, x) && add_terms(m, e->op[1], depth, x);
    Node *index = e->kind == CORE_CAST ? e->op[0] : e;
    bool var = index->kind == CORE_VAR, inner = var && index->attr.i < depth;
    if (var && index->attr.i == depth) return ++x->here == 1;
    if (x->n == MOST_TERMS || (var && !inner)) return false;
    x->beyond[x->n++] = e;
    x->loops |= inner;
    x->sizes |= e->kind == CORE_NAT;
    return add_most(m->cx, e, &x->most);
}

// The length of an array with a window of this size for each position.
static Node *length_for(AsMap *m, Node *size)
{
    return nat_sub(m->cx, nat_add(m->cx, m->n, size), nat_const(m->cx, 1));
}

// The number of windows of this size in the array.
static Node *windows_in(AsMap *m, Node *array, Node *size)
{
    return nat_sub(m->cx, nat_add(m->cx, array->type->op[0], nat_const(m->cx, 1)), size);
}

// The size of the windows that the element lies in, one for each position, if the array is known to
// be long enough for all of them; otherwise NULL.
static Node *window_of(AsMap *m, const Further *x)
{
    Session *cx = m->cx;
    Node *size = nat_add(cx, x->most, nat_const(cx, 1)), *length = length_for(m, size);
    bool sizes = nat_ge0(cx, NULL, size) == TRUTH_YES &&
                 (nat_ge0(cx, NULL, length) == TRUTH_YES ||
                  nat_ge0(cx, NULL, windows_in(m, x->array, size)) == TRUTH_YES);
    return sizes && nat_le(cx, NULL, length, x->array->type->op[0]) == TRUTH_YES ? size : NULL;
}

// The elements from the one at `first` on, one for each position, if the array is known to be long
// enough; otherwise NULL.
static Node *part_from(AsMap *m, Node *array, Node *first)
{
    Session *cx = m->cx;
    Node *length = array->type->op[0], *ops[] = {first, m->n, array};
    bool fits = nat_ge0(cx, NULL, first) == TRUTH_YES &&
                nat_le(cx, NULL, nat_add(cx, first, m->n), length) == TRUTH_YES;
    return fits ? core_pattern(cx, VIEW_SLICE, 0, 3, ops) : NULL;
}

static Further further_of(AsMap *m, Node *e, int depth)
{
    Further x = {.most = nat_const(m->cx, 0)};
    bool element = e->kind == CORE_INDEX && e->op[1]->kind == CORE_TO_IDX;
    if (!element || !is_array_outside(m, e->op[0], depth)) return x;
    x.array = e->op[0];
    if (!add_terms(m, e->op[1]->op[0], depth, &x) || x.here != 1) return x;
    if (x.loops && !x.sizes) x.window = window_of(m, &x);
    if (!x.loops) x.part = part_from(m, x.array, x.most);
    return x;
}

// The number of the read, which is added if it is new.
static int read_number(AsMap *m, Node *array, int axis, Node *window, int depth)
{
    array = node_shift(m->cx, array, -(depth + 1), 0);
    for (int i = 0; i < m->reads.len; i++) {
        Read *r = &m->reads.at[i];
        if (r->axis == axis && r->window == window && term_equal(m->arena, r->array, array))
            return i;
    }
    vec_push(m->arena, &m->reads, ((Read){array, axis, window}));
    return m->reads.len - 1;
}

static void find_reads(AsMap *m, Node *e, int depth)
{
    if (m->fails || !node_uses(e, depth) || map_get(&m->seen, key_of(e, depth))) return;
    map_put(&m->seen, key_of(e, depth), (void *)(uintptr_t)e);
    Further f = further_of(m, e, depth);
    if (f.window || f.part) {
        read_number(m, f.part ? f.part : f.array, 0, f.window, depth);
        return;
    }
    Element x = element_of(m, e, depth);
    if (x.at >= 0) {
        read_number(m, x.array, x.at, NULL, depth);
        for (int i = 0; i < x.rank; i++)
            if (i != x.at) find_reads(m, x.axes[i], depth);
        return;
    }
    m->fails |= e->kind == CORE_VAR;
    for (int k = 0; k < (int)e->nops; k++) find_reads(m, e->op[k], depth + node_binds(e, k));
}

static Node *replaced(Session *cx, Node *e, int depth, void *env);

// What the map's variable, which has the index of the position, has of a read.
static Node *part_of_read(AsMap *m, int number, int depth)
{
    Node *part = core_var(m->cx, depth, m->element);
    return m->reads.len > 1 ? core_proj(m->cx, part, number) : part;
}

// The element as one of a window.
static Node *part_of_window(AsMap *m, Node *e, const Further *x, int depth)
{
    Session *cx = m->cx;
    Node *part = part_of_read(m, read_number(m, x->array, 0, x->window, depth), depth);
    Node *sum = x->beyond[0], *index = sum->kind == CORE_CAST ? sum->op[0] : NULL;
    for (int i = 1; i < x->n; i++) sum = core_prim(cx, PRIM_ADD, 2, (Node *[]){sum, x->beyond[i]});
    bool whole = x->n == 1 && index && index->type == type_idx(cx, x->window);
    Node *at = whole ? index : core_to_idx(cx, sum, x->window, e->origin);
    return core_at(cx, core_pattern(cx, CORE_INDEX, 0, 2, (Node *[]){part, at}), e->origin);
}

// The element as a part of the map's variable.
static Node *part_of_element(AsMap *m, Node *e, const Element *x, int depth)
{
    Session *cx = m->cx;
    Node *part = part_of_read(m, read_number(m, x->array, x->at, NULL, depth), depth);
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
    Further f = further_of(m, e, depth);
    if (f.window) return part_of_window(m, e, &f, depth);
    if (f.part) return part_of_read(m, read_number(m, f.part, 0, NULL, depth), depth);
    Element x = element_of(m, e, depth);
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

// The array of what the positions read. Of an array that is too long, the first elements are taken
// before there are windows, or the first windows, if there may be no number of elements to take.
static Node *array_of(AsMap *m, const Read *r)
{
    Session *cx = m->cx;
    if (!r->window) return axis_to_front(cx, r->array, r->axis);
    Node *zero = nat_const(cx, 0), *length = length_for(m, r->window), *array = r->array;
    bool before = nat_ge0(cx, NULL, length) == TRUTH_YES;
    if (before && array->type->op[0] != length)
        array = core_pattern(cx, VIEW_SLICE, 0, 3, (Node *[]){zero, length, array});
    Node *windows =
        core_pattern(cx, VIEW_SLIDE, 0, 3, (Node *[]){r->window, nat_const(cx, 1), array});
    if (before) return windows;
    return core_pattern(cx, VIEW_SLICE, 0, 3, (Node *[]){zero, m->n, windows});
}

Node *generate_as_map(Session *cx, Arena *arena, Node *generate)
{
    if (generate->kind != CORE_GENERATE || generate->variant != VARIANT_ANY) return NULL;
    Node *lam = generate->op[1];
    if (lam->kind != CORE_LAM) return NULL;
    AsMap m = {.cx = cx, .arena = arena, .n = generate->op[0], .seen = map_new(arena)};
    find_reads(&m, lam->op[0], 0);
    if (m.fails || m.reads.len == 0) return NULL;
    Node **arrays = ARENA_ARRAY(arena, Node *, m.reads.len);
    for (int i = 0; i < m.reads.len; i++) arrays[i] = array_of(&m, &m.reads.at[i]);
    Node *source = arrays[0];
    if (m.reads.len > 1) source = core_pattern(cx, VIEW_ZIP, 0, m.reads.len, arrays);
    m.seen = map_new(arena);
    m.element = source->type->op[1];
    Node *body = replaced(cx, lam->op[0], 0, &m);
    Node *ops[] = {core_lam(cx, 1, &m.element, lam->names, body), source};
    return core_at(cx, core_pattern(cx, CORE_MAP, 0, 2, ops), generate->origin);
}
