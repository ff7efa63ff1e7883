// Sessions and source files.
#include "base/session.h"

#include "base/target/cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const file_attribute_name[FILE_ATTRIBUTE_COUNT] = {
#define ATTRIBUTE(id, name) name,
#include "base/attribute.def"
#undef ATTRIBUTE
};

Session *session_new(void)
{
    Arena *arena = arena_new();
    Session *cx = ARENA_NEW(arena, Session);
    cx->arena = arena;
    cx->syms = sym_table_new(arena);
    cx->line = text_new(arena);
    cx->failures = map_new(arena);
    cx->c_layouts = map_new(arena);
    cx->pass = "start";
    cx->cpu = cpu_named("x86-64-v4");
    cx->vector_bytes = cx->cpu->level->vector_bytes;
    return cx;
}

void session_delete(Session *cx)
{
    if (!cx) return;
    arena_delete(cx->arena); // the arena contains the session itself
}

uint32_t session_add_source(Session *cx, const char *path, const char *text, size_t len)
{
    Source *s = ARENA_NEW(cx->arena, Source);
    s->path = arena_strndup(cx->arena, path, strlen(path));
    s->text = arena_strndup(cx->arena, text, len);
    s->len = len;
    vec_push(cx->arena, &s->lines, 0);
    for (size_t i = 0; i < len; i++)
        if (text[i] == '\n') vec_push(cx->arena, &s->lines, (uint32_t)i + 1);
    vec_push(cx->arena, &cx->sources, s);
    return (uint32_t)cx->sources.len;
}

const char *source_short_path(const Source *s)
{
    if (s->path[0] != '/') return s->path;
    const char *shown = strrchr(s->path, '/') + 1;
    for (const char *lib = strstr(s->path, "/lib/"); lib; lib = strstr(lib + 1, "/lib/"))
        shown = lib + 5;
    return shown;
}

void session_print_line(Session *cx)
{
    text_char(&cx->line, '\n');
    if (cx->print)
        cx->print(cx->print_env, text_get(&cx->line), cx->line.len);
    else
        fwrite(text_get(&cx->line), 1, cx->line.len, stderr);
    cx->line.len = 0;
}

void session_keep_message(Session *cx)
{
    cx->message = arena_strndup(cx->arena, text_get(&cx->line), cx->line.len);
    cx->line.len = 0;
}

static uint64_t key_of(Span at)
{
    return (uint64_t)at.file << 32 | at.lo;
}

void session_set_failure(Session *cx, Span at, const char *text)
{
    map_put(&cx->failures, key_of(at), (void *)(uintptr_t)text);
}

const char *session_failure(const Session *cx, Span at)
{
    const char *text = map_get(&cx->failures, key_of(at));
    return text ? text : diag_title(E0614);
}

const char *session_take_failure(Session *cx, Span at)
{
    const char *text = cx->message ? cx->message : session_failure(cx, at);
    cx->message = NULL;
    return text;
}

Sym session_sym(Session *cx, const char *text)
{
    return sym_intern(cx->syms, text, strlen(text));
}

void session_position(const Session *cx, uint32_t file, uint32_t offset, int *line, int *column)
{
    *line = *column = 0;
    if (file == 0 || file > (uint32_t)cx->sources.len) return;
    const Source *s = cx->sources.at[file - 1];
    int lo = 0, hi = s->lines.len; // to find the last line that starts at or before offset
    while (hi - lo > 1) {
        int mid = lo + (hi - lo) / 2;
        if (s->lines.at[mid] <= offset)
            lo = mid;
        else
            hi = mid;
    }
    *line = lo + 1;
    *column = 1;
    for (uint32_t i = s->lines.at[lo]; i < offset && i < s->len; i++)
        if (((unsigned char)s->text[i] & 0xc0) != 0x80) ++*column;
}

const char *source_text(Session *cx, Span span)
{
    return arena_strndup(cx->arena, cx->sources.at[span.file - 1]->text + span.lo,
                         span.hi - span.lo);
}
