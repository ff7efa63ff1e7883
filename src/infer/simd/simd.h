// SIMD mode: which parts of a body are in it, and where masks are kept.
#ifndef ADZE_INFER_SIMD_SIMD_H
#define ADZE_INFER_SIMD_SIMD_H

#include "infer/check/check.h"

// --- masks.c -------------------------------------------------------------------------------------

/// The mask-keeping function that `e` calls with data arguments only; NULL if `e` is not such a
/// call.
const Symbol *infer_masked_callee(Body *b, const Ast *e);
/// Whether `e` contains a scalar { }, or a call of a function that contains one, except in parts
/// that have already been evaluated.
bool infer_has_scalar(Body *b, const Ast *e);
/// The same for the statements of a block from number i on.
bool infer_has_scalar_from(Body *b, const Ast *block, int i);
/// The n operands that an operation on values evaluates first; NULL if `e` is not such an
/// operation.
const Ast *const *infer_operands(Body *b, const Ast *e, int *n);
/// Whether the variable (any break, continue or return if NULL) is used in `e`.
bool infer_mentions(Body *b, const Ast *e, const Local *l);
/// Whether nothing in `e` differs by lane.
bool infer_is_uniform(Body *b, const Ast *e);
/// The kind of a part of a construct for which masks are kept.
typedef enum {
    PART_UNIFORM, // executed once
    PART_LANES,   // executed by each active lane
    PART_HOLDS    // has parts of both kinds
} PartKind;
PartKind infer_part(Body *b, const Ast *e);

// --- simd_regions.c ------------------------------------------------------------------------------

/// Determines the number of lanes of the masks of scalar |m| { }.
void infer_masks(Body *b);
/// Finds the parts of the body in SIMD mode, and checks its rules.
void infer_modes(Body *b);

#endif
