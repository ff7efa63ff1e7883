// Diverging lanes in random programs: scalar { }, and loops that visit one lane after the other.
#ifndef ADZE_TESTS_RANDOM_PROGRAM_LANES_H
#define ADZE_TESTS_RANDOM_PROGRAM_LANES_H

#include "programs/random_program_scalars.h"

static void block(Gen *g, const Type *t);
static void statement(Gen *g);

/// scalar { } or scalar |m| { }, in SIMD mode: it runs once for all active lanes, and no jump
/// leaves it. `t` NULL: it has no value.
static inline void put_scalar_block(Gen *g, const Type *t)
{
    Ways ways = g->ways;
    int simd = g->simd, nvars = g->nvars;
    bool recursive = g->inside_recursive;
    put(g, t ? "(scalar " : "scalar ");
    g->ways = (Ways){0};
    g->simd = 0;
    g->inside_recursive = false; // the block may run once for each lane
    if (chance(g, 60)) {
        const Var *mask = new_var(g, vector_type(g, SCALAR_BOOL), false);
        text_printf(g->out, "|v%d| ", mask->number);
    }
    block(g, t);
    if (t) put(g, ")");
    g->nvars = nvars;
    g->inside_recursive = recursive;
    g->simd = simd;
    g->ways = ways;
}

// v = insert(v, i, e) for the lane number i.
static inline void put_lane_change(Gen *g, int lane)
{
    const Type *t = vector_type(g, random_scalar(g));
    const Var *v = find_var(g, t, true);
    if (!v || !type_same(v->type, t) || v->reference) return;
    text_printf(g->out, "v%d = insert(v%d, v%d, ", v->number, v->number, lane);
    expr(g, scalar_type(t->scalar));
    put(g, ");\n");
}

/// for i in for_each_active(m) { }, for x, same in for_each_unique(m, v) { }, where lanes cannot
/// diverge.
static inline bool put_for_each_lane(Gen *g)
{
    if (g->simd || g->patterns || !affordable(g, size_const(g->lanes))) return false;
    Ways ways = g->ways;
    double weight = g->weight;
    int nvars = g->nvars, first = ++g->names, second = ++g->names;
    bool unique = chance(g, 50);
    const Type *of = scalar_type(random_scalar(g));
    if (of->scalar == SCALAR_BOOL) of = scalar_type(SCALAR_I32);
    text_printf(g->out, unique ? "for v%d, v%d in for_each_unique(" : "for v%d in for_each_active(",
                first, second);
    expr(g, vector_type(g, SCALAR_BOOL));
    if (unique) put(g, ", "), expr(g, vector_type(g, of->scalar));
    put(g, ") {\n");
    new_var(g, unique ? of : scalar_type(SCALAR_I64), false)->number = first;
    if (unique) new_var(g, vector_type(g, SCALAR_BOOL), false)->number = second;
    g->weight *= g->lanes;
    g->ways = (Ways){.loop = true, .result = ways.result};
    for (int i = below(g, 2) + unique; i > 0; i--) statement(g);
    if (!unique) put_lane_change(g, first);
    put(g, "}\n");
    g->ways = ways;
    g->weight = weight;
    g->nvars = nvars;
    return true;
}

#endif
