// Constraints on types and sizes: unification, operators that wait for types, and messages.
#ifndef ADZE_INFER_CONSTRAINTS_CONSTRAINTS_H
#define ADZE_INFER_CONSTRAINTS_CONSTRAINTS_H

#include "infer/constraints/body.h"

// --- operator.c ----------------------------------------------------------------------------------

/// Finds the operator with this name and number of operands. && and || are not operators here; they
/// are typed like `if`.
bool infer_find_operator(Sym name, int arity, Prim *op);
/// Returns the result type of an operator on operands of these types. literal[i] is true if operand
/// i is a plain literal; `literal` is NULL if none is. If there are three operands, the operator
/// combines the first two, and then their result with the third.
Node *infer_operate(Body *b, const Ast *at, Prim op, Node *const *types, const bool *literal,
                    int n);
Node *infer_convert(Body *b, const Ast *at, Node *from, Node *to);
/// The expected type of the operand of a cast to `to`: `to` itself if the operand is a literal that
/// fits, NULL otherwise.
Node *infer_cast_hint(const Ast *e, Node *to);
bool infer_try_operator(Body *b, Wait *w, bool final);
bool infer_try_cast(Body *b, Wait *w, bool final);

// --- show.c --------------------------------------------------------------------------------------

/// The reason as a phrase, or NULL if there is nothing to say.
const char *infer_why(Body *b, Why why);
/// Finds an opened size (OpenedSize) that occurs in `e`, a size or type. Returns NULL if there is
/// none (opened.c).
const OpenedSize *infer_opened_in(const Body *b, Node *e);
/// The best bound for `size` outside the scope of the opened sizes from index `first` on: if `size`
/// is one of them and has a bound, that bound; otherwise `size` itself.
Node *infer_bound_outside(Body *b, Node *size, int first);
/// The type [?n]t that an array has outside the block that opens its length, or NULL if that is not
/// an opened size with a bound (opened.c).
Node *infer_outside(Body *b, Node *type);
/// Adds the hint for a [?n]t at `span` used as an array (mismatch.c).
void infer_help_open(Body *b, Diag *d, Span span);
/// Whether a value of type `found` is converted to `want`: `want` is a [?n]t, and `found` is an
/// array or a [?m]t with a different known bound (expr.c).
bool infer_becomes_up_to(Body *b, Node *want, Node *found);
/// Replaces the internal names of opened sizes in a size or type with their names in the source.
Node *infer_as_written(Body *b, Node *t);
const char *infer_show(Body *b, Node *t);
/// Whether a struct or an enum differs by lane, that is, has vectors where it was declared with
/// scalars.
bool infer_is_in_lanes(Body *b, Node *t);
/// The type as a string for use in a sentence, or "this" if the type is unknown.
const char *infer_show_found(Body *b, Node *t);
/// Whether the type belongs to a literal and is still undetermined.
bool infer_is_open_number(Body *b, Node *t);
/// The (resolved) type as words for use in a sentence: in backquotes, or what is known of a type
/// that is not known, such as "a float" for that of a literal.
const char *infer_in_words(Body *b, Node *t);
/// The source text of an expression, for use in a hint, or "..." if it is long.
const char *infer_written(Body *b, Span span);

// --- guards.c ------------------------------------------------------------------------------------

/// What a comparison of two sizes implies if it holds, or NULL if `e` does not compare sizes.
const SizeCheck *infer_compared(Body *b, const Ast *e);
/// The size that `e` denotes, or NULL if `e` is not a size or its type is not i64, as for 7u8.
Node *infer_size_of_value(Body *b, const Ast *e, Node *type);
/// The number of comparisons in a condition that compares only sizes and may therefore be evaluated
/// anywhere in the function. Returns 0 for any other condition.
int infer_count_comparisons(Body *b, const Ast *condition);
/// If the value of an immutable local is a condition that compares sizes, lets the local stand for
/// that condition.
void infer_name_condition(Body *b, Local *l, const Ast *value);
/// The condition on sizes that a name stands for, or NULL.
const Ast *infer_condition_named(Body *b, const Ast *e);
/// Adds what a condition implies about sizes to the guards `up`, given that it holds or, if `holds`
/// is false, that it does not.
SizeGuard *infer_guard(Body *b, SizeGuard *up, const Ast *condition, bool holds);
/// Adds to the guards `up` the fact that a size is, or is not, equal to the literal of a pattern.
SizeGuard *infer_guard_literal(Body *b, SizeGuard *up, Node *size, const Ast *pattern, bool equal);
/// Adds to the guards `up` the fact that the range from `from` to `to` is not empty.
SizeGuard *infer_guard_range(Body *b, SizeGuard *up, const Ast *from, const Ast *to);

// --- mismatch.c ----------------------------------------------------------------------------------

/// Whether nothing is known of the element type of an array, which may be an array itself, so that
/// its rank is not known, either. If so, reports that at `at`.
bool infer_lacks_rank(Body *b, Node *element, Span at);
void infer_mismatch(Body *b, Node *expected, Node *found, Span span, Why why, const char *reason);

