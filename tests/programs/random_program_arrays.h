// Patterns of random programs.
#ifndef ADZE_TESTS_RANDOM_PROGRAM_ARRAYS_H
#define ADZE_TESTS_RANDOM_PROGRAM_ARRAYS_H

#include "programs/random_program_with.h"

static inline bool put_sized(Gen *g, const Type *t);

// --- patterns that give an array ----------------------------------------------------------------

static inline void put_array_expr(Gen *g, Size s, const Type *element)
{
    expr(g, array_of(g->arena, s, element));
}

static inline void put_map(Gen *g, const Type *t)
{
    const Var *v = g->nvars ? &g->vars[below(g, g->nvars)] : NULL;
    const Type *from = random_element(g, 1), *element = t->part[0];
    if (v && !v->hidden && v->type->kind == K_ARRAY && size_same(v->type->size, t->size))
        from = v->type->part[0];
    put(g, "map");
    put_variant(g, element, true);
    put(g, "(");
    put_lambda(g, t->size, from, NULL, element);
    put(g, ", ");
    put_array_expr(g, t->size, from);
    put(g, ")");
}

static inline void put_zip_map(Gen *g, const Type *t)
{
    const Type *a = random_element(g, 0), *b = random_element(g, 0);
    put(g, "map");
    put_variant(g, t->part[0], true);
    put(g, "(");
    put_lambda(g, t->size, pair_of(g->arena, a, b), NULL, t->part[0]);
    put(g, ", zip(");
    put_array_expr(g, t->size, a);
    put(g, ", ");
    put_array_expr(g, t->size, b);
    put(g, "))");
}

static inline void put_generate(Gen *g, const Type *t)
{
    put(g, "generate");
    put_variant(g, t->part[0], true);
    put(g, "(");
    put_size_of(g, t->size);
    put(g, ", ");
    put_index_lambda(g, t->size, t->part[0]);
    put(g, ")");
}

static inline void put_scan(Gen *g, const Type *t)
{
    put(g, chance(g, 60) ? "scan" : "scan_ex");
    put_variant(g, t->part[0], false);
    put(g, "(");
    put_operator(g, t->part[0]);
    put(g, ", ");
    expr(g, t);
    put(g, ")");
}

static inline bool put_zip(Gen *g, const Type *t)
{
    put(g, "zip(");
    for (int i = 0; i < t->part[0]->n; i++) {
        if (i) put(g, ", ");
        put_array_expr(g, t->size, t->part[0]->part[i]);
    }
    put(g, ")");
    return true;
}

static inline bool put_as_vectors(Gen *g, const Type *t)
{
    Size all;
    if (!size_times(t->size, size_const(t->part[0]->lanes), &all) || !affordable(g, all))
        return false;
    text_printf(g->out, "as_vector[%d](", t->part[0]->lanes);
    put_array_expr(g, all, scalar_type(t->part[0]->scalar));
    put(g, ")");
    return true;
}

// Whether the size is `by` times another, which becomes *part.
static inline bool size_divided(Size s, int by, Size *part)
{
    Size whole;
    *part = s;
    part->c /= by;
    for (int i = 0; i < ATOMS; i++) part->k[i] /= by;
    if (!part->k[OPENED]) part->opened = 0;
    return size_times(*part, size_const(by), &whole) && size_same(whole, s);
}

static inline bool put_as_scalars(Gen *g, const Type *t)
{
    Size part;
    if (!g->lanes || g->simd || t->part[0]->kind != K_SCALAR ||
        !size_divided(t->size, g->lanes, &part))
        return false;
    put(g, "as_scalar(");
    put_array_expr(g, part, vector_type(g, t->part[0]->scalar));
    put(g, ")");
    return true;
}

// A map over the windows of a padded array.
static inline bool put_stencil(Gen *g, const Type *t);

// An array of windows, rows or columns of another one, or of tuples or vectors.
static inline bool put_rows(Gen *g, const Type *t)
{
    const Type *row = t->part[0], *element = row->n ? row->part[0] : NULL;
    Size whole;
    if (row->kind == K_TUPLE) return put_zip(g, t);
    if (row->kind == K_VECTOR) return put_as_vectors(g, t);
    if (row->kind != K_ARRAY) return false;
    int choice = below(g, 3), least = size_least(g, row->size), step = 1 + chance(g, 30);
    Size steps;
    if (choice == 0 && size_is_const(row->size) && row->size.c > 0 &&
        size_times(t->size, size_const(step), &steps) &&
        size_least(g, size_plus(steps, row->size.c - step)) >= 0) {
        text_printf(g->out, "slide[%d, %d](", row->size.c, step);
        put_array_expr(g, size_plus(steps, row->size.c - step), element);
    } else if (choice == 1 && least > 0 && size_times(t->size, row->size, &whole)) {
        put(g, "split[");
        put_size_of(g, row->size);
        put(g, "](");
        put_array_expr(g, whole, element);
    } else {
        put(g, "transpose(");
        put_array_expr(g, row->size, array_of(g->arena, t->size, element));
    }
    put(g, ")");
    return true;
}

