// The generated C of one entry, and what can be said about its text.
#ifndef ADZE_TESTS_SHAPE_H
#define ADZE_TESTS_SHAPE_H

#include <ctype.h>

#include "programs/pipeline.h"

/// One compiled entry.
typedef struct {
    File file;
    Stages stages;
    const char *body; // of its C function
} Shape;

typedef struct {
    Stages *stages;
    const char *text;
} Emission;

static inline void emit_body(void *env)
{
    Emission *e = env;
    e->text = emit_text(e->stages->cx, &e->stages->loops[LOOPS_DONE], 1, false, NULL, "shape.h");
}

// The text of the entry's C function; if the entry has a workspace, of the function that takes it.
static inline const char *function_body(Session *cx, const char *text, const char *entry)
{
    const char *from = strstr(text, arena_printf(cx->arena, "\nint adze_%s_in(", entry));
    if (!from) from = strstr(text, arena_printf(cx->arena, "\nint adze_%s(", entry));
    assert_non_null(from);
    const char *to = strstr(from, "\n}\n");
    assert_non_null(to);
    return arena_strndup(cx->arena, from, (size_t)(to - from));
}

static inline Shape shape_of(const char *entry, const char *program)
{
    Shape s = {.file = read_program("shape.adz", program)};
    assert_non_null(s.file.program);
    const Function *f = find_entry(&s.file, entry);
    assert_non_null(f);
    s.stages = run_stages(&s.file, f);
    assert_true(s.stages.done);
    Emission e = {&s.stages, NULL};
    if (!guarded(s.file.cx, emit_body, &e)) fail_msg("%s", take_diagnostics(s.file.cx));
    s.body = function_body(s.file.cx, e.text, entry);
    return s;
}

static inline int count(const char *text, const char *what)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what)) n++;
    return n;
}

// The text from the first innermost loop's head to its closing brace: a `for` that contains no
// other.
static inline const char *innermost(Session *cx, const char *body)
{
    const char *from = NULL;
    for (const char *at = body; (at = strstr(at, "for (")); at++) {
        from = at;
        const char *next = strstr(at + 1, "for ("), *end = strstr(at, "}\n");
        if (!next || !end || end < next) break;
    }
    assert_non_null(from);
    const char *end = strstr(from, "}\n");
    return arena_strndup(cx->arena, from, end ? (size_t)(end - from) : strlen(from));
}

// The text from the first loop on.
static inline const char *loops_text(const char *body)
{
    const char *at = strstr(body, "for (");
    return at ? at : "";
}

// The number of temporary arrays, allocated or in the workspace.
static inline int count_arrays(const Shape *s)
{
    return count(s->body, "adze_alloc(") + s->stages.loops[LOOPS_DONE]->placements.len;
}

static inline void assert_counts(const Shape *s, int loops, int arrays)
{
    if (count(s->body, "for (") != loops || count_arrays(s) != arrays)
        fail_msg("expected %d loops and %d arrays in\n%s", loops, arrays, s->body);
}

static inline void assert_none(const char *text, const char *what)
{
    if (strstr(text, what)) fail_msg("`%s` occurs in\n%s", what, text);
}

static inline void assert_no_division(const char *text)
{
    for (const char *c = text; *c; c++) {
        if (c[0] == '/' && c[1] == '/') c += strcspn(c, "\n");
        if (*c == '/' || *c == '%') fail_msg("a division in\n%s", text);
    }
    assert_none(text, "adze_floor_");
}

static inline void shape_delete(Shape *s)
{
    session_delete(s->file.cx);
}

#endif
