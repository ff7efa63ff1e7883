// Programs of low Core (tests/dpia/from_core), which say every choice themselves: what they mean
// against each level below, down to compiled C, at many sizes. ONLY and KEEP as in differential.c.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <glob.h>

#include "programs/jobs.h"

int main(void)
{
    const char *only = getenv("ONLY");
    glob_t found = {0};
    glob("tests/dpia/from_core/*.core", 0, NULL, &found);
    Arena *arena = arena_new();
    Job *programs = ARENA_ARRAY(arena, Job, found.gl_pathc + 1);
    int n = 0;
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (!only || strstr(found.gl_pathv[i], only))
            programs[n++] = (Job){.path = found.gl_pathv[i], .low = true};
    int failed = test_jobs(arena, "low", programs, n);
    globfree(&found);
    arena_delete(arena);
    return failed;
}
