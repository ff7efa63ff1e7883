// One test, run in several ways.
#ifndef ADZE_DRIVER_TEST_CASE_H
#define ADZE_DRIVER_TEST_CASE_H

#include "driver/values/values.h"

/// A test, as a function to compile.
typedef struct {
    const Test *test;
    Function function;
    LoopEntry *loop;    // NULL if it could not be compiled
    Progress *progress; // shown while it runs, or NULL
} TestCase;

/// The result of one way of running a test: true, false, or a failure.
typedef struct {
    bool value;
    const char *failure; // NULL if there is a `value`
    DiagCode code;       // of the failure, if it has a position
    Span place;
    double seconds; // the time of the run, if measured
} Verdict;

/// The reason why a test is false: both sides of a comparison and the first difference, else "is
/// false".
const char *test_sides(const Work *w, const TestCase *c);
/// Runs the test by the reference interpreter; `races` as in EvalWay.
Verdict test_interpreted(const Work *w, const TestCase *c, const uint64_t *races);
/// Runs the compiled test, in a process of its own.
Verdict test_compiled(Driver *d, Library *lib, const TestCase *c);
/// Runs the test by the interpreter, except that calls of the n entries run compiled code for any
/// sizes and arguments; in a process of its own.
Verdict test_by_entries(Driver *d, const Work *w, Library *lib, LoopEntry *const *entries, int n,
                        const TestCase *c);

#endif
