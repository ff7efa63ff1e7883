// `adze explain --html`: collects what the page shows of each entry.
#include "driver/commands/commands.h"

#include <string.h>

struct ExplainPage {
    Driver *d;
    json_t *root, *entries;
    Page *page;
};

ExplainPage *explain_page_new(Driver *d, const Work *w, json_t *root)
{
    Session *cx = d->cx;
    ExplainPage *p = ARENA_NEW(cx->arena, ExplainPage);
    *p = (ExplainPage){.d = d, .root = root, .entries = json_array()};
    json_put(p->root, "file", json_text(source_short_path(cx->sources.at[w->file - 1])));
    json_put(p->root, "version", json_string(ADZE_VERSION));
    json_put(p->root, "target", json_string(w->target->name));
    json_put(p->root, "cpu", json_string(cx->cpu->name));
    json_put(p->root, "vector_bytes", json_integer(cx->vector_bytes));
    json_put(p->root, "inlays", page_inlays(w));
    json_put(p->root, "entries", p->entries);
    p->page = page_new(cx, p->root);
    page_add(p->page, p->root, "source", SHOWS_SOURCE, "the source",
             cx->sources.at[w->file - 1]->text, NULL, NULL);
    return p;
}

// --- texts --------------------------------------------------------------------------------------

typedef struct {
    const Work *w;
    Map used;
} Own;

// Whether a place is in the main file, in a function that the entry uses.
static bool is_own(Span span, void *env)
{
    const Own *own = env;
    return span.file == own->w->file && explain_is_used(own->w, &own->used, span);
}

static void add_text(ExplainPage *p, Own *own, json_t *to, const char *key, PageShows shows,
                     const char *what, const char *text)
{
    const char *name = arena_printf(p->d->cx->arena, "%s: %s", own->w->entry->name->text, what);
    page_add(p->page, to, key, shows, name, text, is_own, own);
}

static const char *printed(const Work *w, Stage s)
{
    Text out = text_new(w->cx->arena);
    w->cx->marks = true;
    pipeline_print(w, s, &out);
    w->cx->marks = false;
    return text_get(&out);
}

static void add_stage(ExplainPage *p, Own *own, json_t *stages, Stage s)
{
    PageShows shows = s == STAGE_C ? SHOWS_C : s == STAGE_LOOP ? SHOWS_LOOP : SHOWS_OTHER_STAGE;
    add_text(p, own, stages, stage_name[s], shows, stage_name[s], printed(own->w, s));
}

// --- passes -------------------------------------------------------------------------------------

/// An entry on its way through the passes that remain after the program was read.
typedef struct {
    ExplainPage *p;
    Work *w;
    json_t *passes, *stages, *lanes;
    const char *before; // the loops after the last pass, or NULL
    bool good;
} Passes;

static void add_pass(Passes *all, Own *own, Pass pass)
{
    const PassInfo *info = &pass_info[pass];
    json_t *one = json_object();
    json_put(one, "name", json_string(info->name));
    json_put(one, "purpose", json_string(info->purpose));
    json_put(one, "from", json_string(stage_name[info->from]));
    json_put(one, "to", json_string(stage_name[info->to]));
    if (info->to == STAGE_LOOP) {
        const char *after = printed(all->w, STAGE_LOOP);
        bool same = all->before && strcmp(after, all->before) == 0;
        if (!same)
            add_text(all->p, own, one, "text", SHOWS_PASS,
                     arena_printf(all->w->cx->arena, "the pass %s", info->name), after);
        all->before = after;
    }
    json_array_append_new(all->passes, one);
}

static void run_passes(void *env)
{
    Passes *all = env;
    Work *w = all->w;
    Own *own = ARENA_NEW(w->cx->arena, Own);
    *own = (Own){w, explain_used(w)};
    add_stage(all->p, own, all->stages, STAGE_CORE);
    all->good = true;
    for (int pass = PASS_stage; all->good && pass < PASS_COUNT; pass++) {
        if (pass == PASS_kernels && !w->target->device) break;
        if (pipeline_leaves_out((Pass)pass, w->target)) continue;
        w->cx->marks = pass == PASS_emit;
        all->good = pipeline_run(w, (Pass)pass, (Pass)pass);
        w->cx->marks = false;
        if (!all->good) break;
        add_pass(all, own, (Pass)pass);
        if (pass == PASS_vectorise) explain_lanes_json(w, all->lanes);
        bool last = pass + 1 == PASS_COUNT || pass_info[pass].to != pass_info[pass + 1].to;
        if (last) add_stage(all->p, own, all->stages, pass_info[pass].to);
    }
}

// --- schedules ----------------------------------------------------------------------------------

static const char *term_text(Session *cx, Node *e, const Step *s)
{
    Text out = text_new(cx->arena);
    TermScope scope = {.level = LEVEL_CORE, .names = s->scope, .n = s->nscope};
    term_print_in(cx, &out, e, &scope, 0, 90);
    return text_get(&out);
}

