// The end of a body: conditions on sizes, exhaustive matches, defaults.
#ifndef ADZE_INFER_FINISH_FINISH_H
#define ADZE_INFER_FINISH_FINISH_H

#include "infer/simd/simd.h"

// --- exhaustive.c --------------------------------------------------------------------------------

void infer_check_cover(Body *b, const Ast *match);

// --- finish.c ------------------------------------------------------------------------------------

bool infer_finish(Body *b);

// --- size_conditions.c ---------------------------------------------------------------------------

Facts *infer_facts(Body *b);
/// A size as text; proves, refutes or keeps as checks the conditions on sizes.
const char *infer_show_size(Body *b, Node *n);
void infer_settle_obligations(Body *b);

// --- iterate.c -----------------------------------------------------------------------------------

/// A body to infer: the syntax with these numbers, at `span`. `walk` infers it, anew in each
/// iteration.
typedef struct {
    Unit *unit;
    const Symbol *symbol;
    Span span;
    int first_id, last_id;
    void (*walk)(Body *b, const void *env);
    const void *env;
} BodySource;
/// Infers a body until no variable rises to a vector; the result is as infer_finish leaves it.
Body *infer_to_fixed_point(Infer *in, Arena *arena, const BodySource *r);
Body *infer_body_new(Infer *in, Arena *arena, Unit *unit, const Symbol *y);

#endif