static inline void put_border(Gen *g, Size inner, const Type *element)
{
    static const char *const modes[] = {"clamp", "mirror", "wrap"};
    if (size_least(g, inner) > 0 && chance(g, 70)) {
        put(g, PICK(g, modes));
    } else {
        put(g, "const(");
        expr(g, element);
        put(g, ")");
    }
}

static inline bool put_stencil(Gen *g, const Type *t)
{
    int width = 2 + below(g, 3), left = below(g, width);
    const Type *from = scalar_type(random_scalar(g));
    put(g, "map");
    put_variant(g, t->part[0], true);
    put(g, "(");
    put_lambda(g, t->size, array_of(g->arena, size_const(width), from), NULL, t->part[0]);
    text_printf(g->out, ", slide[%d, 1](pad[%d, %d](", width, left, width - 1 - left);
    put_border(g, t->size, from);
    put(g, ", ");
    put_array_expr(g, t->size, from);
    put(g, ")))");
    return true;
}

// The array is made of a longer or a shorter one, or of two.
static inline bool put_resized(Gen *g, const Type *t)
{
    const Type *element = t->part[0];
    int least = size_least(g, t->size), by = 1 + below(g, 3), before = below(g, by + 1);
    switch (below(g, 4)) {
    case 0:
        if (least < by) return false;
        text_printf(g->out, "pad[%d, %d](", before, by - before);
        put_border(g, size_plus(t->size, -by), element);
        put(g, ", ");
        put_array_expr(g, size_plus(t->size, -by), element);
        put(g, ")");
        return true;
    case 1:
        if (least < by) return false;
        put(g, "(");
        put_array_expr(g, before ? size_const(by) : size_plus(t->size, -by), element);
        put(g, " ++ ");
        put_array_expr(g, before ? size_plus(t->size, -by) : size_const(by), element);
        put(g, ")");
        return true;
    case 2:
        if (chance(g, 50)) {
            text_printf(g->out, "drop[%d](", by);
        } else {
            put(g, "take[");
            put_size_of(g, t->size);
            put(g, "](");
        }
        put_array_expr(g, size_plus(t->size, by), element);
        put(g, ")");
        return true;
    default:
        put(g, "(");
        put_array_expr(g, size_plus(t->size, by), element);
        text_printf(g->out, ")[%d..", before);
        put_size_of(g, size_plus(t->size, before));
        put(g, "]");
        return true;
    }
}

// The rows of an array are joined, if the size is a product.
static inline bool put_join(Gen *g, const Type *t)
{
    Size s = t->size, rows, columns;
    if (size_same(s, (Size){.k = {0, 0, 1}})) {
        rows = (Size){.k = {1}};
        columns = (Size){.k = {0, 1}};
    } else {
        int by = 2 + below(g, 2);
        columns = size_const(by);
        if (!size_divided(s, by, &rows)) return false;
    }
    bool turned = chance(g, 50);
    put(g, "join(");
    put_array_expr(g, turned ? columns : rows,
                   array_of(g->arena, turned ? rows : columns, t->part[0]));
    put(g, ")");
    return true;
}

// The same elements in another order.
static inline void put_moved(Gen *g, const Type *t)
{
    bool some = size_least(g, t->size) > 0;
    int i = ++g->names;
    Size s = t->size;
    switch (below(g, some ? 6 : 3)) {
    case 0: put(g, "reverse("); break;
    case 1: text_printf(g->out, "rotate(0, %d, ", below(g, 9) - 4); break;
    case 2: put(g, chance(g, 50) ? "to_mem(" : "copy("); break;
    case 3:
        put(g, "gather(generate(");
        put_size_of(g, s);
        text_printf(g->out, ", |v%d| ((i64(v%d) * %d + %d) %% (", i, i, below(g, 4), below(g, 3));
        put_size_of(g, s);
        put(g, ")) as idx[");
        put_size_of(g, s);
        put(g, "]), ");
        break;
    case 4:
        for (int k = 0; k < 2; k++) {
            text_printf(g->out, "%s|v%d| (", k ? ", " : "permute(", i);
            put_size_of(g, size_plus(s, -1));
            text_printf(g->out, " - i64(v%d)) as idx[", i);
            put_size_of(g, s);
            put(g, "]");
        }
        put(g, ", ");
        break;
    default:
        put(g, "scatter(generate(");
        put_size_of(g, s);
        text_printf(g->out, ", |v%d| ((i64(v%d) + 1) %% (", i, i);
        put_size_of(g, s);
        put(g, ")) as idx[");
        put_size_of(g, s);
        put(g, "]), ");
        break;
    }
    expr(g, t);
    put(g, ")");
}

