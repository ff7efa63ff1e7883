// adze build FILE: compiles the entries of a file to NAME.c and NAME.h. Given several processors,
// it also writes NAME_v3.c, NAME_v3.h and so on, and NAME.c dispatches among them.
#include "driver/commands/build.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

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

bool build_lower(Session *cx, const Build *b, Entries *entries)
{
    const Work *w = b->w;
    bool good = true;
    int found;
    warn_of_ranks(cx, w);
    const Function **all = pipeline_functions(w, NULL, &found);
    if (found && !sizes_fit(cx, "fix", b->sizes, all, found)) return false;
    for (int i = 0; i < found; i++) {
        Work own = pipeline_lower(w, sizes_fix(cx, program_compiled(w->program, all[i]), b->sizes));
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

void build_written(Driver *d, const char *path)
{
    if (d->json)
        json_array_append_new(json_object_get(d->json, "written"), json_text(path));
    else
        printf("%s\n", path);
}

// --- files ---------------------------------------------------------------------------------------

void build_add(Session *cx, Output *out, const char *dir, const char *file, const Text *text)
{
    const char *path = path_join(cx->arena, dir, file);
    vec_push(cx->arena, &out->files, ((FileText){path, text_get(text), text->len}));
}

static void add_pair(Session *cx, Output *out, const char *dir, const char *name,
                     const Text *source, const Text *header, const char *flags)
{
    build_add(cx, out, dir, arena_printf(cx->arena, "%s.c", name), source);
    build_add(cx, out, dir, arena_printf(cx->arena, "%s.h", name), header);
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
static bool make_file(Driver *d, const Build *b, Entries *entries, Output *out)
{
    Session *cx = d->cx;
    Text source = text_new(cx->arena), header = text_new(cx->arena);
    if (!build_lower(cx, b, entries)) return false;
    pipeline_emit_version(cx, entries->at, entries->len, b->name, public_prefix(d), NULL, NULL,
                          &source, &header);
    add_pair(cx, out, b->dir, b->name, &source, &header, cpu_flags(&d->cpus, 0, cx->arena));
    return true;
}

// Emits a C file for each processor, and one that selects among them. The latter has the interface
// of the version for the most capable processor.
static bool make_versions(Driver *d, const Build *b, Entries *entries, Output *out)
{
    Session *cx = d->cx;
    const char *dir = b->dir, *name = b->name;
    EmitVersion versions[CPU_VERSIONS];
    PublicEntry *all = NULL;
    Text header = text_new(cx->arena), choice = text_new(cx->arena);
    for (int i = 0; i < d->cpus.n; i++) {
        const Cpu *cpu = d->cpus.at[i];
        Text source = text_new(cx->arena), own = text_new(cx->arena), unused = text_new(cx->arena);
        const char *file = arena_printf(cx->arena, "%s_%s", name, cpu_short_name(cpu));
        driver_set_cpu(d, cpu);
        entries->len = 0;
        if (!build_lower(cx, b, entries)) return false;
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

static bool replace_file(Driver *d, const char *temporary, const char *path)
{
    if (rename(temporary, path) == 0) return true;
    diag_error(d->cx, E0706, NO_SPAN, "%s: cannot write: %s", path, strerror(errno));
    return false;
}

// The name of a file beside `path` that takes its place when it is complete.
static const char *temporary_for(Driver *d, const char *path)
{
    Arena *arena = d->cx->arena;
    const char *name = arena_printf(arena, ".adze-%ld.o", (long)getpid());
    const char *temporary = path_join(arena, path_dir(arena, path), name);
    cleanup_add(d->cleanup, temporary);
    return temporary;
}

bool build_compile(Driver *d, HostOptions *h, const Compiler *cc, bool object, const char *c_file,
                   const char *path)
{
    const char *temporary = temporary_for(d, path);
    bool good = host_compile(d->cx, h, cc, object, c_file, temporary) == HOST_COMPILED &&
                replace_file(d, temporary, path);
    if (!good) remove_path(temporary);
    cleanup_drop(d->cleanup, temporary);
    if (good) build_written(d, path);
    return good;
}

// Compiles the C files to NAME.o, beside NAME.c.
static bool compile_object(Driver *d, HostOptions *h, const Compiler *cc, const Build *b,
                           const Output *w)
{
    Session *cx = d->cx;
    const char *object = path_join(cx->arena, b->dir, arena_printf(cx->arena, "%s.o", b->name));
    if (w->sources.len == 1) return build_compile(d, h, cc, true, w->sources.at[0], object);
    const char *temporary = temporary_for(d, object);
    bool good = compile_parts(d, h, cc, w, temporary) && replace_file(d, temporary, object);
    if (!good) remove_path(temporary);
    cleanup_drop(d->cleanup, temporary);
    if (good) build_written(d, object);
    return good;
}

// Writes the files, in folders that are made. Returns false after an error.
static bool write_files(Driver *d, const Build *b, const Output *files)
{
    Session *cx = d->cx;
    bool is_new = !path_is_dir(b->dir);
    for (int i = 0; i < files->files.len; i++) {
        const char *dir = path_dir(cx->arena, files->files.at[i].path);
        if (path_is_dir(dir) || path_make_dirs(dir)) continue;
        diag_error(cx, E0706, NO_SPAN, "cannot create the folder %s: %s", dir, strerror(errno));
        return false;
    }
    if (files_write(cx, d->cleanup, files->files.at, files->files.len)) return true;
    if (is_new) rmdir(b->dir);
    return false;
}

static int build_file(Driver *d, void *env)
{
    (void)env;
    Session *cx = d->cx;
    const char *path = d->options.arguments.at[0], *dir = option_value(&d->options, OPT_WRITE_IN);
    Work w;
    GivenSizes sizes = {0};
    const Build b = {&w, &sizes, dir ? dir : ".", path_stem(cx->arena, path)};
    Entries entries = {0};
    Output files = {0};
    Compiler cc;
    HostOptions host = driver_host(d);
    bool compile = option_given(&d->options, OPT_COMPILE);
    bool python = option_given(&d->options, OPT_PYTHON);
    cx->lays_out = true;
    if (python && !build_python_fits(d, b.name)) return 1;
    if (!sizes_fixed(cx, &d->options.values[OPT_FIX], &sizes)) return 1;
    if (!pipeline_open(d, path, &w)) return 1;
    w.quiet = option_given(&d->options, OPT_NO_REMARKS);
    bool made = python ? build_python(d, &b, &host, &entries, &files)
                       : (d->cpus.n > 1 ? make_versions : make_file)(d, &b, &entries, &files);
    if (!made || (compile && !host_find(cx, &host, &cc))) return 1;
    if (compile && python && !build_python_headers(d, &host)) return 1;
    host.parallel = loops_any_parallel(entries.at, entries.len);
    if (!write_files(d, &b, &files)) return 1;
    for (int i = files.files.len - 2; !python && i >= 0; i -= 2) {
        build_written(d, files.files.at[i].path);
        build_written(d, files.files.at[i + 1].path);
    }
    if (python) build_written(d, path_join(cx->arena, b.dir, b.name));
    if (!compile) return 0;
    return (python ? build_python_compile : compile_object)(d, &host, &cc, &b, &files) ? 0 : 1;
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
