// adze build FILE: compiles the entries of a file to NAME.c and NAME.h. Given several processors,
// it also writes NAME_v3.c, NAME_v3.h and so on, and NAME.c dispatches among them.
#include "driver/commands/commands.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

typedef VEC(LoopEntry *) Entries;

// Warns about entries that C code cannot call, because they take arrays of any rank.
static void warn_of_ranks(Session *cx, const Work *w)
{
    for (int i = 0; i < w->program->of_any_rank.len; i++) {
        const EntryOfRanks *e = &w->program->of_any_rank.at[i];
        if (e->span.file != w->file) continue;
        Diag *d = diag_warning(cx, E0423, e->span,
                               "%s takes arrays of any rank, so there is no C function for it",
                               e->name->text);
        diag_help(cx, d, "for C, write an entry for each rank, which calls %s", e->name->text);
    }
}

static bool lower_entries(Session *cx, const Work *w, const GivenSizes *sizes, Entries *entries)
{
    bool good = true;
    int found;
    warn_of_ranks(cx, w);
    const Function **all = pipeline_functions(w, NULL, &found);
    if (found && !sizes_fit(cx, "fix", sizes, all, found)) return false;
    for (int i = 0; i < found; i++) {
        Work own = pipeline_lower(w, sizes_fix(cx, program_compiled(w->program, all[i]), sizes));
        good &= own.loop != NULL;
        if (!own.loop) continue;
        if (!w->quiet) losses_warn(&own);
        vec_push(cx->arena, entries, own.loop);
    }
    if (found) return good;
    Diag *d = diag_error(cx, E0717, NO_SPAN, "%s has no entry to build", w->path);
    diag_help(cx, d, "begin the functions to be called from C with `entry fn`");
    return false;
}

static void written(Driver *d, const char *path)
{
    if (d->json)
        json_array_append_new(json_object_get(d->json, "written"), json_text(path));
    else
        printf("%s\n", path);
}

// --- files ---------------------------------------------------------------------------------------

/// The files to write. `sources` holds the paths of the C files among them, and `flags` the
/// compiler flags for the processor that each of these is built for.
typedef struct {
    VEC(FileText) files;
    VEC(const char *) sources, flags;
} Output;

static void add_file(Session *cx, Output *out, const char *dir, const char *file, const Text *text)
{
    const char *path = path_join(cx->arena, dir, file);
    vec_push(cx->arena, &out->files, ((FileText){path, text_get(text), text->len}));
}

static void add_pair(Session *cx, Output *out, const char *dir, const char *name,
                     const Text *source, const Text *header, const char *flags)
{
    add_file(cx, out, dir, arena_printf(cx->arena, "%s.c", name), source);
    add_file(cx, out, dir, arena_printf(cx->arena, "%s.h", name), header);
    vec_push(cx->arena, &out->sources, out->files.at[out->files.len - 2].path);
    vec_push(cx->arena, &out->flags, flags);
}

// --- names -------------------------------------------------------------------------------------

// Returns the prefix of public function names: the argument of --prefix, made to end in an
// underscore, or adze_.
static const char *public_prefix(Driver *d)
{
    const char *given = option_value(&d->options, OPT_PREFIX);
    if (!given) return "adze_";
    bool open = given[strlen(given) - 1] != '_';
    return arena_printf(d->cx->arena, "%s%s", given, open ? "_" : "");
}

// Whether the argument of --prefix is acceptable. If not, reports an error. The names of support
// functions begin with adze_, and C reserves names that begin with an underscore.
static bool prefix_is_good(const Options *o)
{
    const char *given = option_value(o, OPT_PREFIX);
    bool good = !given || (isalpha((unsigned char)*given) && strncmp(given, "adze_", 5) != 0);
    for (const char *c = given; good && c && *c; c++)
        good = isalnum((unsigned char)*c) || *c == '_';
    if (!good)
        fprintf(stderr,
                "adze: --prefix %s: the prefix must be a C name: letters, digits and "
                "underscores, with a letter first, but not adze_\n",
                given);
    return good;
}

// --- versions for several processors ------------------------------------------------------------

// Emits all entries into one C file.
static bool make_file(Driver *d, const Work *w, const GivenSizes *sizes, const char *dir,
                      const char *name, Entries *entries, Output *out)
{
    Session *cx = d->cx;
    Text source = text_new(cx->arena), header = text_new(cx->arena);
    if (!lower_entries(cx, w, sizes, entries)) return false;
    pipeline_emit_version(cx, entries->at, entries->len, name, public_prefix(d), NULL, NULL,
                          &source, &header);
    add_pair(cx, out, dir, name, &source, &header, cpu_flags(&d->cpus, 0, cx->arena));
    return true;
}