static inline void put_scatter_with(Gen *g, const Type *t)
{
    Size from = random_size(g);
    const Type *element = t->part[0];
    int i = ++g->names;
    put(g, "scatter_with");
    if (!below(g, 3) && g->patterns == 0 && g->simd == 0 && !g->lanes)
        text_printf(g->out, ".vec[%d]", 1 << (1 + below(g, 4)));
    put(g, "(");
    put_lambda(g, from, element, element, element);
    put(g, ", ");
    expr(g, element);
    put(g, ", generate(");
    put_size_of(g, from);
    text_printf(g->out, ", |v%d| ((i64(v%d) * %d) %% (", i, i, 1 + below(g, 3));
    put_size_of(g, t->size);
    put(g, ")) as idx[");
    put_size_of(g, t->size);
    put(g, "]), ");
    put_array_expr(g, from, element);
    put(g, ")");
}

// An operator on whole arrays.
static inline bool put_elementwise(Gen *g, const Type *t)
{
    static const char *const operators[] = {"+", "-", "*"};
    const Type *element = t->part[0];
    if (!is_number(element)) return false;
    put(g, "(");
    expr(g, chance(g, 30) ? element : t);
    text_printf(g->out, " %s ", PICK(g, operators));
    expr(g, t);
    put(g, ")");
    return true;
}

// --- from arrays to values ---------------------------------------------------------------------

static inline void put_reduce(Gen *g, const Type *t)
{
    Size s = random_size(g);
    put(g, "reduce");
    if (t->kind == K_SCALAR) put_variant(g, t, false);
    put(g, "(");
    put_operator(g, t);
    put(g, ", ");
    put_array_expr(g, s, t);
    put(g, ")");
}

static inline void put_fold(Gen *g, const Type *t)
{
    Size s = random_size(g);
    const Type *from = random_element(g, 1);
    put(g, "fold(");
    put_lambda(g, s, t, from, t);
    put(g, ", ");
    expr(g, t);
    put(g, ", ");
    put_array_expr(g, s, from);
    put(g, ")");
}

static inline void put_iterate(Gen *g, const Type *t)
{
    int times = below(g, 4);
    text_printf(g->out, "iterate[%d](", times);
    put_lambda(g, size_const(times), t, NULL, t);
    put(g, ", ");
    expr(g, t);
    put(g, ")");
}

/// A pattern that gives an array; false when none of those drawn fits.
static inline bool put_array(Gen *g, const Type *t)
{
    bool some = size_least(g, t->size) > 0;
    if (!affordable(g, t->size)) return false;
    switch (below(g, 19)) {
    case 17:
    case 18: return put_sized(g, t);
    case 15: return put_as_scalars(g, t) || put_rows(g, t);
    case 16: return put_stencil(g, t);
    case 0:
    case 1:
    case 2: put_map(g, t); return true;
    case 3: put_zip_map(g, t); return true;
    case 4:
    case 5: put_generate(g, t); return true;
    case 6:
        if (!regroups(g, t->part[0])) return false;
        put_scan(g, t);
        return true;
    case 7:
    case 8: return put_rows(g, t) || put_resized(g, t);
    case 9: return put_join(g, t);
    case 10: put_moved(g, t); return true;
    case 11:
        if (!some || !affordable(g, random_size(g))) return false;
        put_scatter_with(g, t);
        return true;
    case 12: return put_elementwise(g, t);
    default: put_with(g, t); return true;
    }
}

/// A pattern that gives any value; false when none fits.
static inline bool put_folded(Gen *g, const Type *t)
{
    if (g->weight > MOST_WEIGHT / 40 || g->patterns > 2) return false;
    int choice = below(g, 10);
    g->expected = false;
    if (chance(g, 50) && put_with_several(g, t)) return true;
    if (choice < 5 && regroups(g, t))
        chance(g, 60) ? put_reduce(g, t) : put_with_fold(g, t);
    else if (choice < 8)
        put_fold(g, t);
    else
        put_iterate(g, t);
    return true;
}

#endif
