// What random programs are made of: types, the text so far, the variables, places and functions in
// scope, and calls of these.
#ifndef ADZE_TESTS_RANDOM_SCOPE_H
#define ADZE_TESTS_RANDOM_SCOPE_H

#include "programs/values.h"

// --- types -------------------------------------------------------------------------------------

typedef enum {
    I32,
    I64,
    U8,
    F32,
    BOOL,
    PAIR,
    NEST,
    POINT,
    SHAPE,
    HALF,
    ARRAY,
    PAIRS,
    ROWS,
    RESULT,
    UNIT,
    NEVER
} Type; // clang-format off

/// How values of a type are made: the class, the number of components, and their types (for arrays,
/// the one type of all elements).
typedef enum { NUMBER, TRUTH, TUPLE, STRUCT, ENUM, ELEMENTS, NONE } Class;
static const struct {
    const char *text, *suffix;
    Class class;
    int n;
    Type part[3];
} types[] = {
    [I32] = {"i32", "i32", NUMBER, 0, {0}},
    [I64] = {"i64", "i64", NUMBER, 0, {0}},
    [U8] = {"u8", "u8", NUMBER, 0, {0}},
    [F32] = {"f32", ".5", NUMBER, 0, {0}},
    [BOOL] = {"bool", "", TRUTH, 0, {0}},
    [PAIR] = {"(i32, i64)", "", TUPLE, 2, {I32, I64}},
    [NEST] = {"((i32, i64), bool, f32)", "", TUPLE, 3, {PAIR, BOOL, F32}},
    [POINT] = {"Point", "", STRUCT, 2, {I32, U8}},
    [SHAPE] = {"Shape", "", ENUM, 0, {0}},
    [HALF] = {"[2]i32", "", ELEMENTS, 2, {I32}},
    [ARRAY] = {"[4]i32", "", ELEMENTS, 4, {I32}},
    [PAIRS] = {"[3](i32, i64)", "", ELEMENTS, 3, {PAIR}},
    [ROWS] = {"[2][4]i32", "", ELEMENTS, 2, {ARRAY}},
    [RESULT] = {"(i64, [4]i32, (i32, i64))", "", TUPLE, 3, {I64, ARRAY, PAIR}},
    [UNIT] = {"()", "", NONE, 0, {0}},
    [NEVER] = {"!", "", NONE, 0, {0}},
}; // clang-format on

static const char random_declarations[] = "struct Point { x: i32, y: u8 }\n"
                                          "enum Shape { Dot, Line(i32), Box(i32, (i32, i64)) }\n";

/// Types of functions that are passed.
typedef struct {
    const char *text;
    int n;
    Type params[2], result;
} Signature;
static const Signature signatures[] = {
    {"fn() -> !", 0, {UNIT, UNIT}, NEVER},           {"fn(i32) -> !", 1, {I32, UNIT}, NEVER},
    {"fn((i32, i64)) -> !", 1, {PAIR, UNIT}, NEVER}, {"fn(i32) -> i32", 1, {I32, UNIT}, I32},
    {"fn(i32) -> ()", 1, {I32, UNIT}, UNIT},         {"fn(i32, i64) -> ()", 2, {I32, I64}, UNIT},
    {"fn() -> i64", 0, {UNIT, UNIT}, I64},           {"fn([4]i32) -> bool", 1, {ARRAY, UNIT}, BOOL},
};
enum { SIGNATURES = sizeof signatures / sizeof *signatures, NEVER_SIGNATURES = 3 };

// --- the generator -----------------------------------------------------------------------------

/// What a variable is: a value, a variable that changes, a reference, a function.
typedef enum { FIXED, MUTABLE, SHARED, UNIQUE, FUNCTION } Role;

/// A variable or parameter x<number>; number 0 is n, which gets smaller in every call.
typedef struct {
    Role role;
    Type type; // of data
    const Signature *signature;
    int number;
} Var;

/// A function of the program. Those from `group` on may call each other, with a smaller n.
typedef struct {
    int nparams, group, last; // of its group
    Var params[6];
    Type result;
    bool recursive;
} Routine;

