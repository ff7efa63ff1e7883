// `adze explain FILE.dpia` and `FILE.loop`: reads a program at one of these levels, in the form
// that `adze explain` prints, and runs the passes that follow the level.
#include "driver/commands/commands.h"
#include "ir/walk.h"

#include <string.h>

/// The levels that can be read from files, and the first pass that runs on each.
static const struct {
    const char *extension;
    Stage level;
    Pass first;
} levels[] = {
    {".dpia", STAGE_DPIA, PASS_lower_to_loops},
    {".loop", STAGE_LOOP, PASS_lower_to_loops + 1},
};

static int level_of(const char *path)
{
    for (int i = 0; i < 2; i++)
        if (path_has_extension(path, levels[i].extension)) return i;
    return -1;
}

bool explain_is_level(const char *path)
{
    return level_of(path) >= 0;
}

static bool read_term(Work *w, Stage level)
{
    w->cx->pass = "read";
    if (level == STAGE_DPIA) return (w->phrase = dpia_read(w->cx, w->file)) != NULL;
    w->loop = loops_read(w->cx, w->file);
    if (!w->loop) return false;
    loops_find_folded(w->cx, w->loop);
    loops_set_target(w->loop, w->target->serial, w->target->device);
    return true;
}

static bool is_call(Node *n, void *name)
{
    return (n->kind == COM_CALL || n->kind == LOOP_CALL) && n->attr.sym == *(Sym *)name;
}

static bool calls(Node *body, Sym name)
{
    return node_any(body, is_call, &name);
}

// Returns the name of a second entry in the text, or NULL if there is none. A second entry is a
// function that no other function calls.
static const char *second_entry(const Work *w, Stage level)
{
    int n = level == STAGE_DPIA ? w->phrase->callees.len : w->loop->callees.len;
    for (int k = 0; k < n; k++) {
        Sym name =
            level == STAGE_DPIA ? w->phrase->callees.at[k]->name : w->loop->callees.at[k]->name;
        bool called =
            level == STAGE_DPIA ? calls(w->phrase->body, name) : calls(w->loop->body, name);
        for (int i = 0; i < n && !called; i++) {
            Node *body =
                level == STAGE_DPIA ? w->phrase->callees.at[i]->body : w->loop->callees.at[i]->body;
            called = i != k && body && calls(body, name);
        }
        if (!called) return name->text;
    }
    return NULL;
}

// Whether the text has a single entry, and its name is `wanted` if that is not NULL. If not,
// reports an error.
static bool is_of_entry(Work *w, Stage level, const char *wanted)
{
    const char *name = (level == STAGE_DPIA ? w->phrase->name : w->loop->name)->text;
    const char *second = second_entry(w, level);
    if (second) {
        Diag *d =
            diag_error(w->cx, E0726, (Span){w->file, 0, 1},
                       "%s does not call `%s`: the text has more than one entry", name, second);
        diag_help(w->cx, d, "`adze explain FILE ENTRY` prints a single one");
        return false;
    }
    if (!wanted || strcmp(wanted, name) == 0) return true;
    diag_error(w->cx, E0717, NO_SPAN, "%s has no entry %s; it has %s", w->path, wanted, name);
    return false;
}

// Checks the text against the rules of its level. Violations that the check or a later pass finds
// are reported as errors in the text, not as internal compiler errors.
static void check_term(Work *w, Stage level)
{
    w->cx->given = (Span){w->file, 0, 1};
    if (level == STAGE_DPIA)
        dpia_check(w->cx, w->phrase);
    else
        loops_check(w->cx, w->loop);
}

typedef struct {
    Stage level;
    Pass first, last;
    bool alone; // run only the last pass, provided that its input is at `level`
} Reading;

// Sets *first to the first pass to run. Loops that have already been through all passes are only
// emitted as C. Reports an error and returns false if the requested pass cannot run on them.
static bool find_first(Work *w, const Reading *r, Pass *first)
{
    bool kernels = r->level == STAGE_LOOP && loops_has_kernels(w->loop);
    bool finished = r->level == STAGE_LOOP && (w->loop->planned || w->loop->folded || kernels);
    *first = r->alone && pass_info[r->last].from == r->level ? r->last : r->first;
    if (!finished) return true;
    if (kernels && r->last >= PASS_emit && !w->target->device) {
        Diag *d = diag_error(w->cx, E0726, (Span){w->file, 0, 1},
                             "these loops have kernels, but the target %s has no device",
                             w->target->name);
        diag_help(w->cx, d, "choose a target that has one: --target opencl or cuda");
        return false;
    }
    if (r->alone && r->last != PASS_emit) {
        Diag *d = diag_error(w->cx, E0726, (Span){w->file, 0, 1},
                             "these loops are the result of all passes, which do not run again");
        diag_help(w->cx, d,
                  "`adze explain FILE ENTRY --print-after PASS` prints loops between passes");
        return false;
    }
    *first = PASS_emit;
    return true;
}

static int explain_body(Driver *d, void *env)
{
    const Reading *r = env;
    const Strings *arguments = &d->options.arguments;
    Pass first;
    Work w = {.cx = d->cx, .path = arguments->at[0], .target = target_wanted(&d->options)};
    w.check = true;
    if (!file_readable(d->cx, w.path, NO_SPAN)) return 1;
    w.file = source_read(d->cx, w.path, NO_SPAN);
    if (!w.file || !read_term(&w, r->level)) return 1;
    if (!is_of_entry(&w, r->level, arguments->len > 1 ? arguments->at[1] : NULL)) return 1;
    check_term(&w, r->level);
    if (d->cx->errors || !find_first(&w, r, &first) || !pipeline_run(&w, first, r->last)) return 1;
    Text out = text_new(d->cx->arena);
    pipeline_print(&w, r->last < r->first ? r->level : pass_info[r->last].to, &out);
    explain_put(d, NULL, &out, false);
    return 0;
}

int explain_level(Driver *d, Pass last)
{
    int k = level_of(d->options.arguments.at[0]);
    Reading r = {.level = levels[k].level,
                 .first = levels[k].first,
                 .last = last,
                 .alone = option_given(&d->options, OPT_PRINT_AFTER)};
    if ((r.alone && last < r.first) || pass_info[last].to < r.level) {
        fprintf(stderr,
                "adze explain: %s contains the level %s, which is below the requested one\n",
                d->options.arguments.at[0], stage_name[r.level]);
        return 2;
    }
    return driver_session(d, explain_body, &r);
}
