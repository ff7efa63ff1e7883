// What the files of schedule/ share.
#ifndef ADZE_SCHEDULE_INTERNAL_H
#define ADZE_SCHEDULE_INTERNAL_H

#include "schedule/schedule.h"

/// What the left side of a rule was matched with.
typedef struct {
    Session *cx;
    Arena *arena; // of the attempt
    const Facts *facts;
    const RewriteRule *rule;
    NodeBinding *generics; // name -> size or type, NULL: not known yet
    Node **params;         // term (a lambda for a function), NULL: not known yet
    VEC(Node *) bound;     // types of the variables that both sides bind, outermost first
    VEC(Node *) sizes;     // pairs that must be equal: of the rule, of the term
    Miss miss;
    Arena *words; // where reasons are put into words; NULL: nobody asks
} Match;

/// The rule does not match, for a reason in words; false.
bool match_miss(Match *m, MissCause cause, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Matches the left side with `e`; false with m->miss. Sizes are not compared yet.
bool match_term(Match *m, Node *e);

/// The size or type of the rule with what is known put in; NULL when something is not known.
Node *match_replace(const Match *m, Node *generic);

/// The right side with what was matched, at this place in the source.
Node *apply_right(Match *m, Span origin);

/// The body of a lambda with arguments put in. What is not just read again for free gets a let.
Node *apply_lambda(Session *cx, Node *lam, Node *const *args, int n);

/// What a program calls a term, for messages: `map.par`, a variable.
const char *term_words(Arena *arena, Node *e);

/// Whether evaluating the term may end the program: it must not be evaluated where it was not.
bool term_may_fail(Node *e);

/// Whether variable `index` is evaluated whenever `e` is: it does not stand only under functions
/// and in branches.
bool term_is_always_evaluated(Node *e, int index);

#endif
