// What can be decided only after the whole body has been inferred: types of literals that nothing
// else determines, whether each match is exhaustive, and which conditions on sizes hold. iterate.c
// infers a body again if variables turn out to be vectors.
#ifndef ADZE_INFER_FINISH_FINISH_H
#define ADZE_INFER_FINISH_FINISH_H

#include "infer/simd/simd.h"

// --- exhaustive.c --------------------------------------------------------------------------------

/// Reports a `match` that has no arm for some value, or an arm that no value reaches.
void infer_check_cover(Body *b, const Ast *match);

// --- opened.c ------------------------------------------------------------------------------------

/// Reports types that mention an opened size outside its scope.
void infer_check_opened(Body *b);

// --- finish.c ------------------------------------------------------------------------------------

bool infer_finish(Body *b);

// --- size_conditions.c ---------------------------------------------------------------------------

const char *infer_show_size(Body *b, Node *n);
/// Proves each condition on sizes, refutes it (an error), or keeps it as a check.
void infer_settle_obligations(Body *b);

// --- iterate.c -----------------------------------------------------------------------------------

/// A body that may have to be inferred several times. `walk` infers it once. The notes of its
/// syntax, which has the ids from first_id to last_id, are cleared in between.
typedef struct {
    Unit *unit;
    const Symbol *symbol;
    Span span;
    int first_id, last_id;
    void (*walk)(Body *b, const void *env);
    const void *env;
} BodySource;
/// Infers a body repeatedly, including infer_finish, until no variable is raised to a vector.
Body *infer_to_fixed_point(Infer *in, Arena *arena, const BodySource *r);
/// Creates a new body. Everything in it lives in `arena` until its Core has been built.
Body *infer_body_new(Infer *in, Arena *arena, Unit *unit, const Symbol *y);

#endif
