// Functions of random programs, calls of them, and whole programs.
#ifndef ADZE_TESTS_RANDOM_PROGRAM_FUNCTIONS_H
#define ADZE_TESTS_RANDOM_PROGRAM_FUNCTIONS_H

#include "programs/random_program_kernels.h"
#include "programs/random_program_schedules.h"
#include "programs/random_program_library.h"
#include "programs/random_program_shapes.h"

/// The imports and functions that all programs start with.
static const char random_program_prelude[] =
    "import std.rules\n"
    "import std.auto (auto)\n"
    "import std.contractions (generates_to_maps)\n"
    "import std.strategies\n"
    "import std.vector_rules\n"
    "import std.simd\n"
    "import std.atomics\n"
    "import std.arrays (cat, choose, each, flatten, fold_all, from_flat, full, maxval, minval, "
    "reshape)\n"
    "import std.arrays (partition, positions, shift, sum, tile, update)\n"
    "import std.sort (unique)\n"
    "import std.math\n"
    "import std.stats (argmax, argmin, greater, indexed, lesser, maximum, mean, minimum, product)\n"
    "import std.stats (variance)\n"
    "import std.sums\n"
    "import std.linalg\n"
    "import std.stencil\n"
    "import std.vectors (filter, find, places, scan_by, sort, sum_of)\n"
    "fn twice[t: data](f: fn(t) -> t, x: t) -> t { f(f(x)) }\n"
    "fn either[t: data](c: bool, f: fn() -> t, g: fn() -> t) -> t { if c { f() } else { g() } }\n"
    "fn sum_by[l, k, n: nat, t: num](xs: [n]t) -> t {\n"
    "    let vectors = as_vector[l](xs[0..n / l * l]);\n"
    "    let rest = xs[n / l * l..n];\n"
    "    sum_of[l, k, n, t](|i| vectors[i], |i| rest[i])\n"
    "}\n"
    "fn dot_by[l, k, n: nat, t: num](xs: [n]t, ys: [n]t) -> t { sum_by[l, k](xs * ys) }\n"
    "fn chosen[n: nat, t: data](keep: fn(t) -> bool, xs: [n]t) -> [?n]t {\n"
    "    let mut out: [n]t = undefined();\n"
    "    let mut k = 0i64;\n"
    "    for i in range(0, n) {\n"
    "        let x = xs[i];\n"
    "        unchecked { out[k] = x; }\n"
    "        if keep(x) { k += 1; }\n"
    "    }\n"
    "    UpTo { count: unchecked { k as idx[n + 1] }, elements: out }\n"
    "}\n"
    "fn every(from: i64, to: i64, step: i64, body: fn(i64) -> ()) {\n"
    "    let mut i = from;\n"
    "    while i < to { body(i); i += step; }\n"
    "}\n";

// --- calls -------------------------------------------------------------------------------------

// Whether a call of the routine may give a value of this type here. Routines of scalars are called
// for each lane; other routines only where lanes cannot diverge, unless they are in SIMD mode.
static inline bool gives(Gen *g, const Routine *r, const Type *t)
{
    if (is_in_lanes(t) && r->scalars && !is_in_lanes(r->result))
        return g->patterns == 0 && type_same(in_lanes(g->arena, r->result, g->lanes), t);
    if (r->simd ? g->patterns > 0 : g->simd > 0) return false;
    return type_same(r->result, t);
}

// The argument d of a recursive routine: how deep it may go.
static inline void put_calls_left(Gen *g, const Routine *r, bool own)
{
    const Type *t = r->simd && r->scalars ? vector_type(g, SCALAR_I32) : scalar_type(SCALAR_I32);
    if (own)
        put(g, "d - 1");
    else if (chance(g, 50) && t->kind == K_SCALAR)
        text_printf(g->out, "%d", below(g, 4));
    else
        put(g, "("), expr(g, t), put(g, ") & 3");
}

// The type with these sizes in place of n and m; NULL if it cannot be written.
static inline const Type *type_with(Gen *g, const Type *t, const Size sizes[2])
{
    Type made = *t;
    if (t->kind == K_ENUM || t->kind == K_STRUCT) return t;
    if (!size_with(t->size, sizes[0], sizes[1], &made.size)) return NULL;
    for (int i = 0; i < t->n; i++)
        if (!(made.part[i] = type_with(g, t->part[i], sizes))) return NULL;
    return type_new(g->arena, made);
}

