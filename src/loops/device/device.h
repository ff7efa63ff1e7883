// Kernels: the parallel loops of an entry that run on a device. A kernel is a function whose body
// is one parallel loop; an iteration is a work-item. Everything else runs on the host.
#ifndef ADZE_LOOPS_DEVICE_DEVICE_H
#define ADZE_LOOPS_DEVICE_DEVICE_H

#include "loops/ir/statements.h"

/// The names that a function binds, each with what binds it.
typedef struct {
    Session *cx;
    const LoopEntry *entry, *f;
    Map params; // Sym -> LoopParam
    Map decls;  // Sym -> the declaration or loop
} DeviceScope;

DeviceScope device_scope(Session *cx, const LoopEntry *entry, const LoopEntry *f);

/// Whether a device can run the iterations of the parallel loop. Calls, tasks, vectors, pointers,
/// memory with strides, and members of a single struct of C are for the host. If `heap` is set, the
/// iterations may have arrays in heap memory, which device_memory takes out of them.
bool device_can_run(const DeviceScope *scope, Node *loop, bool heap);

/// The statement or expression in the loop because of which a device cannot run it, the loop itself
/// if each iteration fails, or NULL if a device can run it.
Node *device_obstacle(const DeviceScope *scope, Node *loop, bool heap);

// --- messages.c ----------------------------------------------------------------------------------

/// Removes what computes the messages of assertions in the statement.
Node *device_without_messages(Session *cx, Node *s);

// --- on_host.c -----------------------------------------------------------------------------------

/// Says for `adze explain` why a device cannot run the parallel loop. Returns NULL if it can.
const char *device_why_on_host(const DeviceScope *scope, Node *loop);

/// Records for `adze explain` that the parallel loop runs on the host, and why. Reports an error if
/// the loop must be a kernel (CORE_ON_DEVICE).
void device_stays(Session *cx, LoopEntry *entry, Node *loop, const char *why);

/// Records for `adze explain` that the outermost parallel loops of the function run on the host.
/// `why` says so of each loop.
void device_note_on_host(Session *cx, LoopEntry *entry, const LoopEntry *f, const char *why);

// --- groups.c ------------------------------------------------------------------------------------

/// A group of work-items that runs an iteration of a kernel's loop: the parallel loops in it divide
/// their iterations among the work-items. The maps are from the names of the arrays of the
/// iteration to their declarations.
typedef struct {
    int size;   // its number of work-items
    Map shared; // arrays that parallel loops access
    Map own;    // arrays with parts for each work-item alone; NULL for names that are in `shared`
    Map alike;  // the others, which all work-items compute alike
} DeviceGroup;

/// The loop of a kernel, which the tables that it uses may precede in its body.
Node *device_loop_of(Node *body);

/// The group for the body of a kernel's loop.
DeviceGroup device_group(Session *cx, Node *body);

/// The number of work-items of a group that runs an iteration of the parallel loop. 0 if a single
/// work-item runs it: it has no parallel loop in it, the arrays that they share do
/// not fit in shared memory, or there are atomic updates outside of them.
int device_group_size(Session *cx, Node *loop);

/// Why a single work-item runs an iteration of the parallel loop, or NULL if a group does.
const char *device_why_alone(Session *cx, Node *loop);

/// The number of elements of the private array that each work-item has of the array, or 0 if the
/// array is not divided.
int64_t device_private_count(const DeviceGroup *g, Sym name);

/// Replaces the arrays in g->own by those of one work-item. The result only makes sense as the code
/// of a work-item, not as a loop.
Node *device_with_private(Session *cx, const DeviceGroup *g, Node *body);

// --- shared.c ------------------------------------------------------------------------------------

/// Reports an error for each array in the loop of a kernel that is to be in shared memory
/// (VARIANT_SHARED), but that no group shares: a single work-item runs an iteration, or the array
/// is declared in a loop over work-items.
/// Returns whether there is none.
bool device_check_shared(Session *cx, Node *loop);

/// The same for the code of a function that runs on the host: the entry, or one that it calls.
bool device_check_host(Session *cx, const LoopEntry *entry, const LoopEntry *f);

// --- failures.c ----------------------------------------------------------------------------------

/// Makes the checks in parallel loops of a group's iteration set flags that the group shares, and
/// adds a check of the flag after each such loop, unless it is the last statement.
Node *device_with_failures(Session *cx, Node *body);

/// The number of parallel loops in the iteration that have checks in them: there are at most as
/// many flags.
int device_failing_loops(Node *body);

// --- alone.c -------------------------------------------------------------------------------------

