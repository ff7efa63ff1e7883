// Files and modules for the tests. They run in the root of the checkout: the library is read from
// lib/.
#ifndef ADZE_TESTS_MODULES_H
#define ADZE_TESTS_MODULES_H

#include <stdio.h>
#include <string.h>

#include "base/session.h"

/// The contents of a file, NULL when there is none.
static inline char *read_file(Arena *arena, const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    Text out = text_new(arena);
    char buffer[4096];
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, f)) > 0;) text_add(&out, buffer, n);
    fclose(f);
    *len = out.len;
    return arena_strndup(arena, text_get(&out), out.len);
}

/// The number of the file at `path`, which is read once however many modules import it; 0 if there
/// is no such file.
static inline uint32_t open_source(Session *cx, const char *path)
{
    for (int i = 0; i < cx->sources.len; i++)
        if (strcmp(cx->sources.at[i]->path, path) == 0) return (uint32_t)i + 1;
    size_t len;
    char *text = read_file(cx->arena, path, &len);
    return text ? session_add_source(cx, path, text, len) : 0;
}

/// A FindModule. The module std.linalg is the file std/linalg.adz in lib/, or else in the folder of
/// the importing file or the one above it, as in bench/run.sh.
static inline uint32_t find_module(Session *cx, const char *name, uint32_t from, void *env)
{
    (void)env;
    const char *path = cx->sources.at[from - 1]->path;
    const char *end = path + strlen(path), *places[3] = {"lib/"};
    for (int up = 1; up < 3; up++) {
        while (end > path && *--end != '/') continue;
        places[up] = arena_printf(cx->arena, "%.*s/", (int)(end - path), path);
    }
    char *file = arena_printf(cx->arena, "%s", name);
    for (char *c = file; *c; c++)
        if (*c == '.') *c = '/';
    for (int k = 0; k < 3; k++) {
        uint32_t found = open_source(cx, arena_printf(cx->arena, "%s%s.adz", places[k], file));
        if (found) return found;
    }
    return 0;
}

/// A Modules.in_library: the files of lib/.
static inline bool in_library(Session *cx, uint32_t main, uint32_t file)
{
    return file != main && strncmp(cx->sources.at[file - 1]->path, "lib/", 4) == 0;
}

#endif
