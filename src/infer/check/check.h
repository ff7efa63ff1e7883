// Typing rules of expressions.
#ifndef ADZE_INFER_CHECK_CHECK_H
#define ADZE_INFER_CHECK_CHECK_H

#include "infer/constraints/constraints.h"

// --- print.c -------------------------------------------------------------------------------------

Node *infer_print(Body *b, const Ast *e, const Symbol *y, const Ast **args, int nargs);

// --- family.c ------------------------------------------------------------------------------------

/// The member of a family for this call; arguments may be missing at the end. Looks at the data among the arguments: types[i] is the
/// type found, NULL for others. NULL after an error.
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
/// Sees to it that `e` has the type `want`, and gives it, or an error. What does not come back suits every type.
Node *infer_check(Body *b, const Ast *e, Node *want, Why why);
/// The same when the walk over `e` has been done and found this type.
Node *infer_accept(Body *b, const Ast *e, Node *found, Node *want, Why why);
/// What values of a type and of one that was found beside it are both converted to, because nothing
/// is lost; NULL: the type itself, or nothing.
Node *infer_common(Body *b, Node *type, Node *found);
/// The same of a part of a value, but vectors where scalars are wanted are left to who wants the
/// whole: it may be done for each lane.
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

/// The place an expression that has been inferred stands for: a mutable variable, what a reference refers to, or a
/// part of one of them.
typedef struct {
    bool exists;
    bool writable;
    Space space;
    const Local *root; // the variable it is, or a part of; NULL: it is behind a reference
} Place;
Place infer_place(const Body *b, const Ast *e);
/// In how many lanes an index on the way to a part differs, so that each has a part of its own; else NULL.
Node *infer_lanes_of_place(const Body *b, const Ast *e);
/// The type of what a reference refers to; of anything else itself.
Node *infer_referent(Body *b, Node *type);
Node *infer_assign(Body *b, const Ast *e);
Node *infer_reference(Body *b, const Ast *e, Node *want);
Node *infer_dereference(Body *b, const Ast *e);

// --- control.c -----------------------------------------------------------------------------------

/// Infers what is done for its effect; whether it comes back.
bool infer_statement(Body *b, const Ast *e);
/// The same: (), `!`, or an error. `needed`: the block it ends should have a value.
Node *infer_effect(Body *b, const Ast *e, bool needed);
/// Whether something that gives () is of no use where `want` (or NULL) is expected.
bool infer_wants_value(Body *b, Node *want);
/// The type that branches agree on, but for those that do not come back: `!` if none does.
typedef struct {
    Node *want; // what all of them should be, or NULL
    WhyKind why;
    Node *type;  // of those so far that come back, or NULL
    Node *lanes; // that go different ways, or NULL
    bool bad;    // one had an error
    bool raised; // a later one made vectors of what was one value, or a wider number
    bool fixed;  // some are not branches, and are not converted
    VEC(const Ast *) branches;
} Join;
Join infer_join_of(Body *b, Node *want, WhyKind why, Node *lanes);
void infer_join(Body *b, Join *j, const Ast *branch);
/// The same of a value of this type that is no expression.
bool infer_join_type(Body *b, Join *j, Node *found, Span span);
/// Says that lanes choose among the branches, some of which have been joined.
void infer_join_in_lanes(Body *b, Join *j, Node *lanes);
Node *infer_joined(Body *b, const Join *j);
/// The condition of a branch or loop: a bool, or one for each lane, whose number is given (else NULL).
Node *infer_condition(Body *b, const Ast *e);
Node *infer_if(Body *b, const Ast *e, Node *want);
/// Says that what is walked next stands where so many lanes (or NULL: no others) go different ways;
/// what was around before.
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

/// Whether the type has vectors as parts; what extract and insert give for such a first argument, which has been looked at.
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

/// The type of a function's name that stands by itself: map(sqrt, xs), f >> join, map(f32, xs).
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
/// The variant of the pattern y that its name `callee` asks for; one that y does not have is reported.
Variant infer_variant(Body *b, const Ast *callee, const Symbol *y);
/// Notes for `e` the variant of pattern y that `callee` asks for. The number that vec and aosoa take, the first in brackets, are taken from `generics`.
void infer_note_variant(Body *b, const Ast *e, const Ast *callee, const Symbol *y,
                        AstVec *generics);

#endif
