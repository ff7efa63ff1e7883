// The parts of patterns: functions of elements, variants, operators that may be regrouped.
#ifndef ADZE_TESTS_RANDOM_PROGRAM_ELEMENT_H
#define ADZE_TESTS_RANDOM_PROGRAM_ELEMENT_H

#include "programs/random_program_scalars.h"

// --- functions of elements ---------------------------------------------------------------------

/// The state of the generator that is saved while it writes a function of an element. Such a
/// function only reads the variables around it, and no jump leaves it.
typedef struct {
    Ways ways;
    int barrier, nvars, patterns;
    double weight;
    bool inside_recursive;
} Around;

static inline Around enter_element(Gen *g, Size times)
{
    Around a = {g->ways, g->barrier, g->nvars, g->patterns, g->weight, g->inside_recursive};
    g->ways = (Ways){0};
    g->barrier = g->nvars;
    g->patterns++, g->parts++;
    g->weight *= size_about(times) < 1 ? 1 : size_about(times);
    g->inside_recursive = false;
    return a;
}

static inline void leave_element(Gen *g, Around a)
{
    g->ways = a.ways;
    g->barrier = a.barrier;
    g->nvars = a.nvars;
    g->patterns = a.patterns;
    g->parts--;
    g->weight = a.weight;
    g->inside_recursive = a.inside_recursive;
}

static inline void put_parameter(Gen *g, const Type *t)
{
    Var *v = t->kind == K_INDEX ? new_index(g, t, t->size) : new_var(g, t, false);
    text_printf(g->out, "v%d: ", v->number);
    put_type_of(g, t);
}

// |v1: a, v2: b| e; a tuple is sometimes taken apart.
static inline void put_lambda(Gen *g, Size times, const Type *a, const Type *b, const Type *result)
{
    Around around = enter_element(g, times);
    put(g, "|");
    if (a->kind == K_TUPLE && chance(g, 50)) {
        put(g, "(");
        for (int i = 0; i < a->n; i++) {
            if (i) put(g, ", ");
            put_parameter(g, a->part[i]);
        }
        put(g, ")");
    } else {
        put_parameter(g, a);
    }
    if (b) {
        put(g, ", ");
        put_parameter(g, b);
    }
    put(g, "| ");
    expr(g, result);
    leave_element(g, around);
}

// The same for an index.
static inline void put_index_lambda(Gen *g, Size size, const Type *result)
{
    Around around = enter_element(g, size);
    const Type *t = type_new(g->arena, (Type){.kind = K_INDEX, .size = size});
    text_printf(g->out, "|v%d| ", new_index(g, t, size)->number);
    expr(g, result);
    leave_element(g, around);
}

// The variant of a pattern. Iterations on threads or in lanes are not inside other patterns.
static inline void put_variant(Gen *g, const Type *element, bool source)
{
    int choice = below(g, 20);
    bool alone = g->patterns == 0 && g->simd == 0 && !is_in_lanes(element);
    if (choice == 0)
        put(g, ".seq");
    else if (choice < 3 && alone)
        put(g, ".par");
    else if (choice < 6 && alone && !g->lanes)
        text_printf(g->out, ".vec[%d]", 1 << (1 + below(g, 4)));
    else if (choice == 6 && source)
        put(g, ".src");
}

// --- operators that may be regrouped -----------------------------------------------------------

static inline int64_t greatest(Scalar s)
{
    int bits = scalar_info[s].size * 8 - (scalar_info[s].class == CLASS_INT);
    return bits == 64 ? -1 : (int64_t)((UINT64_C(1) << bits) - 1);
}

static inline int64_t smallest(Scalar s)
{
    return scalar_info[s].class == CLASS_UINT ? 0 : -greatest(s) - 1;
}

// An associative operator and its neutral element.
static inline void put_associative(Gen *g, Scalar s)
{
    static const char *const text[] = {"+", "*", "|", "^", "min", "max", "&"};
    if (s == SCALAR_BOOL) {
        put(g, chance(g, 50) ? "&&, true" : "||, false");
        return;
    }
    int op = below(g, is_float(s) ? 2 : 7);
    int64_t all = scalar_info[s].class == CLASS_UINT ? greatest(s) : -1;
    const int64_t neutral[] = {0, 1, 0, 0, greatest(s), smallest(s), all};
    text_printf(g->out, "%s, ", text[op]);
    if (is_float(s))
        put_float(g->out, s, (double)neutral[op]);
    else
        put_integer(g->out, s, neutral[op]);
    g->inexact = g->inexact || is_float(s);
}

// The composition of functions x -> a * x + b as an operator: associative, but not commutative.
static inline void put_affine(Gen *g, Scalar s)
{
    const char *t = scalar_info[s].text;
    int p = g->names + 1, q = g->names + 2;
    g->names += 2;
    text_printf(g->out,
                "|v%d: (%s, %s), v%d: (%s, %s)| (v%d.0 * v%d.0, v%d.0 * v%d.1 + v%d.1), (1%s, 0%s)",
                p, t, t, q, t, t, p, q, q, p, q, t, t);
}

static inline bool is_affine(const Type *t)
{
    return t->kind == K_TUPLE && t->n == 2 && is_integer(t->part[0]) &&
           type_same(t->part[0], t->part[1]);
}

static inline bool regroups(Gen *g, const Type *t)
{
    return is_affine(t) || (t->kind == K_SCALAR && (!is_float(t->scalar) || g->inexact));
}

static inline void put_operator(Gen *g, const Type *t)
{
    if (t->kind == K_TUPLE)
        put_affine(g, t->part[0]->scalar);
    else
        put_associative(g, t->scalar);
}

#endif
