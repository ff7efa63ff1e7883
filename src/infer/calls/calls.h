// Calls, pipes, and names of functions and patterns.
#ifndef ADZE_INFER_CALLS_CALLS_H
#define ADZE_INFER_CALLS_CALLS_H

#include "infer/constraints/constraints.h"

/// A function applied to arguments, before it is inferred.
typedef struct {
    const Ast *e;         // the call or the pipe, whose note gets the Call
    const Ast *callee;    // without parentheses
    const Symbol *symbol; // the symbol that `callee` names, or NULL if `callee` is a value
    AstVec generics;      // the arguments in brackets
    const Ast **args;
    int nargs;
    Node *want; // the expected type of the result, or NULL
} Application;

// --- apply.c -------------------------------------------------------------------------------------

Call *infer_new_call(Body *b, const Application *a);
/// The name of the function as messages show it.
const char *infer_called_name(const Application *a);
/// Reports a call with a number of arguments that the function does not take.
void infer_report_count(Body *b, const Application *a, int takes);
/// Reports such a call and gives up.
Node *infer_wrong_count(Body *b, const Application *a, int takes);
/// Infers the arguments of a wrong call, to report their own errors.
Node *infer_give_up(Body *b, const Application *a);
/// The generic arguments of this use of `y`. Adds its conditions as obligations, and that its sizes
/// are at least 0. NULL after an error. `sized[k]` is the size given for generic k in parentheses,
/// or NULL.
Node **infer_instantiate(Body *b, const Symbol *y, const Signature *sig, const AstVec *generics,
                         Span span, Node *const *sized);
/// A type or a size of the signature for these generic arguments; the types of its parameters, NULL
/// for sizes.
Node *infer_instance(Body *b, const Signature *sig, Node *const *with, Node *e);
Node **infer_instance_params(Body *b, const Signature *sig, Node *const *with);
/// The expected type, settled, if it is a function of n parameters; else NULL.
Node *infer_wanted_function(Body *b, Node *want, int n);

// --- family.c ------------------------------------------------------------------------------------

/// The member of a family for this call; arguments may be missing at the end. Infers the data
/// arguments: types[i] is the type found, NULL for others. NULL after an error.
const Symbol *infer_member_for(Body *b, const Application *a, Node **types);
/// Adds to the errors in a member, from number `first` on, the ranks of the member and the position
/// of its first call.
void infer_note_ranks(Infer *in, const Symbol *y, int first);
/// Reports that an entry is rank-polymorphic.
void infer_refuse_entry(Infer *in, const Symbol *family);

// --- variant.c -----------------------------------------------------------------------------------

const Symbol *infer_generic_name(const Body *b, const Ast *e, AstVec *generics);
/// The pattern whose variant `e` = map.src names, or NULL.
const Symbol *infer_pattern_variant(const Body *b, const Ast *e);
/// Records for `e` the variant of pattern y that `callee` selects. Removes the number that vec and
/// aosoa take, the first in brackets, from `generics`.
void infer_note_variant(Body *b, const Ast *e, const Ast *callee, const Symbol *y,
                        AstVec *generics);

// --- enum.c --------------------------------------------------------------------------------------

/// Whether `e` is written as an option of an enum: Shape.Circle.
bool infer_is_option(Body *b, const Ast *e);
Node *infer_option(Body *b, const Ast *e, Node *want);
Node *infer_apply_option(Body *b, Application *a);
/// The number of an option; -1 after an error.
int infer_option_number(Body *b, const Symbol *y, Sym name, Span span);

// --- function_name.c -----------------------------------------------------------------------------

/// The type of a function name as a value: map(sqrt, xs), f >> join, map(f32, xs).
Node *infer_function_name(Body *b, const Ast *e, const Symbol *y, const AstVec *generics,
                          Node *want);
/// fn([n](t1, ..., tk)) -> ([n]t1, ..., [n]tk), where k is the number of components of `xs`, the
/// type of the argument, or 2 if that is not known.
Node *infer_unzip_function(Body *b, Node *xs);
/// Makes the types of n arrays of one unknown length; gives the array of tuples of their elements.
Node *infer_zipped(Body *b, int n, Node **arrays);
/// Whether the symbol is a pattern of this form.
bool infer_is_form(const Symbol *y, PatternForm form);

// --- lane_calls.c --------------------------------------------------------------------------------

/// Whether the type has vectors as parts; the result type of extract or insert for a first argument
/// of such a type, which has been inferred.
bool infer_is_of_parts(Body *b, Node *t);
Node *infer_lane_of_parts(Body *b, const Application *a);
/// Whether a pattern of form LANES, whose arguments have these types, is applied to each vector
/// that is a part of a tuple, struct, enum or array; the type of its result.
bool infer_is_for_parts(Body *b, const Symbol *y, Node *const *found);
Node *infer_for_parts(Body *b, const Application *a, Node *const *found);

// --- print.c -------------------------------------------------------------------------------------

Node *infer_print(Body *b, const Application *a);

// --- call.c --------------------------------------------------------------------------------------

/// A call, or a ++ b, which means concat(a, b). `last`: one more argument, the body of a `for` as a
/// function, or NULL.
Node *infer_call(Body *b, const Ast *e, const Ast *last, Node *want);
/// Applies a->callee to its arguments, after finding the symbol that it names.
Node *infer_apply(Body *b, Application *a);
/// Adds as arguments the kids of `call` from number `from` on, then `last` unless it is NULL.
void infer_take_arguments(Body *b, Application *a, const Ast *call, int from, const Ast *last);
/// Tries a WAIT_LOAD.
bool infer_try_load(Body *b, Wait *w, bool final);

// --- arguments.c ---------------------------------------------------------------------------------

/// Infers the arguments whose parameters are not functions. `found`: the types of arguments that
/// have already been inferred, or NULL. If scalar parameters get vectors, the function is called
/// for each lane and `lanes` receives their number; if `lanes` is NULL, that is not possible.
void infer_check_arguments(Body *b, const Application *a, Node *const *params, Node *const *found,
                           Node **lanes);
/// Infers the arguments whose parameters are functions, after all other arguments.
void infer_check_functions(Body *b, const Application *a, Node *const *params);
/// The type of the missing argument, before the others are inferred. If the expected function takes
/// vectors, this type has them, so that numbers among the arguments are broadcast.
Node *infer_expect_missing(Body *b, Node *param, Node *want);
/// If an array of vectors is expected, makes its elements the result's elements before the
/// arguments are inferred, so that numbers among the arguments are broadcast, as in repeat[3](0).
void infer_expect_vectors(Body *b, Node *const *params, int nargs, Node *result, Node *want);

// --- pipe.c --------------------------------------------------------------------------------------

Node *infer_pipe(Body *b, const Ast *e, Node *want);

#endif
