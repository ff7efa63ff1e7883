// Typing rules of expressions.
#ifndef ADZE_INFER_CHECK_CHECK_H
#define ADZE_INFER_CHECK_CHECK_H

#include "infer/calls/calls.h"

// --- atoms.c -------------------------------------------------------------------------------------

Node *infer_literal(Body *b, const Ast *e, Node *want);
Node *infer_string(Body *b, const Ast *e);
Node *infer_name(Body *b, const Ast *e, Node *want);
Node *infer_pattern_name(Body *b, const Ast *e, Node *want);
Node *infer_border(Body *b, const Ast *e, Node *want);
Node *infer_cast(Body *b, const Ast *e);

// --- operations.c --------------------------------------------------------------------------------

Node *infer_unary(Body *b, const Ast *e, Node *want);
Node *infer_binary(Body *b, const Ast *e, Node *want);
Node *infer_operator(Body *b, const Ast *e, Node *want);
Node *infer_compose(Body *b, const Ast *e, Node *want);

// --- rules.c -------------------------------------------------------------------------------------

/// Infer.rules.
extern const Rules infer_rules;

// --- block.c -------------------------------------------------------------------------------------

Node *infer_block(Body *b, const Ast *e, Node *want);
Node *infer_lambda(Body *b, const Ast *e, Node *want);
Node *infer_scalar(Body *b, const Ast *e, Node *want);

// --- patterns.c ----------------------------------------------------------------------------------

/// Gives the names of a pattern the parts of a value of this type; `parent` is the value of which
/// it is component `component`, or NULL.
void infer_bind(Body *b, const Ast *pattern, Node *type, Local *parent, int component);

// --- withloop.c ----------------------------------------------------------------------------------

Node *infer_with_loop(Body *b, const Ast *e);

// --- place.c -------------------------------------------------------------------------------------

/// The place that an inferred expression denotes: a mutable variable, the target of a reference, or
/// a part of one of them.
typedef struct {
    bool exists;
    bool writable;
    Space space;
    const Local *root; // the variable that contains the place; NULL if it is behind a reference
} Place;
Place infer_place(const Body *b, const Ast *e);
/// The number of lanes of an index in a path to a part, if each lane has a part of its own; else
/// NULL.
Node *infer_lanes_of_place(const Body *b, const Ast *e);
/// The target type of a reference; any other type is returned unchanged.
Node *infer_referent(Body *b, Node *type);
/// Whether the local is a parameter of the function.
bool infer_is_parameter(const Body *b, const Local *l);
Node *infer_assign(Body *b, const Ast *e);
Node *infer_reference(Body *b, const Ast *e, Node *want);
Node *infer_dereference(Body *b, const Ast *e);

// --- control.c -----------------------------------------------------------------------------------

/// Infers a statement; false if it never returns.
bool infer_statement(Body *b, const Ast *e);
/// The type of a statement: (), `!`, or an error. `needed`: the block that the statement ends
/// should have a value.
Node *infer_effect(Body *b, const Ast *e, bool needed);
/// Whether `want` (or NULL) is the type of a value other than ().
bool infer_wants_value(Body *b, Node *want);
/// The type that branches agree on. Branches that never return are ignored; if none returns, the
/// type is `!`.
typedef struct {
    Node *want; // the expected type of all of them, or NULL
    WhyKind why;
    Node *type;  // of the branches so far that return, or NULL
    Node *lanes; // that diverge, or NULL
    bool bad;    // one branch had an error
    bool raised; // a later branch has made the type a type of vectors, or a wider number
    bool fixed;  // some types belong to no branches, and are not converted
    VEC(const Ast *) branches;
} Join;
Join infer_join_of(Body *b, Node *want, WhyKind why, Node *lanes);
/// Joins a branch. If one branch gives a vector, but another a scalar, the scalar is broadcast.
void infer_join(Body *b, Join *j, const Ast *branch);
/// Joins a type that belongs to no expression.
bool infer_join_type(Body *b, Join *j, Node *found, Span span);
/// Marks branches, of which some have been joined already, as branches on which lanes diverge.
void infer_join_in_lanes(Body *b, Join *j, Node *lanes);
Node *infer_joined(Body *b, const Join *j);
Node *infer_if(Body *b, const Ast *e, Node *want);

// --- loops.c -------------------------------------------------------------------------------------

Node *infer_while(Body *b, const Ast *e);
Node *infer_loop(Body *b, const Ast *e);
Node *infer_for(Body *b, const Ast *e);
/// Makes the continuation break, continue or return, without bringing it into scope.
Local *infer_continuation(Body *b, const char *name, Node *type);

// --- match.c -------------------------------------------------------------------------------------

Node *infer_match(Body *b, const Ast *e, Node *want);

// --- data.c --------------------------------------------------------------------------------------

Node *infer_tuple(Body *b, const Ast *e, Node *want);
Node *infer_array(Body *b, const Ast *e, Node *want);
Node *infer_struct(Body *b, const Ast *e, Node *want);
/// The type of the struct that a literal or a pattern names, with unknowns for generics that are
/// not written; NULL after an error.
Node *infer_struct_named(Body *b, const Ast *e, const Symbol **symbol);
/// The number of the field that `at` names and `given` does not have yet; -1 after an error.
int infer_find_field(Body *b, const Ast *at, const Symbol *y, int n, const Ast *const *given);
Node *infer_index(Body *b, const Ast *e, Node *want);
Node *infer_slice(Body *b, const Ast *e);

#endif
