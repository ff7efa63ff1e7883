// Every program, every entry, at many sizes: what it means (core_eval of the inferred function)
// against every level below, each pass on loops, and compiled C; with floats as exact field
// elements and as IEEE numbers.
//
//   ALL=1               all programs, optimised; otherwise every second one, and with sanitizers
//                       one in four of the others
//   ONLY=pads           only programs with this in their path; ONLY=pads:mirror only such entries
//   KEEP=DIR            leaves the generated C there
//
// Each program runs in a process of its own, two or more at a time, so that a crash is the failure
// of one program.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <glob.h>

#include "programs/jobs.h"

static bool wanted_program(const char *path)
{
    const char *only = getenv("ONLY");
    if (!only) return true;
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(only, ":"), only);
    return strstr(path, name) != NULL;
}

int main(void)
{
    // Of bench/simd those that assume nothing about their inputs and do not take long. With
    // sanitizers only the first three places: the others are only larger.
    enum { FIRST = 3 };
    static const char *const places[] = {"tests/programs/*.adz",   "build/gen/*.adz",
                                         "lib/std/*.adz",          "examples/*.adz",
                                         "bench/shine/*/*.adz",    "bench/simd/blackscholes/*.adz",
                                         "bench/simd/knn/*.adz",   "bench/simd/mandelbrot/*.adz",
                                         "bench/simd/nbody/*.adz", "bench/simd/search/*.adz"};
    glob_t found = {0};
    for (size_t i = 0; i < (SANITIZED ? FIRST : sizeof places / sizeof *places); i++)
        glob(places[i], i ? GLOB_APPEND : 0, NULL, &found);
    Arena *arena = arena_new();
    Job *programs = ARENA_ARRAY(arena, Job, found.gl_pathc + 1);
    int n = 0;
    bool all = getenv("ONLY") || getenv("ALL");
    size_t step = all ? 1 : SANITIZED ? 14 : 2;
    for (size_t i = all || SANITIZED ? 0 : 1; i < found.gl_pathc; i += step) {
        Job job = {.path = found.gl_pathv[i], .optimised = !SANITIZED && (all || i % 4 == 1)};
        if (wanted_program(found.gl_pathv[i])) programs[n++] = job;
    }
    int failed = test_jobs(arena, "differential", programs, n);
    globfree(&found);
    arena_delete(arena);
    return failed;
}