/// Makes loops of one iteration of the branches in the body of a kernel's loop for groups that only
/// load and store, so that one work-item executes them.
Node *device_with_branches_alone(Session *cx, Node *body);

// --- items.c -------------------------------------------------------------------------------------

/// Which work-item of a group accesses each element of a shared array.
typedef struct DeviceItems DeviceItems;

/// Any work-item may access any element.
const DeviceItems *device_anybody(void);
/// Whether two work-items may access the same element, one in `a` and the other one in `b`.
bool device_items_meet(const DeviceItems *a, const DeviceItems *b);
/// Whether `all` has all that `some` has.
bool device_items_cover(const DeviceItems *all, const DeviceItems *some);
const DeviceItems *device_items_join(Arena *arena, const DeviceItems *a, const DeviceItems *b);
/// Adds to the maps, for the name of each shared array that the statement reads or writes, its
/// DeviceItems. Does nothing unless the statement is a store or a parallel loop whose number of
/// iterations is known.
void device_find_items(Session *cx, const DeviceGroup *g, Node *s, Map *read, Map *written);

// --- neighbours.c --------------------------------------------------------------------------------

/// The statement for a LOOP_VECTORIZE of a kernel: elements that iterations next to each other
/// access are loaded and stored together, as vectors of 2 or 4. `memory` has the names of the
/// arrays in global memory, `shared` those of the arrays of the group. An ordinary loop if there
/// are no such accesses, or if the body consists of more than declarations and stores.
Node *device_neighbours(Session *cx, Node *loop, const Map *memory, const Map *shared);

// --- mma.c ---------------------------------------------------------------------------------------

/// An instruction for matrices: 8 `rows` x `terms` elements times `terms` x 8 elements are added to
/// the sums, of which each work-item of a warp has 2 `rows`.
typedef struct {
    const char *name;
    Scalar sum, element;
    int terms, rows;
    bool exact; // it computes what the loop computes, to the last bit
} DeviceMmaShape;

/// A loop (range.mma) whose iterations in a warp are such an instruction.
typedef struct {
    const DeviceMmaShape *shape;
    Sym item, iteration;      // the indices of the loop over work-items and of the loop
    Sym sums;                 // the array of the sums
    Node *x, *y;              // the loads of the elements
    Node *sum, *row, *column; // the positions of the sums and of the elements, by the two indices
} DeviceMma;

/// Finds the loops in the body of a kernel for groups that are instructions for matrices: the
/// DeviceMma of each by the name of its index. `body` may be the result of device_with_private.
Map device_mma(Session *cx, const DeviceGroup *g, Node *body);

/// The position of a sum of a work-item, in the order of the loop.
Node *device_mma_sum(Session *cx, const DeviceMma *m, int number);
/// The position of an element of x that the instruction gets from a work-item: of the row numbered
/// `row`, the term numbered `term` of those that it has, terms/4.
Node *device_mma_row(Session *cx, const DeviceMma *m, int row, int term);
/// The same for an element of y.
Node *device_mma_column(Session *cx, const DeviceMma *m, int term);

// --- barriers.c ----------------------------------------------------------------------------------

/// Inserts barriers into the body of a kernel for groups: where a work-item accesses memory that
/// another one may have written, or writes what another one may have read.
Node *device_with_barriers(Session *cx, Node *body);

/// Puts barriers before loops and at the ends of branches and of loops of unknown length, where
/// there are barriers in them: without these PoCL 3.1 compiles more of them wrongly, or ends the
/// process.
Node *device_with_last_barriers(Session *cx, Node *body);

// --- positions.c ---------------------------------------------------------------------------------

/// Which integers of a kernel may be computed in 32 bits.
typedef struct {
    Map names; // Sym -> not NULL for parameters, loop indices and locals
    /// No number that is computed from these names exceeds this expression over the parameters.
    Node *most;
    VEC(Sym) signed_names; // the parameters that have to be at least 0, for that to hold
} DevicePositions;

/// Finds the integers of a kernel, whose parameters are those of `kernel` and n sizes. `body` is
/// its body with the arrays of a work-item (device_with_private).
DevicePositions *device_positions(Session *cx, const LoopEntry *kernel, Sym const *sizes, int n,
                                  Node *body);

/// Whether a size or position is computed from such integers alone.
bool device_is_narrow(const DevicePositions *p, Node *n);

/// Calls `visit` for each outermost parallel loop in the statement, and returns the statement with
/// the results in their place.
typedef Node *DeviceVisit(void *env, Node *loop);
Node *device_loops(Session *cx, Node *stmt, DeviceVisit *visit, void *env);

#endif
