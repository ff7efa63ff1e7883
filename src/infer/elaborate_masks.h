// Inside SIMD mode around `scalar { }`: masks are places, told by how many variables are bound outside them (elaborate_masks.c), and what goes on in
// branches (elaborate_arms.c) and loops (elaborate_rounds.c) is done with them.
#ifndef ADZE_INFER_ELABORATE_MASKS_H
#define ADZE_INFER_ELABORATE_MASKS_H

#include "infer/elaborate.h"

// --- elaborate_masks.c --------------------------------------------------------------------------

Node *mask_type(Elab *x);
/// The place that was bound with this many variables outside it; as a mask, what it holds, and what it is set to.
Node *mask_cell(Elab *x, int level, Node *type);
Node *mask_at(Elab *x, int level);
Node *mask_set(Elab *x, int level, Node *value);
/// A new place with zeros; gives its level.
int mask_push_cell(Elab *x, Lets *lets, const char *name, Node *type);
/// Masks combined; those of a that are not of b; whether a lane is there.
Node *mask_both(Elab *x, Prim op, Node *a, Node *b);
Node *mask_but(Elab *x, Node *a, Node *b);
Node *mask_any_live(Elab *x);
/// A condition as one of lanes.
Node *mask_to_lanes(Elab *x, Node *condition);

/// The type that infer has found, and whether it is one of values.
Node *mask_note_type(Elab *x, const Ast *e);
bool mask_is_value(Node *type);
/// The value goes to the place (-1: there is none) in the lanes that are there.
Node *mask_keep(Elab *x, int place, Node *type, Node *value);

/// Whether a lane may jump out of the expression; a jump of all lanes.
bool mask_may_leave(Elab *x, const Ast *e);
Node *mask_jump_to(Elab *x, int label);

// --- elaborate_arms.c ---------------------------------------------------------------------------

/// On a condition that is one for all lanes, and on one that differs.
Node *uniform_if(Elab *x, const Ast *e);
Node *masked_if(Elab *x, const Ast *e);
/// `&&` and `||`.
Node *masked_logical(Elab *x, const Ast *e);
Node *masked_match(Elab *x, const Ast *e);

// --- elaborate_rounds.c -------------------------------------------------------------------------

Node *masked_loop(Elab *x, const Ast *e);
/// One round of it; lanes that continue come back for the next one.
Node *masked_round(Elab *x, const MaskRound *round);

#endif
