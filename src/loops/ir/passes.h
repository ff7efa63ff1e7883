// The passes on Loop IR, one for each LOOP_PASS of pipeline.def. Each returns a new entry, or the
// same one if it changes nothing, and also transforms the functions that the entry calls.
#ifndef ADZE_LOOPS_IR_PASSES_H
#define ADZE_LOOPS_IR_PASSES_H

#include "loops/ir/loops.h"

/// Translates commands to loops: every access path becomes a position (a size expression) in the
/// buffer of a leaf, and views disappear.
LoopEntry *loops_from_dpia(Session *cx, const Phrase *p);

#define LOOP_PASS(id, purpose) LoopEntry *loops_##id(Session *cx, const LoopEntry *e);
#include "pipeline.def"

#endif
