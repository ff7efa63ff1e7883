// The state of the generator of random programs: the text so far, what is in scope, and what may be
// written at this point.
#ifndef ADZE_TESTS_RANDOM_PROGRAM_SCOPE_H
#define ADZE_TESTS_RANDOM_PROGRAM_SCOPE_H

#include "programs/random_program_types.h"

enum {
    VARS = 400,
    ROUTINES = 8,
    SHAPED = 3,
    PARAMS = 5,
    PALETTE = 4,
    POOL = 6,
    MOST_DEPTH = 7,
    MOST_WEIGHT = 1500
};

/// What is known of a size while a variable is in scope. The size is `of`: OF_N is n, OF_M is m,
/// and others have the number of their variable.
enum { OF_NONE = 0, OF_N = -1, OF_M = -2 };
typedef struct {
    int of, least;
    bool bounded, equal; // it is at most `most`, or equal to it
    Size most;
} Fact;

/// A variable v<number>, or the constant C<program>_<number>. If `below`, it is an integer of which
/// 0 <= v < limit is known. Some hidden variables are not in the program: they only carry a fact
/// (new_fact).
typedef struct {
    const Type *type;
    int number;
    bool constant;
    bool reference; // its value is *v
    bool changes;   // let mut
    bool hidden;    // not to be mentioned: other iterations write it
    bool below;
    Size limit;
    bool opened; // it is a size
    Fact fact;
} Var;

/// A function of the program: f<program>_<number>. One that calls itself has a parameter d that
/// counts down, before the others.
typedef struct {
    int nparams;
    const Type *params[PARAMS], *result; // result NULL: it changes its first parameter, a reference
    bool recursive, scalars;             // scalars: may be called with vectors, for each lane
    bool simd, any_lanes;                // in SIMD mode, for any number of lanes
    bool reference;                      // it has a result, and its first parameter is a reference
    int least[2];                        // of n and m
} Routine;

/// A function of any rank, g<program>_<number>: it takes two arrays of one shape and a scalar, and
/// gives another such array or (`folds`) a scalar.
typedef struct {
    Scalar scalar;
    bool folds;
} Shaped;

/// The jumps that may be written here, and the types that they take (NULL for a loop without a
/// value).
typedef struct {
    bool loop;              // break and continue may be called
    const Type *loop_value; // what break takes
    const Type *result;     // what return takes, or NULL
    bool simd;              // lanes may leave by themselves
} Ways;

/// Whether some operations may fail at run time: none, only those whose values are needed, so that
/// the program must fail, or also those in parts of values, which need not be computed if nobody
/// reads them.
typedef enum { NO_ERRORS, CERTAIN_ERRORS, LAZY_ERRORS } Errors;

typedef struct {
    Random random;
    Arena *arena;
    Text *out;
    int program;
    // What the program is about.
    Scalar scalars[PALETTE];
    Size sizes[PALETTE];
    const Type *structs[2], *enums[2], *pool[POOL], *constants[2];
    int nconstants;
    int nstructs, nenums, npool, lanes;
    int least[2]; // of n and m
    Errors errors;
    bool pure;    // no statements
    bool kernel;  // what it has is mostly numbers, conditions and loops
    bool inexact; // floats are regrouped, or used in functions that round freely
    // The state at this point of the program.
    Var vars[VARS];
    int nvars, names;
    int barrier; // variables before this one are only read: they are outside a pattern
    int budget, depth, patterns;
    bool expected;  // the next value is converted to the type that it should have
    bool opens;     // the program computes a size
    int parts;      // arrays, tuples and the like around, of which this is a part
    double weight;  // how often the code here runs, about
    int simd;       // the number of lanes that may diverge here; 0: they cannot
    bool any_lanes; // the function is for any number of lanes, `l`
    Ways ways;
    Routine routines[ROUTINES];
    int nroutines;
    Shaped shaped[SHAPED];
    int nshaped;
    bool inside_recursive; // the routine nroutines may be called, with d - 1
    int own_calls;
} Gen;

static void expr(Gen *g, const Type *t);

// --- chance and text ---------------------------------------------------------------------------

static inline int below(Gen *g, int n)
{
    return (int)random_below(&g->random, n);
}

static inline bool chance(Gen *g, int percent)
{
    return below(g, 100) < percent;
}

/// Whether the value that is written now is converted to its type; the values in it are not.
static inline bool take_expected(Gen *g)
{
    bool expected = g->expected;
    g->expected = false;
    return expected;
}

static inline void put(Gen *g, const char *text)
{
    text_put(g->out, text);
}