// --- unknowns.c ----------------------------------------------------------------------------------

Node *infer_resolve(Body *b, Node *t);
bool infer_require(Body *b, Node *t, GenericKind kind);
MetaKind infer_meta_kind(GenericKind kind);
bool infer_is_unknown(Node *t);
/// An unknown type or size in `t`, or NULL.
Node *infer_unknown_in(Node *t);
/// Whether the type is a number, or an unknown that can only become one.
bool infer_is_number(Body *b, Node *t);
Node *infer_unknown(Body *b);
Node *infer_unit(Body *b);
Node *infer_i64(Body *b);
Node *infer_boolean(Body *b);

// --- unify.c -------------------------------------------------------------------------------------

/// Resolves `t`. If it is unknown, tries the postponed constraints first.
Node *infer_settle(Body *b, Node *t);
bool infer_unify(Body *b, Node *expected, Node *found, Span span, Why why);
/// Unifies two sizes that occur in the types `expected` and `found`.
bool infer_unify_sizes(Body *b, Node *left, Node *right, Node *expected, Node *found, Span span,
                       Why why);
void infer_oblige(Body *b, SizeRelation r, Node *left, Node *right, Span span, Why why);

// --- notes.c -------------------------------------------------------------------------------------

Note *infer_note(const Body *b, const Ast *e);
/// Creates a syntax node that does not come from the source, with a note of its own.
Ast *infer_new_ast(Body *b, AstKind kind, Span span);
Node *infer_error(Body *b);

// --- access.c ------------------------------------------------------------------------------------

Node *infer_index_type(Body *b, const Ast *at, Node *type);
Node *infer_project(Body *b, const Ast *at, Node *type);
bool infer_try_index(Body *b, Wait *w, bool final);
bool infer_try_access(Body *b, Wait *w);

// --- conversion_hints.c --------------------------------------------------------------------------

/// Whether `to` is a larger type that can represent every value of `from`: a type of the same
/// class, or a signed type if `from` is unsigned.
bool infer_is_wider(Scalar from, Scalar to);
/// How to convert a value.
typedef struct {
    const char *text; // the expression with conversions added, or NULL if it would be too long
    Span whole;       // the expression, or NO_SPAN if the text is not all of it
    bool parts; // the operands are converted, because the result may have wrapped or been truncated
    bool division;          // some of them are operands of an integer division
    const Symbol *constant; // a constant that should be declared with more digits, or NULL
} Conversion;
/// Shows how to convert the n subexpressions `parts` of `whole` to the numeric type `to`.
Conversion infer_converted(Body *b, const Ast *whole, const Ast *const *parts, int n, Scalar to);
/// Adds the conversion to an error as a hint.
void infer_help_conversion(Body *b, Diag *d, const Conversion *c, Scalar to);
/// The outermost expression of the body with this span, or NULL if there is none.
const Ast *infer_at(const Body *b, Span span);
/// Whether the type is a number or index type, or an array of these. Sets *s to that type, which is
/// i64 for indices.
bool infer_number_of(Body *b, Node *t, Scalar *s);
/// The most likely float type, judging by the expected type, which may be NULL, and by the
/// signature of the function.
Scalar infer_usual_float(Body *b, Node *wanted);

// --- waits.c -------------------------------------------------------------------------------------

/// Tries the postponed constraints, in order, until nothing changes. If `final` is set, the first
/// constraint that has a default uses it, which may decide others.
void infer_retry(Body *b, bool final);
/// Postpones a constraint that was tried without success.
void infer_add_wait(Body *b, Wait *w);
/// Abandons a constraint after an error: its result becomes the error type. Returns true.
bool infer_wait_failed(Body *b, Wait *w);

// --- call_hints.c --------------------------------------------------------------------------------

/// Adds a hint for a call with the wrong number of arguments.
void infer_help_count(Body *b, Diag *d, const Ast *e, const Item *item, int takes, int given);
/// Whether this is the name of a pattern that takes an operator, an initial value and an array.
bool infer_is_reduction(Sym name);
/// Adds a hint for a function where data is expected: its last argument may be missing.
void infer_help_partial(Body *b, Diag *d, Span span);
/// Adds a hint for a pipe whose left side does not fit the last parameter.
void infer_help_pipe(Body *b, Diag *d, const Ast *pipe);

// --- elementwise.c -------------------------------------------------------------------------------

bool infer_is_elementwise(Prim op, Node *l, Node *r);
bool infer_try_elementwise(Body *b, Wait *w, Node *l, Node *r, bool final);
/// Whether == or != compares two vectors of numbers or indices that may differ in type. They are
/// compared component by component.
bool infer_is_vectors(Body *b, Prim op, Node *l, Node *r);
bool infer_compare_vectors(Body *b, const Wait *w, Node *l, Node *r);

// --- vectors.c -----------------------------------------------------------------------------------

