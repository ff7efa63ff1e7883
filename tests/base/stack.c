// Recursion that stops in the middle of the stack, whichever stack that is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/stack.h"

#include <pthread.h>

enum { FRAME = 4096 };

// How many frames of FRAME bytes and more fit above the limit.
static int dive(uintptr_t limit, int depth)
{
    volatile char frame[FRAME];
    frame[depth % FRAME] = 1;
    if (STACK_IS_DEEP(limit)) return depth;
    return dive(limit, depth + 1) + frame[depth % FRAME] - 1;
}

static void *dive_in_thread(void *depth)
{
    *(int *)depth = dive(stack_limit(), 0);
    return NULL;
}

static int depth_in_thread(size_t size)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int depth = 0;
    pthread_attr_init(&attributes);
    assert_int_equal(pthread_attr_setstacksize(&attributes, size), 0);
    assert_int_equal(pthread_create(&thread, &attributes, dive_in_thread, &depth), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    return depth;
}

static void half_of_the_stack_is_used(void **state)
{
    (void)state;
    enum { SMALL = 4 << 20, LARGE = 64 << 20 };
    int small = depth_in_thread(SMALL), large = depth_in_thread(LARGE);
    assert_true(small > SMALL / FRAME / 8 && small <= SMALL / FRAME / 2);
    assert_true(large > 8 * small);
    assert_true(dive(stack_limit(), 0) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(half_of_the_stack_is_used)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
