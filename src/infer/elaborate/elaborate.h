// Elaboration of each kind of expression, and of functions.
#ifndef ADZE_INFER_ELABORATE_ELABORATE_H
#define ADZE_INFER_ELABORATE_ELABORATE_H

#include "infer/terms/terms.h"

// --- expressions.c -------------------------------------------------------------------------------

/// Infer.elaborator.
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

/// A construct that enters SIMD mode; the last statements of a body as a block in SIMD mode.
Node *elab_simd(Elab *x, const Ast *e);
Node *elab_simd_rest(Elab *x, const Ast *rest);
/// The condition and the body of a version of a function in SIMD mode, under its parameters.
Node *elab_lane_closed(Body *b, const Ast *e, int nparams);
Node *elab_lane_body(Body *b, int nparams);
Node *elab_masked_body(Body *b, int nparams);

// --- lanes.c -------------------------------------------------------------------------------------

/// A pattern on lanes (lanes, select, insert) in SIMD mode.
Node *elab_lane_pattern(Elab *x, Kind kind, Node *const *ops, Span span);
/// Whether a call of a pattern on lanes is applied to all vectors that are parts of a value; the
/// Core of such a call.
bool elab_is_of_parts(Elab *x, const Call *c);
Node *elab_lane_of_parts(Elab *x, const Ast *e, const Call *c);
/// f(args). In one lane, a reference to vectors in a value becomes a reference to a new place with
/// the lane's values, which are written back after the call.
Node *elab_lane_app(Elab *x, Node *f, int n, Node *const *args, Span span);

// --- print.c -------------------------------------------------------------------------------------

Node *elab_print(Elab *x, const Ast *e, const Call *c);

// --- masks.c -------------------------------------------------------------------------------------

Node *elab_scalar(Elab *x, const Ast *e);
/// An expression for which masks are kept; the statements of a block from number `from` on.
Node *elab_masked(Elab *x, const Ast *e);
Node *elab_masked_block(Elab *x, const Ast *e, int from);
/// elab_simd and elab_simd_rest of code that contains `scalar`. `come`: the lanes that are active
/// at the beginning, or NULL for all.
Node *elab_with_masks(Elab *x, const Ast *e, Node *length);
Node *elab_rest_with_masks(Elab *x, const Ast *block, Node *length, Node *type, Node *come);

// --- withloop.c ----------------------------------------------------------------------------------

Node *elab_with_loop(Elab *x, const Ast *e);

// --- match.c -------------------------------------------------------------------------------------

Node *elab_match(Elab *x, const Ast *e);
Node *elab_option(Elab *x, const Ast *e);
Node *elab_apply_option(Elab *x, const Ast *e, const Call *c);
/// The condition that a value matches the pattern, a mask if the value is in lanes; NULL if every
/// value does.
Node *elab_matches(Elab *x, const Ast *pattern, Node *value);

// --- function.c ----------------------------------------------------------------------------------

Function *elab_function(Infer *in, const Symbol *y, const int *modes);
void elab_extern(Infer *in, const Symbol *y);
void elab_demanded(Infer *in);
/// A new function of this name, with the declared properties.
Function *elab_new_function(Session *cx, const Symbol *y, Sym name);
/// Adds the conditions under which the function is specialised to an argument.
void elab_add_filters(Function *f, const Demand *d,
                      Node *(*closed)(Body *b, const Ast *e, int nparams));

// --- simd_function.c -----------------------------------------------------------------------------

/// Adds the versions of a function in SIMD mode: for one lane, or with a mask.
void elab_simd_version(Infer *in, const Symbol *y);

// --- call.c --------------------------------------------------------------------------------------

Node *elab_call(Elab *x, const Ast *e, const Call *c);
Node *elab_function_name(Elab *x, const Ast *e, const Symbol *y, Node *const *generics);
Node *elab_apply(Elab *x, Node *f, int n, Node *const *args);
/// The arguments of a call, followed by `last` if it is not NULL; *n: their number.
Node **elab_operands(Elab *x, const Call *c, Node *last, int *n);

#endif
