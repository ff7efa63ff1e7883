// Inside the passes that elide copies: whether an array can be built in the destination of its copy
// (overwrite.c), and which arrays are live after a copy (liveness.c).
#ifndef ADZE_LOOPS_MEMORY_MOVES_H
#define ADZE_LOOPS_MEMORY_MOVES_H

#include "loops/simplify/simplify.h"

/// The loops around a statement, and the conditions that hold there (or do not), innermost first.
typedef struct LoopsAround LoopsAround;
struct LoopsAround {
    Node *loop; // NULL for a condition
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

/// Whether the statements, the last of which copies the array, can store its elements directly to
/// the destination of the copy: they load no element of the destination after it would be
/// overwritten, and do not change the destination in other ways.
bool loops_may_overwrite(Session *cx, const LoopEntry *entry, const LoopsMove *move,
                         Node *const *stmts, int n);

/// The statement with element p + offset of `to` for element p of `from`. Removes copies of
/// elements to themselves.
Node *loops_redirect(Session *cx, Node *stmt, Sym from, Sym to, Node *offset);

/// Loops that copy arrays, without the copy of `from`.
Node *loops_without_copy(Session *cx, Node *copy, Sym from);

/// Whether loops from 0 on, outermost first, visit each element of an array once at this position.
bool loops_go_through(Session *cx, const LoopEntry *entry, const Facts *facts, Node *position,
                      Node *const *loops, int n);

// --- liveness.c ----------------------------------------------------------------------------------

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
    ArraySet to;    // the arrays that it writes as a whole
    ArraySet after; // the arrays that are live after it
} LiveCopy;

/// Finds `after` for copies in the body of a function. `arrays`: Sym -> LiveArray; `copies`: Sym of
/// the loop -> LiveCopy.
void loops_liveness(Session *cx, Node *body, const Map *arrays, const Map *copies);

#endif