static json_t *json_step(ExplainPage *p, Own *own, const Step *s)
{
    Session *cx = p->d->cx;
    json_t *one = json_span(cx, s->span);
    json_put(one, "name", s->name ? json_text(s->name) : json_null());
    json_put(one, "path", json_text(s->path ? s->path : ""));
    json_put(one, "covers", json_integer(s->covers));
    json_put(one, "why", s->why ? json_text(s->why) : json_null());
    if (s->pasted.text) json_put(one, "statement", json_text(s->pasted.text));
    if (s->operations) json_put(one, "operations", json_text(nat_show(cx, s->operations)));
    const char *what = arena_printf(cx->arena, "the step %s", s->name);
    if (!s->covers && s->before && s->after) {
        add_text(p, own, one, "before", SHOWS_STEP, what, term_text(cx, s->before, s));
        add_text(p, own, one, "after", SHOWS_STEP, what, term_text(cx, s->after, s));
    }
    return one;
}

enum { MOST_STEPS = 400 };

static json_t *json_schedule(ExplainPage *p, const Work *w)
{
    json_t *one = json_object(), *steps = json_array(), *rules = json_array();
    Own *own = ARENA_NEW(w->cx->arena, Own);
    *own = (Own){w, explain_used(w)};
    const ScheduleTrace *trace = NULL;
    for (int i = 0; i < w->traces.len; i++)
        if (w->traces.at[i].function == w->entry->name) trace = &w->traces.at[i];
    bool has_own = schedule_find(w->program, w->entry->name, w->target->name) != NULL;
    json_put(one, "default", json_boolean(!has_own));
    json_put(one, "strategy",
             has_own || !w->usual
                 ? json_null()
                 : json_text(arena_printf(w->cx->arena, "%s_%s of %s", w->usual->name,
                                          w->target->name, w->usual->module)));
    json_put(one, "none_because", w->no_default ? json_text(w->no_default) : json_null());
    for (int i = 0; trace && i < trace->steps.len && i < MOST_STEPS; i++)
        json_array_append_new(steps, json_step(p, own, &trace->steps.at[i]));
    for (int i = 0; trace && i < trace->rules.len; i++) {
        const RuleTries *t = &trace->rules.at[i];
        json_t *rule = json_object();
        json_put(rule, "name", json_text(t->rule->text));
        json_put(rule, "tried", json_integer(t->tried));
        json_put(rule, "applied", json_integer(t->applied));
        json_put(rule, "why", t->why ? json_text(t->why) : json_null());
        json_array_append_new(rules, rule);
    }
    json_put(one, "step_count", json_integer(trace ? trace->steps.len : 0));
    json_put(one, "steps", steps);
    json_put(one, "rules", rules);
    return one;
}

// --- entries ------------------------------------------------------------------------------------

static json_t *json_sizes(const LoopEntry *e)
{
    json_t *sizes = json_array();
    for (int i = 0; i < e->sizes.len; i++)
        json_array_append_new(sizes, json_text(e->sizes.at[i]->text));
    return sizes;
}

// Replaces the paths of files in the data by those that are the same on every machine.
static void shorten_paths(const Session *cx, json_t *x)
{
    const char *key;
    json_t *of;
    size_t i;
    json_array_foreach(x, i, of) shorten_paths(cx, of);
    json_object_foreach(x, key, of) shorten_paths(cx, of);
    const char *path = json_string_value(json_object_get(x, "file"));
    for (int k = 0; path && k < cx->sources.len; k++) {
        if (strcmp(cx->sources.at[k]->path, path) != 0) continue;
        json_put(x, "file", json_text(source_short_path(cx->sources.at[k])));
        return;
    }
}

static json_t *json_given(const GivenSizes *sizes)
{
    json_t *given = json_object();
    for (int i = 0; i < sizes->len; i++)
        json_put(given, sizes->at[i].name->text, json_integer(sizes->at[i].value));
    return given;
}

bool explain_page_entry(ExplainPage *p, Work *w, GivenSizes *sizes)
{
    Session *cx = p->d->cx;
    json_t *one = json_object();
    Passes all = {
        .p = p, .w = w, .passes = json_array(), .stages = json_object(), .lanes = json_array()};
    json_array_append_new(p->entries, one);
    json_put(one, "passes", all.passes);
    json_put(one, "stages", all.stages);
    json_put(one, "lanes", all.lanes);
    if (!driver_guard(cx, run_passes, &all) || !all.good) return false;
    sizes->len = 0;
    if (!sizes_given(cx, &p->d->options.values[OPT_SIZE], sizes)) return false;
    json_t *overview = explain_overview_json(cx, w, sizes);
    json_object_update(one, overview);
    json_decref(overview);
    json_t *span = json_span(cx, w->entry->span);
    json_put(one, "span", span);
    json_put(one, "doc", w->entry->doc ? json_text(w->entry->doc) : json_null());
    json_put(one, "sizes", json_sizes(w->loop));
    json_put(one, "threads", w->loop->helpers ? json_text(w->loop->helpers->text) : json_null());
    json_put(one, "given", json_given(sizes));
    json_put(one, "plan", page_plan(w));
    json_put(one, "schedule", json_schedule(p, w));
    shorten_paths(cx, one);
    return true;
}

bool explain_page_write(ExplainPage *p)
{
    const char *path = option_value(&p->d->options, OPT_PAGE);
    Text out = text_new(p->d->cx->arena);
    page_write(p->page, path_base(p->d->options.arguments.at[0]), &out);
    if (!path) {
        out_text(&out);
        return true;
    }
    FileText file = {path, text_get(&out), out.len};
    return file_writable(p->d->cx, path) && files_write(p->d->cx, p->d->cleanup, &file, 1);
}