/// The number of components of an index or an argument, which is an array, a tuple, or a scalar
/// (1). Returns -1 if it is not known.
int infer_vector_length(Node *t);
/// The type of component k of an index or an argument.
Node *infer_vector_component(Node *t, int k);
/// Whether a tuple of numbers is given where an array is expected.
bool infer_is_vector_for(Body *b, Node *want, Node *found);
/// Unifies the components of a tuple of numbers with the elements of the expected array.
bool infer_unify_vector(Body *b, Node *want, Node *found, Span span, Why why);

// --- lanes.c -------------------------------------------------------------------------------------

/// The type `t` with vectors of `lanes` lanes in place of scalars, or NULL if some component cannot
/// become a vector.
Node *infer_many(Body *b, Node *t, Node *lanes);
/// Like infer_many, but leaves unknown types, and types that cannot become vectors, unchanged.
Node *infer_rest_in_lanes(Body *b, Node *t, Node *lanes);
/// The number of lanes of the first vector in the type, or NULL if it contains none.
Node *infer_lanes_inside(Body *b, Node *t);
/// The type `t` with vectors in place of those scalars that are vectors in `found`.
Node *infer_like_lanes(Body *b, Node *t, Node *found);
/// Whether a lane of a vector may have this type.
bool infer_is_lane(Body *b, Node *t);

// --- lane_inference.c ----------------------------------------------------------------------------

/// A variable or call that is raised to vectors from the next inference iteration on, or an
/// argument that is raised because it determines a function's accumulator.
typedef struct {
    const Ast *value; // a variable's initial value or name in a pattern; or the argument or call
    Node *lanes;
    Node *type; // its type at the end of the iteration that raised it; NULL before that
    Span at;    // the code that raised it
} Raised;
typedef struct Lengths {
    VEC(Raised) raised;
    int settled; // the number of variables raised in earlier iterations
} Lengths;

/// The entry for this value, or NULL if it is not raised.
Raised *infer_find_raised(const Body *b, const Ast *value);
/// Raises a scalar variable to which a vector is assigned: the body is inferred again, with the
/// variable as a vector of `lanes` lanes. `at` is the assignment, for messages. Returns false if
/// the variable cannot be a vector, which is an error that the caller reports.
bool infer_raise(Body *b, const Local *l, Node *lanes, Span at);
/// Like infer_raise, for an argument such as the initial value of a fold: it is a scalar, but the
/// function in the same call returns a vector in its place.
bool infer_raise_value(Body *b, const Ast *value, Node *lanes, Span at);
/// Like infer_raise, for a call that is expected to return scalars, such as map, and whose function
/// returns vectors. When the body is inferred again, the call ignores the expected type, and its
/// function may be called once per lane.
bool infer_raise_call(Body *b, const Ast *call, Node *lanes, Span at);
bool infer_is_raised(Body *b, const Ast *call);
/// The type of a variable with this initial value, or of an argument, after it was raised. Returns
/// NULL if it was not raised.
Node *infer_raised(Body *b, const Ast *value);
/// The type of the value of a `let` without a type annotation, after one of its variables was
/// raised. Returns NULL if none was.
Node *infer_raised_value(Body *b, const Ast *let);
/// Allows the variables of a `let` to be raised. They must already be bound.
void infer_declare(Body *b, const Ast *let);

// --- expr.c --------------------------------------------------------------------------------------

Node *infer_expr(Body *b, const Ast *e, Node *want);
/// Infers `e` and unifies its type with `want`. Returns `want`, or an error. `!` agrees with any
/// type.
Node *infer_check(Body *b, const Ast *e, Node *want, Why why);
/// Like infer_check, but for an expression that has already been inferred, with type `found`.
Node *infer_accept(Body *b, const Ast *e, Node *found, Node *want, Why why);
/// The type to which a value of type `found` is converted without loss if `want` is expected, or
/// NULL if there is none.
Node *infer_widened(Body *b, Node *want, Node *found);
/// The type to which values of both types can be converted without loss. Returns NULL if that is
/// `type`, or if there is none.
Node *infer_common(Body *b, Node *type, Node *found);
/// Like infer_check, but for an expression inside a larger value. Allows vectors where scalars are
/// expected, because the larger value may be evaluated for each lane.
Node *infer_part_of(Body *b, const Ast *e, Node *want, Why why);
/// Like infer_check, but returns `!` if `e` never returns.
Node *infer_agree(Body *b, const Ast *e, Node *want, Why why);
/// Like infer_expr, but returns an unknown type in place of `!`.
Node *infer_value(Body *b, const Ast *e, Node *want);
/// Infers the condition of a branch or loop. Returns NULL for a bool, or the number of lanes for a
/// vector of bools.
Node *infer_condition(Body *b, const Ast *e);
/// Enters a construct in which `lanes` lanes diverge, or does nothing if `lanes` is NULL. Returns
/// the enclosing construct, which the caller has to restore.
Around infer_enter_lanes(Body *b, Node *lanes);

#endif