enum { VARS = 400, ROUTINES = 8, MOST_DEPTH = 9, NO_TYPE = -1 };

typedef struct {
    Random random;
    Text *out;
    uint64_t seed;
    Var vars[VARS];
    int nvars, names;
    int barrier;                // variables before this one are outside a pattern, only read
    int budget;                 // nodes that may still be made
    int loops, patterns, depth; // around
    int leave, next, give;      // types that break, continue, return take, or NO_TYPE
    Routine routines[ROUTINES];
    int nroutines, inside; // the routine that is written, or nroutines
    int calls;             // of its own group
} Gen;

static inline int below(Gen *g, int n)
{
    return (int)random_below(&g->random, n);
}

static inline bool chance(Gen *g, int percent)
{
    return below(g, 100) < percent;
}

static inline void put(Gen *g, const char *text)
{
    text_put(g->out, text);
}

static void random_expr(Gen *g, Type t);
static void put_leaf(Gen *g, Type t);
static void random_block(Gen *g, Type t);
static void random_statement(Gen *g);

// --- variables ---------------------------------------------------------------------------------

static inline void put_name(Gen *g, const Var *v)
{
    if (v->number)
        text_printf(g->out, "x%d", v->number);
    else
        put(g, "n");
}

static inline Var *new_var(Gen *g, Role role, Type type)
{
    assert_true(g->nvars < VARS);
    g->vars[g->nvars] = (Var){role, type, NULL, ++g->names};
    return &g->vars[g->nvars++];
}

// Whether a part of a value of type `from` is of type `to`.
static inline bool reaches(Type from, Type to)
{
    if (from == to || (from == ARRAY && to == HALF)) return true;
    for (int i = 0; i < types[from].n; i++)
        if (reaches(types[from].part[types[from].class == ELEMENTS ? 0 : i], to)) return true;
    return false;
}

static inline bool assignable(const Gen *g, int var)
{
    Role role = g->vars[var].role;
    return var >= g->barrier && (role == MUTABLE || role == UNIQUE);
}

// A random variable with a part of this type, more often a later one; -1 if there is none.
static inline int find_var(Gen *g, Type t, bool assigned)
{
    int found = -1, seen = 0;
    for (int i = 0; i < g->nvars; i++) {
        const Var *v = &g->vars[i];
        if (v->role == FUNCTION || !reaches(v->type, t) || (assigned && !assignable(g, i)))
            continue;
        if (below(g, ++seen) == 0 || (i + 4 > g->nvars && chance(g, 30))) found = i;
    }
    return found;
}

static inline void put_index(Gen *g, int n)
{
    if (g->budget < 5 || chance(g, 50)) {
        text_printf(g->out, "%d", below(g, n));
    } else if (chance(g, 4) && g->barrier == 0) {
        random_expr(g, I32); // may be out of bounds
    } else {
        put(g, "(");
        random_expr(g, chance(g, 50) ? I32 : I64);
        text_printf(g->out, n == 3 ? " & 255) %% 3" : " & %d)", n - 1);
    }
}

static inline void put_component(Gen *g, Type from, int k)
{
    if (types[from].class == STRUCT)
        put(g, k ? ".y" : ".x");
    else
        text_printf(g->out, ".%d", k);
}

// The rest of a place or a value of type `from` down to a part of type `to`.
static void put_path(Gen *g, Type from, Type to)
{
    if (from == to) return;
    if (from == ARRAY && to == HALF) {
        int low = below(g, 3);
        text_printf(g->out, "[%d..%d]", low, low + 2);
    } else if (types[from].class == ELEMENTS) {
        put(g, "[");
        put_index(g, types[from].n);
        put(g, "]");
        put_path(g, types[from].part[0], to);
    } else {
        int k;
        do k = below(g, types[from].n);
        while (!reaches(types[from].part[k], to));
        put_component(g, from, k);
        put_path(g, types[from].part[k], to);
    }
}

// A variable's part of this type, as a place.
static inline void put_place(Gen *g, int var, Type t)
{
    Var v = g->vars[var];
    if (v.type == t && (v.role == SHARED || v.role == UNIQUE)) put(g, "*");
    put_name(g, &v);
    put_path(g, v.type, t);
}

