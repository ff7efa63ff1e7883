// Calls of functions of std.* in random programs, by a table of their arguments.
#ifndef ADZE_TESTS_RANDOM_PROGRAM_LIBRARY_H
#define ADZE_TESTS_RANDOM_PROGRAM_LIBRARY_H

#include "programs/random_program_arrays.h"

/// What a function gives, where t is a scalar type and s and r are sizes.
typedef enum { G_T, G_I64, G_BOOL, G_ARRAY, G_ROWS, G_COLUMN } Gives;

/// What a function requires: t is a number; t is a float; operations on t may be regrouped (on
/// floats only if rounding is left open); arrays [s]t have an element; rounding is left open.
enum { NUMBERS = 1, FLOATS = 2, REGROUPS = 4, SOME = 8, INEXACT = 16 };

/// In the text of a call, $e is a t, $k a small number, $a an array [s]t, $c [r]t, $m [s][r]t, $q
/// [r][s]t, $b [s]bool, $g [3]t, $G [3][3]t, $A [s][s]t, $R [r][r]t, $l [s + 2]t, $d [s][1]t, $D
/// [s][r - 1]t, $f a function from t to t, $p from t to bool, $v from [3]t to t, $i from two
/// indices to t, $o an operator and its neutral element, $w a border of [s]t, $s and $r the sizes.
typedef struct {
    Gives gives;
    int asks;
    const char *text;
} Library;

