// What the files of rewrite/ share: what the lowering of a subterm gives besides the term.
#ifndef ADZE_REWRITE_INTERNAL_H
#define ADZE_REWRITE_INTERNAL_H

#include "rewrite/rewrite.h"

/// How often elements are read. Bit l is for the elements at nesting level l (0: elements of the
/// array itself): set when one element may be selected more than once altogether. The last bit
/// stands for all deeper levels.
typedef uint32_t Demand;
enum { DEMAND_LEVELS = 8, ONCE = 0, MANY = (1 << DEMAND_LEVELS) - 1 };

/// The demand on the elements; on an array whose elements are wanted as in d, selected once or more
/// often.
Demand demand_inner(Demand d);
Demand demand_outer(Demand elements, bool many);

/// Array variables used in a term, by index ascending, each with how it is read.
typedef struct {
    int index;
    Demand demand;
} Use;
typedef struct {
    int len;
    const Use *at;
} Uses;

Uses uses_one(Arena *a, int index, Demand d);
/// Of two terms evaluated one after the other: what both use is used more than once.
Uses uses_both(Arena *a, Uses x, Uses y);
/// Seen from outside of a binder of n variables; in a loop everything is used more than once.
Uses uses_outside(Arena *a, Uses u, int n, bool loop);
Demand uses_of(Uses u, int index); // ONCE when not used

/// Work, in operations, saturating: when the term is made readable (`once`), and when an element at
/// a level is selected.
enum { COST_BIG = 255 };
typedef struct {
    uint8_t once, at[DEMAND_LEVELS];
} Cost;

Cost cost_sum(Cost a, Cost b);
Cost cost_plus(Cost a, int once, int level0);
/// Of the elements, as the work of an array of them, and the other way round.
Cost cost_outer(Cost elements);
Cost cost_inner(Cost array);
/// Of a term whose levels 0 and 1 are selected together: join's argument.
Cost cost_joined(Cost array);
/// The operations of one node of a scalar expression.
int cost_of_scalar(Node *e);
/// Whether some element that costs more than a few operations may be selected more than once.
bool cost_exceeds(Cost c, Demand d);

/// Whether \a x. body, lowered in WRITE, reads of its array accumulator only the leaf it writes
/// (inplace.c).
bool rewrite_is_inplace(Session *cx, Arena *arena, Node *lam);

/// The choices told by a low term (choices.c). `why` maps nodes to reasons.
void rewrite_tell(Session *cx, Arena *arena, Node *low, const Map *why, Choices *out);

#endif
