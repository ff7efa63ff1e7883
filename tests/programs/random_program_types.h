// Types and sizes of random programs (random_program.c), their text, and literals of them.
#ifndef ADZE_TESTS_RANDOM_PROGRAM_TYPES_H
#define ADZE_TESTS_RANDOM_PROGRAM_TYPES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "programs/values.h"

// --- sizes -------------------------------------------------------------------------------------

enum { ATOMS = 4, OPENED = ATOMS - 1, MOST_PARTS = 4 };

/// c + k[0] * n + k[1] * m + k[2] * n * m + k[OPENED] * v<opened>, where n and m are the size
/// parameters of the program, and v<opened> is a size that it computes (0: there is none).
typedef struct {
    int c, k[ATOMS], opened;
} Size;

static const char *const atom_text[OPENED] = {"n", "m", "n * m"};

static inline Size size_const(int c)
{
    return (Size){.c = c};
}

static inline Size size_plus(Size s, int c)
{
    s.c += c;
    return s;
}

/// A size that the program computes.
static inline Size size_opened(int number)
{
    return (Size){.k = {[OPENED] = 1}, .opened = number};
}

/// *out = a + times * b; false if there is no such Size.
static inline bool size_add(Size a, int times, Size b, Size *out)
{
    *out = a;
    out->c += times * b.c;
    for (int i = 0; i < ATOMS; i++) out->k[i] += times * b.k[i];
    out->opened = out->k[OPENED] == 0 ? 0 : a.opened ? a.opened : b.opened;
    return !a.opened || !b.opened || a.opened == b.opened;
}

