// adze build FILE: the entries of a file as NAME.c and NAME.h.
#include "driver/internal.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

typedef VEC(LoopEntry *) Entries;

static bool lower_entries(Session *cx, const Work *w, const GivenSizes *sizes, Entries *entries)
{
    bool good = true;
    const Function **all = ARENA_ARRAY(cx->arena, const Function *, w->program->functions.len + 1);
    int found = 0;
    for (int i = 0; i < w->program->functions.len; i++) {
        const Function *f = w->program->functions.at[i];
        if (f->entry && function_is_own(w, f)) all[found++] = f;
    }
    if (found && !sizes_fit(cx, sizes, all, found)) return false;
    for (int i = 0; i < found; i++) {
        Work own = pipeline_lower(w, sizes_fix(cx, program_compiled(w->program, all[i]), sizes));
        if (own.loop)
            vec_push(cx->arena, entries, own.loop);
        else
            good = false;
    }
    if (found) return good;
    Diag *d = diag_error(cx, E0717, NO_SPAN, "%s has no entry: there is nothing to build", w->path);
    diag_help(cx, d, "begin the functions to be called from C with `entry fn`");
    return false;
}

static bool make_folder(Session *cx, const char *dir)
{
    if (path_make_dirs(dir)) return true;
    diag_error(cx, E0706, NO_SPAN, "the folder %s cannot be made: %s", dir, strerror(errno));
    return false;
}

static void written(Driver *d, const char *path)
{
    if (d->json)
        json_array_append_new(json_object_get(d->json, "written"), json_string(path));
    else
        printf("%s\n", path);
}

// NAME.o beside NAME.c. The compiler writes to a temporary name first.
static bool compile_object(Driver *d, const HostOptions *h, const Compiler *cc, const char *dir,
                           const char *name)
{
    Session *cx = d->cx;
    const char *c_file = path_join(cx->arena, dir, arena_printf(cx->arena, "%s.c", name));
    const char *object = path_join(cx->arena, dir, arena_printf(cx->arena, "%s.o", name));
    const char *temporary =
        path_join(cx->arena, dir, arena_printf(cx->arena, ".adze-%ld.o", (long)getpid()));
    cleanup_add(d->cleanup, temporary);
    bool good = host_compile(cx, h, cc, true, c_file, temporary);
    if (good && rename(temporary, object) != 0) {
        diag_error(cx, E0706, NO_SPAN, "%s: cannot write: %s", object, strerror(errno));
        good = false;
    }
    if (!good) remove_path(temporary);
    cleanup_drop(d->cleanup, temporary);
    if (good) written(d, object);
    return good;
}

static int build_file(Driver *d, void *env)
{
    (void)env;
    Session *cx = d->cx;
    const char *path = d->options.arguments.at[0], *dir = option_value(&d->options, OPT_WRITE_IN);
    Work w;
    Entries entries = {0};
    GivenSizes sizes = {0};
    Compiler cc;
    HostOptions host = driver_host(d);
    bool compile = option_given(&d->options, OPT_COMPILE);
    if (!sizes_fixed(cx, &d->options.values[OPT_FIX], &sizes)) return 1;
    if (!pipeline_open(d, path, &w) || !lower_entries(cx, &w, &sizes, &entries)) return 1;
    if (compile && !host_find(cx, &host, &cc)) return 1;
    host.parallel = loops_any_parallel(entries.at, entries.len);
    if (!dir) dir = ".";
    if (!make_folder(cx, dir)) return 1;
    const char *name = path_stem(cx->arena, path);
    Text source = text_new(cx->arena), header = text_new(cx->arena);
    pipeline_emit(cx, entries.at, entries.len, name, false, &source, &header);
    FileText files[] = {
        {path_join(cx->arena, dir, arena_printf(cx->arena, "%s.h", name)), text_get(&header),
         header.len},
        {path_join(cx->arena, dir, arena_printf(cx->arena, "%s.c", name)), text_get(&source),
         source.len},
    };
    if (!files_write(cx, d->cleanup, files, 2)) return 1;
    written(d, files[1].path);
    written(d, files[0].path);
    return compile && !compile_object(d, &host, &cc, dir, name) ? 1 : 0;
}

int cmd_build(Driver *d)
{
    if (!target_exists(&d->options)) return 2;
    if (d->json) json_put(d->json, "written", json_array());
    return driver_session(d, build_file, NULL);
}
