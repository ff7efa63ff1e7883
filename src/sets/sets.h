// Sets of integer vectors, described by conditions on sizes, and the test whether they are empty;
// the conditions of both sets describe their intersection. This is Presburger arithmetic: sums,
// multiples, division and remainder by constants, minimum and maximum; the library isl decides it.
// Any other term, like n*m, counts as an independent integer, restricted only by the facts.
//
// Names stand for naturals unless the facts give them another range, as everywhere (nat/nat.h).
#ifndef ADZE_SETS_SETS_H
#define ADZE_SETS_SETS_H

#include "nat/nat.h"

typedef enum { SET_GE0, SET_EQ0, SET_NE0 } SetRelation;

/// e >= 0, e == 0, e != 0.
typedef struct {
    SetRelation relation;
    Node *e;
} SetCondition;
typedef VEC(SetCondition) SetConditions;

/// The vectors of values of the names `index` that satisfy all conditions. All other names are
/// parameters. (i - lo) % step < width is an ordinary condition, so sets may have strides.
typedef struct {
    int rank;
    const Sym *index;
    SetConditions where;
} IndexSet;

/// Whether the set is empty, for all values of the parameters that the facts allow (`f` may be
/// NULL): YES if it is for all of them, NO if it is for none, UNKNOWN otherwise or if the decision
/// takes too long. Sound, not complete.
Truth sets_is_empty(Session *cx, const Facts *f, const IndexSet *a);

#endif
