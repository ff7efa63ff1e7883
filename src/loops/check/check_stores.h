// Whether a function stores to its result wherever it succeeds.
#ifndef ADZE_LOOPS_CHECK_CHECK_STORES_H
#define ADZE_LOOPS_CHECK_CHECK_STORES_H

#include "loops/simplify/simplify.h"

/// Whether the body comes to its end only where `count` is 0: otherwise some check fails.
bool loops_ends_only_if_empty(Session *cx, const LoopEntry *entry, Node *count);

#endif
