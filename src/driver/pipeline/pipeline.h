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
    STAGE_COUNT
} Stage;

typedef enum {
#define PASS(id, from, to, purpose) PASS_##id,
#include "pipeline.def"
    PASS_COUNT
} Pass;

/// A program, or one entry of it, on its way through the stages; later stages are NULL.
typedef struct {
    Session *cx;
    bool check;           // check every pass
    bool quiet;           // no warnings about loops over lanes that are not vectorised
    const Target *target; // the target of schedules
    bool lower;           // entries without a schedule get the usual one of the target
    bool all_targets;     // also check the schedules for other targets
    bool tracing;         // record the steps of schedules
    int64_t budget;       // of staging; 0 for the default
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

// stats.c: the costs of passes, for --stats. Nothing is measured if cx->stats is NULL.
struct Stats *stats_new(Arena *arena);
/// Mark the begin and end of a pass: fault reports name it, and its costs are added.
void stats_begin(Session *cx, Pass pass);
void stats_end(Session *cx, Pass pass);
/// Prints a table on standard error, or adds it to the JSON report.
void stats_report(const struct Stats *s, json_t *report);

/// Runs the passes first..last; false after errors (all are reported in the session).
bool pipeline_run(Work *w, Pass first, Pass last);

/// Reads and infers a file into *w.
bool pipeline_open(Driver *d, const char *path, Work *w);

/// Lowers an entry of w->program to loops: gives w with the fields for this entry filled in, `loop`
/// NULL after errors.
Work pipeline_lower(const Work *w, const Function *entry);

/// Stages an entry, to report the errors that only staging finds (recursion, sizes at calls); when
/// passes are checked, all stages run.
void pipeline_stage(const Work *w, const Function *entry);

/// The level that `w` has reached, as text. STAGE_CORE prints w->entry, or the whole program
/// without one.
void pipeline_print(const Work *w, Stage s, Text *out);

/// Writes the C file and header of entries.
void pipeline_emit(Session *cx, LoopEntry *const *entries, int n, const char *name, bool wrappers,
                   Text *source, Text *header);

/// The same for a version for one processor: PREFIX is the prefix of function names, and *functions
/// receives the functions of each entry. Structs have the prefix struct_prefix, the same in all
/// versions; NULL for the prefix of functions.
void pipeline_emit_version(Session *cx, LoopEntry *const *entries, int n, const char *name,
                           const char *prefix, const char *struct_prefix, PublicEntry *functions,
                           Text *source, Text *header);

/// Whether the function belongs to the main file.
bool function_is_own(const Work *w, const Function *f);
/// The entries of the main file, or all functions named `name` if it is not NULL; *n is their
/// number.
const Function **pipeline_functions(const Work *w, const char *name, int *n);

#endif
