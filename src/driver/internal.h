// Inside driver/: the state of one run of the program, and what its files offer each other.
#ifndef ADZE_DRIVER_INTERNAL_H
#define ADZE_DRIVER_INTERNAL_H

#include <jansson.h>
#include <stdio.h>
#include <sys/types.h>

#include "adze_array.h"
#include "base/cpu.h"
#include "driver/driver.h"
#include "infer/infer.h"
#include "rewrite/rewrite.h"
#include "schedule/schedule.h"
#include "staging/staging.h"

typedef VEC(const char *) Strings;

// --- options.c: the command line ----------------------------------------------------------------

typedef enum {
#define COMMAND(id, name, arguments, least, most, function, purpose) COMMAND_##id,
#include "driver/options.def"
#undef COMMAND
    COMMAND_COUNT
} Command;

typedef enum {
#define OPTION(id, name, letter, argument, commands, help) OPT_##id,
#include "driver/options.def"
#undef OPTION
    OPT_COUNT
} OptionId;

/// A parsed command line. `values` has one string for each time an option was given ("" without
/// argument).
typedef struct {
    Command command;
    Strings arguments;
    Strings values[OPT_COUNT];
} Options;

typedef struct Driver Driver;
typedef struct {
    const char *name, *arguments;
    int least, most;
    int (*run)(Driver *d);
    const char *purpose;
} CommandInfo;
extern const CommandInfo command_info[COMMAND_COUNT];

typedef struct {
    const char *name;
    char letter;
    const char *argument;
    unsigned commands;
    const char *help;
} OptionInfo;
extern const OptionInfo option_info[OPT_COUNT];

/// Parses argv. Gives -1 when `o` is complete, else the exit status (help was printed, or a mistake
/// reported).
int options_parse(Arena *arena, int argc, char **argv, Options *o);
bool option_given(const Options *o, OptionId id);
const char *option_value(const Options *o, OptionId id); // the last one, NULL when not given

/// Whether the option, if given, is a number; else says so.
bool option_is_count(const Options *o, OptionId id);

/// The candidate that `text` is a likely misspelling of, or NULL.
const char *closest_name(const char *text, const char *const *candidates, int n);

// help.c
void help_print(void);
void help_print_command(Command c);
void help_print_manual(void); // the manual page, troff

// --- driver.c: one run --------------------------------------------------------------------------

enum { CPU_VERSIONS = 8 }; // of one library, at most

/// The processors of --cpu, the most able first; `native`: this machine, whichever it is.
typedef struct {
    const Cpu *at[CPU_VERSIONS];
    int n;
    bool native;
} CpuChoice;

/// Reads --cpu; false when it names no processors for the command, which is told.
bool cpu_choose(const Options *o, Arena *arena, CpuChoice *out);