static void put_literal(Gen *g, Type t)
{
    switch (types[t].class) {
    case NUMBER:
        if (t == U8 || chance(g, 80))
            text_printf(g->out, "%d%s", below(g, 10), types[t].suffix);
        else
            text_printf(g->out, "(-%d%s)", below(g, 10), types[t].suffix);
        break;
    case TRUTH:
        if (chance(g, 10)) {
            put(g, chance(g, 50) ? "true" : "false");
        } else {
            put(g, "(");
            put_leaf(g, I32);
            if (chance(g, 50))
                put(g, " & 1 == 0)");
            else
                text_printf(g->out, " < %d)", below(g, 10));
        }
        break;
    case ENUM:
        if (chance(g, 30))
            put(g, "Shape.Dot");
        else if (chance(g, 50))
            text_printf(g->out, "Shape.Line(%d)", below(g, 10));
        else
            text_printf(g->out, "Shape.Box(%d, (%d, %d))", below(g, 10), below(g, 3), below(g, 10));
        break;
    default: random_expr(g, t); break;
    }
}

// Components, each an expression.
static inline void put_composed(Gen *g, Type t)
{
    Class class = types[t].class;
    put(g, class == ELEMENTS ? "[" : class == STRUCT ? "Point { " : "(");
    for (int i = 0; i < types[t].n; i++) {
        if (i) put(g, ", ");
        if (class == STRUCT) put(g, i ? "y: " : "x: ");
        random_expr(g, types[t].part[class == ELEMENTS ? 0 : i]);
    }
    put(g, class == ELEMENTS ? "]" : class == STRUCT ? " }" : ")");
}

static void put_leaf(Gen *g, Type t)
{
    int var = chance(g, 85) ? find_var(g, t, false) : -1;
    if (var >= 0)
        put_place(g, var, t);
    else if (types[t].n)
        put_composed(g, t);
    else
        put_literal(g, t);
}

// --- continuations and functions as values ------------------------------------------------------

/// The names of continuations that may be called here with their types: at most EXITS of them.
enum { EXITS = 8 };
typedef struct {
    char name[12];
    Type type;
} Exit;
static inline int find_exits(Gen *g, Exit *exits)
{
    const int types_of[] = {g->leave, g->next, g->give};
    static const char *const names[] = {"break", "continue", "return"};
    int n = 0;
    for (int i = 0; i < 3; i++)
        if (types_of[i] != NO_TYPE && types_of[i] != NEVER) {
            exits[n].type = (Type)types_of[i];
            snprintf(exits[n++].name, sizeof exits->name, "%s", names[i]);
        }
    for (int i = g->nvars - 1; i >= g->barrier && n < EXITS; i--) {
        const Var *v = &g->vars[i];
        if (v->role != FUNCTION || v->signature->result != NEVER) continue;
        exits[n].type = v->signature->params[0];
        snprintf(exits[n++].name, sizeof exits->name, "x%d", v->number);
    }
    return n;
}

// A call of a continuation; false when there is none.
static inline bool put_exit(Gen *g)
{
    Exit exits[EXITS];
    int n = find_exits(g, exits);
    if (n == 0) return false;
    const Exit *e = &exits[below(g, n)];
    text_printf(g->out, "%s(", e->name);
    if (e->type != UNIT) random_expr(g, e->type);
    put(g, ")");
    return true;
}

// The parameters of a lambda become variables; its body follows.
static inline void put_lambda(Gen *g, const Signature *s)
{
    int vars = g->nvars;
    put(g, s->n ? "|" : "||");
    Var *first = &g->vars[g->nvars];
    for (int i = 0; i < s->n; i++) new_var(g, FIXED, s->params[i]);
    for (int i = 0; i < s->n; i++)
        text_printf(g->out, "%sx%d: %s", i ? ", " : "", first[i].number, types[s->params[i]].text);
    put(g, s->n ? "| " : " ");
    random_block(g, s->result);
    g->nvars = vars;
}

