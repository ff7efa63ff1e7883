// Functions of any rank in random programs: fn g[s: shape](a: [..s]t, b: [..s]t, x: t), and calls
// of them with arrays of some rank.
#ifndef ADZE_TESTS_RANDOM_PROGRAM_SHAPES_H
#define ADZE_TESTS_RANDOM_PROGRAM_SHAPES_H

#include "programs/random_program_arrays.h"

static inline void put_shaped_literal(Gen *g, Scalar t)
{
    put_scalar_literal(g->out, &g->random, t, STYLE_SMALL);
}

static inline const char *shaped_operator(Gen *g, Scalar t)
{
    static const char *const numbers[] = {"+", "-", "*"}, *const truths[] = {"&", "|", "^"};
    return t == SCALAR_BOOL ? PICK(g, truths) : PICK(g, numbers);
}

// --- elements at an index ----------------------------------------------------------------------

// An index made of iv that lies in the shape.
static inline void put_shaped_index(Gen *g)
{
    static const char *const indices[] = {
        "iv", "iv", "iv", "shape(a) - 1 - iv", "max(iv - 1, 0)", "(iv + 1) % shape(a)", "iv / 2"};
    put(g, PICK(g, indices));
}

static inline void shaped_element(Gen *g, Scalar t, int depth)
{
    int choice = below(g, depth > 0 ? 10 : 5);
    if (choice < 3) {
        put(g, chance(g, 50) ? "a[" : "b[");
        put_shaped_index(g);
        put(g, "]");
    } else if (choice == 3) {
        put(g, "x");
    } else if (choice == 4) {
        if (chance(g, 50))
            put_shaped_literal(g, t);
        else
            text_printf(g->out, "%s(prod(shape(a)) + rank(a))", scalar_info[t].text);
    } else if (choice < 8) {
        put(g, "(");
        shaped_element(g, t, depth - 1);
        text_printf(g->out, " %s ", shaped_operator(g, t));
        shaped_element(g, t, depth - 1);
        put(g, ")");
    } else {
        put(g, "(if ");
        shaped_element(g, t, 0);
        put(g, t == SCALAR_BOOL ? " != " : chance(g, 50) ? " < " : " >= ");
        shaped_element(g, t, depth - 1);
        put(g, " { ");
        shaped_element(g, t, depth - 1);
        put(g, " } else { ");
        shaped_element(g, t, 0);
        put(g, " })");
    }
}

// --- arrays of the shape -----------------------------------------------------------------------

static inline void put_shaped_generators(Gen *g, Scalar t)
{
    static const char *const sets[] = {
        "(iv step 2)",         "(. < iv < .)",         "(iv < shape(a) step 3 width 2)",
        "(. <= iv <= .)",      "(. < iv <= . step 2)", "(shape(a) / 2 <= iv)",
        "(iv < shape(a) / 2)", "(iv step 1 + rank(a))"};
    put(g, "(with ");
    for (int i = below(g, 2); i >= 0; i--) {
        put(g, PICK(g, sets));
        put(g, " { ");
        shaped_element(g, t, 2);
        put(g, " } ");
    }
}

static inline void shaped_array(Gen *g, Scalar t, int depth)
{
    int choice = below(g, depth > 0 ? 12 : 2);
    switch (choice) {
    case 0: put(g, "a"); break;
    case 1: put(g, "b"); break;
    case 2:
    case 3:
        put(g, "(");
        shaped_array(g, t, depth - 1);
        text_printf(g->out, " %s ", t == SCALAR_BOOL ? "&" : shaped_operator(g, t));
        if (t != SCALAR_BOOL && chance(g, 30))
            put(g, "x");
        else
            shaped_array(g, t, depth - 1);
        put(g, ")");
        break;
    case 4:
        put(g, "choose((");
        shaped_array(g, t, 0);
        put(g, t == SCALAR_BOOL ? " & " : " < ");
        shaped_array(g, t, 0);
        put(g, "), ");
        shaped_array(g, t, depth - 1);
        put(g, ", ");
        shaped_array(g, t, depth - 1);
        put(g, ")");
        break;
    case 5:
        text_printf(g->out, "each(|e: %s| (e %s x), ", scalar_info[t].text, shaped_operator(g, t));
        shaped_array(g, t, depth - 1);
        put(g, ")");
        break;
    case 6:
    case 7:
        put(g, "(with (iv) { ");
        shaped_element(g, t, 2);
        put(g, " } genarray(shape(a)))");
        break;
    case 8:
        text_printf(g->out, "(if rank(a) == 0 { a } else { shift(0, %d, x, ", below(g, 5) - 2);
        shaped_array(g, t, depth - 1);
        put(g, ") })");
        break;
    case 9:
        put_shaped_generators(g, t);
        put(g, "genarray(s, ");
        put_shaped_literal(g, t);
        put(g, "))");
        break;
    default:
        put_shaped_generators(g, t);
        put(g, "modarray (");
        shaped_array(g, t, depth - 1);
        put(g, "))");
        break;
    }
}

