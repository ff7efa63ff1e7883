// SIMD mode: which parts of a body are in it, and where masks of the active lanes are kept.
#ifndef ADZE_INFER_SIMD_SIMD_H
#define ADZE_INFER_SIMD_SIMD_H

#include "infer/check/check.h"

// --- masks.c -------------------------------------------------------------------------------------

/// The mask-keeping function that `e` calls with data arguments only, or NULL if `e` is not such a
/// call.
const Symbol *infer_masked_callee(Body *b, const Ast *e);
/// Whether `e` contains a scalar { }, a call that prints, or a call to a function that contains one
/// of these. Subexpressions that have already been evaluated do not count.
bool infer_has_scalar(Body *b, const Ast *e);
/// Like infer_has_scalar, but for the statements of a block, starting at index i.
bool infer_has_scalar_from(Body *b, const Ast *block, int i);
/// Returns the operands of `e` that are evaluated before `e` itself, and sets *n to their number:
/// the arguments of a complete call to a named function or of a jump, the operands of an operator
/// other than && and ||, the indices of an element access, or the operand of a cast, field or
/// component access. Returns NULL for any other expression.
const Ast *const *infer_operands(Body *b, const Ast *e, int *n);
/// Whether `e` uses the variable `l` or, if `l` is NULL, any break, continue or return.
bool infer_mentions(Body *b, const Ast *e, const Local *l);
/// Whether nothing in `e` differs by lane.
bool infer_is_uniform(Body *b, const Ast *e);
/// The kind of an expression inside a construct that keeps a mask of the active lanes.
typedef enum {
    PART_UNIFORM, // executed once
    PART_LANES,   // executed by each active lane
    PART_HOLDS    // contains both kinds
} PartKind;
PartKind infer_part(Body *b, const Ast *e);

// --- simd_regions.c ------------------------------------------------------------------------------

/// Determines the lane count of each mask m in scalar |m| { }.
void infer_masks(Body *b);
/// Finds the parts of the body that are in SIMD mode, and checks the rules of SIMD mode.
void infer_modes(Body *b);

#endif
