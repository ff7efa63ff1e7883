// What makes loops slow: remarks for `adze explain`.
#ifndef ADZE_LOOPS_NEST_HOT_H
#define ADZE_LOOPS_NEST_HOT_H

#include "loops/ir/loops.h"

typedef enum {
#define HOT(id, text, unnamed) HOT_##id,
#include "loops/nest/hot.def"
#undef HOT
} HotKind;

/// One remark on a loop. `name`: an array, a local, a function or what is checked, or NULL;
/// `elements` and `bytes`: how far a jump is, or how much is copied, or NULL.
typedef struct {
    Span loop, at;
    HotKind kind;
    const char *name;
    Node *elements, *bytes;
} HotLoop;
typedef VEC(HotLoop) HotLoops;

/// Adds what makes the innermost loops of the deepest nests of one function slow, and arrays that
/// its loops copy as a whole. `e` has gone through all passes.
void loops_find_hot(Session *cx, const LoopEntry *e, HotLoops *out);

#endif
