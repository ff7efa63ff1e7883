// One run of the program: its options, its session, its report (json.c, timing.c).
#ifndef ADZE_DRIVER_SESSION_H
#define ADZE_DRIVER_SESSION_H

#include <jansson.h>

#include "core/ir/core.h"
#include "driver/host/host.h"
#include "driver/options/options.h"

/// A change of a program by `adze repl`: the items of `text` are added to the program and replace
/// those with the same names, or the item `removed` is removed.
typedef struct {
    const char *label; // the name of the text in messages
    const char *text;  // or NULL
    const char *removed;
} Addition;
typedef VEC(Addition) Additions;

struct KeptValues; // values/values.h

typedef struct Driver Driver;
struct Driver {
    Arena *arena; // lives as long as the run
    Options options;
    CpuChoice cpus;
    Session *cx;  // the current session
    json_t *json; // the report of --json, or NULL
    Cleanup *cleanup;
    Unsaved unsaved; // texts that take the place of files in every session
    /// Runs a command line, as the program does, with these texts. Returns its exit status.
    int (*run_line)(int argc, char **argv, Unsaved unsaved);
    struct Stats *stats; // the statistics of --stats, or NULL
    // for `adze repl`: the changes of the program, and the values that expressions may name
    const Additions *additions;
    const struct KeptValues *kept;
    // for `adze watch`: where the paths of the files that the command reads are written, or NULL
    FILE *reads;
    int (*run)(Driver *d); // runs the command that the options say
};

/// Makes a new session as the options say, and sets d->cx to it.
void driver_open_session(Driver *d);
/// Runs `work` in a new session that survives internal compiler errors, and reports the diagnostics
/// of that session. Returns the exit status of `work`, or 1 after any error.
int driver_session(Driver *d, int (*work)(Driver *d, void *env), void *env);
/// Runs `work` once for each command-line argument, in a session of its own. The argument, a path,
/// is passed to `work` as `env`. Returns 1 if any of these runs fails, and 0 otherwise.
int driver_each_argument(Driver *d, int (*work)(Driver *d, void *env));

/// Calls `body`. Returns false if an internal compiler error ended it. If memory ran out, all
/// enclosing guards are left as well, because the session is then unusable.
bool driver_guard(Session *cx, void (*body)(void *env), void *env);
/// Like driver_guard, but returns even if memory ran out, so that the caller can clean up. The
/// enclosing driver_guard then leaves its own enclosing guards.
bool driver_attempt(Session *cx, void (*body)(void *env), void *env);

/// Notes for `adze watch` that the command reads the file.
void driver_reads(const Driver *d, const char *path);

HostOptions driver_host(const Driver *d);

/// Sets the target processor of the session and its vector width, which --vector-bytes overrides.
void driver_set_cpu(Driver *d, const Cpu *cpu);

// json.c
json_t *json_diagnostic(const Session *cx, const Diag *x);
json_t *json_span(const Session *cx, Span span); // {file, line, column, end_line, end_column}
/// Converts a value to JSON: arrays and tuples to arrays, structs to objects.
json_t *json_value(const Value *v, Node *type);
/// Returns a JSON string. If the text is not valid UTF-8, which can happen with paths, its
/// non-ASCII bytes become question marks.
json_t *json_text(const char *text);
/// Sets a key of an object, and takes ownership of `value`. Ends the process if memory runs out.
void json_put(json_t *object, const char *key, json_t *value);

// timing.c: --time. Reports go to standard error, or into the report of --json if there is one.
enum { MOST_RUNS = 1000000 };
double timing_now(void); // the current time in seconds
/// Returns the number of runs given by --time, or 0 if its value is not a positive number.
int timing_runs(const Options *o);
/// Whether --time is given without a number of runs.
bool timing_is_open(const Options *o);
/// Whether --time is absent or valid. Reports an invalid value.
bool timing_is_count(const Options *o);
/// Returns the median of `seconds`, which it sorts.
double timing_median(double *seconds, int n);
const char *timing_text(Arena *arena, double seconds); // a time with its unit, such as "1.5 ms"
/// Reports the time spent compiling and reading files, which are 0 if nothing was compiled or read,
/// and the median of the `n` times in `runs`, which it sorts. `what` says what was run.
void timing_report(Driver *d, double compiling, double reading, double *runs, int n,
                   const char *what);

#endif