static const Library library_calls[] = {
    // std.math
    {G_T, FLOATS, "lerp($e, $e, $e)"},
    {G_T, NUMBERS, "clamped($e, $e, $e)"},
    {G_T, NUMBERS, "square($e)"},
    {G_T, NUMBERS, "sign($e)"},
    {G_BOOL, FLOATS, "is_nan($e)"},
    {G_T, FLOATS, "fract($e)"},
    {G_T, FLOATS, "smoothstep($e, $e, $e)"},
    {G_T, FLOATS | INEXACT, "sigmoid($e)"},
    {G_T, FLOATS, "hypot($e, $e)"},
    {G_T, FLOATS, "radians($e)"},
    {G_BOOL, FLOATS, "approx($e, $e, $e)"},
    {G_BOOL, FLOATS, "all_approx($e, $a, $a)"},
    // std.stats
    {G_T, NUMBERS | REGROUPS, "product($a)"},
    {G_T, FLOATS | INEXACT | SOME, "mean($a)"},
    {G_T, FLOATS | INEXACT | SOME, "variance($a)"},
    {G_T, NUMBERS | REGROUPS | SOME, "minimum($a)"},
    {G_T, NUMBERS | REGROUPS | SOME, "maximum($a)"},
    {G_T, NUMBERS, "lesser($e, $e)"},
    {G_T, NUMBERS, "greater($e, $e)"},
    {G_I64, NUMBERS | SOME, "argmin($a)"},
    {G_I64, NUMBERS | SOME, "argmax($a)"},
    {G_I64, 0, "reduce(+, 0, map(|z| z.1, indexed($a)))"},
    // std.sums
    {G_T, NUMBERS | REGROUPS, "exact_sum($a)"},
    {G_T, NUMBERS | REGROUPS, "total($a)"},
    {G_T, NUMBERS | REGROUPS, "lane_sum($a)"},
    // std.linalg
    {G_T, NUMBERS | REGROUPS, "dot($a, $a)"},
    {G_T, NUMBERS | REGROUPS, "inner($a, $a)"},
    {G_T, FLOATS | INEXACT, "norm($a)"},
    {G_ARRAY, NUMBERS, "scale($e, $a)"},
    {G_ARRAY, NUMBERS, "axpy($e, $a, $a)"},
    {G_ARRAY, NUMBERS, "add($a, $a)"},
    {G_ARRAY, NUMBERS, "sub($a, $a)"},
    {G_ARRAY, FLOATS | INEXACT, "normalised($a)"},
    {G_ARRAY, NUMBERS | REGROUPS, "gemv($m, $c)"},
    {G_ROWS, NUMBERS | REGROUPS, "matmul($m, $R)"},
    {G_ROWS, NUMBERS, "outer($a, $c)"},
    {G_COLUMN, 0, "column($k, $m)"},
    {G_T, NUMBERS | REGROUPS, "trace($A)"},
    {G_ARRAY, 0, "diagonal($A)"},
    // std.arrays
    {G_T, NUMBERS | REGROUPS, "sum($a)"},
    {G_T, NUMBERS | REGROUPS, "sum($m)"},
    {G_T, REGROUPS, "fold_all($o, $m)"},
    {G_T, NUMBERS | REGROUPS | SOME, "maxval($a)"},
    {G_T, NUMBERS | REGROUPS | SOME, "minval($a)"},
    {G_ARRAY, 0, "full([$s], $e)"},
    {G_ROWS, 0, "full([$s, $r], $e)"},
    {G_ROWS, 0, "reshape([$s, $r], $q)"},
    {G_ROWS, 0, "from_flat([$s, $r], 0, flatten($q))"},
    {G_ARRAY, 0, "tile([$s], [1], $l)"},
    {G_ARRAY, 0, "shift(0, $k, $e, $a)"},
    {G_ROWS, 0, "shift(1, $k, $e, $m)"},
    {G_ROWS, 0, "shift(0, $k, $e, $m)"},
    {G_ARRAY, SOME, "update([0], $e, $a)"},
    {G_ARRAY, 0, "choose($b, $a, $a)"},
    {G_ARRAY, 0, "each($f, $a)"},
    {G_ROWS, 0, "each($f, $m)"},
    {G_ROWS, 0, "cat(1, $d, $D)"},
    // std.stencil
    {G_ROWS, 0, "map2d($f, $m)"},
    {G_ROWS, 0, "map2d(|z| z.0, zip2d($m, $m))"},
    {G_ROWS, 0, "generate2d($s, $r, $i)"},
    {G_T, REGROUPS, "reduce2d($o, $m)"},
    {G_ARRAY, 0, "stencil1d[1]($v, $w, $a)"},
    {G_ROWS, 0, "stencil2d[1](|z| z[$k, 1], $w, $m)"},
    {G_ARRAY, NUMBERS | REGROUPS, "convolve1d[1]($g, $w, $a)"},
    {G_ROWS, NUMBERS | REGROUPS, "convolve2d[1]($G, $w, $m)"},
    {G_ROWS, NUMBERS | REGROUPS, "convolve_separable[1]($g, $g, $w, $m)"},
    {G_ROWS, 0, "map2d(|z| z[0, 1], slide2d[3, 1](pad2d[1, 1]($w, $m)))"},
    // std.vectors
    {G_T, NUMBERS | REGROUPS, "dot_by[4, 2]($a, $a)"},
    {G_T, NUMBERS | REGROUPS, "sum_by[4, 2]($a)"},
    {G_T, NUMBERS | REGROUPS, "sum_by[3, 3]($a)"},
    {G_I64, NUMBERS, "find[4]($a, $e)"},
    {G_I64, NUMBERS, "find[8]($a, $e)"},
    {G_ARRAY, NUMBERS | REGROUPS, "scan_by[4](|p, q| p + q, 0, $a)"},
    {G_ARRAY, NUMBERS | REGROUPS, "sort[4]($a)"},
    {G_ARRAY, NUMBERS | REGROUPS, "sort[3]($a)"},
    {G_I64, NUMBERS, "{ let mut kept = $a; filter[4]($p, $a, &mut kept) }"},
    {G_ARRAY, NUMBERS, "{ let mut kept = $a; let _ = filter[4]($p, $a, &mut kept); kept }"},
    {G_I64, NUMBERS, "{ let mut at = repeat[$s](0i64); places[4]($p, $a, &mut at) }"},
};

/// The t, s and r of one call.
typedef struct {
    Scalar t;
    Size s, r;
} Arguments;

static inline void put_library_function(Gen *g, const Arguments *a, int n, const Type *to)
{
    Around around = enter_element(g, a->s);
    put(g, "|");
    for (int i = 0; i < n; i++) {
        put(g, i ? ", " : "");
        put_parameter(g, scalar_type(a->t));
    }
    put(g, "| ");
    expr(g, to);
    leave_element(g, around);
}

static inline void put_window_function(Gen *g, const Arguments *a)
{
    const Type *t = scalar_type(a->t);
    put_lambda(g, a->s, array_of(g->arena, size_const(3), t), NULL, t);
}

