// Declarations shared by the files of core/.
#ifndef ADZE_CORE_INTERNAL_H
#define ADZE_CORE_INTERNAL_H

#include "core/ir/core.h"
#include "term/term.h"
#include "types/typing.h"

/// Applies the rule of the node's kind: gives its type, or NULL with rule->why. Kinds of other
/// levels have no rule.
Node *rule_type(Rule *r);

/// The rules of state and control (typing_control.c), and the rules of patterns and views
/// (typing_patterns.c, views/); the operands already are sizes and typed terms as the table
/// requires.
Node *rule_control(Rule *r);
Node *rule_pattern(Rule *r);
/// The type of component attr of a tuple or struct of type t; NULL with rule->why.
Node *rule_component(Rule *r, Node *t);
/// The rules of vectors (typing_lanes.c).
Node *rule_lanes(Rule *r);

/// Reports that a pass broke a rule in `f`; in its signature if `e` is NULL.
_Noreturn void core_fault(Session *cx, const Function *f, Node *e, const char *why);

/// The part of the checker that is not about types (check_control.c): jumps and labels; in flat
/// Core also the positions of functions, side effects and places.
void check_control(Session *cx, const Function *f, int level, bool flat);

/// The parameters of a function as the variables of its body's text.
TermScope core_scope(Session *cx, const Function *f);

#endif
