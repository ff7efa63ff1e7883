// Shared by the passes that elide copies and first values: in which order elements are accessed, so
// whether an array can be built in the destination of its copy (overwrite.c), and which arrays are
// live after a copy (liveness.c).
#ifndef ADZE_LOOPS_MEMORY_MOVES_H
#define ADZE_LOOPS_MEMORY_MOVES_H

#include "loops/simplify/simplify.h"

/// A list of the loops that enclose a statement, and of the conditions that hold there, or do not
/// hold if `holds` is false. The innermost comes first.
typedef struct LoopsAround LoopsAround;
struct LoopsAround {
    Node *loop; // NULL for a condition
    Node *condition;
    bool holds;
    const LoopsAround *up;
};

/// What `visit` makes of the statement, a part of the loop or branch `inner`: while it visits,
/// `*around` is `inner` and what was there before.
Node *loops_under(const LoopsAround **around, LoopsVisit *visit, void *env, Node *stmt,
                  LoopsAround inner);

/// An array `from` that `store` copies to `to`, element p to element p + offset.
typedef struct {
    Sym from, to;
    Node *offset, *store;
    const LoopsAround *around; // what encloses the statements from the allocation to the copy
    const Facts *facts;        // about sizes
} LoopsMove;

/// Whether the statements, the last of which copies the array, can store its elements directly to
/// the destination of the copy: they load no element of the destination after it would be
/// overwritten, and do not change the destination in any other way.
bool loops_may_overwrite(Session *cx, const LoopEntry *entry, const LoopsMove *move,
                         Node *const *stmts, int n);

/// Whether `access`, a load or store of an array in the loop, and those of its kind at the same
/// position are the first use of their element there: no store to the element comes before a load,
/// no load before a store. `move` names the array twice, with offset 0 and no store.
bool loops_comes_first(Session *cx, const LoopEntry *entry, const LoopsMove *move, Node *loop,
                       Node *access);

/// The statement with element p of `from` replaced with element p + offset of `to`, and without
/// copies of elements to themselves.
Node *loops_redirect(Session *cx, Node *stmt, Sym from, Sym to, Node *offset);

/// Returns the loops `copy`, which copy one or more arrays, without the copy of `from`.
Node *loops_without_copy(Session *cx, Node *copy, Sym from);

/// Whether the loops, which begin at 0 and are given outermost first, visit each element of an
/// array exactly once at this position.
bool loops_go_through(Session *cx, const LoopEntry *entry, const Facts *facts, Node *position,
                      Node *const *loops, int n);

// --- liveness.c ----------------------------------------------------------------------------------

/// A set of arrays, as a bit mask of their numbers.
typedef uint64_t ArraySet;
enum { MAX_ARRAYS = 64 };

/// An array that is copied or copied to.
typedef struct {
    int number;
    Node *count;
} LiveArray;
/// A copy: loops whose outermost index is `loop`.
typedef struct {
    Sym loop;
    ArraySet to;    // the arrays that it writes as a whole
    ArraySet after; // the arrays that are live after it
} LiveCopy;

/// Sets `after` in the copies in the body of a function. `arrays` maps a Sym to its LiveArray, and
/// `copies` the Sym of a loop to its LiveCopy.
void loops_liveness(Session *cx, Node *body, const Map *arrays, const Map *copies);

#endif