// Whether a routine can be called with these sizes for a value of this type.
static inline bool takes_sizes(Gen *g, const Routine *r, const Type *t, const Size sizes[2])
{
    for (int i = 0; i < 2; i++)
        if (size_least(g, sizes[i]) < r->least[i] || size_about(sizes[i]) > 14) return false;
    for (int i = 0; i < r->nparams; i++)
        if (!type_with(g, r->params[i], sizes)) return false;
    const Type *result = type_with(g, r->result, sizes);
    return result && type_same(result, t);
}

// Chooses the sizes for a call, sometimes others than those of the calling function. False if the
// routine then has no value of this type.
static inline bool choose_sizes(Gen *g, const Routine *r, const Type *t, Size sizes[2])
{
    bool fixed = r->reference || r->simd || r->scalars || is_in_lanes(t) || g->simd;
    sizes[0] = size_of(OF_N), sizes[1] = size_of(OF_M);
    for (int tries = 0; tries < 2 && !fixed && chance(g, 70); tries++) {
        Size others[2];
        for (int i = 0; i < 2; i++) {
            const Var *v = chance(g, 60) ? random_opened(g) : NULL;
            if (v && v->fact.equal) v = NULL; // recursive calls might get larger and larger
            others[i] = v               ? size_opened(v->number)
                        : chance(g, 50) ? sizes[i]
                        : chance(g, 50) ? sizes[1 - i]
                                        : size_const(below(g, 4));
        }
        if (!takes_sizes(g, r, t, others)) continue;
        sizes[0] = others[0], sizes[1] = others[1];
        return true;
    }
    return gives(g, r, t);
}

/// A call of routine k for a value of type t (NULL: no value). If the routine changes a variable,
/// `changed` is its first argument.
static inline void put_routine_call_of(Gen *g, int k, const Type *t, const Var *changed,
                                       const Size sizes[2])
{
    const Routine *r = &g->routines[k];
    bool own = k == g->nroutines, lanes = !r->simd && t && is_in_lanes(t) && r->scalars;
    if (own) g->own_calls++;
    text_printf(g->out, "f%d_%d[", g->program, k);
    if (r->any_lanes && g->any_lanes)
        put(g, "l, ");
    else if (r->any_lanes)
        text_printf(g->out, "%d, ", g->lanes);
    put_size_of(g, sizes[0]);
    put(g, ", ");
    put_size_of(g, sizes[1]);
    put(g, "](");
    if (r->recursive) put_calls_left(g, r, own);
    for (int i = 0; i < r->nparams; i++) {
        if (i || r->recursive) put(g, ", ");
        if (i == 0 && changed)
            put(g, "&mut "), put_place(g, changed, r->params[0]);
        else
            g->expected = true, expr(g, lanes ? in_lanes(g->arena, r->params[i], g->lanes)
                                              : type_with(g, r->params[i], sizes));
    }
    put(g, ")");
}

static inline bool put_routine_call(Gen *g, const Type *t)
{
    int found = -1, seen = 0, n = g->nroutines + (g->inside_recursive && g->own_calls < 2);
    Size sizes[2];
    for (int i = 0; i < n; i++) {
        const Routine *r = &g->routines[i];
        Size drawn[2];
        if (!r->result || r->reference || !choose_sizes(g, r, t, drawn) || below(g, ++seen))
            continue;
        found = i;
        memcpy(sizes, drawn, sizeof sizes);
    }
    if (found < 0 || g->weight > 60) return false;
    put_routine_call_of(g, found, t, NULL, sizes);
    return true;
}