static inline void put_size_of(Gen *g, Size s)
{
    put_size(g->out, s);
}

static inline void put_type_of(Gen *g, const Type *t)
{
    put_type(g->out, t, (Naming){g->program, g->any_lanes ? "l" : NULL});
}

static inline const char *pick(Gen *g, const char *const *texts, int n)
{
    return texts[below(g, n)];
}
#define PICK(g, texts) pick((g), (texts), (int)(sizeof(texts) / sizeof *(texts)))

// --- sizes and types ---------------------------------------------------------------------------

/// The size that a fact is about.
static inline Size size_of(int of)
{
    return of == OF_N ? (Size){.k = {1}} : of == OF_M ? (Size){.k = {0, 1}} : size_opened(of);
}

// The number (Fact.of) of an atom of a size; OF_NONE for a product, about which there are no facts.
static inline int atom_of(Size s, int atom)
{
    return atom == OPENED ? s.opened : atom == 0 ? OF_N : atom == 1 ? OF_M : OF_NONE;
}

static inline int atom_least(const Gen *g, int of)
{
    int least = of == OF_N ? g->least[0] : of == OF_M ? g->least[1] : 0;
    for (int i = 0; i < g->nvars; i++)
        if (g->vars[i].fact.of == of && g->vars[i].fact.least > least)
            least = g->vars[i].fact.least;
    return least;
}

/// A lower bound of the size; very small where there is none. What is subtracted may have an upper
/// bound.
static int size_least_by(const Gen *g, Size s, int depth)
{
    int n = atom_least(g, OF_N), m = atom_least(g, OF_M);
    const int least[ATOMS] = {n, m, n * m, s.opened ? atom_least(g, s.opened) : 0};
    int sum = s.c, best;
    for (int i = 0; i < ATOMS; i++) sum += s.k[i] < 0 ? -1000 : s.k[i] * least[i];
    best = sum;
    for (int i = 0; sum < -500 && depth > 0 && i < g->nvars; i++) {
        const Fact *f = &g->vars[i].fact;
        Size rest;
        for (int k = 0; k < ATOMS; k++)
            if (s.k[k] == -1 && f->bounded && f->of == atom_of(s, k) &&
                size_add(s, 1, size_of(f->of), &rest) && size_add(rest, -1, f->most, &rest)) {
                int by = size_least_by(g, rest, depth - 1);
                if (by > best) best = by;
            }
    }
    return best;
}

static inline int size_least(const Gen *g, Size s)
{
    return size_least_by(g, s, 2);
}

// The size when the program runs, roughly.
static inline double size_about(Size s)
{
    double about = s.c + 6.0 * (s.k[0] + s.k[1]) + 36.0 * s.k[2] + 4.0 * s.k[OPENED];
    return about < 0 ? 1 : about;
}

static inline bool affordable(const Gen *g, Size s)
{
    return g->weight * size_about(s) < MOST_WEIGHT;
}

// A random variable that is a size, more often a later one; NULL if there is none.
static inline const Var *random_opened(Gen *g)
{
    const Var *found = NULL;
    int seen = 0;
    for (int i = 0; i < g->nvars; i++)
        if (g->vars[i].opened && (below(g, ++seen) == 0 || chance(g, 30))) found = &g->vars[i];
    return found;
}

// A size made of one that the program computes.
static inline Size size_near(Gen *g, const Var *v)
{
    Size s = size_opened(v->number), other;
    switch (below(g, 10)) {
    case 0: return size_plus(s, 1 + below(g, 3));
    case 1: return size_times(s, size_const(2), &other) ? other : s;
    case 2: return size_least(g, s) > 0 ? size_plus(s, -1) : s;
    case 3: return size_add(s, 1, size_of(OF_N), &other) ? other : s;
    case 4: return v->fact.bounded && size_add(v->fact.most, -1, s, &other) ? other : s;
    default: return s;
    }
}

static inline Size random_size(Gen *g)
{
    const Var *v = chance(g, 35) ? random_opened(g) : NULL;
    return v ? size_near(g, v) : g->sizes[below(g, PALETTE)];
}

static inline Scalar random_scalar(Gen *g)
{
    return chance(g, 80) ? g->scalars[below(g, PALETTE)] : (Scalar)below(g, SCALAR_COUNT);
}

static inline const Type *vector_type(Gen *g, Scalar s)
{
    return type_new(g->arena, (Type){.kind = K_VECTOR, .scalar = s, .lanes = g->lanes});
}