static inline bool size_same(Size a, Size b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static inline bool size_is_const(Size s)
{
    return size_same(s, size_const(s.c));
}

/// Whether a - b is a constant, *difference.
static inline bool size_differ_by(Size a, Size b, int *difference)
{
    *difference = a.c - b.c;
    return size_same(size_plus(b, *difference), a);
}

/// *out = a * b; false if there is no such Size.
static inline bool size_times(Size a, Size b, Size *out)
{
    *out = (Size){.c = a.c * b.c};
    for (int i = 0; i < ATOMS; i++) out->k[i] = a.c * b.k[i] + a.k[i] * b.c;
    out->k[2] += a.k[0] * b.k[1] + a.k[1] * b.k[0];
    if (out->k[OPENED]) out->opened = a.opened ? a.opened : b.opened;
    for (int i = 2; i < ATOMS; i++)
        if ((a.k[i] && !size_is_const(b)) || (b.k[i] && !size_is_const(a))) return false;
    return a.k[0] * b.k[0] == 0 && a.k[1] * b.k[1] == 0;
}

/// *out = the size with these in place of its n and m; false if there is no such Size.
static inline bool size_with(Size s, Size n, Size m, Size *out)
{
    Size part[3];
    if (s.opened || (s.k[2] && !size_times(n, m, &part[2]))) return false;
    part[0] = n, part[1] = m;
    *out = size_const(s.c);
    for (int i = 0; i < 3; i++)
        if (s.k[i] && !size_add(*out, s.k[i], part[i], out)) return false;
    return true;
}

/// The value of a size without v<opened>, for these n and m.
static inline int64_t size_at(Size s, int64_t n, int64_t m)
{
    return s.c + s.k[0] * n + s.k[1] * m + s.k[2] * n * m;
}

// One term, after a sign unless it is the first.
static inline void put_term(Text *out, Size s, int atom, bool first)
{
    int k = atom < ATOMS ? s.k[atom] : s.c;
    if (!first) text_put(out, k < 0 ? " - " : " + ");
    if (first && k < 0) text_put(out, "-");
    if (atom == ATOMS) {
        text_printf(out, "%d", abs(k));
        return;
    }
    if (abs(k) != 1) text_printf(out, "%d * ", abs(k));
    if (atom == OPENED)
        text_printf(out, "v%d", s.opened);
    else
        text_put(out, atom_text[atom]);
}

// The terms that are added come first.
static inline void put_size(Text *out, Size s)
{
    bool first = true;
    for (int sign = 1; sign >= -1; sign -= 2)
        for (int i = 0; i <= ATOMS; i++) {
            int k = i < ATOMS ? s.k[i] : s.c;
            if (k * sign <= 0) continue;
            put_term(out, s, i, first);
            first = false;
        }
    if (first) text_put(out, "0");
}

// --- types -------------------------------------------------------------------------------------

typedef enum { K_SCALAR, K_INDEX, K_ARRAY, K_UP_TO, K_TUPLE, K_STRUCT, K_ENUM, K_VECTOR } TypeKind;

/// The one part of an array or a [?n]t is the type of its elements; the parts of an enum are
/// tuples, the data of its options. A struct or an enum in lanes has vectors in place of scalars in
/// its parts.
typedef struct Type Type;
struct Type {
    TypeKind kind;
    Scalar scalar; // of K_SCALAR, K_VECTOR
    Size size;     // of K_ARRAY, K_UP_TO, K_INDEX
    int lanes;     // of K_VECTOR, and of a K_STRUCT or K_ENUM in lanes
    int number;    // of K_STRUCT, K_ENUM
    int n;
    const Type *part[MOST_PARTS];
};

static inline bool type_same(const Type *a, const Type *b)
{
    if (a == b) return true;
    if (a->kind != b->kind || a->n != b->n || a->number != b->number || a->lanes != b->lanes)
        return false;
    if (a->kind <= K_UP_TO && (a->scalar != b->scalar || !size_same(a->size, b->size)))
        return false;
    if (a->kind == K_VECTOR && a->scalar != b->scalar) return false;
    for (int i = 0; i < a->n; i++)
        if (!type_same(a->part[i], b->part[i])) return false;
    return true;
}

static inline const Type *type_new(Arena *arena, Type t)
{
    Type *made = ARENA_NEW(arena, Type);
    *made = t;
    return made;
}

static inline const Type *array_of(Arena *arena, Size size, const Type *element)
{
    return type_new(arena, (Type){.kind = K_ARRAY, .size = size, .n = 1, .part = {element}});
}

/// [?size]t
static inline const Type *up_to_of(Arena *arena, Size size, const Type *element)
{
    return type_new(arena, (Type){.kind = K_UP_TO, .size = size, .n = 1, .part = {element}});
}

static inline const Type *pair_of(Arena *arena, const Type *a, const Type *b)
{
    return type_new(arena, (Type){.kind = K_TUPLE, .n = 2, .part = {a, b}});
}

static inline const Type *scalar_type(Scalar s)
{
    static const Type types[SCALAR_COUNT] = {
#define SCALAR(id, text, size, class, c) [id] = {.kind = K_SCALAR, .scalar = id},
#include "ir/scalar.def"
#undef SCALAR
    };
    return &types[s];
}

static inline bool is_number(const Type *t)
{
    return t->kind == K_SCALAR && t->scalar != SCALAR_BOOL;
}

static inline bool is_integer(const Type *t)
{
    return is_number(t) && !is_float(t->scalar);
}

/// How many scalars a value has, for these n and m.
static inline int64_t type_scalars(const Type *t, int64_t n, int64_t m)
{
    if (t->kind == K_ARRAY || t->kind == K_UP_TO)
        return (t->kind == K_UP_TO) + size_at(t->size, n, m) * type_scalars(t->part[0], n, m);
    if (t->kind == K_VECTOR) return t->lanes;
    int64_t all = t->kind == K_SCALAR || t->kind == K_INDEX || t->kind == K_ENUM;
    for (int i = 0; i < t->n; i++) all += type_scalars(t->part[i], n, m);
    return all;
}

/// The type with vectors in place of all scalars.
static inline const Type *in_lanes(Arena *arena, const Type *t, int lanes)
{
    Type made = *t;
    if (t->kind == K_SCALAR) made.kind = K_VECTOR;
    if (t->kind == K_SCALAR || t->kind == K_STRUCT || t->kind == K_ENUM) made.lanes = lanes;
    for (int i = 0; i < t->n; i++) made.part[i] = in_lanes(arena, t->part[i], lanes);
    return type_new(arena, made);
}

/// Whether values of the type have a part for each lane, so that lanes can choose different ones.
static inline bool is_in_lanes(const Type *t)
{
    return t->lanes > 0;
}

/// How types are written: the names of structs and enums contain the number `program`; `lanes` is
/// the name of the number of lanes, or NULL if that is a constant.
typedef struct {
    int program;
    const char *lanes;
} Naming;

static inline void put_parts(Text *out, const Type *t, const char *ends, Naming names);

static inline void put_type(Text *out, const Type *t, Naming names)
{
    if (t->lanes && names.lanes)
        text_printf(out, "varying[%s] ", names.lanes);
    else if (t->lanes)
        text_printf(out, "varying[%d] ", t->lanes);
    switch (t->kind) {
    case K_SCALAR:
    case K_VECTOR: text_put(out, scalar_info[t->scalar].text); break;
    case K_INDEX:
    case K_ARRAY:
    case K_UP_TO:
        text_put(out, t->kind == K_INDEX ? "idx[" : t->kind == K_ARRAY ? "[" : "[?");
        put_size(out, t->size);
        text_put(out, "]");
        if (t->n) put_type(out, t->part[0], names);
        break;
    case K_TUPLE: put_parts(out, t, "()", names); break;
    case K_STRUCT: text_printf(out, "S%d_%d", names.program, t->number); break;
    case K_ENUM: text_printf(out, "E%d_%d", names.program, t->number); break;
    }
}

static inline void put_parts(Text *out, const Type *t, const char *ends, Naming names)
{
    text_char(out, ends[0]);
    for (int i = 0; i < t->n; i++) {
        if (i) text_put(out, ", ");
        put_type(out, t->part[i], names);
    }
    if (t->kind == K_TUPLE && t->n == 1) text_char(out, ',');
    text_char(out, ends[1]);
}

/// The declaration of a struct or an enum.
static inline void put_declaration(Text *out, const Type *t, int program)
{
    Naming names = {program, NULL};
    text_printf(out, "%s ", t->kind == K_STRUCT ? "struct" : "enum");
    put_type(out, t, names);
    text_put(out, " { ");
    for (int i = 0; i < t->n; i++) {
        if (i) text_put(out, ", ");
        if (t->kind == K_STRUCT) {
            text_printf(out, "a%d: ", i);
            put_type(out, t->part[i], names);
        } else {
            text_printf(out, "O%d", i);
            if (t->part[i]->n) put_parts(out, t->part[i], "()", names);
        }
    }
    text_put(out, " }\n");
}

// --- literals ----------------------------------------------------------------------------------

static inline void put_integer(Text *out, Scalar s, int64_t x)
{
    const char *name = scalar_info[s].text;
    if (scalar_info[s].class == CLASS_UINT)
        text_printf(out, "%" PRIu64 "%s", (uint64_t)x, name);
    else if (x == INT64_MIN)
        text_printf(out, "(-%" PRId64 "%s - 1%s)", INT64_MAX, name, name);
    else
        text_printf(out, x < 0 ? "(%" PRId64 "%s)" : "%" PRId64 "%s", x, name);
}

static inline void put_float(Text *out, Scalar s, double x)
{
    const char *name = scalar_info[s].text;
    if (isnan(x)) {
        text_printf(out, "(0.0%s / 0.0%s)", name, name);
    } else if (isinf(x)) {
        text_printf(out, "(%s1.0%s / 0.0%s)", x < 0 ? "-" : "", name, name);
    } else {
        char digits[40];
        snprintf(digits, sizeof digits, "%.17g", fabs(x));
        bool point = strpbrk(digits, ".e") != NULL;
        text_printf(out, signbit(x) ? "(-%s%s%s)" : "%s%s%s", digits, point ? "" : ".0", name);
    }
}

static inline void put_scalar_literal(Text *out, Random *r, Scalar s, Style style)
{
    if (s == SCALAR_BOOL)
        text_put(out, random_below(r, 2) ? "true" : "false");
    else if (is_float(s))
        put_float(out, s, double_of(random_float(r, s, style, ALGEBRA_IEEE)));
    else
        put_integer(out, s, (int64_t)random_integer(r, s, style));
}

#endif
