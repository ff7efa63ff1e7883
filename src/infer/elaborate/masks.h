// Constructs in SIMD mode that contain scalar { } and therefore keep a mask of the active lanes.
#ifndef ADZE_INFER_ELABORATE_MASKS_H
#define ADZE_INFER_ELABORATE_MASKS_H

#include "infer/elaborate/elaborate.h"

// --- masked_branches.c ---------------------------------------------------------------------------

/// An `if` on a condition that is the same for all lanes.
Node *uniform_if(Elab *x, const Ast *e);
/// An `if` on a condition that differs by lane.
Node *masked_if(Elab *x, const Ast *e);
/// `&&` and `||`.
Node *masked_logical(Elab *x, const Ast *e);
Node *masked_match(Elab *x, const Ast *e);

// --- masked_loops.c ------------------------------------------------------------------------------

Node *masked_loop(Elab *x, const Ast *e);
/// One iteration of the loop; lanes that continue are active again in the next one.
Node *masked_iteration(Elab *x, const MaskIteration *iteration);

#endif
