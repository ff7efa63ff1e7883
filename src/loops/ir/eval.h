// Internals of the Loop IR interpreter, which has flat buffers and checks every load and store.
#ifndef ADZE_LOOPS_IR_EVAL_H
#define ADZE_LOOPS_IR_EVAL_H

#include "base/races.h"
#include "loops/ir/statements.h"

/// The memory of a function's temporary arrays. `owner` records which array last stored to each
/// byte, since a store to one array destroys the elements of any other array that shares its bytes.
typedef struct {
    int64_t bytes;
    const void **owner;
} Workspace;

typedef struct {
    int64_t count;
    int64_t first; // index of the element at position 0; with negative strides others precede it
    uint64_t *bits;
    bool *written;
    bool input;
    const void *self;   // in a workspace, identifies the array as an owner
    const void **owner; // in a workspace, the owners of its bytes; otherwise NULL
    int size;           // bytes of an element
} Buffer;

typedef struct {
    uint64_t bits;
    uint64_t *lanes;       // the lanes of a vector; NULL for a scalar
    const bool *undefined; // for each lane, whether it has no value
    bool set;
} Local;

typedef struct {
    Session *cx;
    Arena *arena;               // of the run
    Arena *kept;                // for what outlives the run: the result and messages
    const LoopEntry *e, *entry; // the running function, and the entry, which has all callees
    const int64_t *sizes;       // the sizes of the entry
    Algebra algebra;
    int64_t fuel;
    int depth;      // nesting depth of calls
    int64_t thread; // the thread that runs the current iteration of a parallel loop
    Map locals;     // Sym -> Local: declared locals, loop indices, scalar inputs
    Map buffers;    // Sym -> Buffer
    Workspace workspace;
    Races *races;
    int64_t lane; // the lane of vectors that is being evaluated
    Sym target;   // the label of a jump in progress
    Outcome outcome;
} Run;

// All functions that return a bool return false if the run failed, with the reason in r->outcome.
// Statements also return false if they jump.

bool exec_fail(Run *r, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/// Evaluates a size.
bool exec_size(Run *r, Node *size, Span span, int64_t *value);
/// Looks up the value of a size parameter or local. Returns false if the name has no value.
bool exec_lookup(Node *atom, int64_t *value, void *run);

/// Declares a local and leaves it unset.
Local *exec_declare(Run *r, Sym name);
/// Allocates a buffer.
bool exec_buffer(Run *r, Sym name, int64_t count, bool input, Span span);
/// Allocates the workspace of `e`, if it has one.
bool exec_workspace(Run *r, const LoopEntry *e);

bool exec_stmt(Run *r, Node *s);
/// Sets *apart to whether the two addresses differ.
bool exec_apart(Run *r, Node *e, bool *apart);
/// Deducts the steps from the remaining fuel, and fails if it runs out.
bool exec_charge(Run *r, int64_t steps, Span span);
/// Reports an internal compiler error at a node, and returns false.
bool exec_fault(Run *r, Node *at, const char *what);
/// Records a read or write of memory, which its address identifies. Fails with E0613 if it collides
/// with an access by another iteration of a parallel loop.
bool exec_touch(Run *r, const void *memory, bool write, Node *at);
/// Whether the element is in a workspace and another array has overwritten it.
bool exec_is_lost(const Buffer *b, int64_t at);

// --- eval_expr.c --------------------------------------------------------------------------------

/// Evaluates an expression that must have a value, in the current lane if it is a vector.
bool exec_expr(Run *r, Node *e, uint64_t *bits);
/// Evaluates an expression in all of its lanes; a scalar has one lane. (*undefined)[k] is then
/// whether lane k has no value, because it is computed from elements that were not stored.
bool exec_lanes(Run *r, Node *e, int64_t *lanes, uint64_t **bits, const bool **undefined);
/// Assigns the value of an expression to a local.
bool exec_assign(Run *r, Local *l, Node *e);
/// Finds the element that a load or store accesses in the current lane.
bool exec_element(Run *r, Node *e, Buffer **buffer, int64_t *at);

#endif
