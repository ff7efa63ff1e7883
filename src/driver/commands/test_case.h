// One test, run in several ways.
#ifndef ADZE_DRIVER_TEST_CASE_H
#define ADZE_DRIVER_TEST_CASE_H

#include "driver/values/values.h"

/// A test, as the function that compiled code has of it.
typedef struct {
    const Test *test;
    Function function;
    LoopEntry *loop;    // NULL when it could not be compiled
    Progress *progress; // while it runs; or NULL
} TestCase;

/// What one way of running a test gives: true, false, or why it gives nothing.
typedef struct {
    bool value;
    const char *failure; // NULL: `value` holds
    DiagCode code;       // of the failure, when it has a place
    Span place;
    double seconds; // that it took, where that is known
} Verdict;

/// Of a test that is false because of a comparison: both sides, and where they differ; "is false"
/// of others.
const char *test_sides(const Work *w, const TestCase *c);
/// By the reference interpreter; `races` as in EvalWay.
Verdict test_interpreted(const Work *w, const TestCase *c, const uint64_t *races);
/// As the C that was made of it, in a process of its own.
Verdict test_compiled(Driver *d, const Library *lib, const TestCase *c);
/// By the interpreter, with calls of the n entries by the C that was made of each for any sizes and
/// numbers; in a process of its own.
Verdict test_by_entries(Driver *d, const Work *w, const Library *lib, LoopEntry *const *entries,
                        int n, const TestCase *c);

#endif
