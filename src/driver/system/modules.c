// Finds the files that `import` names: std.linalg is std/linalg.adz beside the importing file, in
// $ADZE_LIB, or in the library.
#include "driver/system/system.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

// Where the library may be, relative to the folder of the program, which is PREFIX/bin or, in the
// source tree, build or build/CONFIG.
static const char *const beside_program[] = {"../share/adze/lib", "../lib", "../../lib"};

// Stores the path of the running program, also of one that was replaced since, and returns whether
// the system knows it.
static bool program_path(char *path, size_t size)
{
#ifdef __APPLE__
    uint32_t most = (uint32_t)size;
    return _NSGetExecutablePath(path, &most) == 0;
#else
    ssize_t len = readlink("/proc/self/exe", path, size - 1);
    if (len > 0) path[len] = '\0';
    return len > 0;
#endif
}

static const char *program_dir(Arena *arena)
{
    char path[4096];
    return program_path(path, sizeof path) ? path_dir(arena, path) : NULL;
}

// Returns the folders that may contain the library, in search order: the given one, or else those
// around the program.
static Strings library_dirs(Arena *arena, const char *given)
{
    Strings dirs = {0};
    if (given) {
        vec_push(arena, &dirs, given);
        return dirs;
    }
    const char *program = program_dir(arena);
    for (size_t i = 0; program && i < sizeof beside_program / sizeof *beside_program; i++)
        vec_push(arena, &dirs, path_join(arena, program, beside_program[i]));
    vec_push(arena, &dirs, ADZE_PREFIX "/share/adze/lib");
    return dirs;
}

static Strings search_path(Session *cx, uint32_t from)
{
    Strings dirs = {0}, library = library_dirs(cx->arena, cx->library);
    if (from) vec_push(cx->arena, &dirs, path_dir(cx->arena, cx->sources.at[from - 1]->path));
    const char *own = getenv("ADZE_LIB");
    if (own && *own) vec_push(cx->arena, &dirs, own);
    for (int i = 0; i < library.len; i++) vec_push(cx->arena, &dirs, library.at[i]);
    return dirs;
}

Strings modules_of_library(Arena *arena, const char *folder)
{
    Strings dirs = library_dirs(arena, NULL), files = {0};
    for (int i = 0; i < dirs.len && files.len == 0; i++) {
        const char *dir = path_join(arena, dirs.at[i], folder);
        if (path_is_dir(dir)) (void)files_below(arena, dir, ".adz", NULL, &files);
    }
    return files;
}

const char *modules_file_name(Arena *arena, const char *module)
{
    char *name = arena_printf(arena, "%s", module);
    for (char *c = name; *c; c++)
        if (*c == '.') *c = '/';
    return arena_printf(arena, "%s.adz", name);
}

// Returns the path with symbolic links resolved, or NULL if there is no such file.
static Sym real_path(Session *cx, const char *path)
{
    char *real = realpath(path, NULL);
    Sym name = real ? session_sym(cx, real) : NULL;
    free(real);
    return name;
}

// Returns the number of the file if it was read before, and 0 otherwise. A file is thus one module,
// whichever of its names is imported.
static uint32_t known_source(Session *cx, const char *path)
{
    Sym file = real_path(cx, path);
    for (int i = 0; file && i < cx->sources.len; i++) {
        Source *s = cx->sources.at[i];
        if (!s->file) s->file = real_path(cx, s->path);
        if (s->file == file) return (uint32_t)i + 1;
    }
    return 0;
}

uint32_t modules_find(Session *cx, const char *name, uint32_t from, void *env)
{
    (void)env;
    const char *file = modules_file_name(cx->arena, name);
    Strings dirs = search_path(cx, from);
    for (int i = 0; i < dirs.len; i++) {
        const char *path = path_join(cx->arena, dirs.at[i], file);
        size_t len;
        if (access(path, F_OK) != 0 && !source_unsaved(cx, path, &len)) continue;
        uint32_t known = known_source(cx, path);
        uint32_t found = known ? known : source_open(cx, path, NO_SPAN);
        if (found && !cx->sources.at[found - 1]->module)
            cx->sources.at[found - 1]->module = arena_printf(cx->arena, "%s", name);
        return found;
    }
    return 0;
}

bool modules_in_library(Session *cx, uint32_t main, uint32_t file)
{
    Strings dirs = search_path(cx, 0);
    const char *path = cx->sources.at[file - 1]->path;
    for (int i = 0; file != main && i < dirs.len; i++) {
        size_t n = strlen(dirs.at[i]);
        if (strncmp(path, dirs.at[i], n) == 0 && path[n] == '/') return true;
    }
    return false;
}
