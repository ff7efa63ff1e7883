// Atomic updates in random programs: of integers, by operations whose order does not matter, so
// that there is one result.
#ifndef ADZE_TESTS_RANDOM_PROGRAM_ATOMICS_H
#define ADZE_TESTS_RANDOM_PROGRAM_ATOMICS_H

#include "programs/random_program_arrays.h"

static void statement(Gen *g);

static inline Scalar random_integer_type(Gen *g)
{
    Scalar s = random_scalar(g);
    return is_integer(scalar_type(s)) ? s : chance(g, 50) ? SCALAR_I32 : SCALAR_U64;
}

/// A variable or an array that iterations share, and the one operation by which they update it.
typedef struct {
    int number, length; // length 0: a variable
    const Type *of;
    const char *operation;
} Shared;

static inline Shared put_shared(Gen *g)
{
    static const char *const operations[] = {"atomic_add", "atomic_add", "atomic_min", "atomic_max",
                                             "atomic_fetch_add"};
    Shared s = {++g->names, chance(g, 75) ? 1 + below(g, 5) : 0, NULL, PICK(g, operations)};
    s.of = scalar_type(random_integer_type(g));
    const Type *t = s.length ? array_of(g->arena, size_const(s.length), s.of) : s.of;
    text_printf(g->out, "let mut v%d: ", s.number);
    put_type_of(g, t);
    put(g, " = ");
    expr(g, t);
    put(g, ";\n");
    return s;
}

static inline void put_atomic_place(Gen *g, const Shared *s)
{
    text_printf(g->out, "(&mut v%d", s->number);
    if (s->length) {
        put(g, "[(i64(");
        expr(g, scalar_type(random_integer_type(g)));
        text_printf(g->out, ") & 255) %% %d]", s->length);
    }
}

static inline void put_update(Gen *g, const Shared *s)
{
    bool condition = chance(g, 30), gives = strstr(s->operation, "fetch") != NULL;
    if (condition) {
        put(g, "if ");
        expr(g, scalar_type(SCALAR_BOOL));
        put(g, " { ");
    }
    text_printf(g->out, "%s%s", gives ? "let _ = " : "", s->operation);
    put_atomic_place(g, s);
    put(g, ", ");
    expr(g, s->of);
    put(g, condition ? "); }\n" : ");\n");
}

// Counts the elements of `taken` that some iteration takes: only the first one adds 1.
static inline void put_firsts(Gen *g, const Shared *taken, const Shared *firsts)
{
    put(g, "if atomic_cas");
    put_atomic_place(g, taken);
    put(g, ", 0, 1) == 0 { atomic_add");
    text_printf(g->out, "(&mut v%d, 1); }\n", firsts->number);
}

static inline Shared put_zeros(Gen *g, int length)
{
    Shared s = {++g->names, length, scalar_type(SCALAR_I32), NULL};
    text_printf(g->out,
                length ? "let mut v%d: [%d]i32 = repeat[%d](0);\n" : "let mut v%d: i32 = 0;\n",
                s.number, length, length);
    return s;
}

// From here on, what was shared is a variable like any other.
static inline void share(Gen *g, const Shared *s)
{
    const Type *t = s->length ? array_of(g->arena, size_const(s->length), s->of) : s->of;
    new_var(g, t, true)->number = s->number;
}

/// let mut h = ..; for i in parallel(0, 0, n) { .. atomic_add(&mut h[..], ..); }
static inline bool put_atomics(Gen *g)
{
    Size size = random_size(g);
    if (g->simd || g->patterns || g->pure || !affordable(g, size)) return false;
    Shared shared[2] = {put_shared(g)}, taken, firsts;
    int n = 1 + chance(g, 40), kind = below(g, 10);
    bool counts = chance(g, 25);
    if (n > 1) shared[1] = put_shared(g);
    if (counts) taken = put_zeros(g, 1 + below(g, 4)), firsts = put_zeros(g, 0);
    text_printf(g->out, "for v%d in ", g->names + 1);
    if (kind < 6 || g->lanes)
        text_printf(g->out, "parallel(%d, 0, ", below(g, 4));
    else
        text_printf(g->out, kind < 8 ? "range(0, " : "vectorize(%d, 0, ", 2 << below(g, 3));
    put_size_of(g, size);
    Around around = enter_element(g, size);
    new_index(g, scalar_type(SCALAR_I64), size);
    put(g, ") {\n");
    for (int i = below(g, 2); i > 0; i--) statement(g);
    for (int i = 0; i < n; i++) put_update(g, &shared[i]);
    if (counts) put_firsts(g, &taken, &firsts);
    put(g, "}\n");
    leave_element(g, around);
    for (int i = 0; i < n; i++) share(g, &shared[i]);
    if (counts) share(g, &taken), share(g, &firsts);
    return true;
}

#endif
