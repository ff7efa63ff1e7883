// Constructs in SIMD mode that contain scalar { } and therefore keep a mask of the active lanes.
#ifndef ADZE_INFER_ELABORATE_MASKS_H
#define ADZE_INFER_ELABORATE_MASKS_H

#include "infer/elaborate/elaborate.h"

// --- masked_branches.c ---------------------------------------------------------------------------

/// Elaborates an `if` whose condition is the same for all lanes.
Node *uniform_if(Elab *x, const Ast *e);
/// Elaborates an `if` whose condition differs by lane.
Node *masked_if(Elab *x, const Ast *e);
/// Elaborates `&&` or `||`.
Node *masked_logical(Elab *x, const Ast *e);
Node *masked_match(Elab *x, const Ast *e);

// --- masked_loops.c ------------------------------------------------------------------------------

Node *masked_loop(Elab *x, const Ast *e);
/// Builds one iteration of a loop. At its end, lanes that have called `continue` become active
/// again.
Node *masked_iteration(Elab *x, const MaskIteration *iteration);

#endif
