// Elaboration of each kind of expression, and of functions.
#ifndef ADZE_INFER_ELABORATE_ELABORATE_H
#define ADZE_INFER_ELABORATE_ELABORATE_H

#include "infer/terms/terms.h"

// --- expressions.c -------------------------------------------------------------------------------

/// The table for Infer.elaborator.
extern const Elaborator elab_expressions;

// --- block.c -------------------------------------------------------------------------------------

Node *elab_block(Elab *x, const Ast *e);
Node *elab_lambda(Elab *x, const Ast *e);

// --- place.c -------------------------------------------------------------------------------------

Node *elab_place(Elab *x, const Ast *e);
Node *elab_component(Elab *x, const Ast *e);
Node *elab_index(Elab *x, const Ast *e);
Node *elab_slice(Elab *x, const Ast *e);
Node *elab_assign(Elab *x, const Ast *e);
Node *elab_reference(Elab *x, const Ast *e);

// --- loops.c -------------------------------------------------------------------------------------

Node *elab_while(Elab *x, const Ast *e);
Node *elab_loop(Elab *x, const Ast *e);
Node *elab_for(Elab *x, const Ast *e);

// --- simd.c --------------------------------------------------------------------------------------

/// Elaborates a construct that enters SIMD mode.
Node *elab_simd(Elab *x, const Ast *e);
/// Elaborates the remaining statements of a body as a block in SIMD mode.
Node *elab_simd_rest(Elab *x, const Ast *rest);
/// Elaborates a filter condition for the one-lane version of a function, which has `nparams`
/// parameters.
Node *elab_lane_closed(Body *b, const Ast *e, int nparams);
/// Elaborates the body of the one-lane version of a function.
Node *elab_lane_body(Body *b, int nparams);
/// Elaborates the body of a function's masked version.
Node *elab_masked_body(Body *b, int nparams);

// --- lanes.c -------------------------------------------------------------------------------------

/// Elaborates a lane pattern (lanes, select, insert) in the program of one lane.
Node *elab_lane_pattern(Elab *x, Kind kind, Node *const *ops, Span span);
/// Whether a call to a lane pattern is applied to every vector inside a compound value.
bool elab_is_of_parts(Elab *x, const Call *c);
/// Elaborates a call for which elab_is_of_parts holds.
Node *elab_lane_of_parts(Elab *x, const Ast *e, const Call *c);

// --- print.c -------------------------------------------------------------------------------------

Node *elab_print(Elab *x, const Ast *e, const Call *c);

// --- masks.c -------------------------------------------------------------------------------------

Node *elab_scalar(Elab *x, const Ast *e);
/// Elaborates an expression in code that contains `scalar`, which keeps a mask of the active lanes.
Node *elab_masked(Elab *x, const Ast *e);
/// Elaborates the statements of a block, starting at index `from`, in code that contains `scalar`.
Node *elab_masked_block(Elab *x, const Ast *e, int from);
/// Like elab_simd, but for code that contains `scalar`.
Node *elab_with_masks(Elab *x, const Ast *e, Node *length);
/// Like elab_simd_rest, but for code that contains `scalar`. `come` is the mask of the lanes that
/// are active at the beginning, or NULL if all of them are.
Node *elab_rest_with_masks(Elab *x, const Ast *block, Node *length, Node *type, Node *come);

// --- withloop.c ----------------------------------------------------------------------------------

Node *elab_with_loop(Elab *x, const Ast *e);

// --- match.c -------------------------------------------------------------------------------------

Node *elab_match(Elab *x, const Ast *e);
Node *elab_option(Elab *x, const Ast *e);
Node *elab_apply_option(Elab *x, const Ast *e, const Call *c);
/// The condition that a value matches the pattern, or NULL if every value does. It is a mask if the
/// value differs by lane.
Node *elab_matches(Elab *x, const Ast *pattern, Node *value);

// --- function.c ----------------------------------------------------------------------------------

Function *elab_function(Infer *in, const Symbol *y, const int *modes);
void elab_extern(Infer *in, const Symbol *y);
void elab_demanded(Infer *in);
/// Creates a function with this name and the properties that `y` declares.
Function *elab_new_function(Session *cx, const Symbol *y, Sym name);
/// Adds a filter to each parameter of `f`: the condition under which a call specialises `f` to the
/// argument. `closed` elaborates a filter.
void elab_add_filters(Function *f, const Demand *d,
                      Node *(*closed)(Body *b, const Ast *e, int nparams));

// --- simd_function.c -----------------------------------------------------------------------------

/// Adds the version of a function in SIMD mode: one with a mask if the function keeps masks, and
/// one for a single lane otherwise.
void elab_simd_version(Infer *in, const Symbol *y);

// --- call.c --------------------------------------------------------------------------------------

Node *elab_call(Elab *x, const Ast *e, const Call *c);
Node *elab_function_name(Elab *x, const Ast *e, const Symbol *y, Node *const *generics);
Node *elab_apply(Elab *x, Node *f, int n, Node *const *args);
/// Elaborates the arguments of a call, followed by `last` unless it is NULL. Sets *n to their
/// number.
Node **elab_operands(Elab *x, const Call *c, Node *last, int *n);

#endif