static inline bool has_exit(Gen *g)
{
    Exit exits[EXITS];
    return find_exits(g, exits) > 0;
}

// A function value: a variable, a continuation, or a lambda. For one that does not return there
// must be a continuation.
static inline void put_function(Gen *g, const Signature *s)
{
    for (int i = g->nvars - 1; i >= g->barrier; i--)
        if (g->vars[i].signature == s && chance(g, 40)) {
            put_name(g, &g->vars[i]);
            return;
        }
    Exit exits[EXITS];
    int n = s->result == NEVER ? find_exits(g, exits) : 0;
    for (int i = 0; i < n; i++)
        if (exits[i].type == s->params[0] && chance(g, 60)) {
            put(g, exits[i].name);
            return;
        }
    put_lambda(g, s);
}

// --- calls -------------------------------------------------------------------------------------

static inline void put_reference(Gen *g, const Var *p)
{
    int var = find_var(g, p->type, p->role == UNIQUE);
    if (var < 0) {
        put(g, "&");
        random_expr(g, p->type);
    } else if (g->vars[var].role == p->role && g->vars[var].type == p->type) {
        put_name(g, &g->vars[var]);
    } else {
        put(g, p->role == UNIQUE ? "&mut " : "&");
        put_place(g, var, p->type);
    }
}

static inline bool calls_itself(const Gen *g, const Routine *f)
{
    return g->inside < g->nroutines && f->group == g->routines[g->inside].group && f->recursive;
}

// Whether the routine can be called here: its continuations and the variables that it changes
// exist.
static inline bool callable(Gen *g, const Routine *f)
{
    bool itself = calls_itself(g, f);
    if (itself && (g->calls >= 2 || g->loops > 1)) return false;
    for (int i = 0; i < f->nparams; i++) {
        const Var *p = &f->params[i];
        if (p->role == UNIQUE && find_var(g, p->type, true) < 0) return false;
        if (p->role != FUNCTION) continue;
        if (p->signature->result == NEVER && !has_exit(g)) return false;
        if (itself && g->barrier > 0) return false;
    }
    return true;
}

// A call, with `open` without its last argument: the body of a `for` follows.
static inline void put_call(Gen *g, int number, bool open)
{
    const Routine *f = &g->routines[number];
    bool itself = calls_itself(g, f);
    g->calls += itself;
    text_printf(g->out, "%sf%" PRIu64 "_%d(", !open && !itself && chance(g, 5) ? "@@" : "", g->seed,
                number);
    for (int i = 0; i < f->nparams - open; i++) {
        const Var *p = &f->params[i];
        if (i) put(g, ", ");
        if (f->recursive && i == 0) {
            if (itself)
                put(g, chance(g, 80) ? "n - 1" : "n - 2");
            else
                text_printf(g->out, "%s%d", chance(g, 30) ? "$" : "", below(g, 4));
        } else if (p->role == FUNCTION) {
            if (itself) // a new function in each call would be specialised without end
                put_name(g, p);
            else
                put_function(g, p->signature);
        } else if (p->role == FIXED) {
            if (chance(g, 5)) put(g, "$");
            random_expr(g, p->type);
        } else {
            put_reference(g, p);
        }
    }
    put(g, ")");
}

// A routine with this result (NO_TYPE: any); with `open`, one whose last parameter is a function
// that returns. -1 if there is none.
static inline int find_routine(Gen *g, int result, bool open)
{
    int found = -1, seen = 0;
    if (g->budget < 4) return -1;
    for (int i = 0; i < g->nroutines; i++) {
        const Routine *f = &g->routines[i];
        if (i > g->inside && f->group != g->routines[g->inside].group) continue;
        if (i == g->inside && !f->recursive) continue;
        const Var *last = f->nparams > 0 ? &f->params[f->nparams - 1] : NULL;
        bool generator = last && last->role == FUNCTION && last->signature->result != NEVER;
        if ((result != NO_TYPE && (int)f->result != result) || (open && !generator) ||
            (open && calls_itself(g, f)) || !callable(g, f))
            continue;
        if (below(g, ++seen) == 0) found = i;
    }
    return found;
}

#endif
