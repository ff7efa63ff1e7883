// `adze explain FILE.dpia` and `FILE.loop`: the text of a level, as explain prints it, goes through
// the passes below that level.
#include "driver/commands/commands.h"

/// The levels that have files, and the first pass from each.
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
    return (w->loop = loops_read(w->cx, w->file)) != NULL;
}

// What the text breaks of the rules of its level is an error in the text.
static void check_term(Work *w, Stage level)
{
    w->cx->given = (Span){w->file, 0, 1};
    if (level == STAGE_DPIA)
        dpia_check(w->cx, w->phrase);
    else
        loops_check(w->cx, w->loop);
    w->cx->given = NO_SPAN;
}

typedef struct {
    Stage level;
    Pass first, last;
} Reading;

static int explain_body(Driver *d, void *env)
{
    const Reading *r = env;
    Work w = {
        .cx = d->cx, .path = d->options.arguments.at[0], .target = target_wanted(&d->options)};
    w.check = true;
    if (!file_readable(d->cx, w.path, NO_SPAN)) return 1;
    w.file = source_read(d->cx, w.path, NO_SPAN);
    if (!w.file || !read_term(&w, r->level)) return 1;
    check_term(&w, r->level);
    if (d->cx->errors || !pipeline_run(&w, r->first, r->last)) return 1;
    Text out = text_new(d->cx->arena);
    pipeline_print(&w, r->last < r->first ? r->level : pass_info[r->last].to, &out);
    explain_put(d, NULL, &out, false);
    return 0;
}

int explain_level(Driver *d, Pass last)
{
    int k = level_of(d->options.arguments.at[0]);
    Reading r = {.level = levels[k].level, .first = levels[k].first, .last = last};
    bool alone = option_given(&d->options, OPT_PRINT_AFTER);
    if (alone && last > r.first) r.first = last;
    if (d->options.arguments.len > 1 || (alone && last < levels[k].first) ||
        pass_info[last].to < r.level) {
        fprintf(stderr,
                "adze explain: %s holds the level %s: there is nothing above it, and no entry to "
                "choose\n",
                d->options.arguments.at[0], stage_name[r.level]);
        return 2;
    }
    return driver_session(d, explain_body, &r);
}
