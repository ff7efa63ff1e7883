// Remarks on slow loops, for `adze explain`.
#ifndef ADZE_LOOPS_HOT_HOT_H
#define ADZE_LOOPS_HOT_HOT_H

#include "loops/ir/loops.h"

typedef enum {
#define HOT(id, text, unnamed) HOT_##id,
#include "loops/hot/hot.def"
#undef HOT
} HotKind;

/// A remark on a loop. `name` is that of an array, local, function or check, or NULL. `elements`
/// and `bytes` are a stride or the size of a copy, or NULL.
typedef struct {
    Span loop, at;
    HotKind kind;
    const char *name;
    Node *elements, *bytes;
} HotLoop;
typedef VEC(HotLoop) HotLoops;

/// Adds remarks on the innermost loops of the deepest nests of a function that the entry calls, or
/// of its own, and on whole arrays that its loops copy. Kernels, and loops that launch them, get
/// none: what is slow on a processor need not be slow there. The entry is the result of all passes.
void loops_find_hot(Session *cx, const LoopEntry *entry, const LoopEntry *f, HotLoops *out);

#endif
