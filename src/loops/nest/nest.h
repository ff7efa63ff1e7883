// Strip-mining, unrolling and splitting of loops, for the passes on loop nests.
#ifndef ADZE_LOOPS_NEST_NEST_H
#define ADZE_LOOPS_NEST_NEST_H

#include "loops/simplify/simplify.h"

/// Builds the body for `count` indices of a loop, starting at `first`.
typedef Node *StripBody(void *env, Node *first, Node *count);
/// A loop of the same kind over blocks of at most `size` indices, or just the body if there is only
/// one block.
Node *loops_strip_mine(Session *cx, Node *loop, Node *size, StripBody *make, void *env);
/// Builds the body for `n` indices of a loop, starting at `first`.
typedef Node *UnrolledBody(void *env, Node *first, int n);
/// A loop over n indices at a time, followed by a loop over the remaining indices.
Node *loops_unroll_by(Simplifier *known, Node *loop, int n, UnrolledBody *make, void *env);

/// Returns the LOOP_FOR or LOOP_PARALLEL at the end of a loop's body if only declarations of locals
/// with values precede it, and appends these to `locals`. Returns NULL if the body has any other
/// form.
Node *loops_inner_loop(Session *cx, Node *loop, Stmts *locals);

/// Returns the loop with a range that can be computed before the enclosing loops, even if these
/// have no iterations.
Node *loops_with_total_range(const Simplifier *before, Node *loop);

enum { LOOPS_MOST_C_LANES = 32 };
/// An estimate of how many iterations of the loop the C compiler computes at once: a power of two
/// of at most LOOPS_MOST_C_LANES. It is 1 for a loop that is not innermost.
int loops_c_lanes(Session *cx, Node *loop);

/// Whether the loop encloses loops that go down columns of memory, which the pass interchange lets
/// go along rows.
bool loops_go_down_columns(Session *cx, const LoopEntry *entry, const Facts *facts, Node *loop);

/// A position in an array as a row of the array, and an element of this row.
typedef struct {
    Node *row, *rest;
} RowPosition;
/// Splits the position into row*row_size + rest with 0 <= rest < row_size. Returns false if the
/// facts do not show that this is possible.
bool loops_in_row(Session *cx, const Facts *facts, Node *row_size, Node *position,
                  RowPosition *out);

/// What the caller makes of a loop that goes down columns, or NULL if it does not change it.
typedef Node *LoopsInterchanged(void *env, Node *loop);
/// Builds a temporary array of the block directly in the result that it is transposed into, if
/// `interchanged` then lets the loop that computes it go along rows. Returns the new block, or NULL
/// if there is no such array.
Node *loops_turn_array(Session *cx, const LoopEntry *entry, const Facts *facts, Node *block,
                       LoopsInterchanged *interchanged, void *env);

/// What is to run the iterations of a loop: work-items, each of which executes the statements of an
/// iteration by itself, or what executes a statement for several iterations together.
typedef enum { LOOPS_BY_WORK_ITEMS, LOOPS_BY_LANES } LoopsRunner;

/// Returns why the iterations of the loop may depend on each other, or NULL if they are independent
/// but for *shared: the row, and iteration, that the others read, or NULL. `known` has the facts
/// that hold at the loop.
const char *loops_dependence(Simplifier *known, Node *loop, LoopsRunner by, Node **shared);

/// Whether each iteration of the loop stores elements of its own, and reads no others of the arrays
/// that it stores to, so that iterations may run in any order.
bool loops_stores_own(Session *cx, const Facts *facts, Node *loop);

/// Divides a LOOP_VECTORIZE among threads: a loop like the LOOP_PARALLEL `threads` over blocks of
/// whole vectors, and then a loop over the remaining indices. `known` has the facts that hold there.
Node *loops_in_blocks(const Simplifier *known, Node *threads, Node *vectors);
/// The parallel loop for a LOOP_VECTORIZE of known lanes on a device: a work-item runs 4 or 2
/// iterations, of which it accesses neighbouring elements together (device_neighbours), or one if
/// there are loops in them.
Node *loops_lanes_on_device(const Simplifier *known, Node *vectors);

enum { LOOPS_FEW_RESIDUES = 8 };
/// A remainder (a*i + rest) % divisor in the body of a loop over i, in which only i varies.
typedef struct {
    int64_t a;
    Node *rest, *divisor;
} Remainder;
/// Finds a remainder that the body of the loop computes. If `few` is true, its divisor is a
/// constant of at most LOOPS_FEW_RESIDUES; otherwise it is any other size. Returns false if there
/// is none.
bool loops_find_remainder(Session *cx, Node *loop, bool few, Remainder *out);

/// Strip-mines the loops in the body that compute a remainder by any size other than a constant of
/// at most LOOPS_FEW_RESIDUES. The blocks have that size; inside a block, the remainder is known.
Node *loops_split_by_remainder(Simplifier *s, Node *body);

#endif
