// Declarations shared by the files of schedule/.
#ifndef ADZE_SCHEDULE_INTERNAL_H
#define ADZE_SCHEDULE_INTERNAL_H

#include "schedule/schedule.h"

/// The bindings found by matching the left side of a rule.
typedef struct {
    Session *cx;
    Arena *arena; // freed after the attempt to match
    const Facts *facts;
    const RewriteRule *rule;
    NodeBinding *generics; // name -> size or type, NULL if not known yet
    Node **params;         // term (a lambda for a function), NULL if not known yet
    VEC(Node *) bound;     // types of the variables that rule and term both bind, outermost first
    // Pairs: a size in the rule, followed by the size in the term that it must equal.
    VEC(Node *) sizes;
    Miss miss;
    Arena *words; // holds the text of reasons; if NULL, no text is produced
} Match;

/// Records why the rule does not match, and returns false.
bool match_miss(Match *m, MissCause cause, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Matches `e` against the left side. On failure, returns false and sets m->miss. Sizes are not
/// compared yet.
bool match_term(Match *m, Node *e);

/// Substitutes the values found so far into a size or type of the rule. Returns NULL if it contains
/// a parameter whose value is not known yet.
Node *match_replace(const Match *m, Node *generic);

/// Returns the right side with the parameters' values substituted. New terms get the source
/// location `origin`.
Node *apply_term(const Match *m, Span origin);

/// The same for a right side that calls functions, which are inlined. Returns NULL and sets m->miss
/// if that is not possible: one is recursive or prints, or its sizes need a check.
Node *apply_staged(Match *m, Span origin);

/// Adds the atomic updates that the body calls to the callees of the function.
void apply_add_updates(Session *cx, Function *f);

/// Applies a lambda to arguments. An argument is let-bound unless it is used at most once or costs
/// nothing to read again.
Node *apply_lambda(Session *cx, Node *lam, Node *const *args, int n);

/// Returns what messages call a term, for example "`map.par`" or "a variable".
const char *term_words(Arena *arena, Node *e);

/// Whether the term only names a part of an array, which can be read again at no cost.
bool term_is_path(Node *e);

/// Whether two terms are equal except for their source locations. They may be different nodes if
/// they were made for different functions (node_begin).
bool term_equal(Arena *arena, Node *a, Node *b);

/// Turns a generate without a variant into a map over the arrays that it reads at its position.
/// Returns NULL if it uses the position in another way, or not at all.
Node *generate_as_map(Session *cx, Arena *arena, Node *generate);

/// Whether the position is a sum of numbers, sizes and other positions, and known to be in range.
bool term_is_in_range(Session *cx, Node *at);

/// Whether the term is a generate that cannot fail, and whose consecutive positions read
/// consecutive elements of arrays, or the same ones.
bool generate_is_contiguous(Session *cx, Arena *arena, Node *generate);

/// Whether evaluating the term may fail. If so, a rule must not cause it to be evaluated more
/// often.
bool term_may_fail(Node *e);

/// Whether variable `index` is evaluated whenever `e` is, that is, whether it occurs outside
/// functions and branches.
bool term_is_always_evaluated(Node *e, int index);

#endif
