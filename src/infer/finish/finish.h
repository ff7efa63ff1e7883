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

/// A body to infer: of the syntax with these numbers, at `span`. `walk` is the first walk, which begins anew in each round.
typedef struct {
    Unit *unit;
    const Symbol *symbol;
    Span span;
    int first_id, last_id;
    void (*walk)(Body *b, const void *env);
    const void *env;
} Round;
/// Infers a body until no variable rises to a vector; the result is as infer_finish leaves it.
Body *infer_in_rounds(Infer *in, Arena *arena, const Round *r);
Body *infer_body_new(Infer *in, Arena *arena, Unit *unit, const Symbol *y);

#endif
