// Runs the passes of src/pipeline.def in order. If requested, the result of each pass is checked
// against the rules of its level.
#include "loops/ir/passes.h"
#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/session.h"

#include <stdlib.h>
#include <string.h>

// --- the passes --------------------------------------------------------------------------------

static void run_parse(Work *w)
{
    w->module = parse_module(w->cx, w->file);
}

static void run_infer(Work *w)
{
    Modules modules = {.find = w->find ? w->find : modules_find,
                       .env = w->find_env,
                       .in_library = modules_in_library,
                       .unused = w->all_targets,
                       .uses = w->uses};
    if (w->usual) {
        modules.usual = arena_printf(w->cx->arena, "%s_%s", w->usual->name, w->target->name);
        modules.usual_module = w->usual->module;
    }
    w->program = w->library ? infer_program_with(w->library, w->module, &modules)
                            : infer_program(w->cx, w->module, &modules);
}

struct Infer *pipeline_library(Session *cx, const char *const *names, int n)
{
    Modules modules = {.find = modules_find, .in_library = modules_in_library};
    return infer_library(cx, &modules, names, n);
}

static void run_schedule(Work *w)
{
    schedule_program(w->cx, w->program, w->target->name, policy_refuses,
                     w->tracing ? &w->traces : NULL);
    if (w->all_targets) schedule_check(w->cx, w->program, w->target->name, policy_refuses);
}

// Whether the program requests lanes here. The lanes of the library's sums are not its requests.
static bool requests_lanes(Node *e, void *env)
{
    const Work *w = env;
    uint32_t file = e->origin.file;
    if (e->kind == CORE_REDUCE && file && modules_in_library(w->cx, w->file, file)) return false;
    return e->variant == VARIANT_VEC || e->kind == CORE_VECTORIZE;
}

static bool has_own_lanes(Work *w)
{
    bool any = node_any(w->flat->body, requests_lanes, w);
    for (int i = 0; i < w->flat->callees.len && !any; i++) {
        const Function *f = w->flat->callees.at[i];
        any = f->body && node_any(f->body, requests_lanes, w);
    }
    return any;
}

// Applies the default schedule to a staged entry or to a function that it calls, and stages the
// result again, as that of any other schedule. Returns NULL if it stays as it is.
static Function *with_default(Work *w, const Function *f, ScheduleTrace *trace,
                              const char **why_not)
{
    Function *done = schedule_default(w->cx, w->program, f, w->target->name, w->usual->allows,
                                      policy_refuses, trace, why_not);
    Function *flat = done ? staging_explain(w->cx, w->program, done, w->budget, NULL) : NULL;
    if (flat) flat->by_default = done->by_schedule;
    return flat;
}

static bool takes_reference(const Function *f)
{
    for (int i = 0; i < f->params.len; i++)
        if (f->params.at[i].type->kind == TYPE_REF) return true;
    return false;
}

// Adds the functions that the schedule of a callee calls, such as atomic updates, to the entry's.
static void add_callees(Work *w, const Function *flat)
{
    for (int i = 0; i < flat->callees.len; i++) {
        Function *f = flat->callees.at[i];
        bool known = false;
        for (int k = 0; k < w->flat->callees.len; k++)
            known |= w->flat->callees.at[k]->name == f->name;
        if (!known) vec_push(w->cx->arena, &w->flat->callees, f);
    }
}

static bool calls_pattern(Node *e, void *env)
{
    const Work *w = env;
    if (e->kind != CORE_GLOBAL) return false;
    const Function *f = map_get(&w->program->by_name, MAP_KEY(e->attr.sym));
    return f && f->pattern;
}

// The callee with its default schedule, in which no call of a pattern remains, or NULL.
static Function *callee_with_default(Work *w, const Function *entry, const Function *f)
{
    Function open = *f;
    const char *why_not;
    open.callees = entry->callees;
    memset(&open.generics, 0, sizeof open.generics);
    for (int k = 0; k < entry->generics.len; k++)
        vec_push(w->cx->arena, &open.generics, entry->generics.at[k]);
    for (int k = 0; k < f->generics.len; k++)
        vec_push(w->cx->arena, &open.generics, f->generics.at[k]);
    Function *flat = with_default(w, &open, NULL, &why_not);
    if (!flat && node_any(f->body, calls_pattern, w))
        flat = staging_explain(w->cx, w->program, &open, w->budget, NULL);
    if (!flat || flat->checks.len > 0) return NULL; // nothing tests conditions of a callee
    add_callees(w, flat);
    flat->callees = f->callees;
    flat->generics = f->generics;
    return flat;
}

