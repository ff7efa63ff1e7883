// A compilation cache of its own for each test program.
#ifndef ADZE_TESTS_API_SUPPORT_H
#define ADZE_TESTS_API_SUPPORT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/system/system.h"

static char cache[128]; // the option that names it

static int make_cache(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(cache, sizeof cache, "--cache=%.80s/adze-test-XXXXXX", base ? base : "/tmp");
    return mkdtemp(cache + strlen("--cache=")) ? 0 : -1;
}

static int remove_cache(void **state)
{
    (void)state;
    remove_path(cache + strlen("--cache="));
    return 0;
}

#endif
