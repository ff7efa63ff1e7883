// Calls, pipes, and names of functions and patterns.
#ifndef ADZE_INFER_CALLS_CALLS_H
#define ADZE_INFER_CALLS_CALLS_H

#include "infer/constraints/constraints.h"

/// A call about to be inferred: a function and the arguments that it is applied to.
typedef struct {
    const Ast *e;         // the call or pipe; its note receives the Call
    const Ast *callee;    // with enclosing parentheses stripped
    const Symbol *symbol; // the symbol that `callee` names, or NULL if `callee` is a value
    AstVec generics;      // the arguments in brackets
    const Ast **args;
    int nargs;
    Node *want; // the expected type of the result, or NULL
} Application;

// --- apply.c -------------------------------------------------------------------------------------

Call *infer_new_call(Body *b, const Application *a);
/// The name of the function, as shown in messages.
const char *infer_called_name(const Application *a);
/// Reports a call with the wrong number of arguments; `takes` is the right number.
void infer_report_count(Body *b, const Application *a, int takes);
/// Calls infer_report_count, then infer_give_up.
Node *infer_wrong_count(Body *b, const Application *a, int takes);
/// Infers the arguments of an erroneous call, so that errors in them are reported too. Returns the
/// error type.
Node *infer_give_up(Body *b, const Application *a);
/// Returns the generic arguments for this use of `y`, or NULL after an error. Adds obligations that
/// its conditions hold and that its sizes are at least 0. `sized` may be NULL; sized[k] is the size
/// passed for generic k in parentheses, or NULL.
Node **infer_instantiate(Body *b, const Symbol *y, const Signature *sig, const AstVec *generics,
                         Span span, Node *const *sized);
/// Substitutes the generic arguments in `e`, a type or a size of the signature.
Node *infer_instance(Body *b, const Signature *sig, Node *const *with, Node *e);
/// The parameter types of the signature with the generic arguments substituted, where a size
/// parameter has type NULL.
Node **infer_instance_params(Body *b, const Signature *sig, Node *const *with);
/// The expected type, settled, if it is that of a function with n parameters; NULL otherwise.
Node *infer_wanted_function(Body *b, Node *want, int n);

// --- family.c ------------------------------------------------------------------------------------

/// Finds the member of a family (the instance of a rank-polymorphic function) for this call, which
/// may lack trailing arguments. Infers the data arguments, and sets types[i] to the type of each,
/// or to NULL for any other argument. Returns NULL after an error.
const Symbol *infer_member_for(Body *b, const Application *a, Node **types);
/// Records a family that is an entry, and reports one that is a C function.
void infer_declare_family(Infer *in, const Symbol *family);

// --- members.c -----------------------------------------------------------------------------------

/// The member of the called family for these ranks, and for the numbers that the call passes where
/// types depend on them. Creates it if it does not exist yet.
const Symbol *infer_member_of(Body *b, const Application *a, const int *ranks);
/// Adds a note with the ranks, the numbers and the first call of a member to all errors starting at
/// index `first`.
void infer_note_ranks(Infer *in, const Symbol *y, int first);

// --- iterate_sizes.c -----------------------------------------------------------------------------

/// The function to call in place of this iterate if each of its steps changes a length, or NULL if
/// it is an ordinary iterate. The first such iterate creates the function.
const Symbol *infer_iterated(Body *b, const Application *a);

// --- variant.c -----------------------------------------------------------------------------------

const Symbol *infer_generic_name(const Body *b, const Ast *e, AstVec *generics);
/// The pattern whose variant `e` names, such as map for map.src, or NULL.
const Symbol *infer_pattern_variant(const Body *b, const Ast *e);
/// Records in the note of `e` which variant of pattern `y` the callee selects. The variants vec and
/// aosoa take a number as their first argument in brackets, which is removed from `generics`.
void infer_note_variant(Body *b, const Ast *e, const Ast *callee, const Symbol *y,
                        AstVec *generics);

// --- enum.c --------------------------------------------------------------------------------------

