// adze explain FILE [ENTRY]: shows the compiler's choices for an entry and the memory it uses, or
// the text of the entry at any level of the compiler.
#include "driver/commands/commands.h"

#include <stdlib.h>
#include <string.h>

void explain_put(Driver *d, const char *name, const Text *out, bool heading)
{
    if (d->json) {
        json_t *one = json_object();
        json_put(one, "name", name ? json_string(name) : json_null());
        json_put(one, "text", json_text(text_get(out)));
        json_array_append_new(json_object_get(d->json, "entries"), one);
        return;
    }
    if (heading) putchar('\n');
    out_text(out);
    if (out->len && text_get(out)[out->len - 1] != '\n') putchar('\n');
}

// --- choices -------------------------------------------------------------------------

static int compare_choices(const void *a, const void *b)
{
    const Choice *x = a, *y = b;
    if (x->span.file != y->span.file) return x->span.file < y->span.file ? -1 : 1;
    if (x->span.lo != y->span.lo) return x->span.lo < y->span.lo ? -1 : 1;
    int what = strcmp(x->what, y->what);
    return what ? what : strcmp(x->why, y->why);
}

// Prints the choices in source order. Equal choices for copies of an inlined function share a line.
static void put_choices(Text *out, const Work *w)
{
    int n = w->choices.len, times = 1;
    Choice *all = ARENA_ARRAY(w->cx->arena, Choice, n + 1);
    if (n) memcpy(all, w->choices.at, (size_t)n * sizeof *all);
    qsort(all, (size_t)n, sizeof *all, compare_choices);
    text_put(out, n ? "  choices\n" : "  no choices\n");
    for (int i = 0; i < n; i++, times++) {
        if (i + 1 < n && compare_choices(&all[i], &all[i + 1]) == 0) continue;
        text_printf(out, "    %-16s %-14s %s", explain_place(w, all[i].span), all[i].what,
                    all[i].why);
        if (times > 1) text_printf(out, " (%d times)", times);
        text_char(out, '\n');
        times = 0;
    }
    if (w->no_default) text_printf(out, "  no default schedule: %s\n", w->no_default);
}

static void add_choices(Work *w, const LoopEntry *e)
{
    for (int i = 0; i < e->choices.len; i++) vec_push(w->cx->arena, &w->choices, e->choices.at[i]);
    for (int i = 0; i < e->callees.len; i++) add_choices(w, e->callees.at[i]);
}

static const char *check_text(Session *cx, const SizeCheck *c)
{
    static const char *const relation[] = {[SIZE_EQ] = "==", [SIZE_LE] = "<=", [SIZE_NE] = "!="};
    const char *why = size_check_why(cx, c);
    return arena_printf(cx->arena, "%s %s %s%s%s", explain_size(cx, c->left), relation[c->relation],
                        explain_size(cx, c->right), why ? ": " : "", why ? why : "");
}

static void put_checks(Session *cx, Text *out, const LoopEntry *e)
{
    if (e->checks.len) text_put(out, "  checked before any work\n");
    for (int i = 0; i < e->checks.len; i++)
        text_printf(out, "    %s\n", check_text(cx, &e->checks.at[i]));
}

static json_t *checks_json(Session *cx, const LoopEntry *e)
{
    json_t *checks = json_array();
    for (int i = 0; i < e->checks.len; i++) {
        json_t *one = json_span(cx, e->checks.at[i].span);
        json_put(one, "check", json_text(check_text(cx, &e->checks.at[i])));
        json_array_append_new(checks, one);
    }
    return checks;
}

// Formats the condition under which the first of an entry's two versions is used, namely that
// certain strides are 1.
static const char *unit_strides(Session *cx, const LoopEntry *e)
{
    Text out = text_new(cx->arena);
    for (int i = 0; i < e->params.len; i++) {
        const LoopParam *p = &e->params.at[i];
        if (!p->strides) continue;
        text_printf(&out, "%s%s == 1", out.len ? " and " : "", p->strides[p->rank - 1]->text);
    }
    return text_get(&out);
}

