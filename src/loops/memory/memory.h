// Dependences and aliasing of accesses in loops (alias.c).
#ifndef ADZE_LOOPS_MEMORY_MEMORY_H
#define ADZE_LOOPS_MEMORY_MEMORY_H

#include "loops/simplify/simplify.h"

/// Whether `to` may share the memory of `from` in the loop: the loop loads each element of `from`
/// only in the iteration that stores the element of `to` at the same position, before that store.
bool loops_is_elementwise(Session *cx, const LoopEntry *entry, const Facts *facts, Node *loop,
                          Sym from, Sym to);

/// Whether `position` has a different value in each iteration of the loops, and depends only on
/// their indices and the sizes of the entry.
bool loops_is_injective(Session *cx, const LoopEntry *entry, const Facts *facts, Node *const *loops,
                        int n, Node *position);

#endif
