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
Node *infer_if(Body *b, const Ast *e, Node *want);

// --- loops.c -------------------------------------------------------------------------------------

Node *infer_while(Body *b, const Ast *e);
Node *infer_loop(Body *b, const Ast *e);
Node *infer_for(Body *b, const Ast *e);
/// break, continue or return: not in scope yet.
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
/// The number of the field that `at` names and that `given` does not have yet; -1 after an error.
int infer_find_field(Body *b, const Ast *at, const Symbol *y, int n, const Ast *const *given);
Node *infer_index(Body *b, const Ast *e, Node *want);
Node *infer_slice(Body *b, const Ast *e);

#endif
