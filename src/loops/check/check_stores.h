// Decides whether a function that never stores to its result can succeed only if the result is
// empty.
#ifndef ADZE_LOOPS_CHECK_CHECK_STORES_H
#define ADZE_LOOPS_CHECK_CHECK_STORES_H

#include "loops/simplify/simplify.h"

/// Whether control reaches the end of the body only if `count` is 0, since otherwise a check fails.
bool loops_ends_only_if_empty(Session *cx, const LoopEntry *entry, Node *count);

#endif
