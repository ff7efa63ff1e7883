// Random types, values and functions for testing rules (check_rules.c).
#ifndef ADZE_SCHEDULE_RANDOM_H
#define ADZE_SCHEDULE_RANDOM_H

#include "core/ir/core.h"

/// Which scalars get special values. Scalars number at[0] and at[1] (-1 for none) get the special
/// values number which[0] and which[1]. Most other scalars get a random special value.
typedef struct {
    int scalars; // number of scalars chosen so far
    int at[2], which[2];
} Special;
enum { SPECIALS = 15 }; // number of special values per type

typedef struct {
    Session *cx;
    Arena *arena; // holds the values
    uint64_t state;
    Special *special; // NULL if there are no special values
} Random;

/// Returns a random number from 0 to n - 1.
int64_t random_below(Random *r, int64_t n);

/// Returns a random data type that a generic parameter of this kind (data, num, int or float) may
/// be bound to. Pairs are frequent, since they have associative operators that are not commutative.
Node *random_type(Random *r, Sym kind);

/// Returns all scalar types that a generic parameter of this kind may be bound to, and sets *count
/// to their number.
const Scalar *random_scalars(Sym kind, int *count);

/// Returns the bits of special value k of a type, in IEEE arithmetic.
uint64_t special_bits(Scalar s, int k);

/// Chooses a random value of a type without names. Returns false if the type has no values (idx[0],
/// or an array with a negative size). `algebra` is the algebra in which the bits of floats are
/// interpreted.
bool random_value(Random *r, Node *type, Algebra algebra, Value *out);

/// Returns a closed lambda of the given function type, which contains no names. Its result depends
/// on all of its arguments. Each call returns a different lambda. If `partial`, the lambda fails
/// for some arguments (E0602).
Node *random_function(Random *r, Node *type, bool partial);

/// Returns a closed lambda fn(t, t) -> bool that is a strict weak order: it compares a random
/// number for each argument. If `partial`, it fails for some arguments (E0602).
Node *random_order(Random *r, Node *type, bool partial);

/// Returns a closed associative lambda fn(t, t) -> t, and sets *neutral to its neutral value.
Node *random_operator(Random *r, Node *type, Algebra algebra, Value *neutral);

#endif
