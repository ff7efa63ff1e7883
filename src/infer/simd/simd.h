// SIMD mode: which parts of a body are in it, and where masks are kept.
#ifndef ADZE_INFER_SIMD_SIMD_H
#define ADZE_INFER_SIMD_SIMD_H

#include "infer/check/check.h"

// --- masks.c -------------------------------------------------------------------------------------

/// The function of this kind that `e` calls with data alone; NULL: it is something else.
const Symbol *infer_masked_callee(Body *b, const Ast *e);
/// Whether there is a scalar { } in `e`, or a call of a function that has one, beside parts that
/// were evaluated before.
bool infer_has_scalar(Body *b, const Ast *e);
/// The same for the statements of a block from number i on.
bool infer_has_scalar_from(Body *b, const Ast *block, int i);
/// The n operands that an operation on values evaluates first; NULL: it is no such operation.
const Ast *const *infer_operands(Body *b, const Ast *e, int *n);
/// Whether the variable (NULL: any break, continue or return) is used in `e`.
bool infer_mentions(Body *b, const Ast *e, const Local *l);
/// Whether nothing in `e` differs by lane.
bool infer_is_uniform(Body *b, const Ast *e);
/// The kind of a part of a construct for which masks are kept.
typedef enum {
    PART_UNIFORM, // done once
    PART_LANES,   // executed by each active lane
    PART_HOLDS    // taken apart
} PartKind;
PartKind infer_part(Body *b, const Ast *e);

// --- simd_regions.c ------------------------------------------------------------------------------

/// Gives the masks of scalar |m| { } the number of lanes that diverge there.
void infer_masks(Body *b);
/// Which parts of the body are in SIMD mode, and that they keep its rules.
void infer_modes(Body *b);

#endif
