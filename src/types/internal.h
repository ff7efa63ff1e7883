// The state of a Solver, shared by solver.c (unknowns, sizes) and unify.c (types).
#ifndef ADZE_TYPES_INTERNAL_H
#define ADZE_TYPES_INTERNAL_H

#include "types/types.h"

/// An unknown type or size. Its index in Solver.unknowns is its number. `solution` may contain
/// further unknowns.
typedef struct {
    MetaKind kind;
    Node *solution; // NULL if not solved yet
    bool watched;
} Unknown;

typedef struct {
    Sym name;
    MetaKind kind;
} DeclaredVar;

typedef VEC(SizeEquation) SizeEquations;

struct Solver {
    Session *cx;
    Arena *arena;
    VEC(Unknown) unknowns;
    VEC(DeclaredVar) vars;
    SizeEquations equations; // equations without unknowns
    SizeEquations pending;   // deferred equations, with several unknowns
    Map seen;                // node -> whether it contains unknowns
    Map resolved;            // node -> resolved node; valid until the next unknown is solved
    int watched_changes;     // how often watched unknowns were solved or narrowed
};

/// Sets the solution of the unknown `meta`, a TYPE_META or NAT_META.
void unknown_solve(Solver *s, Node *meta, Node *solution);

/// Unifies two sizes by solving an unknown or recording the equation.
void sizes_unify(Solver *s, Node *left, Node *right, Span span);

#endif
