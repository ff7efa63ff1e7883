// Strip-mining and splitting of loops: what the passes on loop nests share.
#ifndef ADZE_LOOPS_NEST_NEST_H
#define ADZE_LOOPS_NEST_NEST_H

#include "loops/simplify/simplify.h"

/// What is done for `count` indices of a loop, from `first` on.
typedef Node *StripBody(void *env, Node *first, Node *count);
/// A loop of the same kind over blocks of at most `size` indices of the loop; no loop when there are no more of them.
Node *loops_strip_mine(Session *cx, Node *loop, Node *size, StripBody *make, void *env);
/// What is done for `n` indices of a loop, from `first` on.
typedef Node *UnrolledBody(void *env, Node *first, int n);
/// All indices of the loop, n at a time, then the rest one at a time.
Node *loops_unroll_by(Simplifier *known, Node *loop, int n, UnrolledBody *make, void *env);

/// A loop of a nest whose range can be computed before the loops around it, which may have no
/// iteration.
Node *loops_with_total_range(const Simplifier *before, Node *loop);

/// A remainder (a*i + rest) % divisor that a condition in the body of a loop over i asks for, of which nothing but i changes there.
/// `few`: by a number up to LOOPS_FEW_RESIDUES; else by another size.
enum { LOOPS_FEW_RESIDUES = 8 };
typedef struct {
    int64_t a;
    Node *rest, *divisor;
} Remainder;
bool loops_find_remainder(Session *cx, Node *loop, bool few, Remainder *out);

/// The body with loops that ask for such a remainder by another size in blocks of that length, inside of which nothing asks for it.
Node *loops_split_by_remainder(Simplifier *s, Node *body);

#endif
