// What the files of core/ share.
#ifndef ADZE_CORE_INTERNAL_H
#define ADZE_CORE_INTERNAL_H

#include "core/core.h"
#include "term/term.h"

/// Whether two sizes that a typing rule wants equal may count as equal.
typedef bool SameSize(Node *a, Node *b, void *env);

/// One application of a typing rule: the node, the question on sizes, and the answer's reason when
/// there is no type.
typedef struct {
    Session *cx;
    const NodeSpec *s;
    SameSize *same;
    void *env;
    bool unknowns; // TYPE_META agrees with everything
    const char *why;
} Rule;

/// The rule of the node's kind: its type, or NULL with rule->why. A kind that is not Core's has no
/// rule.
Node *rule_type(Rule *r);

/// The rules of state and control (typing_control.c), and those of patterns and views
/// (typing_views.c); operands are known to be sizes and typed terms as the table says.
Node *rule_control(Rule *r);
Node *rule_pattern(Rule *r);
/// Those of vectors (typing_lanes.c).
Node *rule_lanes(Rule *r);

/// Whether two types are the same up to sizes that count as equal.
bool rule_agree(Rule *r, Node *a, Node *b);

/// Sets rule->why; gives NULL. `%s` arguments from type_show.
Node *rule_fail(Rule *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// The checker's report that a pass broke a rule in `f`; `e` NULL: in its signature.
_Noreturn void core_fault(Session *cx, const Function *f, Node *e, const char *why);

/// The part of the checker that is not about types (check_control.c): jumps and labels; in flat
/// Core also where functions, effects and places stand.
void check_control(Session *cx, const Function *f, int level, bool flat);

/// The parameters of a function as the variables of its body's text.
TermScope core_scope(Session *cx, const Function *f);

#endif
