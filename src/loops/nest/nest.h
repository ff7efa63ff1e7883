// Strip-mining, unrolling and splitting of loops, for the passes on loop nests.
#ifndef ADZE_LOOPS_NEST_NEST_H
#define ADZE_LOOPS_NEST_NEST_H

#include "loops/simplify/simplify.h"

/// Makes the body for `count` indices of a loop, from `first` on.
typedef Node *StripBody(void *env, Node *first, Node *count);
/// A loop of the same kind over blocks of at most `size` indices; no loop if there is one block.
Node *loops_strip_mine(Session *cx, Node *loop, Node *size, StripBody *make, void *env);
/// Makes the body for `n` indices of a loop, from `first` on.
typedef Node *UnrolledBody(void *env, Node *first, int n);
/// A loop over n indices at a time, then the remainder one at a time.
Node *loops_unroll_by(Simplifier *known, Node *loop, int n, UnrolledBody *make, void *env);

/// The LOOP_FOR that ends the body of a loop, after declarations of locals with values, which are
/// appended to `locals`. NULL if the body has another form.
Node *loops_inner_loop(Session *cx, Node *loop, Stmts *locals);

/// A loop of a nest whose range can be computed before the loops around it, which may have no
/// iteration.
Node *loops_with_total_range(const Simplifier *before, Node *loop);

/// A remainder (a*i + rest) % divisor that the body of a loop over i computes; only i varies in it.
/// `few`: the divisor is a number up to LOOPS_FEW_RESIDUES; else it is another size.
enum { LOOPS_FEW_RESIDUES = 8 };
typedef struct {
    int64_t a;
    Node *rest, *divisor;
} Remainder;
bool loops_find_remainder(Session *cx, Node *loop, bool few, Remainder *out);

/// Strip-mines the loops of the body that compute such a remainder by a size, into blocks of that
/// size, in which the remainder is known.
Node *loops_split_by_remainder(Simplifier *s, Node *body);

#endif
