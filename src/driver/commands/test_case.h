// One test, run in several ways.
#ifndef ADZE_DRIVER_TEST_CASE_H
#define ADZE_DRIVER_TEST_CASE_H

#include "driver/values/values.h"

/// A test, as a function to compile.
typedef struct {
    const Test *test;
    Function function;
    LoopEntry *loop;    // NULL if it could not be compiled
    Progress *progress; // shown while the test runs, or NULL
} TestCase;

/// The result of one way of running a test: true, false, or a failure.
typedef struct {
    bool value;
    const char *failure; // NULL if there is a `value`
    DiagCode code;       // the error code, if the program itself failed
    Span place;
    double seconds; // the time of the run, if measured
} Verdict;

/// Explains why a test is false: shows both sides of a comparison and their first difference, or
/// just says "is false".
const char *test_sides(const Work *w, const TestCase *c);
/// Runs the test in the reference interpreter. `races` is as in EvalWay.
Verdict test_interpreted(const Work *w, const TestCase *c, const uint64_t *races);
/// Runs the compiled test in a child process.
Verdict test_compiled(Driver *d, Library *lib, const TestCase *c);
/// Runs the test in the interpreter, in a child process. Calls to the `n` entries, however, run
/// their compiled code, which works for any sizes and arguments.
Verdict test_by_entries(Driver *d, const Work *w, Library *lib, LoopEntry *const *entries, int n,
                        const TestCase *c);

#endif