/// A struct or an enum in lanes, or NULL.
static inline const Type *lanes_of_declared(Gen *g)
{
    int all = g->nstructs + g->nenums, k = all ? below(g, all) : 0;
    if (!g->lanes || !all) return NULL;
    const Type *t = k < g->nstructs ? g->structs[k] : g->enums[k - g->nstructs];
    return in_lanes(g->arena, t, g->lanes);
}

/// A type of which each lane has its own value.
static inline const Type *random_in_lanes(Gen *g)
{
    const Type *t = chance(g, 25) ? lanes_of_declared(g) : NULL;
    return t ? t : vector_type(g, random_scalar(g));
}

static inline const Type *random_type(Gen *g, int depth);

static inline const Type *random_tuple(Gen *g, int depth)
{
    Type t = {.kind = K_TUPLE, .n = 2 + below(g, 2)};
    for (int i = 0; i < t.n; i++) t.part[i] = random_type(g, depth - 1);
    return type_new(g->arena, t);
}

static inline const Type *random_element(Gen *g, int depth);

// [?n]t
static inline const Type *random_up_to(Gen *g)
{
    Size s = chance(g, 30) ? size_const(1 + below(g, 4)) : random_size(g);
    return up_to_of(g->arena, s, random_element(g, 0));
}

/// A type for elements of arrays.
static inline const Type *random_element(Gen *g, int depth)
{
    int choice = below(g, 20);
    if (depth > 0 && choice < 2) return random_tuple(g, depth);
    if (choice == 2 && g->nstructs) return g->structs[below(g, g->nstructs)];
    if (choice == 3 && g->nenums) return g->enums[below(g, g->nenums)];
    if (depth > 0 && choice < 7) {
        Size s = chance(g, 50) ? size_const(1 + below(g, 4)) : random_size(g);
        return array_of(g->arena, s, random_element(g, 0));
    }
    if (choice == 7 && g->lanes && !g->simd) return random_in_lanes(g);
    if (depth > 0 && choice == 8) return random_up_to(g);
    return scalar_type(random_scalar(g));
}

static inline const Type *random_type(Gen *g, int depth)
{
    int choice = below(g, 20);
    if (g->simd) return random_in_lanes(g);
    if (g->kernel && chance(g, 70)) return scalar_type(random_scalar(g));
    if (depth > 0 && g->npool == POOL && chance(g, 65)) return g->pool[below(g, POOL)];
    if (depth > 0 && choice < 8)
        return array_of(g->arena, random_size(g), random_element(g, depth - 1));
    if (g->lanes && choice < 11) return random_in_lanes(g);
    if (depth > 0 && choice < 13) return random_up_to(g);
    return random_element(g, depth);
}

// --- variables ---------------------------------------------------------------------------------

static inline Var *new_var(Gen *g, const Type *t, bool changes)
{
    if (g->nvars >= VARS) abort();
    g->vars[g->nvars] = (Var){.type = t, .changes = changes, .number = ++g->names};
    return &g->vars[g->nvars++];
}

/// Adds a fact about a size, which holds to the end of the scope.
static inline void new_fact(Gen *g, Fact fact)
{
    Var *v = new_var(g, scalar_type(SCALAR_I64), false);
    v->hidden = true;
    v->fact = fact;
}

/// A variable that is an index into arrays of this size.
static inline Var *new_index(Gen *g, const Type *t, Size limit)
{
    Var *v = new_var(g, t, false);
    v->below = true;
    v->limit = limit;
    return v;
}

// An index variable that is below the size, even if *room is added to it.
static inline const Var *find_index(Gen *g, Size s, int *room)
{
    const Var *found = NULL;
    int seen = 0, difference;
    for (int i = 0; i < g->nvars; i++) {
        const Var *v = &g->vars[i];
        if (!v->below || v->hidden || !size_differ_by(s, v->limit, &difference) || difference < 0)
            continue;
        if (below(g, ++seen) > 0) continue;
        found = v;
        *room = difference;
    }
    return found;
}

/// Whether something that may fail may be written here.
static inline bool may_fail(const Gen *g)
{
    return g->errors == LAZY_ERRORS || (g->errors == CERTAIN_ERRORS && g->parts == 0);
}

static inline bool can_index(Gen *g, Size s)
{
    int room;
    return may_fail(g) || size_least(g, s) > 0 || find_index(g, s, &room);
}

static inline bool reaches(Gen *g, const Type *from, const Type *to, int depth)
{
    if (type_same(from, to)) return true;
    if (depth == 0 || from->kind == K_ENUM || from->kind == K_UP_TO || from->kind == K_VECTOR)
        return false;
    if (from->kind == K_ARRAY && !can_index(g, from->size)) return false;
    for (int i = 0; i < from->n; i++)
        if (reaches(g, from->part[i], to, depth - 1)) return true;
    return false;
}

