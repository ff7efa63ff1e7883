// With-loops of random programs: over any rank, with bounds, steps and widths, several generators,
// one operator or several.
#ifndef ADZE_TESTS_RANDOM_PROGRAM_WITH_H
#define ADZE_TESTS_RANDOM_PROGRAM_WITH_H

#include "programs/random_program_element.h"

enum { MOST_RANK = 3, MOST_OPERATORS = 3 };

/// The index space of a with-loop, and the types of the values that its bodies give.
typedef struct {
    int rank, n;
    Size sizes[MOST_RANK];
    const Type *element[MOST_OPERATORS];
    bool closed; // there is no array: the upper bound must be written
} IndexSpace;

// A lower bound of a dimension that lies in it.
static inline void put_lower(Gen *g, Size s)
{
    int c = below(g, 4);
    if (c <= size_least(g, s)) {
        text_printf(g->out, "%d", c);
    } else {
        text_printf(g->out, "min(%d, ", c);
        put_size_of(g, s);
        put(g, ")");
    }
}

static inline void put_upper(Gen *g, Size s)
{
    int c = below(g, 3);
    if (chance(g, 10)) {
        put(g, "min(");
        put_size_of(g, s);
        text_printf(g->out, ", %d)", 1 + below(g, 4));
        return;
    }
    put_size_of(g, c <= size_least(g, s) ? size_plus(s, -c) : s);
}

// A number for each dimension, or one for all.
static inline void put_numbers(Gen *g, int rank, int least, int among)
{
    bool one = chance(g, 25);
    put(g, one ? "" : "[");
    for (int k = 0; k < (one ? 1 : rank); k++)
        text_printf(g->out, "%s%d", k ? ", " : "", least + below(g, among));
    put(g, one ? " " : "]");
}

static inline void put_bound(Gen *g, const IndexSpace *s, bool upper)
{
    put(g, "[");
    for (int k = 0; k < s->rank; k++) {
        if (k) put(g, ", ");
        if (upper)
            put_upper(g, s->sizes[k]);
        else
            put_lower(g, s->sizes[k]);
    }
    put(g, "]");
}

// The names of the index: one for each component, or one for all of them.
static inline void put_index_names(Gen *g, const IndexSpace *s, int first, bool whole)
{
    put(g, whole ? "" : "[");
    for (int k = 0; k < (whole ? 1 : s->rank); k++)
        text_printf(g->out, "%sv%d", k ? ", " : "", whole ? first - 1 : first + k);
    put(g, whole ? "" : "]");
}

// (lower <= [i, j] < upper step s width w)
static inline void put_index_set(Gen *g, const IndexSpace *s, int first, bool whole)
{
    bool step = chance(g, 40), dots = !s->closed && chance(g, 15);
    put(g, "(");
    if (dots)
        put(g, chance(g, 50) ? ". < " : ". <= ");
    else if (chance(g, 60))
        put_bound(g, s, false), put(g, " <= ");
    put_index_names(g, s, first, whole);
    if (dots)
        put(g, chance(g, 50) ? " < ." : " <= .");
    else if (s->closed || chance(g, 60))
        put(g, " < "), put_bound(g, s, true);
    if (step) put(g, " step "), put_numbers(g, s->rank, 2, 3);
    if (step && chance(g, 50)) put(g, " width "), put_numbers(g, s->rank, 1, 2);
    put(g, ")");
}

// A vector of indices is taken apart, and selects an element of an array of this shape, if there
// is one.
static inline void put_whole_index(Gen *g, const IndexSpace *s, int first)
{
    const Type *element = random_element(g, 0), *t = element;
    put(g, "let (");
    for (int k = 0; k < s->rank; k++)
        text_printf(g->out, "v%d%s", first + k, k + 1 < s->rank ? ", " : s->rank == 1 ? "," : "");
    text_printf(g->out, ") = v%d;\n", first - 1);
    for (int k = s->rank; k-- > 0;) t = array_of(g->arena, s->sizes[k], t);
    const Var *v = find_var(g, t, false);
    if (!v) return;
    int number = ++g->names;
    text_printf(g->out, "let v%d: ", number);
    put_type_of(g, element);
    put(g, " = ");
    put_place(g, v, t);
    text_printf(g->out, "[v%d];\n", first - 1);
    new_var(g, element, false)->number = number;
}

