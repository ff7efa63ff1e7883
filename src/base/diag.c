// Collects diagnostics and prints them, with the source text underlined.
#include "base/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ERRORS = 100 };

static const struct {
    const char *name, *title, *explanation;
} table[] = {
#define DIAG(code, title, explanation) {#code, title, explanation},
#include "base/diag.def"
#undef DIAG
    {"", "", ""}, // keeps the table from being empty
};

const char *diag_name(DiagCode code)
{
    return table[code].name;
}

const char *diag_title(DiagCode code)
{
    return table[code].title;
}

bool diag_is_of_run(DiagCode code)
{
    return strncmp(table[code].name, "E06", 3) == 0;
}

const char *diag_explanation(DiagCode code)
{
    return table[code].explanation;
}

static bool same_span(Span a, Span b)
{
    return a.file == b.file && a.lo == b.lo && a.hi == b.hi;
}

static void report(Session *cx, Diag *d)
{
    if (d->warning ? cx->diags.len >= MAX_ERRORS : cx->errors++ >= MAX_ERRORS) return;
    for (int i = 0; i < cx->diags.len; i++) {
        const Diag *old = cx->diags.at[i];
        bool same = old->code == d->code && same_span(old->span, d->span);
        if (same && (d->warning || !old->warning)) return;
    }
    vec_push(cx->arena, &cx->diags, d);
}

static Diag *add(Session *cx, DiagCode code, Span span, bool warning, const char *format,
                 va_list args)
{
    Diag *d = ARENA_NEW(cx->arena, Diag);
    *d = (Diag){.code = code, .warning = warning, .span = span};
    d->text = arena_vprintf(cx->arena, format, args);
    report(cx, d);
    return d;
}

DiagMark diag_mark(const Session *cx)
{
    return (DiagMark){cx->diags.len, cx->errors};
}

Diags diag_withdraw(Session *cx, DiagMark since)
{
    Diags taken = {0};
    for (int i = since.diags; i < cx->diags.len; i++) vec_push(cx->arena, &taken, cx->diags.at[i]);
    cx->diags.len = since.diags;
    cx->errors = since.errors;
    return taken;
}

void diag_report(Session *cx, const Diags *diags)
{
    for (int i = 0; i < diags->len; i++) report(cx, diags->at[i]);
}

Diag *diag_error(Session *cx, DiagCode code, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    Diag *d = add(cx, code, span, false, format, args);
    va_end(args);
    return d;
}

Diag *diag_lines(Session *cx, DiagCode code, Span span, const char *lines)
{
    size_t n = strcspn(lines, "\n");
    Diag *d = diag_error(cx, code, span, "%.*s", (int)n, lines);
    for (lines += n; *lines; lines += n) {
        n = strcspn(++lines, "\n");
        diag_note(cx, d, NO_SPAN, "%.*s", (int)n, lines);
    }
    return d;
}

Diag *diag_warning(Session *cx, DiagCode code, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    Diag *d = add(cx, code, span, true, format, args);
    va_end(args);
    return d;
}

void diag_note(Session *cx, Diag *d, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    DiagNote n = {.span = span, .text = arena_vprintf(cx->arena, format, args)};
    va_end(args);
    vec_push(cx->arena, &d->notes, n);
}

void diag_help(Session *cx, Diag *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    DiagNote n = {.help = true, .text = arena_vprintf(cx->arena, format, args)};
    va_end(args);
    vec_push(cx->arena, &d->notes, n);
}

void diag_fix(Session *cx, Diag *d, Span fix, const char *replacement, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    DiagNote n = {.help = true, .text = arena_vprintf(cx->arena, format, args)};
    va_end(args);
    if (fix.file) n.fix = fix;
    if (fix.file) n.replacement = arena_printf(cx->arena, "%s", replacement);
    vec_push(cx->arena, &d->notes, n);
}

// The length in bytes of the UTF-8 character that begins at `text`; 1 if it is invalid.
static uint32_t character(const char *text, uint32_t len)
{
    unsigned char c = (unsigned char)*text;
    uint32_t n = c < 0xc2 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 1;
    for (uint32_t i = 1; i < n; i++)
        if (i >= len || ((unsigned char)text[i] & 0xc0) != 0x80) return 1;
    return n;
}

