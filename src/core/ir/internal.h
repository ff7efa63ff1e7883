// Declarations shared by the files of core/.
#ifndef ADZE_CORE_INTERNAL_H
#define ADZE_CORE_INTERNAL_H

#include "core/ir/core.h"
#include "term/term.h"
#include "types/typing.h"

/// Applies the rule of the node's kind. Returns the type of the node; if the rule fails, returns
/// NULL and sets rule->why. Kinds of other levels have no rule.
Node *rule_type(Rule *r);

// The rules below rely on rule_type, which has checked that the operands are sizes, types and typed
// terms as the table of kinds requires. Like rule_type, they return NULL and set rule->why if they
// fail.

/// The rules for state and control (typing_control.c).
Node *rule_control(Rule *r);
/// The rules for patterns and views (typing_patterns.c, views/).
Node *rule_pattern(Rule *r);
/// The type of component `attr` of a tuple or struct of type t.
Node *rule_component(Rule *r, Node *t);
/// The rules for vectors (typing_lanes.c).
Node *rule_lanes(Rule *r);

/// Reports that a pass broke a rule at `e` in `f`, or in the signature of `f` if `e` is NULL.
_Noreturn void core_fault(Session *cx, const Function *f, Node *e, const char *why);

/// The part of the checker that is not about types (check_control.c). It checks jumps and labels;
/// in flat Core, also the positions of functions, side effects and locations.
void check_control(Session *cx, const Function *f, int level, bool flat);

/// The parameters of a function, as the variables in scope for the text of its body. If several
/// parameters have the same name, the last one hides the others.
TermScope core_scope(Session *cx, const Function *f);

#endif