static void put_versions(Session *cx, Text *out, const LoopEntry *e)
{
    if (!loops_versions(e)) return;
    text_printf(out, "  two versions\n    if %s: elements of the last dimension are contiguous\n",
                unit_strides(cx, e));
    text_put(out, "    else: they are strided, and access along it is slower\n");
}

json_t *explain_overview_json(Session *cx, Work *w, const GivenSizes *sizes)
{
    add_choices(w, w->loop);
    json_t *one = json_object(), *choices = json_array();
    for (int i = 0; i < w->choices.len; i++) {
        const Choice *c = &w->choices.at[i];
        json_t *x = json_span(cx, c->span);
        json_put(x, "what", json_string(c->what));
        json_put(x, "why", json_string(c->why));
        json_array_append_new(choices, x);
    }
    json_put(one, "name", json_string(w->entry->name->text));
    json_put(one, "choices", choices);
    json_put(one, "checks", checks_json(cx, w->loop));
    json_put(one, "contiguous_if",
             loops_versions(w->loop) ? json_string(unit_strides(cx, w->loop)) : json_null());
    explain_vectors_json(w, one);
    explain_losses_json(w, one);
    explain_hot_json(w, one);
    explain_memory_json(w, sizes, one);
    return one;
}

static void overview(Driver *d, Work *w, const GivenSizes *sizes, bool heading)
{
    Session *cx = d->cx;
    if (d->json) {
        json_array_append_new(json_object_get(d->json, "entries"),
                              explain_overview_json(cx, w, sizes));
        return;
    }
    add_choices(w, w->loop);
    Text out = text_new(cx->arena);
    text_printf(&out, "%s (%s:%s)\n", w->entry->name->text, w->path,
                explain_place(w, w->entry->span));
    put_choices(&out, w);
    put_checks(cx, &out, w->loop);
    put_versions(cx, &out, w->loop);
    explain_vectors(w, &out);
    explain_losses(w, &out);
    explain_memory(w, sizes, &out);
    explain_hot(w, &out);
    explain_put(d, NULL, &out, heading);
}

// --- calls after staging ------------------------------------------------------------------------

static void put_residue(Text *out, const Work *w, const Residue *r)
{
    text_printf(out, "  %s: ", explain_place(w, r->call));
    if (r->as == RESIDUE_LOOP)
        text_put(out, "a loop\n");
    else
        text_printf(out, "a call of %s\n", r->name->text);
    if (r->kept.len == 0)
        text_put(out, "    all arguments are known; it calls itself with the same arguments\n");
    for (int i = 0; i < r->kept.len; i++)
        text_printf(out, "    %s is a run-time argument: %s\n", r->kept.at[i].name->text,
                    r->why.at[i]);
}

// Whether a function is called `name` in some module. `full` has the name of the module before a
// dot, and for a member of a family its ranks after an @.
static bool is_called(const char *full, const char *name)
{
    size_t length = strcspn(full, "@"), n = strlen(name);
    if (n > length || strncmp(full + length - n, name, n) != 0) return false;
    return n == length || full[length - n - 1] == '.';
}

static void put_residues(Driver *d, const Work *w, const char *function, bool heading)
{
    Text out = text_new(d->cx->arena);
    int n = 0;
    text_printf(&out, "%s in %s\n", function, w->entry->name->text);
    for (int i = 0; i < w->residues.len; i++)
        if (is_called(w->residues.at[i].function->text, function)) {
            put_residue(&out, w, &w->residues.at[i]);
            n++;
        }
    if (n == 0) text_put(&out, "  no call of it remains\n");
    explain_put(d, w->entry->name->text, &out, heading);
}

// --- steps of a schedule ------------------------------------------------------------------------

static void put_term(Session *cx, Text *out, const char *head, Node *e, const Step *s)
{
    text_put(out, head);
    TermScope scope = {.level = LEVEL_CORE, .names = s->scope, .n = s->nscope};
    term_print_in(cx, out, e, &scope, 5, 100);
    text_char(out, '\n');
}

