// The vocabulary of typing rules: one application of a rule, and queries on its operands.
#ifndef ADZE_TYPES_TYPING_H
#define ADZE_TYPES_TYPING_H

#include "types/types.h"

/// Whether two sizes that a typing rule requires to be equal count as equal.
typedef bool SameSize(Node *a, Node *b, void *env);

/// One application of a typing rule: the node, the comparison of sizes, and the reason if the rule
/// fails.
typedef struct {
    Session *cx;
    const NodeSpec *s;
    SameSize *same;
    void *env;
    bool unknowns; // TYPE_META agrees with everything
    const char *why;
} Rule;

/// Whether two types are the same up to sizes that count as equal.
bool rule_agree(Rule *r, Node *a, Node *b);

/// Sets rule->why; gives NULL. `%s` arguments from type_show.
Node *rule_fail(Rule *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// Fails because operand k is not a `wanted`; gives NULL.
Node *rule_misfit(Rule *r, int k, const char *wanted);

/// The type of operand k.
Node *rule_type_of(Rule *r, int k);
/// Whether operand k has this type, is an array, is an array of indices [n]idx[m]; otherwise the
/// rule fails.
bool rule_has_type(Rule *r, int k, Node *t);
bool rule_is_array(Rule *r, int k);
bool rule_is_indices(Rule *r, int k);
/// Whether operand k is a function from these types; *result: its result type. The second function
/// also requires the given result type.
bool rule_is_function(Rule *r, int k, int nparams, Node *const *params, Node **result);
bool rule_is_function_to(Rule *r, int k, int nparams, Node *const *params, Node *result);

#endif
