// Steps of the passes that move values to scalars and registers.
#ifndef ADZE_LOOPS_SCALAR_SCALAR_H
#define ADZE_LOOPS_SCALAR_SCALAR_H

#include "loops/simplify/simplify.h"

/// If-conversion: branches that only set locals become selections (select.c).
Node *loops_branches_to_selects(Session *cx, Node *stmt);
/// Promotes stack arrays of vectors to locals (promote_arrays.c).
Node *loops_promote_vector_arrays(Session *cx, Node *body);

#endif