// Applies the default schedule to the functions that an entry calls, which use the entry's sizes
// and call one another. Those that write the memory of their callers stay as they are. Returns
// false if calls of patterns remain in one.
static bool default_of_callees(Work *w)
{
    const Function *entry = w->flat;
    for (int i = 0; i < entry->callees.len; i++) {
        const Function *f = entry->callees.at[i];
        if (!f->body) continue;
        Function *flat = takes_reference(f) ? NULL : callee_with_default(w, entry, f);
        if (flat) entry->callees.at[i] = flat;
        if (!flat && node_any(f->body, calls_pattern, w)) return false;
    }
    return true;
}

// Applies the default schedule to the entry and the functions that it calls. It is not for entries
// that call this one, which have a default schedule themselves. Returns false if calls of patterns
// remain.
static bool run_default(Work *w, Keep keep)
{
    int errors = w->cx->errors;
    ScheduleTrace trace = {.function = w->entry->name};
    const Function *f =
        keep == KEEP_NONE ? w->flat : staging_for_schedule(w->cx, w->program, w->entry, keep);
    if (!f) return false;
    Function *flat = with_default(w, f, w->tracing ? &trace : NULL, &w->no_default);
    if (!flat && keep == KEEP_PATTERNS) {
        flat = staging_explain(w->cx, w->program, f, w->budget, NULL);
        if (!flat) return false;
    }
    if (flat) w->flat = flat;
    if (!default_of_callees(w) || w->cx->errors > errors) return false;
    if (trace.tried) vec_push(w->cx->arena, &w->traces, trace);
    return true;
}

static void run_stage(Work *w)
{
    w->flat = staging_explain(w->cx, w->program, w->entry, w->budget, &w->residues);
    if (!w->flat || !w->usual) return;
    w->default_lanes = !has_own_lanes(w);
    // only the default schedule of devices has rules for patterns of the library
    Keep keep = w->target->device && w->flat->calls_patterns ? KEEP_PATTERNS : KEEP_NONE;
    Function *plain = w->flat;
    DiagMark before = diag_mark(w->cx);
    for (; !run_default(w, keep) && keep > KEEP_NONE; keep--) {
        w->flat = plain;
        diag_withdraw(w->cx, before);
    }
}

// Whether the entry's file has the attribute #![explicit_loops]. The attribute does not apply to
// the functions generated for tests, which are not part of the program.
static bool is_explicit(const Work *w)
{
    uint32_t file = w->flat->span.file;
    return map_get(&w->program->by_name, MAP_KEY(w->flat->name)) && file &&
           w->cx->sources.at[file - 1]->says[EXPLICIT_LOOPS];
}

static void run_lower(Work *w)
{
    if (is_explicit(w) && !policy_check_chosen(w->cx, w->flat, w->target->serial)) return;
    w->low = policy_lower(w->cx, w->flat, &w->choices);
}

static void run_translate(Work *w)
{
    w->phrase = dpia_from_core(w->cx, w->low);
}

static void run_lower_to_loops(Work *w)
{
    w->loop = loops_from_dpia(w->cx, w->phrase);
    loops_set_target(w->loop, w->target->serial, w->target->device);
}

static void emit_with(Session *cx, LoopEntry *const *entries, int n, const char *name,
                      const EmitOptions *options, Text *source, Text *header)
{
    stats_begin(cx, PASS_emit);
    emit_c(cx, source, header, arena_printf(cx->arena, "%s.h", name), entries, n, options);
    stats_end(cx, PASS_emit);
}

static void run_emit(Work *w)
{
    Text source = text_new(w->cx->arena), header = text_new(w->cx->arena),
         kernels = text_new(w->cx->arena);
    EmitOptions options = {
        .prefix = "adze_", .source_comments = true, .buffers = true, .kernels = &kernels};
    emit_with(w->cx, &w->loop, 1, path_stem(w->cx->arena, w->path), &options, &source, &header);
    w->c = text_get(&source);
    w->kernels = text_get(&kernels);
}

// The pass `emit` has written them.
static void run_kernels(Work *w)
{
    if (!*w->kernels) w->kernels = "// no kernels: all loops run on the host\n";
}

