// Kernels: the parallel loops of an entry that run on a device. A kernel is a function whose body is
// one parallel loop; an iteration is a work-item. Everything else runs on the host.
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

/// Calls `visit` for each outermost parallel loop in the statement, and returns the statement with
/// the results in their place.
typedef Node *DeviceVisit(void *env, Node *loop);
Node *device_loops(Session *cx, Node *stmt, DeviceVisit *visit, void *env);

#endif
