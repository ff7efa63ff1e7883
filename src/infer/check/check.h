// Typing rules for expressions.
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

/// The table for Infer.rules.
extern const Rules infer_rules;

// --- block.c -------------------------------------------------------------------------------------

Node *infer_block(Body *b, const Ast *e, Node *want);
Node *infer_lambda(Body *b, const Ast *e, Node *want);
Node *infer_scalar(Body *b, const Ast *e, Node *want);

// --- patterns.c ----------------------------------------------------------------------------------

/// Binds the names in a pattern to the corresponding components of a value of this type. The value
/// itself is component `component` of `parent`, unless that is NULL.
void infer_bind(Body *b, const Ast *pattern, Node *type, Local *parent, int component);

// --- withloop.c ----------------------------------------------------------------------------------

Node *infer_with_loop(Body *b, const Ast *e);

// --- place.c -------------------------------------------------------------------------------------

/// The location that an inferred expression denotes: a mutable variable, the target of a reference,
/// or a component, an element or a slice of one of these.
typedef struct {
    bool exists;
    bool writable;
    Space space;
    const Local *root; // the variable that contains the location, or NULL if behind a reference
} Place;
Place infer_place(const Body *b, const Ast *e);
/// Returns the number of lanes of an index on the path to the location, if that index differs by
/// lane, so that each lane has its own element. Returns NULL otherwise.
Node *infer_lanes_of_place(const Body *b, const Ast *e);
/// The target type of a reference; any other type is returned unchanged.
Node *infer_referent(Body *b, Node *type);
/// Whether the local is a parameter of the function.
bool infer_is_parameter(const Body *b, const Local *l);
Node *infer_assign(Body *b, const Ast *e);
Node *infer_reference(Body *b, const Ast *e, Node *want);
Node *infer_dereference(Body *b, const Ast *e);

// --- control.c -----------------------------------------------------------------------------------

/// Infers a statement. Returns false if the statement never returns.
bool infer_statement(Body *b, const Ast *e);
/// Infers a statement. Returns its type: (), `!`, or an error. `needed` is set if the statement
/// ends a block that should have a value.
Node *infer_effect(Body *b, const Ast *e, bool needed);
/// Whether `want`, which may be NULL, is the type of a value other than ().
bool infer_wants_value(Body *b, Node *want);
/// The search for a type that all branches agree on. Branches that never return are ignored; if no
/// branch returns, the type is `!`.
typedef struct {
    Node *want; // the expected type of all branches, or NULL
    WhyKind why;
    Node *type;  // the common type so far of the branches that return, or NULL
    Node *lanes; // the number of lanes if they may take different branches, or NULL
    bool bad;    // some branch has an error
    bool raised; // a later branch has given the type vectors or made it a wider number type
    bool fixed;  // some joined types belong to no branch, so their values are not converted
    VEC(const Ast *) branches;
} Join;
Join infer_join_of(Body *b, Node *want, WhyKind why, Node *lanes);
/// Joins a branch. If one branch yields a vector and another one a scalar, the scalar is broadcast.
void infer_join(Body *b, Join *j, const Ast *branch);
/// Joins a type that belongs to no expression.
bool infer_join_type(Body *b, Join *j, Node *found, Span span);
/// Records that lanes may diverge at these branches, some of which may have been joined already.
void infer_join_in_lanes(Body *b, Join *j, Node *lanes);
Node *infer_joined(Body *b, const Join *j);
Node *infer_if(Body *b, const Ast *e, Node *want);

// --- loops.c -------------------------------------------------------------------------------------

Node *infer_while(Body *b, const Ast *e);
Node *infer_loop(Body *b, const Ast *e, Node *want);
Node *infer_for(Body *b, const Ast *e);
/// Creates the continuation break, continue or return without bringing it into scope.
Local *infer_continuation(Body *b, const char *name, Node *type);

// --- match.c -------------------------------------------------------------------------------------

Node *infer_match(Body *b, const Ast *e, Node *want);

// --- data.c --------------------------------------------------------------------------------------

Node *infer_tuple(Body *b, const Ast *e, Node *want);
Node *infer_array(Body *b, const Ast *e, Node *want);
Node *infer_struct(Body *b, const Ast *e, Node *want);
/// Returns the type of the struct that a literal or a pattern names, with unknowns for omitted
/// generics, or NULL after an error. Sets *symbol to the struct.
Node *infer_struct_named(Body *b, const Ast *e, const Symbol **symbol);
/// Returns the index of the field that `at` names. Reports an error and returns -1 if there is no
/// such field or if `given` already contains it.
int infer_find_field(Body *b, const Ast *at, const Symbol *y, int n, const Ast *const *given);
Node *infer_index(Body *b, const Ast *e, Node *want);
Node *infer_slice(Body *b, const Ast *e);

#endif