// Prints the source line of a span and underlines the span with ^^^. If the span covers several
// lines, only its first line is shown. Tabs become single spaces so that the marks line up.
static void print_excerpt(const Session *cx, Text *out, Span span, char mark, const char *remark)
{
    if (span.file == 0 || span.file > (uint32_t)cx->sources.len) return;
    const Source *s = cx->sources.at[span.file - 1];
    int line, column;
    session_position(cx, span.file, span.lo, &line, &column);
    uint32_t start = s->lines.at[line - 1], end = start;
    while (end < s->len && s->text[end] != '\n') end++;
    uint32_t from = start; // for a very long line, show only the text around the span
    if (span.lo > start + 120) from = span.lo - 60;
    while (from > start && ((unsigned char)s->text[from] & 0xc0) == 0x80) from--;
    if (end > from + 160) end = from + 160;
    text_printf(out, "%5d | ", line);
    for (uint32_t i = from; i < end; i += character(s->text + i, end - i)) {
        uint32_t n = character(s->text + i, end - i);
        unsigned char c = (unsigned char)s->text[i];
        if (n > 1 || (c >= ' ' && c < 127))
            text_add(out, s->text + i, n);
        else
            text_put(out, c < 128 ? " " : "\xef\xbf\xbd");
    }
    text_put(out, "\n      | ");
    for (uint32_t i = from; i < end && (i < span.hi || i <= span.lo);
         i += character(s->text + i, end - i))
        text_char(out, i < span.lo ? ' ' : mark);
    if (span.lo >= end) text_char(out, mark);
    if (remark) text_printf(out, " %s", remark);
    text_char(out, '\n');
}

static void print_place(const Session *cx, Text *out, Span span)
{
    if (span.file == 0 || span.file > (uint32_t)cx->sources.len) return;
    int line, column;
    session_position(cx, span.file, span.lo, &line, &column);
    text_printf(out, "%s:%d:%d: ", cx->sources.at[span.file - 1]->path, line, column);
}

static void print_one(const Session *cx, Text *out, const Diag *d, bool colour)
{
    const char *paint = d->warning ? "\033[1;35m" : "\033[1;31m";
    print_place(cx, out, d->span);
    text_printf(out, "%s%s %s%s: %s\n", colour ? paint : "", d->warning ? "warning" : "error",
                diag_name(d->code), colour ? "\033[0m" : "", d->text);
    print_excerpt(cx, out, d->span, '^', NULL);
    for (int i = 0; i < d->notes.len; i++) {
        const DiagNote *n = &d->notes.at[i];
        if (n->span.file) {
            text_put(out, "      = note: ");
            print_place(cx, out, n->span);
            text_printf(out, "%s\n", n->text);
            print_excerpt(cx, out, n->span, '-', NULL);
        } else {
            text_printf(out, "      = %s: %s\n", n->help ? "help" : "note", n->text);
        }
    }
}

static int by_place(const void *a, const void *b)
{
    const Diag *x = *(Diag *const *)a, *y = *(Diag *const *)b;
    if (x->span.file != y->span.file) return x->span.file < y->span.file ? -1 : 1;
    if (x->span.lo != y->span.lo) return x->span.lo < y->span.lo ? -1 : 1;
    return (x->code > y->code) - (x->code < y->code);
}

void diag_print_all(const Session *cx, Text *out, bool colour)
{
    int n = cx->diags.len;
    if (n == 0) return;
    Diag **sorted = ARENA_ARRAY(cx->arena, Diag *, n);
    memcpy(sorted, cx->diags.at, sizeof *sorted * (size_t)n);
    qsort(sorted, (size_t)n, sizeof *sorted, by_place);
    for (int i = 0; i < n; i++) print_one(cx, out, sorted[i], colour);
}

// Gives up after a fatal error. Control continues at cx->boundary; without a boundary, the process
// prints the diagnostics and exits.
_Noreturn static void end(Session *cx)
{
    if (cx->boundary) longjmp(*cx->boundary, 1);
    Text out = text_new(cx->arena);
    diag_print_all(cx, &out, false);
    fputs(text_get(&out), stderr);
    exit(1);
}

void session_ice(Session *cx, const char *file, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(cx->arena, format, args);
    va_end(args);
    if (cx->given.file) {
        Diag *d = diag_error(cx, E0726, cx->given, "%s: %s", cx->pass, text);
        diag_help(cx, d,
                  "if `adze explain` printed this text, and it is unchanged, please report it");
        end(cx);
    }
    Diag *d = diag_error(cx, E0901, NO_SPAN, "internal error in %s: %s", cx->pass, text);
    diag_note(cx, d, NO_SPAN, "found at %s:%d; this is a fault of the compiler, not of the program",
              file, line);
    diag_help(cx, d, "please report it with the program; `adze explain` shows the stages before %s",
              cx->pass);
    end(cx);
}

static void report_exhausted(void *env, size_t bytes)
{
    Session *cx = env;
    cx->exhausted = true;
    Diag *d = diag_error(cx, E0725, cx->subject, "`%s` needs more than %zu MB of memory", cx->pass,
                         bytes >> 20);
    diag_help(cx, d, "--memory-limit MB allows more; `adze errors E0725` tells what needs less");
    end(cx);
}

void session_limit_memory(Session *cx, size_t bytes)
{
    arena_limit(cx->arena, bytes, report_exhausted, cx);
}