static const ScheduleTrace *trace_of(const Work *w)
{
    for (int i = 0; i < w->traces.len; i++)
        if (w->traces.at[i].function == w->entry->name) return &w->traces.at[i];
    return NULL;
}

static void put_trace(Driver *d, const Work *w, bool heading)
{
    Text out = text_new(d->cx->arena);
    const ScheduleTrace *trace = trace_of(w);
    if (!trace) text_printf(&out, "no schedule for target %s\n", w->target->name);
    for (int i = 0, n = 0; trace && i < trace->steps.len; i++) {
        const Step *s = &trace->steps.at[i];
        if (s->covers) {
            text_printf(&out, "   %d of them because: %s\n", s->covers, s->why);
            continue;
        }
        text_printf(&out, "%d. %s at %s (%s)\n", ++n, s->name, *s->path ? s->path : "the body",
                    explain_place(w, s->span));
        put_term(d->cx, &out, "     ", s->before, s);
        put_term(d->cx, &out, "  => ", s->after, s);
    }
    if (trace)
        text_printf(&out, "%lld steps, %lld tried\n", (long long)trace->applied,
                    (long long)trace->tried);
    explain_put(d, w->entry->name->text, &out, heading);
}

// --- the default schedule, to be pasted ---------------------------------------------------------

enum { MOST_SHOWN = 40 }; // characters of an estimate; a longer one says little

// Writes the first sentence of a step's reason as a comment, with the estimate of its operations.
static void put_reason(Session *cx, Text *out, const Step *step)
{
    text_put(out, "    // ");
    for (const char *c = step->why; *c && (*c != '.' || (c[1] && !strchr(" \n", c[1]))); c++)
        text_char(out, *c == '\n' ? ' ' : *c);
    const char *operations = nat_show(cx, step->operations);
    bool counts = strcmp(operations, "0") != 0 && strlen(operations) <= MOST_SHOWN;
    text_printf(out, counts ? " (%s operations).\n" : ".\n", operations);
}

// The steps that no other one covers, last first. Without `reasons` those are the single ones.
static const Step **outer_steps(Arena *arena, const ScheduleTrace *trace, bool reasons, int *n)
{
    const Step **all = ARENA_ARRAY(arena, const Step *, trace->steps.len + 1);
    *n = 0;
    for (int i = trace->steps.len - 1; i >= 0; i--) {
        const Step *s = &trace->steps.at[i];
        if (s->covers && !reasons) continue;
        if (s->idle) continue;
        all[(*n)++] = s;
        i -= s->covers;
    }
    return all;
}

static void put_imports(Driver *d, Text *out, const Step **steps, int n)
{
    Map imported = map_new(d->cx->arena);
    for (int i = n; i-- > 0;)
        for (int k = 0; k < steps[i]->pasted.files.len; k++) {
            const char *module = d->cx->sources.at[steps[i]->pasted.files.at[k] - 1]->module;
            Sym name = module ? session_sym(d->cx, module) : NULL;
            if (!name || map_get(&imported, MAP_KEY(name))) continue;
            map_put(&imported, MAP_KEY(name), d);
            text_printf(out, "import %s\n", module);
        }
}

// The default schedule skips rules that change rounding where it must not, but in a pasted schedule
// they are errors. So the latter then has the single steps.
static void put_schedule(Driver *d, const Work *w, bool heading)
{
    Text out = text_new(d->cx->arena);
    const ScheduleTrace *trace = trace_of(w);
    bool regroups = w->usual && w->usual->allows == FP_REASSOCIATE;
    int n = 0;
    const Step **steps =
        trace && !w->no_default ? outer_steps(d->cx->arena, trace, regroups, &n) : NULL;
    const char *name = w->entry->name->text;
    if (schedule_find(w->program, w->entry->name, w->target->name))
        text_printf(&out, "// `%s` has a schedule.\n", name);
    else if (w->no_default)
        text_printf(&out, "// `%s` has no default schedule: %s.\n", name, w->no_default);
    else if (n == 0)
        text_printf(&out, "// The default schedule of `%s` changes nothing.\n", name);
    const Function *callee = schedule_callee(w->flat);
    if (n && callee)
        text_printf(&out,
                    "// A schedule cannot be written for `%s` (E0816): its call of `%s` is not "
                    "inlined. The default one does this:\n",
                    name, callee->name->text);
    put_imports(d, &out, steps, n);
    if (n)
        text_printf(&out, "%sschedule %s for %s%s {\n", out.len ? "\n" : "", name, w->target->name,
                    regroups ? " allow reassociate" : "");
    for (int i = n; i-- > 0;) {
        if (steps[i]->why) put_reason(d->cx, &out, steps[i]);
        text_printf(&out, "    %s;\n", steps[i]->pasted.text);
    }
    if (n) text_put(&out, "}\n");
    explain_put(d, name, &out, heading);
}

