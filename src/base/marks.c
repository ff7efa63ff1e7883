#include "base/marks.h"

#include <ctype.h>
#include <stdlib.h>

// A part begins with OPEN file,offset END and ends with CLOSE. Programs have none of these
// characters: in texts they are printed as escapes.
enum { OPEN = 1, END = 2, CLOSE = 3 };

void mark_open(const Session *cx, Text *out, Span span)
{
    if (cx->marks) text_printf(out, "%c%u,%u%c", OPEN, span.file, span.lo, END);
}

void mark_close(const Session *cx, Text *out)
{
    if (cx->marks) text_char(out, CLOSE);
}

typedef struct {
    Session *cx;
    MarkWanted *wanted;
    void *env;
    VEC(int) around; // the source line of each part around, or that of the part around it, or 0
} Reader;

// Reads a mark. Returns what follows, or NULL if there is none at `at`.
static const char *read_open(const char *at, Span *span)
{
    char *end;
    if (*at != OPEN || !isdigit((unsigned char)at[1])) return NULL;
    span->file = (uint32_t)strtoul(at + 1, &end, 10);
    if (*end != ',' || !isdigit((unsigned char)end[1])) return NULL;
    span->lo = span->hi = (uint32_t)strtoul(end + 1, &end, 10);
    return *end == END ? end + 1 : NULL;
}

static void add_line(Arena *arena, MarkedLine *line, int number)
{
    int i = line->from.len;
    for (int k = 0; k < i; k++)
        if (line->from.at[k] == number) return;
    vec_push(arena, &line->from, number);
    for (; i > 0 && line->from.at[i - 1] > number; i--) line->from.at[i] = line->from.at[i - 1];
    line->from.at[i] = number;
}

static void open_part(Reader *r, MarkedLine *line, Span span)
{
    int number = 0, column;
    if (span.file && r->wanted(span, r->env))
        session_position(r->cx, span.file, span.lo, &number, &column);
    if (number)
        add_line(r->cx->arena, line, number);
    else if (r->around.len)
        number = vec_last(&r->around);
    vec_push(r->cx->arena, &r->around, number);
}

MarkedLines marks_take(Session *cx, const char *text, MarkWanted *wanted, void *env)
{
    Reader r = {.cx = cx, .wanted = wanted, .env = env};
    MarkedLines lines = {0};
    Text plain = text_new(cx->arena);
    for (const char *at = text; *at; plain.len = 0) {
        MarkedLine line = {0};
        int around = r.around.len ? vec_last(&r.around) : 0;
        for (; *at && *at != '\n';) {
            Span span = NO_SPAN;
            const char *after = wanted ? read_open(at, &span) : NULL;
            if (after) {
                open_part(&r, &line, span);
                at = after;
                continue;
            }
            if (wanted && *at == CLOSE && r.around.len)
                r.around.len--;
            else
                text_char(&plain, *at);
            at++;
        }
        if (line.from.len == 0 && around) add_line(cx->arena, &line, around);
        line.text = arena_printf(cx->arena, "%.*s", (int)plain.len, text_get(&plain));
        vec_push(cx->arena, &lines, line);
        if (*at) at++;
    }
    return lines;
}
