// Random types, values and functions for testing rules (check_rules.c).
#ifndef ADZE_SCHEDULE_RANDOM_H
#define ADZE_SCHEDULE_RANDOM_H

#include "core/ir/core.h"

/// Special values: the scalars number `at[0]` and `at[1]` (-1 for none) get the special value
/// number `which`, most others get any special value.
typedef struct {
    int scalars; // number of scalars chosen so far
    int at[2], which[2];
} Special;
enum { SPECIALS = 15 }; // number of special values of a type

typedef struct {
    Session *cx;
    Arena *arena; // of values
    uint64_t state;
    Special *special; // NULL for random values
} Random;

/// A number from 0 to n - 1.
int64_t random_below(Random *r, int64_t n);

/// A data type of the kind of a generic parameter: data, num, int or float. Pairs are frequent,
/// since they have associative operators that are not commutative.
Node *random_type(Random *r, Sym kind);

/// All scalar types that a generic parameter of this kind may be bound to.
const Scalar *random_scalars(Sym kind, int *count);

/// The bits of the special value number k of a type, in IEEE numbers.
uint64_t special_bits(Scalar s, int k);

/// A value of a type without names; false if there is none (idx[0], a negative size). `algebra`
/// says in which algebra the bits of floats are interpreted.
bool random_value(Random *r, Node *type, Algebra algebra, Value *out);

/// A closed lambda of a function type without names, whose result depends on all of its arguments;
/// each call returns a different one. `partial`: it fails for some arguments (E0602).
Node *random_function(Random *r, Node *type, bool partial);

/// A closed associative lambda fn(t, t) -> t, and in *neutral its neutral value.
Node *random_operator(Random *r, Node *type, Algebra algebra, Value *neutral);

#endif
