// What statements read and change, for passes that change the order of statements.
#ifndef ADZE_LOOPS_MEMORY_EFFECT_H
#define ADZE_LOOPS_MEMORY_EFFECT_H

#include "loops/ir/statements.h"

/// The names of the locals and buffers that a statement reads, and of those that it declares or
/// changes.
typedef struct {
    Map read, changed;
    bool simple;  // it has no other effect, except that a check in it may fail
    bool checks;  // it has a check
    bool guarded; // it accesses memory or divides, which may be possible only after a check
} Effect;

/// The effects of statements, each computed once.
typedef struct {
    Session *cx;
    Arena *arena; // of the maps
    Map of;       // statement -> Effect
} Effects;

Effects effects_new(Session *cx, Arena *arena);
/// The effect of a statement; `all` owns it.
const Effect *effect_of(Effects *all, Node *stmt);
/// Adds what a statement or expression reads to `names`.
void effect_add_reads(Effects *all, Node *n, Map *names);
/// Whether one of the names in `changed` is also in `names`.
bool effect_meets(const Map *changed, const Map *names);
/// Whether two statements of a block may change places.
bool effect_independent(const Effect *a, const Effect *b);

#endif
