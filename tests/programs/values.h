// Values for the tests: made at random, compared, moved to and from the buffers of compiled code.
#ifndef ADZE_TESTS_VALUES_H
#define ADZE_TESTS_VALUES_H

#include <inttypes.h>
#include <math.h>

#include "adze_support.h"
#include "loops/ir/loops.h"

// --- random numbers ----------------------------------------------------------------------------

typedef struct {
    uint64_t state;
} Random;

static inline uint64_t random_next(Random *r)
{
    r->state += 0x9e3779b97f4a7c15u;
    return hash_mix(r->state, 1);
}

static inline int64_t random_below(Random *r, int64_t n)
{
    return (int64_t)(random_next(r) % (uint64_t)n);
}

// --- scalars -----------------------------------------------------------------------------------

static inline double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/// The scalar a leaf is stored as: i64 for idx.
static inline Scalar leaf_scalar(Node *type)
{
    Scalar s = SCALAR_I64;
    type_is_scalar(type, &s);
    return s;
}

static inline bool is_float(Scalar s)
{
    return scalar_info[s].class == CLASS_FLOAT;
}

/// How values are drawn: only small ones, or sometimes (or mostly) the ends of the range,
/// infinities and NaN.
typedef enum { STYLE_SMALL, STYLE_EXTREME, STYLE_MOSTLY_EXTREME } Style;

static inline bool draw_extreme(Random *r, Style style)
{
    return style != STYLE_SMALL && random_below(r, 3) < (style == STYLE_EXTREME ? 1 : 2);
}

static inline uint64_t random_float(Random *r, Scalar s, Style style, Algebra algebra)
{
    static const double extremes[] = {0.0,   -0.0, 1e30, -1e30, 300.0, -300.0, 0.1, 1e-30,
                                      65504, 1e9,  -1e9, 1e19,  0.5,   1.5,    2.5, -0.5};
    double x = (double)(random_below(r, 33) - 16) / 4;
    if (draw_extreme(r, style)) {
        int64_t k = random_below(r, 19);
        x = k < 16    ? extremes[k]
            : k == 16 ? (double)INFINITY
            : k == 17 ? -(double)INFINITY
                      : (double)NAN;
    }
    x = scalar_round(s, x);
    return algebra == ALGEBRA_FIELD ? field_from_double(x)
           : isnan(x)               ? UINT64_C(0x7ff8) << 48
                                    : bits_of(x);
}

static inline uint64_t random_integer(Random *r, Scalar s, Style style)
{
    int64_t x = random_below(r, 14) - (scalar_info[s].class == CLASS_UINT ? 0 : 4);
    if (draw_extreme(r, style)) {
        int bits = scalar_info[s].size * 8;
        uint64_t top = UINT64_C(1) << (bits - 1);
        const uint64_t extremes[] = {top, top - 1, top + 1, UINT64_MAX, 0, 1, random_next(r)};
        x = (int64_t)extremes[random_below(r, 7)];
    }
    return scalar_wrap(s, (uint64_t)x);
}

// Makes the number of an option, or the number of each lane, one of the options that there are.
static inline void choose_options(Value *number, uint64_t options)
{
    for (int64_t i = 0; i < number->count; i++) choose_options(&number->parts[i], options);
    if (number->count == 0) number->bits %= options;
}

/// A random value of a type whose sizes are constants; false when there is none (idx[0], a negative
/// size, or more than *room elements).
static inline bool random_value(Arena *arena, Random *r, Node *type, Style style, Algebra algebra,
                                int64_t *room, Value *out)
{
    *out = (Value){0};
    int64_t n = type->nops;
    if (type->kind == TYPE_SCALAR || type->kind == TYPE_IDX) {
        Scalar s = leaf_scalar(type);
        if (type->kind == TYPE_IDX) {
            if (!nat_is_const(type->op[0], &n) || n <= 0) return false;
            out->bits = (uint64_t)random_below(r, n);
        } else if (s == SCALAR_BOOL) {
            out->bits = random_next(r) & 1;
        } else {
            out->bits =
                is_float(s) ? random_float(r, s, style, algebra) : random_integer(r, s, style);
        }
        return (*room)-- > 0;
    }
    bool array = type_has_elements(type);
    if (array && (!nat_is_const(type->op[0], &n) || n < 0 || n > *room)) return false;
    out->count = n;
    out->parts = ARENA_ARRAY(arena, Value, n + 1);
    for (int64_t i = 0; i < n; i++)
        if (!random_value(arena, r, array ? type->op[1] : type->op[i], style, algebra, room,
                          &out->parts[i]))
            return false;
    if (type->kind == TYPE_STRUCT && n > 0 && strcmp(type->names[0]->text, "#") == 0)
        choose_options(&out->parts[0], (uint64_t)(n - 1));
    return true;
}

// --- comparing ---------------------------------------------------------------------------------

static inline bool same_float(Scalar s, double a, double b)
{
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
    if (isinf(a) || isinf(b)) return a == b;
    double tolerance = s == SCALAR_F64 ? 1e-12 : s == SCALAR_F32 ? 1e-5 : 4e-3;
    double size = fmax(fabs(a), fabs(b));
    return fabs(a - b) <= tolerance * fmax(size, 1.0);
}

static inline bool same_atom(Node *type, Algebra algebra, uint64_t a, uint64_t b)
{
    Scalar s = leaf_scalar(type);
    if (is_float(s) && algebra == ALGEBRA_IEEE) return same_float(s, double_of(a), double_of(b));
    return a == b;
}