/// let v: t = f[k, m](..); with a size that is computed here.
static inline bool put_sized_call(Gen *g)
{
    const Var *v = random_opened(g);
    int n = g->nroutines + (g->inside_recursive && g->own_calls < 2);
    if (!v || n == 0 || g->simd || g->weight > 60) return false;
    int k = n > g->nroutines && chance(g, 60) ? n - 1 : below(g, n), number = ++g->names;
    const Routine *r = &g->routines[k];
    Size sizes[2] = {size_opened(v->number), size_of(chance(g, 50) ? OF_M : OF_N)};
    const Type *t = r->result ? type_with(g, r->result, sizes) : NULL;
    if (k == g->nroutines && v->fact.equal) return false; // calls might get larger and larger
    if (!t || r->reference || r->simd || r->scalars || !takes_sizes(g, r, t, sizes)) return false;
    text_printf(g->out, "let v%d: ", number);
    put_type_of(g, t);
    put(g, " = ");
    put_routine_call_of(g, k, t, NULL, sizes);
    put(g, ";\n");
    new_var(g, t, false)->number = number;
    return true;
}

// A call of a closure, or of a function that takes closures.
static inline void put_closure(Gen *g, const Type *t)
{
    const Type *from = random_type(g, 1);
    switch (below(g, 3)) {
    case 0:
        put(g, "twice(");
        put_lambda(g, size_const(2), t, NULL, t);
        put(g, ", ");
        expr(g, t);
        put(g, ")");
        break;
    case 1:
        put(g, "either(");
        expr(g, scalar_type(SCALAR_BOOL));
        for (int i = 0; i < 2; i++) {
            put(g, ", || ");
            Around around = enter_element(g, size_const(1));
            block(g, t);
            leave_element(g, around);
        }
        put(g, ")");
        break;
    default:
        put(g, "(");
        put_lambda(g, size_const(1), from, NULL, t);
        put(g, ")(");
        expr(g, from);
        put(g, ")");
        break;
    }
}

static inline bool put_call(Gen *g, const Type *t)
{
    g->expected = false;
    if (chance(g, 50) && put_library(g, t)) return true;
    if (chance(g, 50) && put_shaped_call(g, t)) return true;
    if (chance(g, 60) && put_routine_call(g, t)) return true;
    if (g->simd) return false;
    if (g->patterns > 1 || g->weight > 100 || chance(g, 40)) return false;
    put_closure(g, t);
    return true;
}

// --- functions ---------------------------------------------------------------------------------

static inline void put_where(Gen *g)
{
    const char *before = " where ";
    for (int i = 0; i < 2; i++) {
        if (g->least[i] == 0) continue;
        text_printf(g->out, "%s%s >= %d", before, atom_text[i], g->least[i]);
        before = ", ";
    }
}

static inline void enter_function(Gen *g, int budget)
{
    g->nvars = g->names = g->barrier = g->depth = g->patterns = g->simd = g->own_calls = g->parts =
        0;
    g->budget = budget;
    g->weight = 1;
    g->ways = (Ways){0};
    g->inside_recursive = false;
}

static inline void put_parameters(Gen *g, const Type *const *types, int n)
{
    for (int i = 0; i < n; i++) {
        if (i) put(g, ", ");
        put_parameter(g, types[i]);
    }
}

// The function calls itself with a size that it has computed.
static inline void put_recursion_on_sizes(Gen *g)
{
    const Routine *r = &g->routines[g->nroutines];
    if (r->least[0] || r->reference || r->simd || r->scalars || !chance(g, 60)) return;
    if (put_open(g) && put_sized_call(g) && chance(g, 50)) put_sized_call(g);
}

// The body: statements, and a value.
static inline void put_body(Gen *g, const Type *result, int most)
{
    g->ways = (Ways){.result = g->pure ? NULL : result, .simd = g->simd > 0};
    put(g, "{\n");
    if (g->inside_recursive && g->routines[g->nroutines].reference && chance(g, 70)) put_change(g);
    if (g->inside_recursive) put_recursion_on_sizes(g);
    for (int i = below(g, most) + (most > 2); i > 0; i--) statement(g);
    g->budget = g->budget < 12 ? 12 : g->budget;
    g->expected = true;
    expr(g, result);
    put(g, "\n}");
}

// Brings the constants of the program into scope.
static inline void enter_constants(Gen *g)
{
    for (int i = 0; i < g->nconstants; i++) {
        Var *v = new_var(g, g->constants[i], false);
        v->constant = true;
        v->number = i;
    }
    g->barrier = g->nvars;
}

