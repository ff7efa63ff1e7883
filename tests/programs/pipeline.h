// The whole compiler for the tests: takes an Adze file through all levels and checks each. A fault
// of a stage is reported as text, so that a test goes on with the next entry.
#ifndef ADZE_TESTS_PIPELINE_H
#define ADZE_TESTS_PIPELINE_H

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dpia/ir/dpia.h"
#include "emit/text/emit.h"
#include "infer/program/infer.h"
#include "loops/ir/passes.h"
#include "loops/stages.h"
#include "memory_policy/memory_policy.h"
#include "modules.h"
#include "schedule/schedule.h"
#include "staging/values/staging.h"
#include "this_cc.h"

/// An entry at every level. `at` is the stage that ran last; `done` says that all of them
/// succeeded. The target is "omp" if none is named; `serial` compiles for one thread, `device` for
/// kernels; with `threads`, parallel loops use threads however little work they have.
typedef struct {
    Session *cx;
    const Program *program;
    const Function *core;
    const char *target;
    bool serial, threads;
    Device device;
    Function *flat, *low;
    Phrase *phrase;
    LoopEntry *loops[LOOP_STAGES];
    LoopEntry *strided[LOOP_STAGES]; // for callers that pass strides; NULL if none may
    const char *at;
    bool done;
} Stages;

/// An Adze file, parsed and type-checked; `program` is NULL after an error.
typedef struct {
    Session *cx;
    const char *path;
    Program *program;
} File;

/// Runs `body(env)`; false when the compiler reported a fault of its own, or an error.
static inline bool guarded(Session *cx, void (*body)(void *), void *env)
{
    jmp_buf here, *outer = cx->boundary;
    int errors = cx->errors;
    cx->boundary = &here;
    if (setjmp(here) == 0) body(env);
    cx->boundary = outer;
    return cx->errors == errors;
}

/// Returns the text of all diagnostics so far, and clears them.
static inline const char *take_diagnostics(Session *cx)
{
    Text out = text_new(cx->arena);
    diag_print_all(cx, &out, false);
    cx->diags.len = 0;
    cx->errors = 0;
    return text_get(&out);
}

static inline void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    if (!f || fputs(text, f) < 0 || fclose(f) != 0) {
        fprintf(stderr, "cannot write %s: %s\n", path, strerror(errno));
        exit(2);
    }
}

typedef struct {
    File *file;
    const char *text;
    size_t len;
    bool device; // entries get the default schedule for a device
} Reading;

static inline void read_body(void *env)
{
    Reading *r = env;
    Session *cx = r->file->cx;
    Modules modules = {.find = find_module, .in_library = in_library};
    if (r->device) modules.usual = "auto_opencl", modules.usual_module = "std.devices";
    uint32_t file = session_add_source(cx, r->file->path, r->text, r->len);
    cx->pass = "parse";
    Module *m = parse_module(cx, file);
    if (cx->errors) return;
    cx->pass = "infer";
    Program *p = infer_program(cx, m, &modules);
    for (int i = 0; cx->errors == 0 && i < p->functions.len; i++)
        core_check(cx, p->functions.at[i], LEVEL_CORE);
    r->file->program = p;
}

static inline void read_low_body(void *env)
{
    Reading *r = env;
    Session *cx = r->file->cx;
    cx->pass = "read";
    Function *f = core_read(cx, session_add_source(cx, r->file->path, r->text, r->len));
    if (!f || cx->errors) return;
    f->entry = true;
    r->file->program = ARENA_NEW(cx->arena, Program);
    r->file->program->by_name = map_new(cx->arena);
    vec_push(cx->arena, &r->file->program->functions, f);
}

/// Reads a file of one entry in low Core; errors are printed.
static inline File read_low_program(const char *path)
{
    File f = {.cx = session_new(), .path = path};
    nat_init(f.cx);
    Reading r = {.file = &f};
    r.text = read_file(f.cx->arena, path, &r.len);
    if (!r.text || !guarded(f.cx, read_low_body, &r) || !f.program) {
        fprintf(stderr, "FAIL %s: %s", path, take_diagnostics(f.cx));
        f.program = NULL;
    }
    return f;
}

/// Reads and infers a program, for a device or not; errors are printed. The path is only for
/// messages when `text` is given.
static inline File read_program_for(const char *path, const char *text, bool device)
{
    File f = {.cx = session_new(), .path = path};
    nat_init(f.cx);
    f.cx->keeps_prints = true;
    if (device) f.cx->vector_bytes = 0;
    f.cx->device = device;
    Reading r = {&f, text, text ? strlen(text) : 0, device};
    if (!text) r.text = read_file(f.cx->arena, path, &r.len);
    if (!r.text) {
        fprintf(stderr, "no file %s\n", path);
        return f;
    }
    if (!guarded(f.cx, read_body, &r)) {
        fprintf(stderr, "%s", take_diagnostics(f.cx));
        f.program = NULL;
    }
    return f;
}

static inline File read_program(const char *path, const char *text)
{
    return read_program_for(path, text, false);
}

// Makes the loops of an entry with strides for arrays of any strides; the compiled C of the tests
// gets dense arrays.
static inline void strided_stages(Stages *s)
{
    Session *cx = s->cx;
    cx->lays_out = true;
    for (int i = 0; i < LOOP_STAGES && cx->errors == 0; i++) {
        cx->pass = s->at = loop_passes[i].name;
        s->strided[i] =
            i ? loop_passes[i].run(cx, s->strided[i - 1]) : loops_from_dpia(cx, s->phrase);
        if (i == 0) loops_set_target(s->strided[0], s->serial, s->device);
        loops_check(cx, s->strided[i]);
    }
    cx->lays_out = false;
}

