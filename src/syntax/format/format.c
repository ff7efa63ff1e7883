// The formatter: lines, comments, and the space between items. The output depends only on the tree,
// the comments and the empty lines of the source; formatting the output again changes none of
// these.
#include "syntax/format/format.h"

#include <string.h>

static int current_column(const Format *f)
{
    int column = 0;
    for (size_t i = f->out->len; i > 0 && f->out->at[i - 1] != '\n'; i--)
        column += ((unsigned char)f->out->at[i - 1] & 0xc0) != 0x80;
    return column;
}

Printer format_flat(Format *f)
{
    return (Printer){.out = f->out, .source = f->source};
}

// Returns a printer that measures whether text fits on the line with `reserve` columns left free.
Printer format_measure(Format *f, int reserve)
{
    int room = LINE_WIDTH - current_column(f) - reserve;
    return (Printer){.source = f->source, .measure = true, .room = room, .full = room < 0};
}

const Comment *format_next_comment(const Format *f)
{
    return f->next < f->module->comments.len ? &f->module->comments.at[f->next] : NULL;
}

// Whether the bytes [lo, hi) contain a comment that has not been printed yet.
bool format_has_comment(const Format *f, uint32_t lo, uint32_t hi)
{
    for (int i = f->next; i < f->module->comments.len; i++) {
        uint32_t place = f->module->comments.at[i].span.lo;
        if (place >= hi) return false;
        if (place >= lo) return true;
    }
    return false;
}

static uint32_t line_start(const Source *s, uint32_t at)
{
    while (at > 0 && s->text[at - 1] != '\n') at--;
    return at;
}

static bool is_doc_line(const Source *s, uint32_t at)
{
    while (s->text[at] == ' ' || s->text[at] == '\t') at++;
    return strncmp(s->text + at, "///", 3) == 0 && s->text[at + 3] != '/';
}

// Whether the element at `at` is the first on its line, and the line above is empty. With `docs`,
// the doc lines above the element are skipped.
bool format_blank_above(const Format *f, uint32_t at, bool docs)
{
    uint32_t line = line_start(f->source, at);
    for (uint32_t i = line; i < at; i++)
        if (!strchr(" \t\r", f->source->text[i])) return false; // not the first on its line
    while (line > 0) {
        line = line_start(f->source, line - 1);
        uint32_t i = line;
        while (strchr(" \t\r", f->source->text[i]) && f->source->text[i]) i++;
        if (f->source->text[i] == '\n') return true;
        if (!docs || !is_doc_line(f->source, line)) return false;
    }
    return false;
}

void format_new_line(Format *f)
{
    text_char(f->out, '\n');
    for (int i = 0; i < f->indent; i++) text_char(f->out, ' ');
}

void format_empty_line(Format *f)
{
    text_char(f->out, '\n');
}

// Prints the comments up to `before` on lines of their own. If `first` is true, no empty line is
// printed above the first of them.
void format_flush_comments(Format *f, uint32_t before, bool first)
{
    for (const Comment *c; (c = format_next_comment(f)) && c->span.lo < before; first = false) {
        if (c->blank_before && !first) format_empty_line(f);
        format_new_line(f);
        text_put(f->out, c->text);
        f->next++;
    }
}

// Begins the line of the element at `lo`, after printing the comments before it.
void format_start_line(Format *f, uint32_t lo, bool first)
{
    int before = f->next;
    format_flush_comments(f, lo, first);
    if (format_blank_above(f, lo, false) && (!first || f->next > before)) format_empty_line(f);
    format_new_line(f);
}

static bool on_one_line(const Format *f, uint32_t lo, uint32_t hi)
{
    for (uint32_t i = lo; i < hi; i++)
        if (f->source->text[i] == '\n') return false;
    return true;
}

// Whether a comment belongs to the end of an element's line: it is inside the element, or follows
// it on the same line before the next element.
static bool is_trailing(const Format *f, const Comment *c, uint32_t hi, uint32_t next)
{
    if (!c || c->own_line || c->span.lo >= next) return false;
    return c->span.lo < hi || on_one_line(f, hi, c->span.lo);
}

void format_trailing(Format *f, uint32_t hi, uint32_t next)
{
    const Comment *c = format_next_comment(f);
    if (!is_trailing(f, c, hi, next)) return;
    text_char(f->out, ' ');
    text_put(f->out, c->text);
    f->next++;
}

// Ends the line of the element that ends at `hi`, before the next element at `next`. A comment
// after the element stays on the line; comments inside it that have not been printed go on lines
// below it.
void format_finish_line(Format *f, uint32_t hi, uint32_t next)
{
    format_trailing(f, hi, next);
    for (const Comment *c;
         (c = format_next_comment(f)) && (c->span.lo < hi || is_trailing(f, c, hi, next));
         f->next++) {
        format_new_line(f);
        text_put(f->out, c->text);
    }
}
