// Random types, values and functions, for trying rules out (check_rules.c).
#ifndef ADZE_SCHEDULE_RANDOM_H
#define ADZE_SCHEDULE_RANDOM_H

#include "core/core.h"

typedef struct {
    Session *cx;
    Arena *arena; // of values
    uint64_t state;
} Random;

/// A number from 0 on, below n.
int64_t random_below(Random *r, int64_t n);

/// A data type of the kind of a generic parameter: data, num, int or float. Pairs are frequent, for which there are operators that
/// are associative and do not commute.
Node *random_type(Random *r, Sym kind);

/// A value of a type without names; false when there is none (idx[0], a negative size). Floats are such that their
/// bits mean something in either algebra: `algebra` says which.
bool random_value(Random *r, Node *type, Algebra algebra, Value *out);

/// A closed lambda of a function type without names, whose result depends on all of its arguments. Another lambda for each call.
/// `partial`: it fails for some arguments (E0602).
Node *random_function(Random *r, Node *type, bool partial);

/// A closed lambda fn(t, t) -> t that is associative, and in *neutral the value that is neutral to it.
Node *random_operator(Random *r, Node *type, Algebra algebra, Value *neutral);

#endif
