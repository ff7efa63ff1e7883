// Questions about the memory of loops that passes on loops and on memory share.
#ifndef ADZE_LOOPS_MEMORY_MEMORY_H
#define ADZE_LOOPS_MEMORY_MEMORY_H

#include "loops/simplify/simplify.h"

/// Whether the loop stores to an array `to` over what it loads from `from`: each element of that is loaded only in the round that
/// stores the element of its position, before it does.
bool loops_is_elementwise(Session *cx, const LoopEntry *entry, const Facts *facts, Node *loop,
                          Sym from, Sym to);

/// The same, counted from a place that is the same for all rounds.
bool loops_is_injective(Session *cx, const LoopEntry *entry, const Facts *facts, Node *const *loops,
                        int n, Node *position);

#endif
