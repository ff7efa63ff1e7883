// Low Core programs in tests/dpia/from_core: read, translated, compared with the text beside them. Those in tests/dpia/state are
// flat, with state and control, and are lowered first.
// With BLESS=1 in the environment the texts are written instead.
#ifndef TESTS_DPIA_PROGRAMS_H
#define TESTS_DPIA_PROGRAMS_H

#include <dirent.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "dpia/ir/dpia.h"
#include "modules.h"
#include "term/term.h"

#define PROGRAMS       "tests/dpia/from_core"
#define STATE_PROGRAMS "tests/dpia/state"

static inline bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/// The names (without ending) of all programs in a folder, sorted; how many.
static inline int program_names_in(const char *folder, Arena *arena, const char ***names)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, alphasort), count = 0;
    assert_true(n > 0);
    *names = ARENA_ARRAY(arena, const char *, n);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        if (ends_with(name, ".core"))
            (*names)[count++] = arena_strndup(arena, name, strlen(name) - 5);
        free(entries[i]);
    }
    free(entries);
    return count;
}

static inline int program_names(Arena *arena, const char ***names)
{
    return program_names_in(PROGRAMS, arena, names);
}

static inline Function *read_low_text(Session *cx, const char *path, const char *text)
{
    Function *f = core_read(cx, session_add_source(cx, path, text, strlen(text)));
    if (!f) {
        Text errors = text_new(cx->arena);
        diag_print_all(cx, &errors, false);
        fail_msg("%s: %s", path, text_get(&errors));
    }
    return f;
}

static inline Function *read_program(Session *cx, const char *folder, const char *name)
{
    const char *path = arena_printf(cx->arena, "%s/%s.core", folder, name);
    size_t len;
    const char *text = read_file(cx->arena, path, &len);
    if (!text) fail_msg("no file %s", path);
    return read_low_text(cx, path, text);
}

static inline Function *read_low(Session *cx, const char *name)
{
    return read_program(cx, PROGRAMS, name);
}

/// A body of DPIA or Loop IR.
static inline const char *command_text(Session *cx, Node *body)
{
    Text t = text_new(cx->arena);
    term_print(cx, &t, body, NULL, 0, 100);
    text_char(&t, '\n');
    return text_get(&t);
}

static inline void assert_golden(Session *cx, const char *path, const char *text)
{
    if (getenv("BLESS")) {
        FILE *f = fopen(path, "wb");
        if (!f) fail_msg("cannot write %s", path);
        fputs(text, f);
        fclose(f);
        return;
    }
    size_t len;
    const char *expected = read_file(cx->arena, path, &len);
    if (!expected || strcmp(expected, text) != 0) fail_msg("%s differs; now it is\n%s", path, text);
}

#endif