static inline void put_generator(Gen *g, const IndexSpace *s)
{
    Around around = enter_element(g, s->sizes[0]);
    bool whole = chance(g, 35);
    int first = g->names + 2;
    put_index_set(g, s, first, whole);
    put(g, " { ");
    g->names++; // of the whole index
    for (int k = 0; k < s->rank; k++)
        new_index(g, type_new(g->arena, (Type){.kind = K_INDEX, .size = s->sizes[k]}), s->sizes[k]);
    for (int k = 1; k < s->rank; k++) g->weight *= size_about(s->sizes[k]) + 1;
    if (whole) put_whole_index(g, s, first);
    for (int i = 0; i < s->n; i++) {
        put(g, i ? ", " : s->n > 1 ? "(" : "");
        expr(g, s->element[i]);
    }
    put(g, s->n > 1 ? ") } " : " } ");
    leave_element(g, around);
}

// genarray or modarray for an array of this type.
static inline void put_array_operator(Gen *g, const IndexSpace *s, const Type *t,
                                      const Type *element)
{
    if (chance(g, 40)) {
        put(g, "modarray (");
        expr(g, t);
        put(g, ")");
        return;
    }
    put(g, "genarray([");
    for (int k = 0; k < s->rank; k++) {
        if (k) put(g, ", ");
        put_size_of(g, s->sizes[k]);
    }
    put(g, "], ");
    expr(g, element);
    put(g, ")");
}

static inline void put_generators(Gen *g, const IndexSpace *s, int most)
{
    put(g, "(with ");
    for (int i = below(g, most) + 1; i > 0; i--) put_generator(g, s);
}

static inline void put_with(Gen *g, const Type *t)
{
    IndexSpace s = {.rank = 1, .n = 1, .sizes = {t->size}};
    const Type *element = t->part[0];
    for (; s.rank < MOST_RANK && element->kind == K_ARRAY && chance(g, 70); s.rank++) {
        s.sizes[s.rank] = element->size;
        element = element->part[0];
    }
    s.element[0] = element;
    put_generators(g, &s, 3);
    put_array_operator(g, &s, t, element);
    put(g, ")");
}

static inline void put_with_fold(Gen *g, const Type *t)
{
    IndexSpace s = {.rank = 1, .n = 1, .sizes = {random_size(g)}, .element = {t}, .closed = true};
    for (; s.rank < MOST_RANK && chance(g, 35); s.rank++) {
        s.sizes[s.rank] = random_size(g);
        if (g->weight * size_about(s.sizes[0]) * size_about(s.sizes[s.rank]) > MOST_WEIGHT) break;
    }
    put_generators(g, &s, 2);
    put(g, "fold(");
    put_operator(g, t);
    put(g, "))");
}

/// A tuple of arrays over one index space, and of folds; false if the tuple has other parts.
static inline bool put_with_several(Gen *g, const Type *t)
{
    IndexSpace s = {.rank = 1, .n = t->n, .closed = true};
    bool sized = false;
    if (t->kind != K_TUPLE || t->n > MOST_OPERATORS || g->simd) return false;
    for (int i = 0; i < t->n; i++) {
        const Type *part = t->part[i];
        bool array = part->kind == K_ARRAY && (!sized || size_same(part->size, s.sizes[0]));
        if (!array && !regroups(g, part)) return false;
        if (array) sized = true, s.sizes[0] = part->size;
        s.element[i] = array ? part->part[0] : part;
    }
    if (!sized) s.sizes[0] = random_size(g);
    if (!affordable(g, s.sizes[0])) return false;
    put_generators(g, &s, 2);
    for (int i = 0; i < t->n; i++) {
        bool array = !type_same(s.element[i], t->part[i]);
        put(g, i ? ", " : "(");
        if (array) {
            put_array_operator(g, &s, t->part[i], s.element[i]);
        } else {
            put(g, "fold(");
            put_operator(g, t->part[i]);
            put(g, ")");
        }
    }
    put(g, "))");
    return true;
}

#endif
