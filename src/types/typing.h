// The building blocks of typing rules: the state of one application of a rule, and queries on the
// operands.
#ifndef ADZE_TYPES_TYPING_H
#define ADZE_TYPES_TYPING_H

#include "types/types.h"

/// Whether two sizes, which a typing rule requires to be equal, count as equal.
typedef bool SameSize(Node *a, Node *b, void *env);

/// One application of a typing rule: the node, how to compare sizes, and the reason if the rule
/// fails.
typedef struct {
    Session *cx;
    const NodeSpec *s;
    SameSize *same;
    void *env;
    bool unknowns; // whether TYPE_META agrees with everything
    const char *why;
} Rule;

/// Whether two types are the same, up to sizes that count as equal.
bool rule_agree(Rule *r, Node *a, Node *b);

/// Sets rule->why and returns NULL. Types in the message are shown with type_show.
Node *rule_fail(Rule *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// Makes the rule fail because operand k is not `wanted`. Returns NULL.
Node *rule_misfit(Rule *r, int k, const char *wanted);

/// The type of operand k.
Node *rule_type_of(Rule *r, int k);

// Each of the following functions makes the rule fail if it returns false.

/// Whether operand k has this type.
bool rule_has_type(Rule *r, int k, Node *t);
/// Whether operand k is an array.
bool rule_is_array(Rule *r, int k);
/// Whether operand k is an array of indices, [n]idx[m].
bool rule_is_indices(Rule *r, int k);
/// Whether operand k is a function with these parameter types; if it is, sets *result to its result
/// type.
bool rule_is_function(Rule *r, int k, int nparams, Node *const *params, Node **result);
/// Whether operand k is a function with these parameter types and this result type.
bool rule_is_function_to(Rule *r, int k, int nparams, Node *const *params, Node *result);

#endif