// --- levels -------------------------------------------------------------------------------------

/// The report that the user requested: the overview, the trace, the lanes, or the remaining calls
/// to the function `why_residual`, or the page that shows all of these. If none of these is set, it
/// is the text after the pass `last`.
typedef struct {
    bool overview;
    bool trace, schedule, lanes;
    json_t *data;             // of the page, or NULL
    ExplainPage *page;        // NULL if the program has no such entry
    const char *why_residual; // the function whose remaining calls to explain, or NULL
    Pass last;
    GivenSizes fixed, sizes; // by --fix, and by --size
    Map helpers;             // the names of the sizes that are numbers of threads
} Request;

// Returns the last pass whose result is at stage `s`, or -1 if there is none. For STAGE_LOOP, this
// is the last optimisation.
static int last_pass_to(Stage s)
{
    for (int p = PASS_COUNT - 1; p >= 0; p--)
        if (pass_info[p].to == s) return p;
    return -1;
}

static bool find_request(const Options *o, Request *r)
{
    const char *stage = option_value(o, OPT_STAGE), *pass = option_value(o, OPT_PRINT_AFTER);
    *r = (Request){.trace = option_given(o, OPT_TRACE),
                   .schedule = option_given(o, OPT_SCHEDULE),
                   .last = PASS_outline_kernels};
    if (r->trace || r->schedule) {
        r->last = PASS_stage; // which applies the default schedule
        return true;
    }
    r->why_residual = option_value(o, OPT_WHY_RESIDUAL);
    if (r->why_residual) {
        r->last = PASS_stage;
        return true;
    }
    r->lanes = option_given(o, OPT_LANES);
    if (r->lanes) {
        r->last = PASS_vectorise;
        return true;
    }
    r->overview = !stage && !pass;
    for (int s = STAGE_CORE; stage && s < STAGE_COUNT; s++)
        if (strcmp(stage, stage_name[s]) == 0)
            return (r->last = (Pass)last_pass_to((Stage)s)), true;
    for (int p = 0; pass && p < PASS_COUNT; p++)
        if (strcmp(pass, pass_info[p].name) == 0) return (r->last = (Pass)p), true;
    return r->overview;
}

typedef struct {
    Work *work;
    Pass last;
    bool good;
} Lowering;

static void lower_body(void *env)
{
    Lowering *l = env;
    l->good = pipeline_run(l->work, PASS_stage, l->last);
}

// Whether `f` can be compiled alone, that is, has no type parameters and takes no functions. This
// always holds for entries. Reports E0718 if it does not hold.
static bool is_concrete(Session *cx, const Function *f)
{
    const char *what = NULL;
    for (int i = 0; i < f->generics.len; i++)
        if (strcmp(f->generics.at[i].kind->text, "nat") != 0)
            what =
                arena_printf(cx->arena, "is generic in the type %s", f->generics.at[i].name->text);
    for (int i = 0; i < f->params.len; i++)
        if (!type_is_data(f->params.at[i].type))
            what = arena_printf(cx->arena, "takes the function %s", f->params.at[i].name->text);
    if (!what) return true;
    Diag *d = diag_error(cx, E0718, f->span, "%s %s, so it cannot be compiled alone", f->name->text,
                         what);
    diag_help(cx, d, "explain an entry that calls it, or use --stage core");
    return false;
}