// --- functions ---------------------------------------------------------------------------------

static inline bool shaped_folds(Gen *g, Scalar t)
{
    return !is_float(t) || g->inexact;
}

static inline void put_shaped_fold(Gen *g, Scalar t)
{
    if (t != SCALAR_BOOL && chance(g, 30)) {
        put(g, chance(g, 50) ? "sum(" : "fold_all(+, 0, ");
        shaped_array(g, t, 1);
        put(g, ")");
        return;
    }
    put(g, chance(g, 60) ? "with (iv < shape(a)) { " : "with (iv < shape(a) step 2) { ");
    shaped_element(g, t, 2);
    put(g, " } fold(");
    put_associative(g, t);
    put(g, ")");
}

// A function that calls itself for the rows.
static inline void put_shaped_rows(Gen *g, const Shaped *f)
{
    const char *operator= shaped_operator(g, f->scalar);
    text_printf(
        g->out,
        "if rank(a) == 0 { (a %s x) } else { zip(a, b) |> map(|(p, q)| g%d_%d(p, q, x)) ", operator,
        g->program, g->nshaped);
    if (f->folds) put(g, "|> reduce("), put_associative(g, f->scalar), put(g, ") ");
    put(g, "}");
}

/// A function of any rank; it gives an array of the same shape, or one value.
static inline void put_shaped(Gen *g)
{
    Shaped *f = &g->shaped[g->nshaped];
    f->scalar = random_scalar(g);
    f->folds = shaped_folds(g, f->scalar) && chance(g, 35);
    const char *t = scalar_info[f->scalar].text;
    text_printf(g->out, "fn g%d_%d[s: shape](a: [..s]%s, b: [..s]%s, x: %s) -> %s%s {\n",
                g->program, g->nshaped, t, t, t, f->folds ? "" : "[..s]", t);
    if (chance(g, 25))
        put_shaped_rows(g, f);
    else if (f->folds)
        put_shaped_fold(g, f->scalar);
    else
        shaped_array(g, f->scalar, 3);
    put(g, "\n}\n");
    g->nshaped++;
}

// --- calls -------------------------------------------------------------------------------------

// The element type of an array of any rank if it is a scalar, or NULL; *size: about how many
// elements there are.
static inline const Type *number_of_rows(const Type *t, double *size)
{
    for (*size = 1; t->kind == K_ARRAY; t = t->part[0]) *size *= size_about(t->size);
    return t->kind == K_SCALAR ? t : NULL;
}

/// A call for a value of this type; false if no function fits.
static inline bool put_shaped_call(Gen *g, const Type *t)
{
    double size;
    int found = -1, seen = 0;
    const Type *number = number_of_rows(t, &size), *of = t;
    for (int i = 0; i < g->nshaped && number; i++) {
        const Shaped *f = &g->shaped[i];
        bool fits = f->scalar == number->scalar && (!f->folds || t->kind == K_SCALAR);
        if (fits && below(g, ++seen) == 0) found = i;
    }
    if (found < 0 || g->simd || g->patterns > 1) return false;
    if (g->shaped[found].folds) {
        of = array_of(g->arena, random_size(g), number);
        if (chance(g, 40)) of = array_of(g->arena, random_size(g), of);
        number_of_rows(of, &size);
    }
    if (g->weight * size * 3 > MOST_WEIGHT) return false;
    text_printf(g->out, "g%d_%d(", g->program, found);
    for (int i = 0; i < 2; i++) expr(g, of), put(g, ", ");
    expr(g, number);
    put(g, ")");
    return true;
}

#endif