static inline void put_head(Gen *g, Routine *r)
{
    for (int i = 0; i < 2; i++) r->least[i] = g->least[i];
    if (r->simd) text_printf(g->out, r->any_lanes ? "simd[l] " : "simd[%d] ", g->lanes);
    put(g, "fn ");
    if (r->recursive && !r->simd && !r->reference && chance(g, 40)) put(g, "@(?d) ");
    text_printf(g->out, "f%d_%d[%sn, m: nat](", g->program, g->nroutines,
                r->any_lanes ? "l, " : "");
    if (r->recursive) {
        put(g, "d: ");
        put_type_of(g,
                    r->simd && r->scalars ? vector_type(g, SCALAR_I32) : scalar_type(SCALAR_I32));
        put(g, ", ");
    }
    for (int i = 0; i < r->nparams; i++) {
        bool reference = i == 0 && (!r->result || r->reference);
        Var *v = new_var(g, r->params[i], reference);
        v->reference = reference;
        text_printf(g->out, "%sv%d: %s", i ? ", " : "", v->number, reference ? "&mut " : "");
        put_type_of(g, r->params[i]);
    }
    put(g, ")");
    if (r->result) {
        put(g, " -> ");
        put_type_of(g, r->result);
    }
    put_where(g);
    put(g, " ");
}

static inline void put_recursive_body(Gen *g, const Type *result)
{
    put(g, "{\nif d <= 0 { ");
    g->budget = 4;
    expr(g, result);
    g->budget = 25 + below(g, 20);
    put(g, " } else ");
    g->inside_recursive = true;
    g->weight = 8;
    put_body(g, result, 3);
    put(g, "\n}\n");
}

// The body of a recursive function that changes its first parameter.
static inline void put_recursive_change(Gen *g)
{
    put(g, "{\nif d > 0 {\n");
    g->weight = 8;
    g->inside_recursive = true;
    for (int i = 1 + below(g, 2); i > 0; i--) {
        statement(g);
        put_change(g);
    }
    statement(g);
    put(g, "}\n}\n");
}

// A type of which each lane may have its own value.
static inline const Type *one_lane_type(Gen *g)
{
    if (g->nstructs && chance(g, 15)) return g->structs[below(g, g->nstructs)];
    if (g->nenums && chance(g, 15)) return g->enums[below(g, g->nenums)];
    return scalar_type(random_scalar(g));
}

// A function in SIMD mode, which diverging lanes may call. If the depth of its recursion may differ
// by lane, `scalars` is true.
static inline void put_simd_routine(Gen *g)
{
    Routine *r = &g->routines[g->nroutines];
    *r = (Routine){.nparams = 1 + below(g, 3), .simd = true, .any_lanes = chance(g, 50)};
    r->recursive = chance(g, 35);
    r->scalars = r->recursive && chance(g, 50);
    r->reference = !g->pure && chance(g, 40);
    for (int i = 0; i < r->nparams; i++)
        r->params[i] = i && chance(g, 25) ? scalar_type(random_scalar(g)) : random_in_lanes(g);
    r->result = random_in_lanes(g);
    enter_function(g, 20 + below(g, 20));
    g->any_lanes = r->any_lanes;
    g->simd = g->lanes;
    put_head(g, r);
    if (r->recursive) {
        put_recursive_body(g, r->result);
    } else {
        put_body(g, r->result, 3);
        put(g, "\n");
    }
    g->any_lanes = false;
    g->simd = g->nvars = 0;
    g->nroutines++;
}

static inline void put_routine(Gen *g)
{
    Routine *r = &g->routines[g->nroutines];
    *r = (Routine){.nparams = 1 + below(g, 3)};
    if (g->lanes && chance(g, 40)) {
        put_simd_routine(g);
        return;
    }
    r->scalars = chance(g, 40);
    r->recursive = !r->scalars && chance(g, 45);
    bool changes = !r->scalars && !g->pure && chance(g, 50);
    r->reference = changes && chance(g, 40); // it has a result as well
    for (int i = 0; i < r->nparams; i++)
        r->params[i] = r->scalars ? one_lane_type(g) : random_type(g, 1);
    if (!changes || r->reference) r->result = r->scalars ? one_lane_type(g) : random_type(g, 1);
    enter_function(g, 25 + below(g, 25));
    if (!r->scalars) enter_constants(g);
    g->barrier = changes ? g->nvars : 0; // what it changes is a parameter
    g->parts = 1;                        // it may be called in a part that nobody reads
    put_head(g, r);
    int lanes = g->lanes, npool = g->npool;
    if (r->scalars) g->lanes = g->npool = 0; // what is called for each lane has no vectors inside
    if (r->recursive && r->result) {
        put_recursive_body(g, r->result);
    } else if (r->recursive) {
        put_recursive_change(g);
    } else if (r->result) {
        put_body(g, r->result, 3);
        put(g, "\n");
    } else {
        put(g, "{\n");
        for (int i = 1 + below(g, 3); i > 0; i--) statement(g);
        put(g, "}\n");
    }
    g->lanes = lanes, g->npool = npool;
    g->nvars = 0;
    g->nroutines++;
}

