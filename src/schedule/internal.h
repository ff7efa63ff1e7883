// Declarations shared by the files of schedule/.
#ifndef ADZE_SCHEDULE_INTERNAL_H
#define ADZE_SCHEDULE_INTERNAL_H

#include "schedule/schedule.h"

/// The bindings found by matching the left side of a rule.
typedef struct {
    Session *cx;
    Arena *arena; // of the attempt
    const Facts *facts;
    const RewriteRule *rule;
    NodeBinding *generics; // name -> size or type, NULL if not known yet
    Node **params;         // term (a lambda for a function), NULL if not known yet
    VEC(Node *) bound;     // types of the variables that both sides bind, outermost first
    VEC(Node *) sizes;     // pairs that must be equal: of the rule, of the term
    Miss miss;
    Arena *words; // for the text of reasons; if NULL, no text is made
} Match;

/// Records why the rule does not match; returns false.
bool match_miss(Match *m, MissCause cause, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Matches the left side with `e`; on failure returns false and sets m->miss. Sizes are not
/// compared yet.
bool match_term(Match *m, Node *e);

/// The size or type of the rule after substitution; NULL if a parameter is not known.
Node *match_replace(const Match *m, Node *generic);

/// The right side after substitution, with this source location.
Node *apply_right(Match *m, Span origin);

/// The body of a lambda applied to arguments. A let binds each argument that is not free to read
/// again.
Node *apply_lambda(Session *cx, Node *lam, Node *const *args, int n);

/// The name of a term in messages: `map.par`, a variable.
const char *term_words(Arena *arena, Node *e);

/// Whether evaluating the term may fail; then a rule must not make it evaluated more often.
bool term_may_fail(Node *e);

/// Whether variable `index` is evaluated whenever `e` is: it occurs outside of functions and
/// branches.
bool term_is_always_evaluated(Node *e, int index);

#endif
