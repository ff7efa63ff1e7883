// The end of the inference of a body: conditions on sizes, exhaustive matches, and defaults.
#ifndef ADZE_INFER_FINISH_FINISH_H
#define ADZE_INFER_FINISH_FINISH_H

#include "infer/simd/simd.h"

// --- exhaustive.c --------------------------------------------------------------------------------

void infer_check_cover(Body *b, const Ast *match);

// --- opened.c ------------------------------------------------------------------------------------

/// Reports types that mention an opened size where it does not exist.
void infer_check_opened(Body *b);

// --- finish.c ------------------------------------------------------------------------------------

bool infer_finish(Body *b);

// --- size_conditions.c ---------------------------------------------------------------------------

const char *infer_show_size(Body *b, Node *n);
/// Proves each condition on sizes, refutes it (an error), or keeps it as a check.
void infer_settle_obligations(Body *b);

// --- iterate.c -----------------------------------------------------------------------------------

/// A body to be inferred: the syntax with ids from first_id to last_id, at `span`. `walk` infers
/// the body in each iteration.
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
