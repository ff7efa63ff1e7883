// Limits the depth of recursion according to the free stack space.
#ifndef ADZE_BASE_STACK_H
#define ADZE_BASE_STACK_H

#include <stdbool.h>
#include <stdint.h>

/// An address halfway through the free part of this thread's stack, but at most 64 MiB away.
/// Recursion whose depth depends on the program stops there.
uintptr_t stack_limit(void);

/// Whether the caller's frame lies beyond `limit`, a result of stack_limit.
#define STACK_IS_DEEP(limit) ((uintptr_t)__builtin_frame_address(0) < (limit))

#endif
