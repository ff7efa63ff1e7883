// adze new NAME: creates a folder that contains a first program. The folder has a temporary name
// until it is complete.
#include "driver/commands/commands.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char program_text[] = "/// The mean of the elements of `a`.\n"
                                   "entry fn mean[n: nat](a: [n]f32) -> f32 where n > 0 {\n"
                                   "    reduce(+, 0.0, a) / f32(n)\n"
                                   "}\n"
                                   "\n"
                                   "test \"mean of two\" { mean([1.0, 4.0]) == 2.5 }\n";

static const char readme_text[] =
    "# %s\n"
    "\n"
    "An Adze program.\n"
    "\n"
    "    adze test                               run the tests\n"
    "    adze run main.adz 'mean([1.0, 4.0])'    compute with it\n"
    "    adze build main.adz -o out              C for use elsewhere\n";

static bool is_good_name(const char *name)
{
    if (!isalpha((unsigned char)*name)) return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_' && *name != '-') return false;
    return true;
}

static bool fill(Driver *d, const char *dir, const char *name)
{
    Session *cx = d->cx;
    char *readme = arena_printf(cx->arena, readme_text, name);
    FileText files[] = {
        {path_join(cx->arena, dir, "main.adz"), program_text, strlen(program_text)},
        {path_join(cx->arena, dir, "README.md"), readme, strlen(readme)},
    };
    return files_write(cx, d->cleanup, files, 2);
}

static int cannot_create(Session *cx, const char *path)
{
    diag_error(cx, E0706, NO_SPAN, "cannot create the folder %s: %s", path, strerror(errno));
    return 1;
}

static int new_project(Driver *d, void *env)
{
    Session *cx = d->cx;
    const char *path = env, *name = path_base(path);
    struct stat info;
    if (!is_good_name(name)) {
        Diag *x = diag_error(cx, E0721, NO_SPAN, "`%s` cannot be the name of a project", name);
        diag_help(cx, x, "use letters, digits, - and _, with a letter first");
        return 1;
    }
    if (lstat(path, &info) == 0) {
        Diag *x = diag_error(cx, E0707, NO_SPAN, "%s exists already", path);
        diag_help(cx, x, "choose another name, or remove it first");
        return 1;
    }
    char *dir = arena_printf(cx->arena, "%s.XXXXXX", path);
    if (!cleanup_make_folder(d->cleanup, dir)) return cannot_create(cx, path);
    bool good = fill(d, dir, name);
    mode_t mask = umask(0);
    umask(mask);
    if (good && (chmod(dir, 0777 & ~mask) != 0 || rename(dir, path) != 0))
        good = !cannot_create(cx, path);
    if (!good) remove_path(dir);
    cleanup_drop(d->cleanup, dir);
    if (good) printf("created %s/main.adz and %s/README.md; try: adze test %s\n", path, path, path);
    return good ? 0 : 1;
}

int cmd_new(Driver *d)
{
    char *path = arena_printf(d->arena, "%s", d->options.arguments.at[0]);
    size_t len = strlen(path);
    while (len > 1 && path[len - 1] == '/') path[--len] = '\0';
    return driver_session(d, new_project, path);
}
