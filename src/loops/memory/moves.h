// Inside of the passes that leave copies out: whether an array can be made where it is copied to,
// which arrays are still needed behind a copy.
#ifndef ADZE_LOOPS_MEMORY_MOVES_H
#define ADZE_LOOPS_MEMORY_MOVES_H

#include "loops/simplify/simplify.h"

/// A loop around a statement, or a condition that holds there (or does not), innermost first.
typedef struct LoopsAround LoopsAround;
struct LoopsAround {
    Node *loop; // NULL: a condition
    Node *condition;
    bool holds;
    const LoopsAround *up;
};

/// An array `from` that is copied to `to`, element p to p + offset, by `store`. `facts`: of the
/// sizes.
typedef struct {
    Sym from, to;
    Node *offset, *store;
    const LoopsAround *around; // the statements from its allocation to the copy
    const Facts *facts;
} LoopsMove;

/// Whether statements, the last of which copies the array, can store its elements where they are
/// copied to: none of these is loaded after it was overwritten, nor changed in other ways.
bool loops_may_overwrite(Session *cx, const LoopEntry *entry, const LoopsMove *move,
                         Node *const *stmts, int n);

/// The statement with another buffer for `from`, where its element p is at p + offset. Copies of
/// elements to themselves go.
Node *loops_redirect(Session *cx, Node *stmt, Sym from, Sym to, Node *offset);

/// What is left of loops that copy arrays without the elements of `from`.
Node *loops_without_copy(Session *cx, Node *copy, Sym from);

/// Whether loops from 0 on, from the outside, go once through all elements of an array at this
/// position.
bool loops_go_through(Session *cx, const LoopEntry *entry, const Facts *facts, Node *position,
                      Node *const *loops, int n);

// --- liveness.c -------------------------------------------------------------------------------------

/// Arrays by number.
typedef uint64_t ArraySet;
enum { MAX_ARRAYS = 64 };

/// An array that is copied or copied to, and a copy: loops whose outermost index is `loop`.
typedef struct {
    int number;
    Node *count;
} LiveArray;
typedef struct {
    Sym loop;
    ArraySet to;    // all of these is written
    ArraySet after; // those whose elements may be read behind it before they are written again
} LiveCopy;

/// Finds `after` for copies in the body of a function. `arrays`: Sym -> LiveArray; `copies`: Sym of
/// the loop -> LiveCopy.
void loops_liveness(Session *cx, Node *body, const Map *arrays, const Map *copies);

#endif
