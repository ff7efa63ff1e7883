// Detection of races, for interpreters that run the iterations of parallel loops one by one, in a
// random order. Two accesses to an element collide if different iterations of the same execution of
// a loop made them, at least one of them writes, and at least one is not an atomic update.
#ifndef ADZE_BASE_RACES_H
#define ADZE_BASE_RACES_H

#include "base/session.h"

typedef struct Races Races;

/// The memory of a run: which iterations accessed each element last. It lives in the arena, as does
/// all that it records.
Races *races_new(Arena *arena, uint64_t seed);

/// The numbers 0 to n - 1 in a random order.
uint64_t *races_order(Races *r, uint64_t n);

/// A new number that identifies one execution of a loop.
uint64_t races_run(Races *r);
/// Begins iteration `number` of execution `run` of a loop; races_leave ends it.
void races_enter(Races *r, uint64_t run, uint64_t number);
void races_leave(Races *r);
/// Whether an iteration of some loop is running.
bool races_inside(const Races *r);

/// Around each atomic update.
void races_enter_atomic(Races *r);
void races_leave_atomic(Races *r);

/// Forgets earlier accesses to an element, since its memory may be reused.
void races_forget(Races *r, const void *element);
/// Records a read or write of an element, which its address identifies. Returns NULL, or a
/// description of the earlier access that this one collides with, in the arena of cx.
const char *races_touch(Races *r, Session *cx, const void *element, bool write, Span at);

#endif
