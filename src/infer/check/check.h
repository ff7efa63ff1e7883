// Typing rules of expressions.
#ifndef ADZE_INFER_CHECK_CHECK_H
#define ADZE_INFER_CHECK_CHECK_H

#include "infer/constraints/constraints.h"

// --- print.c -------------------------------------------------------------------------------------

Node *infer_print(Body *b, const Ast *e, const Symbol *y, const Ast **args, int nargs);

// --- family.c ------------------------------------------------------------------------------------

/// The member of a family for this call; arguments may be missing at the end. Infers the data
/// arguments: types[i] is the type found, NULL for others. NULL after an error.
const Symbol *infer_member_for(Body *b, const Symbol *family, const Ast *call,
                               const AstVec *generics, const Ast **args, int nargs, Node *want,
                               Node **types);
/// The member of these ranks, made when it does not exist.
Symbol *infer_member(Infer *in, const Symbol *family, const int *ranks, Span used);
/// Adds to the errors in a member from number `first` on for which ranks it was made, and where it is
/// called.
void infer_note_ranks(Infer *in, const Symbol *y, int first);
/// Reports an entry of any rank.
void infer_refuse_entry(Infer *in, const Symbol *family);

// --- expr.c --------------------------------------------------------------------------------------

Node *infer_expr(Body *b, const Ast *e, Node *want);
/// Infers `e` and makes it have the type `want`, which it gives, or an error. `!` suits every type.
Node *infer_check(Body *b, const Ast *e, Node *want, Why why);
/// The same when `e` has been inferred already, with type `found`.
Node *infer_accept(Body *b, const Ast *e, Node *found, Node *want, Why why);
/// The type that values of both types are converted to without loss; NULL: `type` itself, or there
/// is none.
Node *infer_common(Body *b, Node *type, Node *found);
/// As infer_check for a part of a value, but the caller handles vectors where scalars are wanted:
/// the whole may be evaluated for each lane.
Node *infer_part_of(Body *b, const Ast *e, Node *want, Why why);
/// As infer_check, but `!` for what does not come back.
Node *infer_agree(Body *b, const Ast *e, Node *want, Why why);
/// As infer_expr, with an unknown in place of `!`.
Node *infer_value(Body *b, const Ast *e, Node *want);

// --- atoms.c -------------------------------------------------------------------------------------

Node *infer_cast_hint(const Ast *e, Node *to);
Node *infer_literal(Body *b, const Ast *e, Node *want);
Node *infer_string(Body *b, const Ast *e);
Node *infer_name(Body *b, const Ast *e, Node *want);
Node *infer_pattern_name(Body *b, const Ast *e, Node *want);
Node *infer_border(Body *b, const Ast *e, Node *want);
Node *infer_cast(Body *b, const Ast *e);

// --- operations.c -----------------------------------------------------------------------------------

Node *infer_unary(Body *b, const Ast *e, Node *want);
Node *infer_binary(Body *b, const Ast *e, Node *want);
Node *infer_operator(Body *b, const Ast *e, Node *want);
Node *infer_compose(Body *b, const Ast *e, Node *want);

// --- rules.c ----------------------------------------------------------------------------------------

/// Infer.rules.
extern const Rules infer_rules;
/// Reports one of these names where nothing is to be left.
Node *infer_no_loop(Body *b, const Ast *e);

// --- block.c -------------------------------------------------------------------------------------

Node *infer_block(Body *b, const Ast *e, Node *want);
Node *infer_lambda(Body *b, const Ast *e, Node *want);
Node *infer_scalar(Body *b, const Ast *e, Node *want);

// --- patterns.c ----------------------------------------------------------------------------------

void infer_bind(Body *b, const Ast *pattern, Node *type, Local *parent, int component);
/// A value without a name, as the parent of its components.
Local *infer_parent(Body *b, Node *type, Local *parent, int component);
void infer_bind_value(Body *b, const Ast *pattern, Node *type);
void infer_bind_option(Body *b, const Ast *pattern, Node *type, Local *parent, int component);
void infer_bind_struct(Body *b, const Ast *pattern, Node *type, Local *parent, int component);

// --- withloop.c ----------------------------------------------------------------------------------

Node *infer_with_loop(Body *b, const Ast *e);

// --- place.c -------------------------------------------------------------------------------------

/// The place that an inferred expression denotes: a mutable variable, the target of a reference, or
/// a part of one of them.
typedef struct {
    bool exists;
    bool writable;
    Space space;
    const Local *root; // the variable it is, or a part of; NULL: it is behind a reference
} Place;
Place infer_place(const Body *b, const Ast *e);
/// The number of lanes of an index on the path to a part, so that each lane has a part of its own;
/// else NULL.
Node *infer_lanes_of_place(const Body *b, const Ast *e);
/// The type of what a reference refers to; of anything else itself.
Node *infer_referent(Body *b, Node *type);
Node *infer_assign(Body *b, const Ast *e);
Node *infer_reference(Body *b, const Ast *e, Node *want);
Node *infer_dereference(Body *b, const Ast *e);

