// What the passes on scalars and registers share.
#ifndef ADZE_LOOPS_SCALAR_SCALAR_H
#define ADZE_LOOPS_SCALAR_SCALAR_H

#include "loops/simplify/simplify.h"

/// The statement with selections in place of branches that only choose what locals hold (select.c).
Node *loops_branches_to_selects(Session *cx, Node *stmt);
/// The body with vectors that have a name in locals, not arrays.
Node *loops_promote_vector_arrays(Session *cx, Node *body);

#endif