static inline void print_atom(Text *out, Session *cx, Node *type, Algebra algebra, const Value *v)
{
    if (is_float(leaf_scalar(type)) && algebra == ALGEBRA_FIELD)
        text_printf(out, "%" PRIu64 " (of the field)", v->bits);
    else
        value_print(cx, out, v, type, 1);
}

/// Whether two values agree; where they do not, *where says the first place and both scalars.
static inline bool same_value(Session *cx, Node *type, Algebra algebra, const Value *want,
                              const Value *got, Text *where)
{
    if (type->kind == TYPE_SCALAR || type->kind == TYPE_IDX) {
        if (same_atom(type, algebra, want->bits, got->bits)) return true;
        text_put(where, ": ");
        print_atom(where, cx, type, algebra, got);
        text_put(where, " instead of ");
        print_atom(where, cx, type, algebra, want);
        return false;
    }
    if (want->count != got->count) {
        text_printf(where, ": %" PRId64 " parts instead of %" PRId64, got->count, want->count);
        return false;
    }
    for (int64_t i = 0; i < want->count; i++) {
        size_t len = where->len;
        text_printf(where, type_has_elements(type) ? "[%" PRId64 "]" : ".%" PRId64, i);
        Node *part = type_has_elements(type) ? type->op[1] : type->op[i];
        if (!same_value(cx, part, algebra, &want->parts[i], &got->parts[i], where)) return false;
        where->len = len;
        where->at[len] = '\0';
    }
    return true;
}

// --- buffers -----------------------------------------------------------------------------------

/// How many scalar leaves values of the type have.
static inline int count_leaves(Node *type)
{
    if (type->kind == TYPE_SCALAR || type->kind == TYPE_IDX) return 1;
    if (type_has_elements(type)) return count_leaves(type->op[1]);
    int n = 0;
    for (uint32_t i = 0; i < type->nops; i++) n += count_leaves(type->op[i]);
    return n;
}

/// The component of a tuple type that leaf *leaf lies in; *leaf becomes its number there.
static inline uint32_t leaf_component(Node *type, int *leaf)
{
    uint32_t k = 0;
    while (*leaf >= count_leaves(type->op[k])) *leaf -= count_leaves(type->op[k++]);
    return k;
}

static inline int leaf_bytes(Scalar s, Algebra algebra)
{
    return is_float(s) && algebra == ALGEBRA_FIELD ? 8 : scalar_info[s].size;
}

static inline void store_scalar(void *to, Scalar s, Algebra algebra, uint64_t bits)
{
    if (is_float(s) && algebra == ALGEBRA_IEEE) {
        double d = double_of(bits);
        float f = (float)d;
        adze_f16 h = adze_f16_from(d);
        memcpy(to,
               s == SCALAR_F64   ? (void *)&d
               : s == SCALAR_F32 ? (void *)&f
                                 : (void *)&h,
               (size_t)scalar_info[s].size);
        return;
    }
    memcpy(to, &bits, (size_t)leaf_bytes(s, algebra)); // little endian
}

static inline uint64_t load_scalar(const void *from, Scalar s, Algebra algebra)
{
    uint64_t bits = 0;
    memcpy(&bits, from, (size_t)leaf_bytes(s, algebra));
    if (!is_float(s)) return s == SCALAR_BOOL ? bits : scalar_wrap(s, bits);
    if (algebra == ALGEBRA_FIELD || s == SCALAR_F64) return bits;
    float f;
    uint32_t low = (uint32_t)bits;
    memcpy(&f, &low, sizeof f);
    return bits_of(s == SCALAR_F32 ? (double)f : (double)adze_f16_to_f32((adze_f16)bits));
}

/// Moves leaf number `leaf` of a value to (or, `load`, from) a buffer, advancing *at. Values to
/// load must have their shape.
static inline void move_leaf(Node *type, int leaf, Algebra algebra, Value *v, char **at, bool load)
{
    if (type->kind == TYPE_SCALAR || type->kind == TYPE_IDX) {
        Scalar s = leaf_scalar(type);
        if (load)
            v->bits = load_scalar(*at, s, algebra);
        else
            store_scalar(*at, s, algebra, v->bits);
        *at += leaf_bytes(s, algebra);
    } else if (type_has_elements(type)) {
        for (int64_t i = 0; i < v->count; i++)
            move_leaf(type->op[1], leaf, algebra, &v->parts[i], at, load);
    } else {
        uint32_t k = leaf_component(type, &leaf);
        move_leaf(type->op[k], leaf, algebra, &v->parts[k], at, load);
    }
}

/// A value of the shape of a type whose sizes are constants, all zero; false when a size is
/// negative or there are more than *room elements.
static inline bool blank_value(Arena *arena, Node *type, int64_t *room, Value *out)
{
    *out = (Value){0};
    int64_t n = type->nops;
    if (type->kind == TYPE_SCALAR || type->kind == TYPE_IDX) return (*room)-- > 0;
    bool array = type_has_elements(type);
    if (array && (!nat_is_const(type->op[0], &n) || n < 0 || n > *room)) return false;
    out->count = n;
    out->parts = ARENA_ARRAY(arena, Value, n + 1);
    for (int64_t i = 0; i < n; i++)
        if (!blank_value(arena, array ? type->op[1] : type->op[i], room, &out->parts[i]))
            return false;
    return true;
}

#endif
