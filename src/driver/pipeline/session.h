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
    Session *cx;  // the session at work
    json_t *json; // the report of --json, NULL without
    Cleanup *cleanup;
    struct Stats *stats; // of --stats, NULL without
};

/// Runs `work` in a session of its own that survives faults of the compiler, and reports its
/// diagnostics. Gives the exit status: that of `work`, but 1 after any error.
int driver_session(Driver *d, int (*work)(Driver *d, void *env), void *env);

/// Calls `body`; false when the compiler reported a fault of its own in it. When memory ran out,
/// all guards around it are left as well: the session is of no more use.
bool driver_guard(Session *cx, void (*body)(void *env), void *env);
/// The same, but returns also when memory ran out, to clean up; driver_guard around it goes on
/// then.
bool driver_attempt(Session *cx, void (*body)(void *env), void *env);

/// Prints the session's diagnostics, or adds them to the JSON report, and forgets them.
void driver_report(Driver *d);

HostOptions driver_host(const Driver *d);

/// Makes the session one for a processor: its vectors, unless --vector-bytes says how wide they
/// are.
void driver_set_cpu(Driver *d, const Cpu *cpu);

// json.c
json_t *json_diagnostic(const Session *cx, const Diag *x);
json_t *json_span(const Session *cx, Span span); // {file, line, column, end_line, end_column}
json_t *json_value(const Value *v, Node *type);  // arrays and tuples as arrays, structs as objects
void json_put(json_t *object, const char *key,
              json_t *value); // takes the reference; ends the process when out of memory

// timing.c: --time, how long something took. Reports go to standard error or into that of --json.
enum { MOST_RUNS = 1000000 };
double timing_now(void); // in seconds
/// How often to run, 0 when what the option says is no such number; whether it is, else says so.
int timing_runs(const Options *o);
bool timing_is_count(const Options *o);
/// Sorts them.
double timing_median(double *seconds, int n);
const char *timing_text(Arena *arena, double seconds); // with its unit
/// Of one call; `compiling` 0: nothing was compiled. `what` was done n times.
void timing_report(Driver *d, double compiling, double *runs, int n, const char *what);

#endif