/// A random variable with a part of this type, more often a later one; NULL if there is none.
static inline const Var *find_var(Gen *g, const Type *t, bool changes)
{
    const Var *found = NULL;
    int seen = 0;
    for (int i = changes ? g->barrier : 0; i < g->nvars; i++) {
        const Var *v = &g->vars[i];
        if (v->hidden || (changes && !v->changes) || !reaches(g, v->type, t, 3)) continue;
        if (below(g, ++seen) == 0 || (i + 4 > g->nvars && chance(g, 30))) found = v;
    }
    return found;
}

static inline void put_clamped(Gen *g, Size s)
{
    const Type *t = scalar_type(chance(g, 70) ? SCALAR_I64 : random_scalar(g));
    if (!is_integer(t)) t = scalar_type(SCALAR_I32);
    switch (below(g, 3)) {
    case 0:
        put(g, "min(max(i64(");
        expr(g, t);
        put(g, "), 0), ");
        put_size_of(g, size_plus(s, -1));
        put(g, ")");
        break;
    case 1:
        put(g, "(i64(");
        expr(g, t);
        put(g, ") & 255) % (");
        put_size_of(g, s);
        put(g, ")");
        break;
    default:
        put(g, "max(i64(");
        expr(g, t);
        put(g, ") % (");
        put_size_of(g, s);
        put(g, "), 0)");
        break;
    }
}

// An index below the size, made of the variable, which is below it too.
static inline void put_index_of(Gen *g, const Var *v, Size s)
{
    int k = v->number;
    switch (below(g, 10)) {
    case 0: text_printf(g->out, "i64(v%d)", k); break;
    case 1: text_printf(g->out, "i64(v%d) / %d", k, 2 + below(g, 2)); break;
    case 2:
        put_size_of(g, size_plus(s, -1));
        text_printf(g->out, " - i64(v%d)", k);
        break;
    case 3:
        text_printf(g->out, "(i64(v%d)%s + %d) %% (", k, chance(g, 50) ? " * 2" : "", below(g, 3));
        put_size_of(g, s);
        put(g, ")");
        break;
    default: text_printf(g->out, "v%d", k); break;
    }
}

/// An index into an array of this size, for which can_index holds.
static inline void put_index(Gen *g, Size s)
{
    int room = 0, least = size_least(g, s);
    const Var *v = chance(g, 85) ? find_index(g, s, &room) : NULL;
    if (may_fail(g) && chance(g, 5)) {
        expr(g, scalar_type(SCALAR_I64));
    } else if (v && room == 0) {
        put_index_of(g, v, s);
    } else if (v) {
        text_printf(g->out, "i64(v%d) + %d", v->number, below(g, room + 1));
    } else if (least <= 0) {
        v = find_index(g, s, &room);
        text_printf(g->out, v ? "i64(v%d)" : "0", v ? v->number : 0);
    } else if (g->budget > 3 && chance(g, 30)) {
        put_clamped(g, s);
    } else if (chance(g, 30)) {
        put_size_of(g, size_plus(s, -1 - below(g, least)));
    } else {
        text_printf(g->out, "%d", below(g, least));
    }
}

/// The rest of a place or value of type `from`, down to a part of type `to`.
static inline void put_path(Gen *g, const Type *from, const Type *to, int depth)
{
    if (type_same(from, to)) return;
    int k;
    do k = below(g, from->n);
    while (!reaches(g, from->part[k], to, depth - 1));
    if (from->kind == K_ARRAY) {
        put(g, "[");
        put_index(g, from->size);
        put(g, "]");
    } else {
        text_printf(g->out, from->kind == K_STRUCT ? ".a%d" : ".%d", k);
    }
    put_path(g, from->part[k], to, depth - 1);
}

static inline void put_place(Gen *g, const Var *v, const Type *t)
{
    bool whole = v->reference && type_same(v->type, t);
    if (v->constant)
        text_printf(g->out, "C%d_%d", g->program, v->number);
    else
        text_printf(g->out, whole ? "(*v%d)" : "v%d", v->number);
    put_path(g, v->type, t, 3);
}

/// let v1: t = ..;
static inline void put_let_of(Gen *g, int number, const Type *t, bool changes)
{
    text_printf(g->out, "let %sv%d: ", changes ? "mut " : "", number);
    put_type_of(g, t);
    put(g, " = ");
    g->expected = true;
    expr(g, t);
    put(g, ";\n");
    new_var(g, t, changes)->number = number;
}

#endif