static bool explain_entry(Driver *d, const Work *w, const Function *f, Request *request,
                          bool heading)
{
    Work own = *w;
    own.entry = f;
    if (request->data) {
        if (!is_concrete(d->cx, f) || !explain_page_entry(request->page, &own, &request->sizes))
            return false;
        if (own.loop->helpers) map_put(&request->helpers, MAP_KEY(own.loop->helpers), request);
        return true;
    }
    if (request->last > PASS_schedule) {
        Lowering l = {&own, request->last, false};
        if (!is_concrete(d->cx, f) || !driver_guard(d->cx, lower_body, &l) || !l.good) return false;
    }
    if (request->why_residual) {
        put_residues(d, &own, request->why_residual, heading);
        return true;
    }
    if (request->trace || request->schedule) {
        (request->trace ? put_trace : put_schedule)(d, &own, heading);
        return true;
    }
    if (request->overview) {
        // only now, since a name that is given may be one of the compiler
        GivenSizes *sizes = &request->sizes;
        sizes->len = 0;
        if (!sizes_given(d->cx, &d->options.values[OPT_SIZE], sizes)) return false;
        overview(d, &own, sizes, heading);
        if (own.loop->helpers) map_put(&request->helpers, MAP_KEY(own.loop->helpers), request);
        return true;
    }
    Text out = text_new(d->cx->arena);
    if (request->lanes)
        explain_lanes(&own, &out);
    else
        pipeline_print(&own, pass_info[request->last].to, &out);
    explain_put(d, f->name->text, &out, heading);
    return true;
}

// --- entries ------------------------------------------------------------------------------------

static bool report_any_rank(Session *cx, const Work *w, const char *name)
{
    for (int i = 0; name && i < w->program->of_any_rank.len; i++) {
        const EntryOfRanks *e = &w->program->of_any_rank.at[i];
        if (e->span.file != w->file || strcmp(e->name->text, name) != 0) continue;
        Diag *d =
            diag_error(cx, E0423, e->span,
                       "%s takes arrays of any rank, and is compiled where it is called", name);
        diag_help(cx, d, "name an entry of one rank that calls %s", name);
        return true;
    }
    return false;
}

static int no_such_entry(Session *cx, const Work *w, const char *name)
{
    if (report_any_rank(cx, w, name)) return 1;
    const char **names = ARENA_ARRAY(cx->arena, const char *, w->program->functions.len + 1);
    int n = 0;
    for (int i = 0; i < w->program->functions.len; i++)
        if (function_is_own(w, w->program->functions.at[i]))
            names[n++] = w->program->functions.at[i]->name->text;
    Diag *x = name ? diag_error(cx, E0717, NO_SPAN, "%s has no function %s", w->path, name)
                   : diag_error(cx, E0717, NO_SPAN, "%s has no entry", w->path);
    const char *close = name ? closest_name(name, names, n) : NULL;
    if (close)
        diag_help(cx, x, "did you mean %s?", close);
    else if (!name)
        diag_help(cx, x, "begin a function with `entry fn`, or name the function to explain");
    return 1;
}

// Whether the file or one of its imports has the function. Of any rank, it has one only where it is
// called.
static bool has_function(const Work *w, const char *name)
{
    for (int i = 0; i < w->program->functions.len; i++)
        if (is_called(w->program->functions.at[i]->name->text, name)) return true;
    for (int i = 0; i < w->module->items.len; i++) {
        const Item *item = w->module->items.at[i];
        if (item->kind == ITEM_FN && item->name && strcmp(item->name->text, name) == 0) return true;
    }
    return false;
}

static int explain_file(Driver *d, const Work *w, Pass last)
{
    for (int i = 0; i < w->program->functions.len; i++)
        program_report(d->cx, w->program, w->program->functions.at[i]);
    if (d->cx->errors) return 1;
    Text out = text_new(d->cx->arena);
    pipeline_print(w, pass_info[last].to, &out);
    explain_put(d, NULL, &out, false);
    return 0;
}

