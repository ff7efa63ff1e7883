// The modules of the library that a text imports, parsed and inferred once for all its analyses:
// they do not change while the text is edited. Each analysis begins in the session as it was when
// they had been inferred.
#include "driver/lsp/analysis/analysis.h"

#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <xxhash.h>

struct Library {
    Driver driver;
    ArenaMark *mark;
    struct Infer *state;
    struct stat *files; // as they were when they were read, in the order of the session's sources
    int nfiles;
    uint64_t modules; // which they are (library_wanted)
};

typedef VEC(const Unit *) LibraryUnits;

// --- which modules ------------------------------------------------------------------------------

// Appends the units of the library that a unit imports, directly or through others.
static void reach(Arena *arena, Map *visited, const Unit *u, LibraryUnits *out)
{
    if (!u || map_get(visited, MAP_KEY(u))) return;
    map_put(visited, MAP_KEY(u), out);
    if (u->in_library) vec_push(arena, out, u);
    for (int i = 0; i < u->imports.len; i++) reach(arena, visited, u->imports.at[i], out);
}

static LibraryUnits units_of(const Analysis *a)
{
    LibraryUnits out = {0};
    Map visited = map_new(a->cx->arena);
    if (a->work.program) reach(a->cx->arena, &visited, infer_state(a->work.program)->main, &out);
    return out;
}

static const Source *source_of(const Session *cx, const Unit *u)
{
    return cx->sources.at[u->module->file - 1];
}

// The same for the same units in any order.
static uint64_t hash_units(const Session *cx, const Unit *const *units, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) {
        const char *path = source_of(cx, units[i])->path;
        sum += XXH3_64bits(path, strlen(path));
    }
    return sum;
}

uint64_t library_wanted(const Analysis *a)
{
    LibraryUnits units = units_of(a);
    return hash_units(a->cx, units.at, units.len);
}

// --- making and using it ------------------------------------------------------------------------

typedef struct {
    Library *l;
    const char *const *names;
    int n;
} Making;

static void make(void *env)
{
    Making *m = env;
    m->l->state = pipeline_library(m->l->driver.cx, m->names, m->n);
}

// Records how the files are on the disk. Returns false if one is no file there, or is open in the
// editor.
static bool note_files(Library *l, const Server *s)
{
    Session *cx = l->driver.cx;
    l->nfiles = cx->sources.len;
    l->files = memory_more(NULL, (size_t)(l->nfiles + 1) * sizeof *l->files);
    for (int i = 1; i < l->nfiles; i++) { // without the prelude, which is part of the compiler
        const char *path = cx->sources.at[i]->path;
        if (stat(path, &l->files[i]) != 0) return false;
    }
    return library_is_current(l, s);
}

bool library_is_current(const Library *l, const Server *s)
{
    for (int i = 1; i < l->nfiles; i++) {
        const char *path = l->driver.cx->sources.at[i]->path;
        struct stat now, *then = &l->files[i];
        size_t len;
        bool same = stat(path, &now) == 0 && now.st_mtime == then->st_mtime &&
                    now.st_size == then->st_size && now.st_ino == then->st_ino;
        if (!same || analysis_unsaved((void *)(uintptr_t)s, path, &len)) return false;
    }
    return true;
}

Library *library_new(const Analysis *a)
{
    LibraryUnits units = units_of(a);
    if (units.len == 0) return NULL;
    const char **names = ARENA_ARRAY(a->cx->arena, const char *, units.len);
    for (int i = 0; i < units.len; i++) names[i] = source_of(a->cx, units.at[i])->module;
    Library *l = memory_more(NULL, sizeof *l);
    *l = (Library){.driver = a->server->driver};
    analysis_open_session(a->server, &l->driver);
    Session *cx = l->driver.cx;
    Making m = {l, names, units.len};
    bool good = driver_attempt(cx, make, &m) && cx->diags.len == 0 && note_files(l, a->server);
    if (good) {
        const Infer *in = l->state;
        l->modules = hash_units(cx, (const Unit *const *)in->units.at, in->units.len);
        good = l->modules == hash_units(a->cx, units.at, units.len);
    }
    if (good) l->mark = arena_mark(cx->arena);
    if (good) return l;
    library_delete(l);
    return NULL;
}

uint64_t library_modules(const Library *l)
{
    return l->modules;
}

Driver library_begin(Library *l, struct Infer **state)
{
    arena_return(l->driver.cx->arena, l->mark);
    *state = l->state;
    return l->driver;
}

bool library_is_reached(const Library *l, const Analysis *a)
{
    LibraryUnits units = units_of(a);
    int n = 0;
    for (int i = 0; i < units.len; i++) n += (int)units.at[i]->module->file <= l->nfiles;
    return a->work.program && n == l->nfiles - 1;
}

void library_delete(Library *l)
{
    if (!l) return;
    arena_mark_delete(l->mark);
    session_delete(l->driver.cx);
    free(l->files);
    free(l);
}