// Emits a C file for each processor, and one that selects among them. The latter has the interface
// of the version for the most capable processor.
static bool make_versions(Driver *d, const Work *w, const GivenSizes *sizes, const char *dir,
                          const char *name, Entries *entries, Output *out)
{
    Session *cx = d->cx;
    EmitVersion versions[CPU_VERSIONS];
    PublicEntry *all = NULL;
    Text header = text_new(cx->arena), choice = text_new(cx->arena);
    for (int i = 0; i < d->cpus.n; i++) {
        const Cpu *cpu = d->cpus.at[i];
        Text source = text_new(cx->arena), own = text_new(cx->arena), unused = text_new(cx->arena);
        const char *file = arena_printf(cx->arena, "%s_%s", name, cpu_short_name(cpu));
        driver_set_cpu(d, cpu);
        entries->len = 0;
        if (!lower_entries(cx, w, sizes, entries)) return false;
        PublicEntry *functions = ARENA_ARRAY(cx->arena, PublicEntry, entries->len + 1);
        // no Adze name begins with a digit, so this prefix cannot clash with another entry
        const char *prefix =
            arena_printf(cx->arena, "%s64%s_", public_prefix(d), cpu_short_name(cpu));
        pipeline_emit_version(cx, entries->at, entries->len, file, prefix, public_prefix(d),
                              functions, &source, &own);
        add_pair(cx, out, dir, file, &source, &own, cpu_flags(&d->cpus, i, cx->arena));
        versions[i] = (EmitVersion){cpu, arena_printf(cx->arena, "%s.h", file), functions};
        if (i > 0) continue;
        all = ARENA_ARRAY(cx->arena, PublicEntry, entries->len + 1);
        pipeline_emit_version(cx, entries->at, entries->len, name, public_prefix(d), NULL, all,
                              &unused, &header);
    }
    emit_dispatch(cx, &choice, arena_printf(cx->arena, "%s.h", name), all, entries->len, versions,
                  d->cpus.n);
    add_pair(cx, out, dir, name, &choice, &header, d->cpus.at[d->cpus.n - 1]->level->flags);
    return true;
}

// --- objects ------------------------------------------------------------------------------------

// Compiles several C files and joins their objects into one.
static bool compile_parts(Driver *d, HostOptions *h, const Compiler *cc, const Output *w,
                          const char *target)
{
    Session *cx = d->cx;
    Strings parts = {0};
    bool good = true;
    for (int i = 0; good && i < w->sources.len; i++) {
        const char *part = arena_printf(cx->arena, "%s.%d.o", target, i);
        vec_push(cx->arena, &parts, part);
        cleanup_add(d->cleanup, part);
        h->cpu = w->flags.at[i];
        good = host_compile(cx, h, cc, true, w->sources.at[i], part) == HOST_COMPILED;
    }
    good = good && host_join(cx, h, cc, &parts, target);
    for (int i = 0; i < parts.len; i++) {
        remove_path(parts.at[i]);
        cleanup_drop(d->cleanup, parts.at[i]);
    }
    return good;
}

// Compiles the C files to NAME.o, beside NAME.c.
static bool compile_object(Driver *d, HostOptions *h, const Compiler *cc, const char *dir,
                           const char *name, const Output *w)
{
    Session *cx = d->cx;
    const char *object = path_join(cx->arena, dir, arena_printf(cx->arena, "%s.o", name));
    const char *temporary =
        path_join(cx->arena, dir, arena_printf(cx->arena, ".adze-%ld.o", (long)getpid()));
    cleanup_add(d->cleanup, temporary);
    bool good = w->sources.len == 1
                    ? host_compile(cx, h, cc, true, w->sources.at[0], temporary) == HOST_COMPILED
                    : compile_parts(d, h, cc, w, temporary);
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
    const char *name = path_stem(cx->arena, path);
    Work w;
    Entries entries = {0};
    GivenSizes sizes = {0};
    Output files = {0};
    Compiler cc;
    HostOptions host = driver_host(d);
    bool compile = option_given(&d->options, OPT_COMPILE);
    cx->lays_out = true;
    if (!dir) dir = ".";
    if (!sizes_fixed(cx, &d->options.values[OPT_FIX], &sizes)) return 1;
    if (!pipeline_open(d, path, &w)) return 1;
    w.quiet = option_given(&d->options, OPT_NO_REMARKS);
    bool made =
        (d->cpus.n > 1 ? make_versions : make_file)(d, &w, &sizes, dir, name, &entries, &files);
    if (!made || (compile && !host_find(cx, &host, &cc))) return 1;
    host.parallel = loops_any_parallel(entries.at, entries.len);
    bool is_new = !path_is_dir(dir);
    if (!path_make_dirs(dir)) {
        diag_error(cx, E0706, NO_SPAN, "cannot create the folder %s: %s", dir, strerror(errno));
        return 1;
    }
    if (!files_write(cx, d->cleanup, files.files.at, files.files.len)) {
        if (is_new) rmdir(dir);
        return 1;
    }
    for (int i = files.files.len - 2; i >= 0; i -= 2) {
        written(d, files.files.at[i].path);
        written(d, files.files.at[i + 1].path);
    }
    return compile && !compile_object(d, &host, &cc, dir, name, &files) ? 1 : 0;
}

// Whether -o names a file, like t.c, as it would for a C compiler. If so, reports it.
static bool is_named_like_file(const Options *o)
{
    static const char *const ends[] = {".c", ".h", ".o", ".a", ".so"};
    const char *dir = option_value(o, OPT_WRITE_IN), *dot = dir ? strrchr(dir, '.') : NULL;
    if (!dot || path_is_dir(dir)) return false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (strcmp(dot, ends[i]) != 0) continue;
        fprintf(stderr,
                "adze build: -o names a folder, but `%s` is the name of a file; the files in it "
                "are named after the program: for NAME.adz, -o out writes out/NAME.c and "
                "out/NAME.h\n",
                dir);
        return true;
    }
    return false;
}

int cmd_build(Driver *d)
{
    if (!target_exists(&d->options) || !prefix_is_good(&d->options)) return 2;
    if (is_named_like_file(&d->options)) return 2;
    if (d->json) json_put(d->json, "written", json_array());
    return driver_session(d, build_file, NULL);
}
