// One run of the program: its options, its session, its report (json.c, timing.c).
#ifndef ADZE_DRIVER_SESSION_H
#define ADZE_DRIVER_SESSION_H

#include <jansson.h>

#include "core/ir/core.h"
#include "driver/host/host.h"
#include "driver/options/options.h"

typedef struct Driver Driver;
struct Driver {
    Arena *arena; // lives as long as the run
    Options options;
    CpuChoice cpus;
    Session *cx;  // the current session
    json_t *json; // the report of --json, or NULL
    Cleanup *cleanup;
    struct Stats *stats; // of --stats, or NULL
};

/// Runs `work` in a session of its own that survives faults of the compiler, and reports its
/// diagnostics. Gives the exit status of `work`, but 1 after any error.
int driver_session(Driver *d, int (*work)(Driver *d, void *env), void *env);
/// The same for each argument, which is a path that `work` gets. Gives 1 if any of them fails.
int driver_each_argument(Driver *d, int (*work)(Driver *d, void *env));

/// Calls `body`; false after a fault of the compiler in it. When memory runs out, it also leaves
/// all enclosing guards, because the session is then unusable.
bool driver_guard(Session *cx, void (*body)(void *env), void *env);
/// The same, but also returns when memory runs out, so that the caller can clean up; the enclosing
/// driver_guard then continues to leave.
bool driver_attempt(Session *cx, void (*body)(void *env), void *env);

HostOptions driver_host(const Driver *d);

/// Sets the processor of the session, and the width of its vectors unless --vector-bytes gives it.
void driver_set_cpu(Driver *d, const Cpu *cpu);

// json.c
json_t *json_diagnostic(const Session *cx, const Diag *x);
json_t *json_span(const Session *cx, Span span); // {file, line, column, end_line, end_column}
json_t *json_value(const Value *v, Node *type);  // arrays and tuples as arrays, structs as objects
/// A string; if it is not UTF-8, as paths may be, its bytes outside of ASCII become question marks.
json_t *json_text(const char *text);
/// Takes the reference to `value`; ends the process when out of memory.
void json_put(json_t *object, const char *key, json_t *value);

// timing.c: --time. Reports go to standard error, or into the report of --json.
enum { MOST_RUNS = 1000000 };
double timing_now(void); // in seconds
/// The number of runs, 0 if the value of the option is not a positive number; whether it is a
/// number, which is reported if not.
int timing_runs(const Options *o);
bool timing_is_count(const Options *o);
/// Sorts `seconds`.
double timing_median(double *seconds, int n);
const char *timing_text(Arena *arena, double seconds); // with its unit
/// Reports the time of one call; `compiling` is 0 if nothing was compiled. `what` ran n times.
void timing_report(Driver *d, double compiling, double *runs, int n, const char *what);

#endif