// The function of each pass: `run` transforms the whole Work, `run_on_loops` only its Loop IR. A
// pass `for_cpus` is left out for devices.
static const struct {
    void (*run)(Work *w);
    LoopEntry *(*run_on_loops)(Session *cx, const LoopEntry *e);
    bool for_cpus;
} runs[PASS_COUNT] = {
#define PASS(id, from, to, purpose) {.run = run_##id},
#define LOOP_PASS(id, purpose)      {.run_on_loops = loops_##id},
#define CPU_PASS(id, purpose)       {.run_on_loops = loops_##id, .for_cpus = true},
#include "pipeline.def"
};

// --- checkers ----------------------------------------------------------------------------------

static void check_core(Work *w)
{
    for (int i = 0; i < w->program->functions.len; i++)
        core_check(w->cx, w->program->functions.at[i], LEVEL_CORE);
}

static void check_flat(Work *w)
{
    core_check(w->cx, w->flat, LEVEL_CORE);
    core_check_flat(w->cx, w->flat);
}

static void check_low(Work *w)
{
    core_check(w->cx, w->low, LEVEL_LOW);
    policy_check_low(w->cx, w->low);
}

static void check_dpia(Work *w)
{
    dpia_check(w->cx, w->phrase);
}

static void check_loop(Work *w)
{
    loops_check(w->cx, w->loop);
}

static void (*const check_stage[STAGE_COUNT])(Work *w) = {
    [STAGE_CORE] = check_core, [STAGE_FLAT] = check_flat, [STAGE_LOW] = check_low,
    [STAGE_DPIA] = check_dpia, [STAGE_LOOP] = check_loop,
};

// --- running -----------------------------------------------------------------------------------

bool pipeline_leaves_out(Pass pass, const Target *target)
{
    return runs[pass].for_cpus && target->device;
}

bool pipeline_run(Work *w, Pass first, Pass last)
{
    int before = w->cx->errors;
    w->cx->subject = w->entry ? w->entry->span : NO_SPAN;
    for (int p = (int)first; p <= (int)last && w->cx->errors == before; p++) {
        stats_begin(w->cx, (Pass)p);
        if (runs[p].run)
            runs[p].run(w);
        else if (!pipeline_leaves_out((Pass)p, w->target))
            w->loop = runs[p].run_on_loops(w->cx, w->loop);
        if (p != PASS_emit) stats_end(w->cx, (Pass)p); // emit_with does this for PASS_emit
        if (w->check && check_stage[pass_info[p].to] && w->cx->errors == before)
            check_stage[pass_info[p].to](w);
    }
    return w->cx->errors == before;
}

// Whether the command looks at the program above the level of schedules only.
static bool is_above_schedules(const Options *o)
{
    const char *level = option_value(o, OPT_INTERPRET);
    bool core = !level || !*level || strcmp(level, stage_name[STAGE_CORE]) == 0;
    return o->command == COMMAND_CHECK || (option_given(o, OPT_INTERPRET) && core);
}

// What entries without a schedule get, or NULL for nothing. Devices have a module of their own, for
// which programs for processors do not wait.
static const Usual *usual_wanted(Session *cx, const Options *options, const bool *says,
                                 const Target *target)
{
    bool plain = option_given(options, OPT_PLAIN) || is_above_schedules(options);
    if (plain || says[EXPLICIT_LOOPS] || says[EXPLICIT_MEMORY]) return NULL;
    Usual *usual = ARENA_NEW(cx->arena, Usual);
    bool in_order = says[IN_ORDER] || option_given(options, OPT_IN_ORDER);
    *usual = option_given(options, OPT_LOWER)
                 ? (Usual){"lower", "std.strategies", FP_EXACT}
                 : (Usual){"auto", target->device ? "std.devices" : "std.auto",
                           in_order ? FP_EXACT : FP_REASSOCIATE};
    return usual;
}

bool pipeline_open(Driver *d, const char *path, Work *w)
{
    uint32_t file =
        *path ? source_open(d->cx, path, NO_SPAN) : session_add_source(d->cx, "session", "", 0);
    *w = (Work){.cx = d->cx, .path = path};
    return file && pipeline_open_source(d, file, w);
}

