// Finds the bounds of this thread's stack by asking the operating system.
#include "base/stack.h"

#include <pthread.h>

// LEAST_STACK is the size to assume if the system does not report one. ENOUGH caps the stack that
// recursion may use, so that infinite recursion cannot consume all of a huge stack.
enum { LEAST_STACK = 1 << 20, ENOUGH = 64 << 20 };

// Returns the lowest address of this thread's stack, or 0 if the system does not report it. The C
// library finds that of the main thread by reading all mappings of the process. It never changes,
// so each thread looks for it once.
static uintptr_t lowest(void)
{
    static _Thread_local uintptr_t known;
    pthread_attr_t attributes;
    void *at = NULL;
    size_t size;
    if (known || pthread_getattr_np(pthread_self(), &attributes) != 0) return known;
    if (pthread_attr_getstack(&attributes, &at, &size) == 0) known = (uintptr_t)at;
    pthread_attr_destroy(&attributes);
    return known;
}

uintptr_t stack_limit(void)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), end = lowest();
    if (!end) end = here - LEAST_STACK;
    uintptr_t half = (here - end) / 2;
    return here - (half < ENOUGH ? half : ENOUGH);
}