// --- programs ----------------------------------------------------------------------------------

// Chooses the few types and sizes of a program, so that its values fit together.
static inline void choose_palette(Gen *g)
{
    static const Size sizes[] = {
        {.k = {1}},
        {.k = {0, 1}},
        {.c = 1, .k = {1}},
        {.k = {2}},
        {.k = {0, 0, 1}},
        {.c = 2, .k = {0, 1}},
        {.c = -1, .k = {1}},
        {.k = {1, 1}},
        {.c = 3},
        {.c = 1},
        {.c = 5},
        {.c = 1, .k = {2}},
        {.k = {1}},
        {.k = {0, 1}},
    };
    static const int lanes[] = {4, 8, 2, 16, 3, 5};
    for (int i = 0; i < 2; i++) g->least[i] = chance(g, 45) ? 0 : 1 + below(g, 3);
    for (int i = 0; i < PALETTE; i++) {
        g->scalars[i] = (Scalar)below(g, SCALAR_COUNT);
        do g->sizes[i] = i == 0 ? sizes[0] : sizes[below(g, 14)];
        while (size_least(g, g->sizes[i]) < 0);
    }
    if (chance(g, 60)) g->scalars[0] = chance(g, 50) ? SCALAR_I32 : SCALAR_F32;
    g->lanes = chance(g, 34) ? lanes[below(g, 6)] : 0;
    g->errors = (Errors)(chance(g, 82) ? 0 : 1 + below(g, 2));
    g->pure = chance(g, 25);
    g->inexact = chance(g, 20);
}

static inline void put_types(Gen *g)
{
    for (; g->nstructs < 2 && chance(g, 40); g->nstructs++) {
        Type t = {.kind = K_STRUCT, .number = g->nstructs, .n = 1 + below(g, 3)};
        // Sizes of structs are numbers: they have no parameters.
        for (int i = 0; i < t.n; i++) t.part[i] = scalar_type(random_scalar(g));
        if (chance(g, 30)) t.part[0] = array_of(g->arena, size_const(1 + below(g, 4)), t.part[0]);
        if (!g->lanes && chance(g, 20))
            t.part[0] = up_to_of(g->arena, size_const(1 + below(g, 4)), t.part[0]);
        const Type *made = type_new(g->arena, t);
        put_declaration(g->out, made, g->program);
        g->structs[g->nstructs] = made;
    }
    for (; g->nenums < 2 && chance(g, 40); g->nenums++) {
        Type t = {.kind = K_ENUM, .number = g->nenums, .n = 2 + below(g, 2)};
        for (int i = 0; i < t.n; i++) {
            Type data = {.kind = K_TUPLE, .n = below(g, 3)};
            for (int k = 0; k < data.n; k++) data.part[k] = scalar_type(random_scalar(g));
            t.part[i] = type_new(g->arena, data);
        }
        const Type *made = type_new(g->arena, t);
        put_declaration(g->out, made, g->program);
        g->enums[g->nenums] = made;
    }
}

static inline void put_value(Gen *g, const Type *t, int64_t n, int64_t m);

// Constants that are tables, some of them too long for the compiler to track each element.
static inline void put_constants(Gen *g)
{
    for (; g->nconstants < 2 && chance(g, 25); g->nconstants++) {
        Size size = size_const(chance(g, 30) ? 66 + below(g, 8) : 1 + below(g, 9));
        const Type *t = array_of(g->arena, size, scalar_type(random_scalar(g)));
        text_printf(g->out, "const C%d_%d: ", g->program, g->nconstants);
        put_type_of(g, t);
        put(g, " = ");
        put_value(g, t, 0, 0);
        put(g, "\n");
        g->constants[g->nconstants] = t;
    }
}