/// Whether `e` names an option of an enum, as in Shape.Circle.
bool infer_is_option(Body *b, const Ast *e);
Node *infer_option(Body *b, const Ast *e, Node *want);
Node *infer_apply_option(Body *b, Application *a);
/// Returns the number of an option. Reports an error and returns -1 if there is no such option.
int infer_option_number(Body *b, const Symbol *y, Sym name, Span span);

// --- function_name.c -----------------------------------------------------------------------------

/// The type of a function name used as a value, as in map(sqrt, xs), f >> join or map(f32, xs).
Node *infer_function_name(Body *b, const Ast *e, const Symbol *y, const AstVec *generics,
                          Node *want);
/// The type of unzip: fn([n](t1, ..., tk)) -> ([n]t1, ..., [n]tk), where k is the number of
/// components of an element of the argument. `xs` is the type of the argument; if it is NULL or not
/// known, k is 2.
Node *infer_unzip_function(Body *b, Node *xs);
/// Fills `arrays` with the types of n arrays that share one unknown length. Returns the type of the
/// array of tuples of their elements.
Node *infer_zipped(Body *b, int n, Node **arrays);
/// Whether the symbol is a pattern of this form.
bool infer_is_form(const Symbol *y, PatternForm form);

// --- lane_calls.c --------------------------------------------------------------------------------

/// Whether the type is a tuple, a struct, an enum or an array that contains vectors.
bool infer_is_of_parts(Body *b, Node *t);
/// The result type of a call to extract or insert whose first argument, which has already been
/// inferred, is of a type that infer_is_of_parts accepts.
Node *infer_lane_of_parts(Body *b, const Application *a);
/// Whether a FORM_LANES pattern with arguments of these types is applied to every vector inside a
/// tuple, a struct, an enum or an array.
bool infer_is_for_parts(Body *b, const Symbol *y, Node *const *found);
/// Infers the result type of a call for which infer_is_for_parts holds. `found` has the types of
/// its arguments.
Node *infer_for_parts(Body *b, const Application *a, Node *const *found);

// --- print.c -------------------------------------------------------------------------------------

Node *infer_print(Body *b, const Application *a);

// --- call.c --------------------------------------------------------------------------------------

/// Infers a call, or a ++ b, which means concat(a, b). `last` is an additional argument (the body
/// of a `for` as a function) or NULL.
Node *infer_call(Body *b, const Ast *e, const Ast *last, Node *want);
/// Infers the type of applying a->callee to its arguments, after finding the symbol that it names.
Node *infer_apply(Body *b, Application *a);
/// Adds the kids of `call` from index `from` on as arguments, then `last` unless it is NULL.
void infer_take_arguments(Body *b, Application *a, const Ast *call, int from, const Ast *last);
/// Tries a constraint of kind WAIT_LOAD, which determines the type of load("file").
bool infer_try_load(Body *b, Wait *w, bool final);

// --- arguments.c ---------------------------------------------------------------------------------

/// Infers the arguments whose parameters are not functions. `found` holds the types of the
/// arguments that have already been inferred; it may be NULL. If a scalar parameter is given a
/// vector, the function is called once per lane, and *lanes is set to the number of lanes. If
/// `lanes` is NULL, that is not possible.
void infer_check_arguments(Body *b, const Application *a, Node *const *params, Node *const *found,
                           Node **lanes);
/// Infers the arguments whose parameters are functions, after all other arguments.
void infer_check_functions(Body *b, const Application *a, Node *const *params);
/// Returns the type of the missing argument, before the other arguments are inferred. If the
/// expected function takes a type with vectors, unifies `param` with that type, so that numbers
/// among the arguments are broadcast.
Node *infer_expect_missing(Body *b, Node *param, Node *want);
/// If an array of vectors is expected, unifies the element type of the result with that of the
/// array before the arguments are inferred, so that numbers among them are broadcast, as in
/// repeat[3](0).
void infer_expect_vectors(Body *b, Node *const *params, int nargs, Node *result, Node *want);

// --- pipe.c --------------------------------------------------------------------------------------

Node *infer_pipe(Body *b, const Ast *e, Node *want);

#endif