// Whether the sizes given by --size, other than numbers of threads, are those of some function.
static bool all_sizes_fit(Session *cx, const Request *r, const Function *const *all, int n)
{
    GivenSizes rest = {0};
    for (int i = 0; r->overview && i < r->sizes.len; i++)
        if (!map_get(&r->helpers, MAP_KEY(r->sizes.at[i].name)))
            vec_push(cx->arena, &rest, r->sizes.at[i]);
    return sizes_fit(cx, "size", &rest, all, n);
}

static int explain_body(Driver *d, void *env)
{
    Request *r = env;
    const char *name = d->options.arguments.len > 1 ? d->options.arguments.at[1] : NULL;
    Work w;
    d->cx->lays_out = true;
    r->helpers = map_new(d->cx->arena);
    if (!sizes_fixed(d->cx, &d->options.values[OPT_FIX], &r->fixed)) return 1;
    if (!pipeline_open(d, d->options.arguments.at[0], &w)) return 1;
    if (!name && !r->overview && !r->trace && !r->schedule && r->last <= PASS_schedule)
        return explain_file(d, &w, r->last);
    if (r->why_residual && !has_function(&w, r->why_residual))
        return no_such_entry(d->cx, &w, r->why_residual);
    int found;
    bool good = true;
    const Function **all = pipeline_functions(&w, name, &found);
    for (int i = 0; i < found; i++) program_report(d->cx, w.program, all[i]);
    if (d->cx->errors || (found && !sizes_fit(d->cx, "fix", &r->fixed, all, found))) return 1;
    if (r->data && found) r->page = explain_page_new(d, &w, r->data);
    for (int i = 0; i < found; i++) {
        const Function *f = sizes_fix(d->cx, program_compiled(w.program, all[i]), &r->fixed);
        good &= explain_entry(d, &w, f, r, i > 0);
    }
    if (found == 0) return no_such_entry(d->cx, &w, name);
    if (!good || !all_sizes_fit(d->cx, r, all, found)) return 1;
    return !r->page || explain_page_write(r->page) ? 0 : 1;
}

// Only a page goes to a file, and a page is made of a program, not of the text of a level.
static bool output_agrees(const Options *o)
{
    bool html = option_given(o, OPT_HTML);
    const char *wrong = !html && option_given(o, OPT_PAGE)  ? "--output needs --html"
                        : html && option_given(o, OPT_JSON) ? "--html and --json exclude each other"
                        : html && explain_is_level(o->arguments.at[0])
                            ? "--html needs a program, not the text of a level"
                            : NULL;
    if (wrong) fprintf(stderr, "adze explain: %s\n", wrong);
    return !wrong;
}

int cmd_explain(Driver *d)
{
    Request request;
    if (!output_agrees(&d->options)) return 2;
    if (!target_exists(&d->options)) return 2;
    if (!find_request(&d->options, &request)) {
        bool pass = !option_given(&d->options, OPT_STAGE);
        fprintf(stderr, "adze explain: there is no %s `%s`; choose from:", pass ? "pass" : "stage",
                option_value(&d->options, pass ? OPT_PRINT_AFTER : OPT_STAGE));
        for (int i = 0; i < (pass ? (int)PASS_COUNT : (int)STAGE_COUNT); i++)
            if (pass || i >= STAGE_CORE)
                fprintf(stderr, " %s", pass ? pass_info[i].name : stage_name[i]);
        fputc('\n', stderr);
        return 2;
    }
    if (request.last == PASS_kernels && !target_has_kernels(&d->options)) return 2;
    if (pipeline_leaves_out(request.last, target_wanted(&d->options))) {
        fprintf(stderr,
                "adze explain: the pass %s is for processors, and left out for the target %s\n",
                pass_info[request.last].name, target_wanted(&d->options)->name);
        return 2;
    }
    if (d->json) json_put(d->json, "entries", json_array());
    if (explain_is_level(d->options.arguments.at[0])) return explain_level(d, request.last);
    if (option_given(&d->options, OPT_HTML)) request.data = json_object();
    int status = driver_session(d, explain_body, &request);
    json_decref(request.data);
    return status;
}
