// Random types, values and functions, for trying rules out (check_rules.c).
#ifndef ADZE_SCHEDULE_RANDOM_H
#define ADZE_SCHEDULE_RANDOM_H

#include "core/ir/core.h"

/// Values that are chosen for what is special about them, not at random: in the scalars number
/// `at[0]` and `at[1]` of all that are chosen (-1: none) those number `which`, in most others any.
typedef struct {
    int scalars; // chosen so far
    int at[2], which[2];
} Special;
enum { SPECIALS = 15 }; // of a type

typedef struct {
    Session *cx;
    Arena *arena; // of values
    uint64_t state;
    Special *special; // NULL: usual values
} Random;

/// A number from 0 on, below n.
int64_t random_below(Random *r, int64_t n);

/// A data type of the kind of a generic parameter: data, num, int or float. Pairs are frequent, for
/// which there are operators that are associative and do not commute.
Node *random_type(Random *r, Sym kind);

/// The scalar types of such a kind: all of those that a generic parameter of it may stand for.
const Scalar *random_scalars(Sym kind, int *count);

/// The bits of the special value number k of a type, in IEEE numbers.
uint64_t special_bits(Scalar s, int k);

/// A value of a type without names; false when there is none (idx[0], a negative size). Floats are
/// such that their bits mean something in either algebra: `algebra` says which.
bool random_value(Random *r, Node *type, Algebra algebra, Value *out);

/// A closed lambda of a function type without names, whose result depends on all of its arguments.
/// Another lambda for each call. `partial`: it fails for some arguments (E0602).
Node *random_function(Random *r, Node *type, bool partial);

/// A closed lambda fn(t, t) -> t that is associative, and in *neutral the value that is neutral to
/// it.
Node *random_operator(Random *r, Node *type, Algebra algebra, Value *neutral);

#endif
