// The passes of src/pipeline.def (passes.c), run in order (pipeline.c), and their costs (stats.c).
#ifndef ADZE_DRIVER_PIPELINE_H
#define ADZE_DRIVER_PIPELINE_H

#include "driver/pipeline/session.h"
#include "emit/text/emit.h"
#include "infer/program/infer.h"
#include "memory_policy/memory_policy.h"
#include "schedule/schedule.h"
#include "staging/values/staging.h"

typedef enum {
    STAGE_TEXT,
    STAGE_AST,
    STAGE_CORE,
    STAGE_FLAT,
    STAGE_LOW,
    STAGE_DPIA,
    STAGE_LOOP,
    STAGE_C,
    STAGE_KERNELS,
    STAGE_COUNT
} Stage;

typedef enum {
#define PASS(id, from, to, purpose) PASS_##id,
#include "pipeline.def"
    PASS_COUNT
} Pass;

/// What entries without a schedule get: the strategy NAME_TARGET, such as auto_omp, of a library
/// module.
typedef struct {
    const char *name, *module;
    FloatClass allows; // the rules that it may use
} Usual;

/// An item that an addition has replaced or removed, and the new item, or NULL.
typedef struct {
    const Item *before, *now;
} Replacement;
typedef VEC(Replacement) Replacements;

/// A program, or one of its entries, on its way through the stages. The results of stages that it
/// has not reached are NULL.
typedef struct {
    Session *cx;
    bool check;           // check the result of every pass
    bool quiet;           // do not warn about loops over lanes that are not vectorised
    const Target *target; // the target whose schedules apply
    const Usual *usual;   // the strategy for entries without a schedule, or NULL if they have none
    const char *no_default; // why the entry cannot have it, or NULL
    bool all_targets;       // also check the schedules for other targets
    bool tracing;           // record the steps of schedules
    bool default_lanes;     // all loops over lanes are those of the default schedule
    int64_t budget;         // the maximum number of staging steps, or 0 for the default
    uint32_t file;
    const char *path;
    Module *module;
    Replacements replaced; // by the last of the driver's additions
    Program *program;
    const Function *entry;
    Function *flat, *low;
    FindModule *find; // finds imported files; NULL: modules_find
    void *find_env;
    Uses *uses;            // receives the names of the file, or NULL
    struct Infer *library; // modules that have been inferred before, or NULL
    ScheduleTraces traces;
    Residues residues;
    Choices choices;
    Phrase *phrase;
    LoopEntry *loop;
    const char *c, *kernels;
} Work;

typedef struct {
    const char *name;
    Stage from, to;
    const char *purpose;
} PassInfo;
extern const PassInfo pass_info[PASS_COUNT];
extern const char *const stage_name[STAGE_COUNT]; // as spelled in --stage

// stats.c: measures the cost of passes for --stats. Nothing is measured if cx->stats is NULL.
struct Stats *stats_new(Arena *arena);
/// Marks the beginning of a pass. Until its end, reports of internal compiler errors name it.
void stats_begin(Session *cx, Pass pass);
/// Marks the end of a pass, and adds its cost to the statistics.
void stats_end(Session *cx, Pass pass);
/// Adds the statistics to the JSON report, or prints a table to standard error if `report` is NULL.
void stats_report(const struct Stats *s, json_t *report);

/// Whether the pass is left out for the target: it is for processors, and the target has a device.
bool pipeline_leaves_out(Pass pass, const Target *target);

/// Runs the passes `first` to `last`. Returns false after an error, which is reported in the
/// session.
bool pipeline_run(Work *w, Pass first, Pass last);

/// Applies the changes to the parsed module. Returns what the last one replaces. Reports errors.
Replacements additions_apply(Session *cx, const Additions *additions, Module *m);

/// Initialises *w from the options, reads the file (none if `path` is empty), and runs the passes
/// up to scheduling. Returns false after an error.
bool pipeline_open(Driver *d, const char *path, Work *w);
/// Like pipeline_open, for a program that is already a file of the session.
bool pipeline_open_source(Driver *d, uint32_t file, Work *w);

/// The first part of pipeline_open_source: initialises *w and parses the file. Syntax errors are
/// reported; w->module has the rest.
void pipeline_start(Driver *d, uint32_t file, Work *w);

/// Infers modules of the library, for programs that are then run with w->library. Errors are
/// reported in the session.
struct Infer *pipeline_library(Session *cx, const char *const *names, int n);

/// Lowers an entry of w->program to Loop IR. Returns a copy of *w with the fields of this entry
/// filled in; its `loop` is NULL after errors.
Work pipeline_lower(const Work *w, const Function *entry);

/// Stages and lowers an entry to report the errors that are only found there (recursion, sizes at
/// calls). If passes are checked, the entry also goes through the later passes up to Loop IR.
void pipeline_stage(const Work *w, const Function *entry);

/// Prints `w` as it is at stage `s`, which it must have reached. STAGE_CORE prints w->entry, or the
/// whole program if there is no entry.
void pipeline_print(const Work *w, Stage s, Text *out);

/// Writes the C file and the header for the entries. `wrappers` adds the functions that
/// library_invoke calls.
void pipeline_emit(Session *cx, LoopEntry *const *entries, int n, const char *name, bool wrappers,
                   Text *source, Text *header);

/// Like pipeline_emit, but for one of several versions. Function names begin with `prefix`. The
/// names of structs begin with `struct_prefix`, which is the same in all versions, or with `prefix`
/// if it is NULL. If `functions` is not NULL, it receives the functions of each entry.
void pipeline_emit_version(Session *cx, LoopEntry *const *entries, int n, const char *name,
                           const char *prefix, const char *struct_prefix, PublicEntry *functions,
                           Text *source, Text *header);

/// Whether the function belongs to the main file.
bool function_is_own(const Work *w, const Function *f);
/// Returns the entries of the main file, or all functions named `name` if it is not NULL. Sets *n
/// to their number.
const Function **pipeline_functions(const Work *w, const char *name, int *n);

#endif