void pipeline_start(Driver *d, uint32_t file, Work *w)
{
    const char *budget = option_value(&d->options, OPT_BUDGET);
    *w = (Work){.cx = d->cx,
                .file = file,
                .path = d->cx->sources.at[file - 1]->path,
                .check = option_given(&d->options, OPT_CHECK_PASSES),
                .target = target_wanted(&d->options),
                .all_targets = d->options.command == COMMAND_CHECK,
                .tracing = option_given(&d->options, OPT_TRACE) ||
                           option_given(&d->options, OPT_SCHEDULE) ||
                           option_given(&d->options, OPT_HTML),
                .budget = budget ? strtoll(budget, NULL, 10) : 0};
#ifdef ADZE_DEBUG
    w->check = true;
#endif
    bool *says = d->cx->sources.at[w->file - 1]->says;
    if (option_given(&d->options, OPT_EXPLICIT)) says[EXPLICIT_MEMORY] = true;
    if (option_given(&d->options, OPT_EXPLICIT_LOOPS)) says[EXPLICIT_LOOPS] = true;
    bool read = pipeline_run(w, PASS_parse, PASS_parse);
    if (read && d->additions) w->replaced = additions_apply(d->cx, d->additions, w->module);
    w->usual = usual_wanted(d->cx, &d->options, says, w->target);
}

bool pipeline_open_source(Driver *d, uint32_t file, Work *w)
{
    int errors = d->cx->errors;
    pipeline_start(d, file, w);
    return d->cx->errors == errors && pipeline_run(w, PASS_infer, PASS_schedule);
}

static void lower_body(void *env)
{
    Work *w = env;
    if (!pipeline_run(w, PASS_stage, PASS_outline_kernels)) w->loop = NULL;
}

// Runs the passes up to lowering, by which all errors in the program have been found. The later
// passes run only to check the compiler itself.
static void stage_body(void *env)
{
    Work *w = env;
    (void)pipeline_run(w, PASS_stage, w->check ? PASS_outline_kernels : PASS_lower);
}

void pipeline_stage(const Work *w, const Function *entry)
{
    Work own = *w;
    own.entry = entry;
    (void)driver_guard(w->cx, stage_body, &own);
}

Work pipeline_lower(const Work *w, const Function *entry)
{
    Work own = *w;
    own.entry = entry;
    if (!driver_guard(w->cx, lower_body, &own)) own.loop = NULL;
    return own;
}

void pipeline_emit(Session *cx, LoopEntry *const *entries, int n, const char *name, bool wrappers,
                   Text *source, Text *header)
{
    EmitOptions options = {.prefix = "adze_", .wrappers = wrappers, .source_comments = !wrappers};
    emit_with(cx, entries, n, name, &options, source, header);
}

void pipeline_emit_version(Session *cx, LoopEntry *const *entries, int n, const char *name,
                           const char *prefix, const char *struct_prefix, PublicEntry *functions,
                           Text *source, Text *header)
{
    EmitOptions options = {.prefix = prefix,
                           .struct_prefix = struct_prefix,
                           .source_comments = true,
                           .buffers = true,
                           .functions = functions};
    emit_with(cx, entries, n, name, &options, source, header);
}

// --- printing ----------------------------------------------------------------------------------

bool function_is_own(const Work *w, const Function *f)
{
    return f->span.file == w->file;
}

const Function **pipeline_functions(const Work *w, const char *name, int *n)
{
    const Function **found =
        ARENA_ARRAY(w->cx->arena, const Function *, w->program->functions.len + 1);
    *n = 0;
    for (int i = 0; i < w->program->functions.len; i++) {
        const Function *f = w->program->functions.at[i];
        if (name ? strcmp(f->name->text, name) == 0 : f->entry && function_is_own(w, f))
            found[(*n)++] = f;
    }
    return found;
}

static void print_program(const Work *w, Text *out)
{
    for (int i = 0; i < w->program->functions.len; i++) {
        const Function *f = w->program->functions.at[i];
        if (!function_is_own(w, f)) continue;
        if (out->len) text_char(out, '\n');
        core_print(w->cx, out, program_compiled(w->program, f));
    }
}

void pipeline_print(const Work *w, Stage s, Text *out)
{
    switch (s) {
    case STAGE_TEXT: text_put(out, w->cx->sources.at[w->file - 1]->text); return;
    case STAGE_AST: format_module(w->cx, out, w->module); return;
    case STAGE_CORE:
        if (w->entry)
            core_print(w->cx, out, program_compiled(w->program, w->entry));
        else
            print_program(w, out);
        return;
    case STAGE_FLAT: core_print(w->cx, out, w->flat); return;
    case STAGE_LOW: core_print(w->cx, out, w->low); return;
    case STAGE_DPIA: dpia_print(w->cx, out, w->phrase); return;
    case STAGE_LOOP: loops_print(w->cx, out, w->loop); return;
    case STAGE_C: text_put(out, w->c); return;
    case STAGE_KERNELS: text_put(out, w->kernels); return;
    case STAGE_COUNT: return;
    }
}