static inline void stages_body(void *env)
{
    Stages *s = env;
    Session *cx = s->cx;
    if (!s->low) {
        cx->pass = s->at = "stage";
        const Schedule *schedule =
            schedule_find(s->program, s->core->name, s->target ? s->target : "omp");
        s->flat =
            staging_for_schedule(cx, s->program, s->core, schedule ? KEEP_IN_ENTRY : KEEP_NONE);
        if (schedule && s->flat && schedule_callee(s->flat)) { // as schedule_program does
            diag_error(cx, E0816, schedule->span, "it calls functions when it runs");
            return;
        }
        if (schedule && s->flat) { // as in the driver: what the schedule leaves is staged again
            s->at = "schedule";
            Function *scheduled =
                schedule_run(cx, s->flat, schedule, NULL, 0, policy_refuses, NULL);
            s->at = "stage";
            s->flat = scheduled ? staging_run(cx, s->program, scheduled) : NULL;
        }
        const bool *says = cx->sources.at[s->core->span.file - 1]->says;
        bool usual = s->device && !says[EXPLICIT_LOOPS] && !says[EXPLICIT_MEMORY];
        if (usual && !schedule && s->flat) {
            const char *why_not;
            s->at = "default schedule";
            if (s->flat->calls_patterns)
                s->flat = staging_for_schedule(cx, s->program, s->core, KEEP_IN_ENTRY);
            Function *scheduled = schedule_default(cx, s->program, s->flat, s->target,
                                                   FP_REASSOCIATE, policy_refuses, NULL, &why_not);
            s->at = "stage";
            if (!scheduled && s->flat->calls_patterns)
                s->flat = staging_run(cx, s->program, s->core);
            if (scheduled) s->flat = staging_run(cx, s->program, scheduled);
        }
        if (!s->flat) return;
        core_check_flat(cx, s->flat);
        if (cx->errors) return;
        cx->pass = s->at = "lower";
        s->low = policy_lower(cx, s->flat, NULL);
        if (cx->errors) return;
    }
    policy_check_low(cx, s->low);
    if (cx->errors) return;
    cx->pass = s->at = "translate";
    s->phrase = dpia_from_core(cx, s->low);
    dpia_check(cx, s->phrase);
    for (int i = 0; i < LOOP_STAGES && cx->errors == 0; i++) {
        cx->pass = s->at = loop_passes[i].name;
        bool skipped =
            (i == AFTER_parallel_threshold && s->threads) || (s->device && loop_passes[i].for_cpus);
        s->loops[i] = skipped ? s->loops[i - 1]
                      : i     ? loop_passes[i].run(cx, s->loops[i - 1])
                              : loops_from_dpia(cx, s->phrase);
        if (i == 0) loops_set_target(s->loops[0], s->serial, s->device);
        loops_check(cx, s->loops[i]);
    }
    if (s->phrase->strided) strided_stages(s);
    s->done = cx->errors == 0;
}

static inline Stages finish_stages(Stages s, const File *f)
{
    if (!guarded(f->cx, stages_body, &s) || !s.done) {
        s.done = false;
        fprintf(stderr, "FAIL %s, entry %s: stage %s:\n%s", f->path, s.core->name->text, s.at,
                take_diagnostics(f->cx));
    }
    return s;
}

/// One entry through all stages. After an error `done` is false and the message was printed.
static inline Stages run_stages(const File *f, const Function *entry)
{
    return finish_stages((Stages){.cx = f->cx, .program = f->program, .core = entry}, f);
}

/// The same for a device.
static inline Stages run_device_stages(const File *f, const Function *entry, Device device)
{
    Stages s = {
        .cx = f->cx, .program = f->program, .core = entry, .target = "opencl", .device = device};
    return finish_stages(s, f);
}

/// The same from low Core on.
static inline Stages run_low_stages(const File *f, Function *low)
{
    Stages s = {.cx = f->cx, .program = f->program, .core = low, .flat = low, .low = low};
    return finish_stages(s, f);
}

/// The entry of this name of the main module, NULL when there is none.
static inline const Function *find_entry(const File *f, const char *name)
{
    const Function *e = map_get(&f->program->by_name, MAP_KEY(session_sym(f->cx, name)));
    return e && e->entry ? e : NULL;
}

/// Returns the C text of some entries. Writes their header to the folder `dir`, unless that is
/// NULL.
static inline const char *emit_text(Session *cx, LoopEntry *const *entries, int n, bool field,
                                    const char *dir, const char *header_name)
{
    Text source = text_new(cx->arena), header = text_new(cx->arena);
    EmitOptions options = {.prefix = "adze_", .field = field, .wrappers = true};
    emit_c(cx, &source, &header, header_name, entries, n, &options);
    if (dir) write_text(arena_printf(cx->arena, "%s/%s", dir, header_name), text_get(&header));
    return text_get(&source);
}

/// Starts a command and returns its process, for finish_command.
static inline pid_t start_command(const char *const *argv)
{
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[0], (char *const *)(uintptr_t)argv);
        fprintf(stderr, "cannot run %s: %s\n", argv[0], strerror(errno));
        _exit(127);
    }
    return child;
}

static inline bool finish_command(pid_t child)
{
    int status;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

#endif
