// Sets of integer vectors, described by conditions on sizes, with a test for emptiness. The
// conditions of two sets together describe their intersection. The conditions are Presburger
// arithmetic (sums, multiples, division and remainder by constants, minimum and maximum), which the
// isl library decides. Any other term, like n*m, counts as an independent integer, restricted only
// by the facts.
//
// As in nat/nat.h, names stand for naturals unless the facts give them another range.
#ifndef ADZE_SETS_SETS_H
#define ADZE_SETS_SETS_H

#include "nat/nat.h"

typedef enum { SET_GE0, SET_EQ0, SET_NE0 } SetRelation;

/// A condition e >= 0, e == 0 or e != 0.
typedef struct {
    SetRelation relation;
    Node *e;
} SetCondition;
typedef VEC(SetCondition) SetConditions;

/// The vectors of values for the names in `index` that satisfy all conditions. All other names are
/// parameters. (i - lo) % step < width is an ordinary condition, so sets may have strides.
typedef struct {
    int rank;
    const Sym *index;
    SetConditions where;
} IndexSet;

/// Whether the set is empty: YES if it is empty for all values of the parameters that the facts
/// allow, NO if it is empty for none of them, and UNKNOWN otherwise or if the decision takes too
/// long. The test is sound but not complete. `f` may be NULL.
Truth sets_is_empty(Session *cx, const Facts *f, const IndexSet *a);

#endif