struct Driver {
    Arena *arena; // lives as long as the run
    Options options;
    CpuChoice cpus;
    Session *cx;  // the session at work
    json_t *json; // the report of --json, NULL without
    struct Cleanup *cleanup;
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

// memory.c
/// How many bytes --memory-limit allows, or the machine; 0: any number.
size_t memory_limit(const Options *o);

/// Prints the session's diagnostics, or adds them to the JSON report, and forgets them.
void driver_report(Driver *d);

HostOptions driver_host(const Driver *d);

/// Makes the session one for a processor: its vectors, unless --vector-bytes says how wide they are.
void driver_set_cpu(Driver *d, const Cpu *cpu);

// json.c
json_t *json_diagnostic(const Session *cx, const Diag *x);
json_t *json_span(const Session *cx, Span span); // {file, line, column, end_line, end_column}
json_t *json_value(const Value *v, Node *type);  // arrays and tuples as arrays, structs as objects
void json_put(json_t *object, const char *key,
              json_t *value); // takes the reference; ends the process when out of memory

// --- files --------------------------------------------------------------------------------------

/// Reads a program into the session: its file number, 0 after an error (at `span`).
uint32_t source_open(Session *cx, const char *path, Span span);
/// The same for a text of any kind in a file that can be read.
uint32_t source_read(Session *cx, const char *path, Span span);

/// Whether there is a file to read at `path`; else reports E0701, E0702 or E0703.
bool file_readable(Session *cx, const char *path, Span span);

/// Whether the bytes are UTF-8 text; else *bad is the offset of the first byte that is not.
bool text_is_utf8(const char *text, size_t len, size_t *bad);

/// Several files written as one: either all are replaced or, as far as the system allows, none.
typedef struct {
    const char *path, *text;
    size_t len;
} FileText;
bool files_write(Session *cx, struct Cleanup *cleanup, const FileText *files, int n);

/// Whether a file could be written to `path`; else reports E0706.
bool file_writable(Session *cx, const char *path);

/// DIR/NAME; the last part of a path; its folder ("." when there is none); the last part without
/// extension as the name of C files: as text_plain, and with no `-` in front.
const char *path_join(Arena *arena, const char *dir, const char *name);
const char *path_base(const char *path);
const char *path_dir(Arena *arena, const char *path);
const char *path_stem(Arena *arena, const char *path);
bool path_has_extension(const char *path, const char *extension); // in any case
bool path_is_dir(const char *path);
bool path_make_dirs(const char *path); // with its parents; errno when false

/// Prints text on standard output; false when that fails is reported once, at the end of the run.
void out_text(const Text *t);

// cleanup.c: temporary files and child processes, which a signal must not leave behind.
typedef struct Cleanup Cleanup;
Cleanup *cleanup_new(void);
void cleanup_delete(Cleanup *c);
void cleanup_add(Cleanup *c, const char *path);  // a file, or a folder with files; c may be NULL
void cleanup_drop(Cleanup *c, const char *path); // no longer ours
void cleanup_child(Cleanup *c, pid_t child);     // 0: none runs
void cleanup_run(Cleanup *c);
void remove_path(const char *path); // a file, or a folder with the files in it

/// Runs `body(env)` in a thread with a deep stack and waits for it. On SIGINT, SIGTERM and SIGHUP
/// it cleans up and ends the process as that signal does.
int run_deep(int (*body)(void *env), void *env, Cleanup *c);

// progress.c: after a second, standard error says what takes so long, if it is a terminal.
typedef struct Progress Progress;
Progress *progress_start(bool wanted, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void progress_stop(Progress *p); // NULL allowed
/// A line of the program for standard error, between those of the progress.
void progress_write(Progress *p, const char *line, size_t len);

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

// modules.c
uint32_t modules_find(Session *cx, const char *name, uint32_t from, void *env); // a FindModule
/// Whether a file that a program imports is the library's, which its user cannot change.
bool modules_in_library(Session *cx, uint32_t main, uint32_t file);

// --- pipeline.c ---------------------------------------------------------------------------------

typedef enum {
    STAGE_TEXT,
    STAGE_AST,
    STAGE_CORE,
    STAGE_FLAT,
    STAGE_LOW,
    STAGE_DPIA,
    STAGE_LOOP,
    STAGE_C,
    STAGE_COUNT
} Stage;

typedef enum {
#define PASS(id, from, to, purpose) PASS_##id,
#include "pipeline.def"
    PASS_COUNT
} Pass;

/// What is compiled for (targets.def). `serial`: on one thread.
typedef struct {
    const char *name;
    bool serial;
    const char *purpose;
} Target;

/// The target that the options ask for; NULL when there is none of that name.
const Target *target_wanted(const Options *o);
/// Whether there is; otherwise says so.
bool target_exists(const Options *o);

/// A program, or one entry of it, on its way through the stages; what is not made yet is NULL.
typedef struct {
    Session *cx;
    bool check;           // check every pass
    bool quiet;           // say nothing of lanes that are not in vectors
    const Target *target; // whose schedules are taken
    bool lower;           // entries without a schedule have the usual one of the target
    bool all_targets;     // look for errors in the schedules for others, too
    bool tracing;         // keep what schedules do
    int64_t budget;       // of staging; 0: the usual one
    uint32_t file;
    const char *path;
    Module *module;
    Program *program;
    const Function *entry;
    Function *flat, *low;
    ScheduleTraces traces;
    Residues residues;
    Choices choices;
    Phrase *phrase;
    LoopEntry *loop;
    const char *c;
} Work;

typedef struct {
    const char *name;
    Stage from, to;
    const char *purpose;
} PassInfo;
extern const PassInfo pass_info[PASS_COUNT];
extern const char *const stage_name[STAGE_COUNT]; // as --stage spells it

// stats.c: the costs of passes, see --stats. Without cx->stats nothing is measured.
struct Stats *stats_new(Arena *arena);
/// The pass begins (which it does for reports, too), and ends: what it cost is added up.
void stats_begin(Session *cx, Pass pass);
void stats_end(Session *cx, Pass pass);
/// Prints a table on standard error, or adds it to the JSON report.
void stats_report(const struct Stats *s, json_t *report);

/// Runs the passes first..last; false when there were errors (all are reported in the session).
bool pipeline_run(Work *w, Pass first, Pass last);

/// Reads and infers a file into *w.
bool pipeline_open(Driver *d, const char *path, Work *w);

/// An entry of w->program down to loops: w with its fields for this entry filled, loop NULL after
/// Stages an entry, to report what only staging finds (recursion, sizes at calls); with checks after the passes, all
/// stages run.
void pipeline_stage(const Work *w, const Function *entry);

/// errors.
Work pipeline_lower(const Work *w, const Function *entry);

/// The level that `w` has reached, as text. STAGE_CORE prints w->entry, or the whole program
/// without one.
void pipeline_print(const Work *w, Stage s, Text *out);

/// The C file and header of entries.
void pipeline_emit(Session *cx, LoopEntry *const *entries, int n, const char *name, bool wrappers,
                   Text *source, Text *header);

/// The same for a version for one processor: the functions are called PREFIX..., and *functions
/// gets those of each entry. Structs have names that begin with struct_prefix, in all versions the
/// same; NULL: with the prefix of functions.
void pipeline_emit_version(Session *cx, LoopEntry *const *entries, int n, const char *name,
                           const char *prefix, const char *struct_prefix, PublicEntry *functions,
                           Text *source, Text *header);

/// Whether the function belongs to the main file.
bool function_is_own(const Work *w, const Function *f);

// --- host.c, cache.c, library.c -----------------------------------------------------------------

/// The C compiler: its command (more than one word when CC says so) and what it says about itself.
typedef struct {
    Strings command;
    const char *version;
} Compiler;

/// Finds the compiler; false and E0708 when there is none.
bool host_find(Session *cx, const HostOptions *h, Compiler *out);

/// The flags for a library (or, with `object`, for an object file).
Strings host_flags(Session *cx, const HostOptions *h, bool object);

/// How compiling ended. HOST_REFUSED: the compiler does not accept the C file, which is worth
/// keeping. HOST_STOPPED: for a reason that is not in the C file.
typedef enum { HOST_COMPILED, HOST_REFUSED, HOST_STOPPED } HostResult;

/// Compiles `c_file` to `target`; reports E0709, with the compiler's messages, when it fails.
HostResult host_compile(Session *cx, const HostOptions *h, const Compiler *cc, bool object,
                        const char *c_file, const char *target);

/// Makes one object file of several; false and E0709 when it fails.
bool host_join(Session *cx, const HostOptions *h, const Compiler *cc, const Strings *parts,
               const char *target);

/// Runs a command without a shell, with what it prints in `out`; gives its wait status, -1 when it
/// cannot be started.
int host_execute(const Strings *words, Cleanup *cleanup, Text *out);

/// The words of a text separated by blanks.
Strings split_words(Arena *arena, const char *text);

/// The compiled library for this C text, from the cache or made now. *temporary: the caller removes
/// the folder that it is in after loading it. NULL after an error.
const char *cache_library(Session *cx, const HostOptions *h, const char *name, const Text *source,
                          const Text *header, const char **temporary);

/// Whether this C text is met for the first time with these sizes, which is noted in the cache. False where nothing can be noted.
bool cache_first(Session *cx, const HostOptions *h, const Text *source, const Text *sizes);

/// The interpreter's steps before it gives up: less than a minute, and no more memory than there is.
enum { INTERPRETER_STEPS = 400000000 };

/// Calls an entry on flat buffers, one per row of e->params; gives its status, and the message that
/// goes with one that is not 0.
int library_invoke(Session *cx, const Library *lib, const LoopEntry *e, const int64_t *sizes,
                   void *const *buffers, const char **message);

/// A run-time failure as the generated code words it ("a.adz:3:5: error E0601: ..."), taken apart.
Outcome outcome_of_message(Session *cx, const char *message);

/// Reports a failed outcome as an error, with the sizes and arguments involved.
void outcome_report(Session *cx, const Outcome *o, const LoopEntry *e, const int64_t *sizes);

// --- test_case.c: one test, run in several ways ---------------------------------------------------

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

// --- marshal.c: values, arrays and flat buffers -------------------------------------------------

/// Allocates buffers for the rows of e->params that are inputs / outputs, by the sizes; false: out
/// of memory (E0606 in *o).
bool leaves_alloc(Session *cx, const LoopEntry *e, const int64_t *sizes, bool outputs,
                  AdzeArray *leaves, Outcome *o);
void leaves_free(AdzeArray *leaves, int n);

/// Allocates buffers for the leaves of a type without size variables; reports E0606.
bool type_alloc_leaves(Session *cx, Node *type, AdzeArray *leaves);

/// The type of an array as text: "[480][640][3]u8".
const char *array_text(Session *cx, const AdzeArray *a);

/// The number of scalar leaves of a type; fills the leaves from a value, and back (at most `limit`
/// elements of each array, there are no others; limit < 0: all).
int type_leaves(Node *type);
void leaves_pack(const Value *v, Node *type, AdzeArray *leaves);
Value leaves_unpack(Arena *arena, Node *type, const AdzeArray *leaves, int64_t limit);

/// The type of an array, and of its elements.
Node *array_type(Session *cx, const AdzeArray *a);
Scalar array_scalar(const AdzeArray *a);

// --- loads.c, outputs.c, substitute.c: the files and sizes of `adze run` ------------------------

/// The arrays that an expression loads, by path; freed with loads_free.
typedef struct {
    Arena *arena;
    Strings paths;
    VEC(AdzeTable) tables; // as they stand in the file
    VEC(AdzeArray) converted;
} Loads;
Node *loads_type(Session *cx, const char *path, Node *wanted, Span span,
                 void *env); // a LoadType; env: Loads
/// The leaves of a file that was loaded as an array of `type`, in the order of type_leaves; NULL
/// after an error.
const AdzeArray *loads_get(Session *cx, Loads *l, const char *path, Node *type);
void loads_free(Loads *l);

// records.c
/// The type that an element of a file has where `wanted` is needed, which may hold unknowns. NULL:
/// it does not fit, and *why says what differs.
Node *record_type(Session *cx, const AdzeDtype *d, Node *wanted, const char **why);
/// Puts the columns of such elements into the order of the leaves of that type.
void record_columns(const AdzeDtype *d, Node *type, const AdzeArray *columns, AdzeArray *out);
/// What values of a type, which is no array, are in a .npy file, in memory of the session. False:
/// they are nothing there, and *why says so.
bool record_dtype(Session *cx, Node *type, AdzeDtype *out, const char **why);

// specialise.c
/// The expression of `adze run` for any sizes of what it loads; the sizes that it has now, as loop->sizes.
typedef struct {
    LoopEntry *loop;
    const int64_t *sizes;
} General;

/// False when there is nothing to keep open, or the expression must know its sizes. `special` is what was inferred for these.
bool general_make(const Work *w, Ast *e, Loads *loads, const Function *special, General *out);

/// Whether to compile this, and not for its sizes: these are not small, and it is met with them for the first time.
bool general_pays(Session *cx, const General *g, const char *name, const HostOptions *host);

/// The sizes of --size NAME=N; reports E0715.
typedef struct {
    Sym name;
    int64_t value;
} GivenSize;
typedef VEC(GivenSize) GivenSizes;
/// "n=10", given to an option; reports E0715.
bool size_given(Session *cx, const char *option, const char *text, GivenSize *size);
bool sizes_given(Session *cx, const Strings *texts, GivenSizes *sizes);

/// The sizes of --fix NAME=N,...; E0715 also when a size has two values.
bool sizes_fixed(Session *cx, const Strings *texts, GivenSizes *sizes);
/// The function with those of these sizes fixed that it has: itself when it has none.
const Function *sizes_fix(Session *cx, const Function *f, const GivenSizes *sizes);
/// Whether each of the sizes is one of some function of `among`; else reports E0715.
bool sizes_fit(Session *cx, const GivenSizes *sizes, const Function *const *among, int n);

/// Replaces the names of --size NAME=N in the expression by their numbers; reports E0715.
bool expression_set_sizes(Session *cx, Ast *e, const Strings *sizes);

/// Whether a value of `type` can be printed as text; reports when not.
bool outputs_check_text(Session *cx, Node *type);
/// Whether a value of `type` can be written to the files named with -o; reports when not.
bool outputs_check(Session *cx, const Strings *paths, Node *type);
bool outputs_write(Session *cx, const Strings *paths, Node *type, const AdzeArray *leaves);

// --- cmd_*.c ------------------------------------------------------------------------------------

#define COMMAND(id, name, arguments, least, most, function, purpose) int function(Driver *d);
#include "driver/options.def"
#undef COMMAND

// --- explain_level.c ------------------------------------------------------------------------------

/// Whether a file holds the text of a level, by its name.
bool explain_is_level(const char *path);
/// Explains such a file: what it is after the passes up to `last`, or, with --print-after, after
/// that pass alone. Gives the exit status.
int explain_level(Driver *d, Pass last);

// --- cmd_explain.c --------------------------------------------------------------------------------

/// Prints a text, or adds it to the JSON report; `heading`: behind others.
void explain_put(Driver *d, const char *name, const Text *out, bool heading);

// --- explain_vectors.c, explain_lanes.c, explain_memory.c -----------------------------------------

/// What explain says about the vectors of an entry: how wide, for which processor, what computes functions such as exp.
void explain_vectors(const Work *w, Text *out);
void explain_vectors_json(const Work *w, json_t *to);

/// The source lines of loops over lanes, each with how its values differ by lane.
void explain_lanes(const Work *w, Text *out);

/// A name as the line of this place has it, without what the compiler has added; NULL: the line has
/// it not.
const char *explain_name(Session *cx, Span span, const char *name);

/// The functions that the entry is made of. What functions have in common is one node, whose place
/// may be in another function: whether the place is in one of these.
Map explain_used(const Work *w);
bool explain_is_used(const Work *w, const Map *used, Span span);

// explain_losses.c
/// Warns of lanes that the program asks for and that are not vectors (E0510), or only in part
/// (E0511).
void losses_warn(const Work *w);
/// The same as a list of `adze explain`.
void explain_losses(const Work *w, Text *out);
void explain_losses_json(const Work *w, json_t *to);

// explain_hot.c
/// What makes the innermost loops of an entry slow.
void explain_hot(const Work *w, Text *out);
void explain_hot_json(const Work *w, json_t *to);

/// The text in which `$` gives way to the name and `#` to the size.
const char *explain_filled(Session *cx, const char *text, const char *name, const char *size);

/// What explain says about the memory of an entry, with numbers where the sizes are given.
void explain_memory(const Work *w, const GivenSizes *sizes, Text *out);
void explain_memory_json(const Work *w, const GivenSizes *sizes, json_t *to);

/// A size as the language writes it; a place: "12:5" in the main file, "linalg.adz:5:5" in another.
const char *explain_size(Session *cx, Node *size);
const char *explain_place(const Work *w, Span span);

#endif
