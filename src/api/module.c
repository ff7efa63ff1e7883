// Modules: programs that are kept in a session, and their compiled entries.
#include "api/adze_compiler.h"

#include <stdlib.h>
#include <string.h>

#include "driver/describe/describe.h"
#include "api/instance.h"
#include "api/settings.h"
#include "driver/sizes/sizes.h"

struct AdzeModule {
    Driver driver;
    Work work; // its program is NULL until the module is open
    VEC(Library *) libraries;
    VEC(Function *) instances; // of entries for any rank; their names are NAME#NUMBER
    char *report;              // JSON, or NULL if memory ran out
    bool is_useless;           // memory is exhausted, or the options cannot be used
};

/// A call of a function of the module, in a thread with a deep stack.
typedef struct {
    AdzeModule *m;
    const char *entry, *fixed; // the entry, and values of its sizes
    const char *path, *text;   // of adze_module_open; text is also a stage, a note, ranks
    AdzeCode *code;
    const char *result;
    bool good;
    void (*body)(void *env);
} Call;

// --- calls --------------------------------------------------------------------------------------

static void guarded(void *env)
{
    Call *call = env;
    call->body(call);
}

static int call_body(void *env)
{
    Call *call = env;
    if (!driver_attempt(call->m->driver.cx, guarded, call)) call->good = false;
    return 0;
}

static void set_report(AdzeModule *m)
{
    json_t *report = describe_report(m->driver.cx);
    free(m->report);
    m->report = json_dumps(report, JSON_COMPACT);
    json_decref(report);
}

// Runs the body of a call, and makes the diagnostics of the call the report of the module.
static bool run(Call *call, void (*body)(void *env))
{
    AdzeModule *m = call->m;
    Session *cx = m->driver.cx;
    if (m->is_useless) return false;
    cx->diags.len = 0;
    cx->errors = 0;
    call->body = body;
    (void)call_deep(call_body, call);
    if (cx->errors) call->good = false;
    set_report(m);
    m->is_useless |= cx->exhausted;
    return call->good;
}

static const char *kept_text(AdzeModule *m, json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT);
    const char *kept = text ? arena_printf(m->driver.cx->arena, "%s", text) : NULL;
    free(text);
    json_decref(json);
    return kept;
}

// --- modules ------------------------------------------------------------------------------------

const char *adze_compiler_version(void)
{
    return ADZE_VERSION;
}

// Checks the options in a session of their own, since they determine the session of the module.
AdzeModule *adze_module_new(const char *library, const char *const *options)
{
    AdzeModule *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    Driver *d = &m->driver;
    d->arena = arena_new();
    d->options.command = COMMAND_RUN;
    d->cx = session_new();
    bool good = settings_check(d, options);
    if (good) {
        session_delete(d->cx);
        settings_add(d, options);
        good = cpu_choose(&d->options, d->arena, &d->cpus);
        driver_open_session(d);
    }
    d->cx->library = library ? arena_printf(d->arena, "%s", library) : NULL;
    d->cx->lays_out = true;
    m->is_useless = !good;
    set_report(m);
    return m;
}

static uint32_t open_text(Call *call)
{
    Session *cx = call->m->driver.cx;
    size_t bad, len = strlen(call->text);
    uint32_t file = session_add_source(cx, call->path, call->text, len);
    if (text_is_utf8(call->text, len, &bad)) return file;
    Span place = {file, (uint32_t)bad, (uint32_t)bad + 1};
    diag_error(cx, E0704, place, "byte 0x%02x is not part of UTF-8 text",
               (unsigned char)call->text[bad]);
    return 0;
}

// Also reports the errors that are only found when entries are staged, of all of them.
static void open_body(void *env)
{
    Call *call = env;
    AdzeModule *m = call->m;
    Work w;
    const char *path = arena_printf(m->driver.cx->arena, "%s", call->path);
    if (!call->text) {
        call->good = pipeline_open(&m->driver, path, &w);
    } else {
        uint32_t file = open_text(call);
        call->good = file && pipeline_open_source(&m->driver, file, &w);
    }
    if (call->good) m->work = w;
}

bool adze_module_open(AdzeModule *m, const char *path, const char *text)
{
    return run(&(Call){.m = m, .path = path, .text = text}, open_body);
}

const char *adze_module_report(AdzeModule *m)
{
    return m->report ? m->report : "{\"diagnostics\": [], \"text\": \"out of memory\"}";
}

static void describe_body(void *env)
{
    Call *call = env;
    call->result = kept_text(call->m, describe_entries(&call->m->work));
    call->good = call->result != NULL;
}

const char *adze_module_describe(AdzeModule *m)
{
    Call call = {.m = m};
    return m->work.program && run(&call, describe_body) ? call.result : NULL;
}

static void stub_body(void *env)
{
    Call *call = env;
    Session *cx = call->m->driver.cx;
    Text out = text_new(cx->arena);
    json_t *entries = describe_entries(&call->m->work);
    stub_write(&out, path_stem(cx->arena, call->m->work.path), entries);
    json_decref(entries);
    call->result = text_get(&out);
    call->good = true;
}

const char *adze_module_python_stub(AdzeModule *m)
{
    Call call = {.m = m};
    return m->work.program && run(&call, stub_body) ? call.result : NULL;
}

void adze_module_free(AdzeModule *m)
{
    if (!m) return;
    for (int i = 0; i < m->libraries.len; i++) library_close(m->libraries.at[i]);
    session_delete(m->driver.cx);
    arena_delete(m->driver.arena);
    free(m->report);
    free(m);
}

// --- entries ------------------------------------------------------------------------------------