static inline void put_argument(Gen *g, const Arguments *a, char what)
{
    const Type *t = scalar_type(a->t), *three = array_of(g->arena, size_const(3), t);
    switch (what) {
    case 'e': expr(g, t); break;
    case 'k': text_printf(g->out, "%d", below(g, 3)); break;
    case 'a': put_array_expr(g, a->s, t); break;
    case 'c': put_array_expr(g, a->r, t); break;
    case 'm': put_array_expr(g, a->s, array_of(g->arena, a->r, t)); break;
    case 'q': put_array_expr(g, a->r, array_of(g->arena, a->s, t)); break;
    case 'A': put_array_expr(g, a->s, array_of(g->arena, a->s, t)); break;
    case 'R': put_array_expr(g, a->r, array_of(g->arena, a->r, t)); break;
    case 'l': put_array_expr(g, size_plus(a->s, 2), t); break;
    case 'd': put_array_expr(g, a->s, array_of(g->arena, size_const(1), t)); break;
    case 'D': put_array_expr(g, a->s, array_of(g->arena, size_plus(a->r, -1), t)); break;
    case 'b': put_array_expr(g, a->s, scalar_type(SCALAR_BOOL)); break;
    case 'g': expr(g, three); break;
    case 'G': put_array_expr(g, size_const(3), three); break;
    case 'f': put_library_function(g, a, 1, t); break;
    case 'p': put_library_function(g, a, 1, scalar_type(SCALAR_BOOL)); break;
    case 'v': put_window_function(g, a); break;
    case 'o': put_associative(g, a->t); break;
    case 'w': put_border(g, size_const(0), t); break;
    case 's': put_size_of(g, a->s); break;
    case 'r': put_size_of(g, a->r); break;
    case 'i': {
        int names = g->names += 2;
        text_printf(g->out, "|v%d, v%d| ", names - 1, names);
        Around around = enter_element(g, a->s);
        new_index(g, type_new(g->arena, (Type){.kind = K_INDEX, .size = a->s}), a->s)->number =
            names - 1;
        new_index(g, type_new(g->arena, (Type){.kind = K_INDEX, .size = a->r}), a->r)->number =
            names;
        expr(g, t);
        leave_element(g, around);
        break;
    }
    default: abort();
    }
}

static inline bool library_fits(Gen *g, const Library *l, const Type *t, Arguments *a)
{
    const Type *row = t->kind == K_ARRAY ? t->part[0] : NULL;
    *a = (Arguments){random_scalar(g), random_size(g), random_size(g)};
    switch (l->gives) {
    case G_T:
        a->t = t->scalar;
        if (t->kind != K_SCALAR) return false;
        break;
    case G_I64:
        if (t->kind != K_SCALAR || t->scalar != SCALAR_I64) return false;
        break;
    case G_BOOL:
        if (t->kind != K_SCALAR || t->scalar != SCALAR_BOOL) return false;
        break;
    case G_ARRAY:
    case G_COLUMN:
        if (!row || row->kind != K_SCALAR) return false;
        a->t = row->scalar, a->s = t->size;
        break;
    case G_ROWS:
        if (!row || row->kind != K_ARRAY || row->part[0]->kind != K_SCALAR) return false;
        a->t = row->part[0]->scalar, a->s = t->size, a->r = row->size;
        break;
    }
    bool floats = is_float(a->t), rows = strpbrk(l->text, "AmRrD") != NULL;
    if ((l->asks & NUMBERS) && a->t == SCALAR_BOOL) return false;
    if ((l->asks & FLOATS) && !floats) return false;
    if ((l->asks & INEXACT) && !g->inexact) return false;
    if ((l->asks & REGROUPS) && floats && !g->inexact) return false;
    if ((l->asks & SOME) && size_least(g, a->s) <= 0) return false;
    if (strstr(l->text, "[1]($") && size_least(g, a->s) <= 0) return false;
    if ((strstr(l->text, "column") || strstr(l->text, "cat(")) &&
        (size_least(g, a->r) <= 1 + (l->gives == G_COLUMN) || size_least(g, a->s) <= 0))
        return false;
    double size = size_about(a->s) * (rows ? size_about(a->r) : 1);
    return g->weight * size * 4 < MOST_WEIGHT;
}

/// A call of a function of the library; false if none of those drawn fits.
static inline bool put_library(Gen *g, const Type *t)
{
    const int n = (int)(sizeof library_calls / sizeof *library_calls);
    if (g->simd || g->patterns > 1) return false;
    for (int tries = 0; tries < 12; tries++) {
        const Library *l = &library_calls[below(g, n)];
        Arguments a;
        if (!library_fits(g, l, t, &a)) continue;
        g->parts++;
        for (const char *at = l->text; *at; at++) {
            if (*at == '$')
                put_argument(g, &a, *++at);
            else
                text_char(g->out, *at);
        }
        g->parts--;
        return true;
    }
    return false;
}

#endif
