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
/// and memory with strides or inside of records are for the host. If `heap` is set, the iterations
/// may have arrays in heap memory, which device_memory takes out of them.
bool device_can_run(const DeviceScope *scope, Node *loop, bool heap);

// --- barriers.c ----------------------------------------------------------------------------------

/// Whether a group of work-items can run an iteration of the parallel loop: it has parallel loops
/// in it, and the arrays that these share fit in shared memory.
bool device_is_for_groups(Session *cx, Node *loop);

/// Inserts barriers into the body of a kernel for groups: where a work-item accesses memory that
/// another one may have written, or writes what another one may have read.
Node *device_with_barriers(Session *cx, Node *body);

/// Adds the arrays that the work-items of a group share to `names`, each with its declaration:
/// those of an iteration that parallel loops in it access.
void device_shared(Session *cx, Node *body, Map *names);

/// Calls `visit` for each outermost parallel loop in the statement, and returns the statement with
/// the results in their place.
typedef Node *DeviceVisit(void *env, Node *loop);
Node *device_loops(Session *cx, Node *stmt, DeviceVisit *visit, void *env);

#endif