static void instance_body(void *env)
{
    Call *call = env;
    AdzeModule *m = call->m;
    Session *cx = m->work.cx;
    const Item *item = item_of(&m->work, call->entry);
    if (!item || !item->entry) {
        diag_error(cx, E0717, NO_SPAN, "%s has no entry %s", m->work.path, call->entry);
        return;
    }
    Function *f = instance_make(&m->work, item, call->text);
    if (!f) return;
    json_t *described = describe_function(&m->work, f, item);
    const char *key = arena_printf(cx->arena, "%s#%d", call->entry, m->instances.len);
    vec_push(m->driver.arena, &m->instances, f);
    json_put(described, "key", json_text(key));
    call->result = kept_text(m, described);
    call->good = call->result != NULL;
}

const char *adze_module_instance(AdzeModule *m, const char *entry, const char *ranks)
{
    Call call = {.m = m, .entry = entry, .text = ranks};
    return m->work.program && run(&call, instance_body) ? call.result : NULL;
}

// Returns the instance with this key, or NULL.
static const Function *find_instance(const Call *call)
{
    const char *number = strchr(call->entry, '#');
    long i = number ? strtol(number + 1, NULL, 10) : -1;
    return i >= 0 && i < call->m->instances.len ? call->m->instances.at[i] : NULL;
}

// Returns the function to compile, with its fixed sizes, or NULL after an error.
static const Function *find_entry(const Call *call)
{
    const Work *w = &call->m->work;
    Session *cx = w->cx;
    GivenSizes sizes = {0};
    Strings fixed = {0};
    int n;
    const Function **entries = pipeline_functions(w, NULL, &n);
    if (call->fixed) vec_push(cx->arena, &fixed, arena_printf(cx->arena, "%s", call->fixed));
    if (!sizes_fixed(cx, &fixed, &sizes)) return NULL;
    const Function *instance = find_instance(call);
    if (instance && !sizes_fit(cx, "fix", &sizes, &instance, 1)) return NULL;
    if (instance) return sizes_fix(cx, instance, &sizes);
    for (int i = 0; i < n; i++) {
        if (strcmp(entries[i]->name->text, call->entry) != 0) continue;
        program_report(cx, w->program, entries[i]);
        if (cx->errors || !sizes_fit(cx, "fix", &sizes, &entries[i], 1)) return NULL;
        return sizes_fix(cx, program_compiled(w->program, entries[i]), &sizes);
    }
    diag_error(cx, E0717, NO_SPAN, "%s has no entry %s", w->path, call->entry);
    return NULL;
}

static void compile_body(void *env)
{
    Call *call = env;
    AdzeModule *m = call->m;
    Session *cx = m->driver.cx;
    const Function *f = find_entry(call);
    LoopEntry *e = f ? pipeline_lower(&m->work, f).loop : NULL;
    if (!e) return;
    HostOptions host = driver_host(&m->driver);
    host.progress = false;
    Library *library = library_build(cx, path_stem(cx->arena, m->work.path), &e, 1, &host);
    if (!library) return;
    vec_push(m->driver.arena, &m->libraries, library);
    EntryCode code = library_entry(cx, library, e);
    *call->code = (AdzeCode){code.call, code.message, code.kept, kept_text(m, describe_code(e))};
    call->good = call->code->description != NULL;
}

bool adze_module_compile(AdzeModule *m, const char *entry, const char *fixed, AdzeCode *out)
{
    *out = (AdzeCode){0};
    Call call = {.m = m, .entry = entry, .fixed = fixed, .code = out};
    return m->work.program && run(&call, compile_body);
}

static bool find_stage(const char *name, Stage *stage)
{
    for (int i = STAGE_CORE; i < STAGE_COUNT; i++) {
        if (strcmp(stage_name[i], name) != 0) continue;
        *stage = (Stage)i;
        return true;
    }
    return false;
}

// Returns the last pass whose result is on the stage.
static Pass last_pass(Stage stage)
{
    int last = PASS_COUNT - 1;
    while (last > 0 && pass_info[last].to != stage) last--;
    return (Pass)last;
}

static void explain_body(void *env)
{
    Call *call = env;
    AdzeModule *m = call->m;
    Session *cx = m->driver.cx;
    Stage stage;
    if (!find_stage(call->text, &stage) || (stage == STAGE_KERNELS && !m->work.target->device)) {
        Diag *d = diag_error(cx, E0727, NO_SPAN, "there is no stage `%s`", call->text);
        diag_help(cx, d,
                  "the stages are core, flat, low, dpia, loop and c, and kernels for a "
                  "target with a device");
        return;
    }
    Work own = m->work;
    Text out = text_new(cx->arena);
    own.entry = find_entry(call);
    if (!own.entry) return;
    Pass last = last_pass(stage);
    if (last >= PASS_stage && !pipeline_run(&own, PASS_stage, last)) return;
    pipeline_print(&own, stage, &out);
    call->result = text_get(&out);
    call->good = true;
}

const char *adze_module_explain(AdzeModule *m, const char *entry, const char *fixed,
                                const char *stage)
{
    Call call = {.m = m, .entry = entry, .fixed = fixed, .text = stage};
    return m->work.program && run(&call, explain_body) ? call.result : NULL;
}

static void failure_body(void *env)
{
    Call *call = env;
    Session *cx = call->m->driver.cx;
    Outcome o = outcome_of_message(cx, call->entry);
    outcome_report(cx, &o, NULL, NULL);
    if (call->text && cx->diags.len) diag_note(cx, vec_last(&cx->diags), NO_SPAN, "%s", call->text);
}

void adze_module_failure(AdzeModule *m, const char *message, const char *note)
{
    (void)run(&(Call){.m = m, .entry = message, .text = note}, failure_body);
}

char *adze_code_message(const AdzeCode *code, int status)
{
    return entry_code_message(&(EntryCode){code->call, code->message, code->kept}, status);
}