static inline const Type *outside_type(Gen *g)
{
    const Type *t;
    do t = random_type(g, 2);
    while (type_scalars(t, 7, 7) > 400 || (t->kind == K_SCALAR && chance(g, 60)));
    return t;
}

/// The parameters and the result of an entry.
typedef struct {
    int n;
    const Type *params[PARAMS], *result;
} Head;

static inline void put_up_to_value(Gen *g, const Type *t, int64_t n, int64_t m)
{
    int most = (int)size_at(t->size, n, m);
    text_printf(g->out, "UpTo { count: %d as idx[%d], elements: ", below(g, most + 1), most + 1);
    put_value(g, array_of(g->arena, t->size, t->part[0]), n, m);
    put(g, " }");
}

// A literal of the type for these n and m, sometimes with extreme numbers.
static inline void put_value(Gen *g, const Type *t, int64_t n, int64_t m)
{
    static const char *const ends[][2] = {[K_TUPLE] = {"(", ")"}, [K_STRUCT] = {"", " }"}};
    switch (t->kind) {
    case K_ARRAY: {
        int64_t size = size_at(t->size, n, m);
        if (size == 0) put(g, "repeat[0](");
        for (int64_t i = 0; i < size; i++) {
            put(g, i ? ", " : "[");
            put_value(g, t->part[0], n, m);
        }
        if (size == 0) put_value(g, t->part[0], n, m);
        put(g, size ? "]" : ")");
        break;
    }
    case K_UP_TO: put_up_to_value(g, t, n, m); break;
    case K_TUPLE:
    case K_STRUCT:
        put(g, ends[t->kind][0]);
        if (t->kind == K_STRUCT) text_printf(g->out, "S%d_%d { ", g->program, t->number);
        for (int i = 0; i < t->n; i++) {
            if (i) put(g, ", ");
            if (t->kind == K_STRUCT) text_printf(g->out, "a%d: ", i);
            put_value(g, t->part[i], n, m);
        }
        put(g, ends[t->kind][1]);
        break;
    case K_ENUM: {
        int k = below(g, t->n);
        put_option_name(g, t, k);
        if (t->part[k]->n) put_value(g, t->part[k], n, m);
        break;
    }
    case K_VECTOR: {
        const Type *at = scalar_type(t->scalar);
        for (int i = 1; i < t->lanes; i++) put(g, "insert(");
        put_value(g, at, n, m);
        put(g, " as ");
        put_type_of(g, t);
        for (int i = 1; i < t->lanes; i++) {
            text_printf(g->out, ", %d, ", i);
            put_value(g, at, n, m);
            put(g, ")");
        }
        break;
    }
    case K_INDEX: put(g, "0"); break;
    case K_SCALAR:
        put_scalar_literal(g->out, &g->random, t->scalar,
                           chance(g, 50) ? STYLE_SMALL : STYLE_EXTREME);
        break;
    }
}

static inline const Type *type_at(Gen *g, const Type *t, int64_t n, int64_t m)
{
    Type made = *t;
    if (t->kind == K_ENUM || t->kind == K_STRUCT) return t;
    made.size = size_const((int)size_at(t->size, n, m));
    for (int i = 0; i < t->n; i++) made.part[i] = type_at(g, t->part[i], n, m);
    return type_new(g->arena, made);
}

// In some programs callers pass the strides of arrays of scalars.
static inline void put_strides(Gen *g, const Type *t)
{
    const Type *inner = t;
    while (inner->kind == K_ARRAY) inner = inner->part[0];
    bool scalars = inner->kind == K_SCALAR || inner->kind == K_INDEX;
    if (g->program % 3 == 1 && inner != t && scalars) put(g, " strided");
}