// --- control.c -----------------------------------------------------------------------------------

/// Infers a statement; false when it does not come back.
bool infer_statement(Body *b, const Ast *e);
/// The type of a statement: (), `!`, or an error. `needed`: the block it ends should have a value.
Node *infer_effect(Body *b, const Ast *e, bool needed);
/// Whether something that gives () is of no use where `want` (or NULL) is expected.
bool infer_wants_value(Body *b, Node *want);
/// The type that branches agree on, but for those that do not come back: `!` if none does.
typedef struct {
    Node *want; // what all of them should be, or NULL
    WhyKind why;
    Node *type;  // of those so far that come back, or NULL
    Node *lanes; // that diverge, or NULL
    bool bad;    // one had an error
    bool raised; // a later one made vectors of what was one value, or a wider number
    bool fixed;  // some are not branches, and are not converted
    VEC(const Ast *) branches;
} Join;
Join infer_join_of(Body *b, Node *want, WhyKind why, Node *lanes);
void infer_join(Body *b, Join *j, const Ast *branch);
/// Joins a type that belongs to no expression.
bool infer_join_type(Body *b, Join *j, Node *found, Span span);
/// Says that lanes choose among the branches, some of which have been joined.
void infer_join_in_lanes(Body *b, Join *j, Node *lanes);
Node *infer_joined(Body *b, const Join *j);
/// Infers the condition of a branch or loop: a bool (gives NULL), or one for each lane (gives the
/// number of lanes).
Node *infer_condition(Body *b, const Ast *e);
Node *infer_if(Body *b, const Ast *e, Node *want);
/// Enters a construct in which this many lanes (or NULL: no others) diverge; gives the enclosing
/// construct, to restore it.
Around infer_enter_lanes(Body *b, Node *lanes);

// --- loops.c -------------------------------------------------------------------------------------

Node *infer_while(Body *b, const Ast *e);
Node *infer_loop(Body *b, const Ast *e);
Node *infer_for(Body *b, const Ast *e);
/// break, continue or return: not in scope yet.
Local *infer_continuation(Body *b, const char *name, Node *type);

// --- match.c -------------------------------------------------------------------------------------

Node *infer_match(Body *b, const Ast *e, Node *want);

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

// --- enum.c --------------------------------------------------------------------------------------

/// Whether `e` is written as an option of an enum: Shape.Circle.
bool infer_is_option(Body *b, const Ast *e);
Node *infer_option(Body *b, const Ast *e, Node *want);
Node *infer_apply_option(Body *b, const Ast *e, const Ast *callee, const Ast **args, int nargs,
                         Node *want);
/// The number of an option; -1 after an error.
int infer_option_number(Body *b, const Symbol *y, Sym name, Span span);

// --- data.c --------------------------------------------------------------------------------------

Node *infer_tuple(Body *b, const Ast *e, Node *want);
Node *infer_array(Body *b, const Ast *e, Node *want);
Node *infer_struct(Body *b, const Ast *e, Node *want);
/// The type of the struct that a literal or a pattern names, with unknowns for generics that are not
/// written; NULL after an error.
Node *infer_struct_named(Body *b, const Ast *e, const Symbol **symbol);
/// The number of the field that `at` names and that `given` does not have yet; -1 after an error.
int infer_find_field(Body *b, const Ast *at, const Symbol *y, int n, const Ast *const *given);
Node *infer_index(Body *b, const Ast *e, Node *want);
Node *infer_slice(Body *b, const Ast *e);

// --- call.c --------------------------------------------------------------------------------------

Node *infer_call(Body *b, const Ast *e, Node *want);
/// The call with one more argument, the function that the body of a `for` is.
Node *infer_call_with(Body *b, const Ast *call, const Ast *last);
Node *infer_pipe(Body *b, const Ast *e, Node *want);

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

// --- function_name.c -----------------------------------------------------------------------------

/// The type of a function name as a value: map(sqrt, xs), f >> join, map(f32, xs).
Node *infer_function_name(Body *b, const Ast *e, const Symbol *y, const AstVec *generics,
                          Node *want);
/// fn([n](t1, ..., tk)) -> ([n]t1, ..., [n]tk) with as many components as `xs`, the type of the
/// argument, has; 2 when that is not known.
Node *infer_unzip_function(Body *b, Node *xs);
/// Whether it is the pattern of this form.
bool infer_is_form(const Symbol *y, PatternForm form);

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

#endif
