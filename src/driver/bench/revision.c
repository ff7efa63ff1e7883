// The program as it was at a git revision. Files that git does not have there, such as those of the
// library, are those of today.
#include "driver/bench/bench.h"
#include "driver/host/host.h"

#include <string.h>

typedef struct {
    Driver *d;
    const char *revision;
} Earlier;

// The path under which the text of a file at a revision is known. It is in the folder of the file.
static const char *path_at(const Earlier *e, const char *path)
{
    return arena_printf(e->d->cx->arena, "%s@%s", path, e->revision);
}

// Adds the text of `name`, a path from the folder, as a source. Returns 0 if git does not have it;
// *said is then what git says.
static uint32_t source_at(const Earlier *e, const char *dir, const char *name, const char **said)
{
    Session *cx = e->d->cx;
    const char *path = path_at(e, path_join(cx->arena, dir, name));
    for (int i = 0; i < cx->sources.len; i++)
        if (strcmp(cx->sources.at[i]->path, path) == 0) return (uint32_t)i + 1;
    Strings words = {0};
    Text out = text_new(cx->arena);
    const char *command[] = {"git", "-C", dir, "show",
                             arena_printf(cx->arena, "%s:./%s", e->revision, name)};
    for (size_t i = 0; i < sizeof command / sizeof *command; i++)
        vec_push(cx->arena, &words, command[i]);
    bool found = host_execute(&words, e->d->cleanup, &out) == 0;
    *said = text_get(&out);
    return found ? session_add_source(cx, path, *said, out.len) : 0;
}

// A FindModule. A file of the revision imports files of the revision.
static uint32_t find_at(Session *cx, const char *name, uint32_t from, void *env)
{
    const Earlier *e = env;
    const char *path = from ? cx->sources.at[from - 1]->path : "", *said, *end = path_at(e, "");
    size_t n = strlen(path), m = strlen(end);
    bool earlier = n > m && strcmp(path + n - m, end) == 0;
    uint32_t file =
        earlier ? source_at(e, path_dir(cx->arena, path), modules_file_name(cx->arena, name), &said)
                : 0;
    if (!file) return modules_find(cx, name, from, NULL);
    cx->sources.at[file - 1]->module = arena_printf(cx->arena, "%s", name);
    return file;
}

bool bench_open_revision(Driver *d, const char *path, const char *revision, Work *w)
{
    Session *cx = d->cx;
    Earlier *e = ARENA_NEW(cx->arena, Earlier);
    const char *said = "", *base = path_base(path);
    int errors = cx->errors;
    *e = (Earlier){d, revision};
    uint32_t file = source_at(e, path_dir(cx->arena, path), base, &said);
    if (!file) {
        Diag *x = diag_error(cx, E0701, NO_SPAN,
                             "--against %s is neither a file nor a git revision that has %s",
                             revision, base);
        diag_note(cx, x, NO_SPAN, "%.*s", (int)strcspn(said, "\n"), said);
        diag_help(cx, x, "name a file that --save wrote, or a revision such as HEAD or HEAD~1");
        return false;
    }
    pipeline_start(d, file, w);
    w->find = find_at;
    w->find_env = e;
    return cx->errors == errors && pipeline_run(w, PASS_infer, PASS_schedule);
}
