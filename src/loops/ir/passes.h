// The passes on Loop IR, one for each LOOP_PASS of pipeline.def. Each gives a new entry, the same
// one where it has nothing to do, and transforms the functions that the entry calls, too.
#ifndef ADZE_LOOPS_IR_PASSES_H
#define ADZE_LOOPS_IR_PASSES_H

#include "loops/ir/loops.h"

/// Translates commands to loops: every access path becomes a position (a size expression) in the
/// buffer of a leaf, so that views vanish.
LoopEntry *loops_from_dpia(Session *cx, const Phrase *p);

#define LOOP_PASS(id, purpose) LoopEntry *loops_##id(Session *cx, const LoopEntry *e);
#include "pipeline.def"

#endif
