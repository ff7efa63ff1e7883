// Calls, pipes, and names of functions and patterns.
#ifndef ADZE_INFER_CALLS_CALLS_H
#define ADZE_INFER_CALLS_CALLS_H

#include "infer/constraints/constraints.h"

// --- apply.c -------------------------------------------------------------------------------------

Call *infer_new_call(Body *b, const Ast *e, const Symbol *y, const Ast *callee, const Ast **args,
                     int nargs);
void infer_wrong_count(Body *b, const Ast *e, const char *name, int takes, int given,
                       const Item *item);
Node *infer_give_up(Body *b, const Ast **args, int n);
/// Generic arguments of this use of `y`, its sizes at least 0 and its conditions obligations; NULL
/// after an error. `sized[k]` is the size given for generic k in parentheses, or NULL.
Node **infer_instantiate(Body *b, const Symbol *y, const Signature *sig, const AstVec *generics,
                         Span span, Node *const *sized);

// --- family.c ------------------------------------------------------------------------------------

/// The member of a family for this call; arguments may be missing at the end. Infers the data
/// arguments: types[i] is the type found, NULL for others. NULL after an error.
const Symbol *infer_member_for(Body *b, const Symbol *family, const Ast *call,
                               const AstVec *generics, const Ast **args, int nargs, Node *want,
                               Node **types);
/// The member of these ranks, made when it does not exist.
Symbol *infer_member(Infer *in, const Symbol *family, const int *ranks, Span used);
/// Adds to the errors in a member from number `first` on for which ranks it was made, and where it
/// is called.
void infer_note_ranks(Infer *in, const Symbol *y, int first);
/// Reports that an entry is rank-polymorphic.
void infer_refuse_entry(Infer *in, const Symbol *family);

// --- variant.c -----------------------------------------------------------------------------------

const Symbol *infer_generic_name(const Body *b, const Ast *e, AstVec *generics);
/// The pattern that `e` = map.src names a variant of, or NULL.
const Symbol *infer_pattern_variant(const Body *b, const Ast *e);
/// The variant of pattern y that its name `callee` selects; an unknown variant is reported.
Variant infer_variant(Body *b, const Ast *callee, const Symbol *y);
/// Notes for `e` the variant of pattern y that `callee` selects. Takes the number that vec and
/// aosoa need, the first in brackets, from `generics`.
void infer_note_variant(Body *b, const Ast *e, const Ast *callee, const Symbol *y,
                        AstVec *generics);

// --- enum.c --------------------------------------------------------------------------------------

/// Whether `e` is written as an option of an enum: Shape.Circle.
bool infer_is_option(Body *b, const Ast *e);
Node *infer_option(Body *b, const Ast *e, Node *want);
Node *infer_apply_option(Body *b, const Ast *e, const Ast *callee, const Ast **args, int nargs,
                         Node *want);
/// The number of an option; -1 after an error.
int infer_option_number(Body *b, const Symbol *y, Sym name, Span span);

// --- function_name.c -----------------------------------------------------------------------------

/// The type of a function name as a value: map(sqrt, xs), f >> join, map(f32, xs).
Node *infer_function_name(Body *b, const Ast *e, const Symbol *y, const AstVec *generics,
                          Node *want);
/// fn([n](t1, ..., tk)) -> ([n]t1, ..., [n]tk) with as many components as `xs`, the type of the
/// argument, has; 2 when that is not known.
Node *infer_unzip_function(Body *b, Node *xs);
/// Whether it is the pattern of this form.
bool infer_is_form(const Symbol *y, PatternForm form);

// --- lane_calls.c --------------------------------------------------------------------------------

/// Whether the type has vectors as parts; the result of extract and insert for such a first
/// argument, which has been inferred.
bool infer_is_of_parts(Body *b, Node *t);
Node *infer_lane_of_parts(Body *b, const Ast *e, const Symbol *y, const Ast **args, int nargs);
/// Whether a pattern of form LANES, whose arguments are of these types, is done with each vector
/// that is a part of a tuple, struct, enum or array; what it gives.
bool infer_is_for_parts(Body *b, const Symbol *y, Node *const *found);
Node *infer_for_parts(Body *b, const Ast *e, const Symbol *y, const Ast **args, int nargs,
                      Node *const *found);

// --- print.c -------------------------------------------------------------------------------------

Node *infer_print(Body *b, const Ast *e, const Symbol *y, const Ast **args, int nargs);

// --- call.c --------------------------------------------------------------------------------------

Node *infer_call(Body *b, const Ast *e, Node *want);
/// The call with one more argument, the function that the body of a `for` is.
Node *infer_call_with(Body *b, const Ast *call, const Ast *last);
/// What a call of `callee` with these arguments gives; `e` has the note of the call.
Node *infer_apply(Body *b, const Ast *e, const Ast *callee, const Ast **args, int nargs,
                  Node *want);
/// Tries a WAIT_LOAD.
bool infer_try_load(Body *b, Wait *w, bool final);
/// The kids of `call` from number `from` on, then `last` unless it is NULL; *n: how many.
const Ast **infer_call_arguments(Body *b, const Ast *call, int from, const Ast *last, int *n);

// --- arguments.c ---------------------------------------------------------------------------------

/// Infers the arguments whose parameters are no functions. `found`: the types of arguments that are
/// inferred already, or NULL. `lanes` receives the number of lanes that the function is called for
/// when it gets vectors for scalars; NULL: it cannot be.
void infer_check_arguments(Body *b, const Symbol *y, Node *const *params, const Ast **args,
                           Node *const *found, int nargs, Node **lanes);
/// Infers the arguments whose parameters are functions, after all others.
void infer_check_functions(Body *b, const Ast *e, const Symbol *y, Node *const *params,
                           const Call *c);
/// The parameter of a wanted function, before the arguments are inferred.
Node *infer_expect_missing(Body *b, Node *param, Node *want);
/// Says that the elements of the result are vectors if an array of vectors is wanted.
void infer_expect_vectors(Body *b, Node *const *params, int nargs, Node *result, Node *want);

// --- pipe.c --------------------------------------------------------------------------------------

Node *infer_pipe(Body *b, const Ast *e, Node *want);

#endif
