// Finds the bounds of this thread's stack by asking the operating system.
#include "base/stack.h"

#include <pthread.h>

// LEAST_STACK is the size to assume if the system does not report one. ENOUGH caps the stack that
// recursion may use, so that infinite recursion cannot consume all of a huge stack.
enum { LEAST_STACK = 1 << 20, ENOUGH = 64 << 20 };

uintptr_t stack_limit(void)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), end = here - LEAST_STACK;
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        void *lowest;
        size_t size;
        if (pthread_attr_getstack(&attributes, &lowest, &size) == 0) end = (uintptr_t)lowest;
        pthread_attr_destroy(&attributes);
    }
    uintptr_t half = (here - end) / 2;
    return here - (half < ENOUGH ? half : ENOUGH);
}