// The entry with sizes, and perhaps arguments, that the compiler knows.
static inline void put_known(Gen *g, const Head *head, bool values)
{
    static const int choice[] = {0, 1, 2, 3, 5, 4};
    int64_t n = g->least[0] + choice[below(g, 6)], m = g->least[1] + choice[below(g, 6)];
    bool given[PARAMS];
    int outside = 0;
    enter_function(g, 0);
    text_printf(g->out, "entry fn p%d_%s(", g->program, values ? "v" : "s");
    for (int i = 0; i < head->n; i++) {
        given[i] = !values || chance(g, 25) || type_scalars(head->params[i], n, m) > 60;
        if (!given[i]) continue;
        if (outside++) put(g, ", ");
        text_printf(g->out, "x%d: ", i);
        put_type_of(g, type_at(g, head->params[i], n, m));
        put_strides(g, head->params[i]);
    }
    put(g, ") -> ");
    put_type_of(g, type_at(g, head->result, n, m));
    put_strides(g, head->result);
    text_printf(g->out, " {\np%d[%" PRId64 ", %" PRId64 "](", g->program, n, m);
    for (int i = 0; i < head->n; i++) {
        if (i) put(g, ", ");
        if (given[i])
            text_printf(g->out, "x%d", i);
        else
            put_value(g, head->params[i], n, m);
    }
    put(g, ")\n}\n");
}

// A whole program: functions, statements, any types.
static inline Head whole_head(Gen *g)
{
    Head head = {.n = 1 + below(g, 4)};
    for (int i = chance(g, 40) ? 1 + below(g, SHAPED) : 0; i > 0; i--) put_shaped(g);
    for (int i = below(g, 4); i > 0; i--) put_routine(g);
    for (int i = 0; i < head.n; i++) head.params[i] = outside_type(g);
    head.result = outside_type(g);
    enter_function(g, 60 + below(g, 80));
    return head;
}

// A kernel: one or two loops over arrays of numbers, whose conditions and array indices depend on
// the loop indices.
static inline Head kernel_head(Gen *g)
{
    Head head = {.n = 2 + below(g, 3)};
    if (chance(g, 20)) put_routine(g);
    g->kernel = true;
    for (int i = 0; i < head.n; i++) {
        const Type *t =
            scalar_type(i == head.n - 1 && chance(g, 50) ? SCALAR_I64 : random_scalar(g));
        if (i == 0 || chance(g, 60)) t = array_of(g->arena, random_size(g), t);
        if (t->kind == K_ARRAY && chance(g, 20)) t = array_of(g->arena, random_size(g), t);
        head.params[i] = type_scalars(t, 7, 7) > 400 ? t->part[0] : t;
    }
    head.result = array_of(g->arena, random_size(g), scalar_type(random_scalar(g)));
    if (chance(g, 25)) head.result = array_of(g->arena, g->sizes[0], head.result);
    if (chance(g, 15)) head.result = scalar_type(random_scalar(g));
    enter_function(g, 30 + below(g, 30));
    return head;
}

/// Writes program k of a seed: the entries p<k>, p<k>_s with known sizes and p<k>_v with known
/// arguments, and comments on how to compare their results (random_program_run.h).
static inline void random_program(Text *out, uint64_t seed, int k)
{
    Arena *arena = arena_new();
    Gen *g = ARENA_NEW(arena, Gen);
    Random r = {seed};
    random_next(&r);
    *g = (Gen){.random = {hash_mix(r.state, (uint64_t)k + 1)}, .arena = arena, .out = out};
    g->program = k;
    choose_palette(g);
    put_types(g);
    while (g->npool < POOL) g->pool[g->npool] = outside_type(g), g->npool++;
    put_constants(g);
    Head head = chance(g, 55) ? kernel_head(g) : whole_head(g);
    enter_constants(g);
    text_printf(out, "entry fn p%d[n, m: nat](", k);
    for (int i = 0; i < head.n; i++) {
        if (i) put(g, ", ");
        put_parameter(g, head.params[i]);
        put_strides(g, head.params[i]);
    }
    put(g, ") -> ");
    put_type_of(g, head.result);
    put_strides(g, head.result);
    put_where(g);
    put(g, " ");
    if (g->kernel)
        put_kernel(g, head.result);
    else
        put_body(g, head.result, g->pure ? 3 : 6);
    put(g, "\n");
    if (g->pure && !g->opens) put_schedule(g);
    put_known(g, &head, false);
    put_known(g, &head, true);
    if (g->inexact) text_printf(out, "// rounding: p%d\n", k);
    if (g->errors == LAZY_ERRORS) text_printf(out, "// lazy errors: p%d\n", k);
    arena_delete(arena);
}

#endif
