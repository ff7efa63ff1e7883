// The formatter: lines, comments, and what stands between items. What is printed depends on the tree, on the comments,
// and on where the source has empty lines; all three are the same when the output is read again.
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

// Measures what can still follow on the line when `reserve` columns are to stay free.
Printer format_measure(Format *f, int reserve)
{
    int room = LINE_WIDTH - current_column(f) - reserve;
    return (Printer){.source = f->source, .measure = true, .room = room, .full = room < 0};
}

static const Comment *next_comment(const Format *f)
{
    return f->next < f->module->comments.len ? &f->module->comments.at[f->next] : NULL;
}

// Whether a comment that is not printed yet stands in the bytes [lo, hi).
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

// Whether the line above that of `at` is empty; with `docs`, the line above the doc lines over it.
bool format_blank_above(const Format *f, uint32_t at, bool docs)
{
    uint32_t line = line_start(f->source, at);
    for (uint32_t i = line; i < at; i++)
        if (!strchr(" \t\r", f->source->text[i])) return false; // not the first of its line
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

// Comments up to `before` on lines of their own; `first`: no empty line may stand before the first.
void format_flush_comments(Format *f, uint32_t before, bool first)
{
    for (const Comment *c; (c = next_comment(f)) && c->span.lo < before; first = false) {
        if (c->blank_before && !first) format_empty_line(f);
        format_new_line(f);
        text_put(f->out, c->text);
        f->next++;
    }
}

// Begins the line of the piece at `lo`, after the comments that stand before it.
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

// The comment that ends the line of a piece: one inside it, or behind it but before the next piece.
static bool is_trailing(const Format *f, const Comment *c, uint32_t hi, uint32_t next)
{
    if (!c || c->own_line || c->span.lo >= next) return false;
    return c->span.lo < hi || on_one_line(f, hi, c->span.lo);
}

void format_trailing(Format *f, uint32_t hi, uint32_t next)
{
    const Comment *c = next_comment(f);
    if (!is_trailing(f, c, hi, next)) return;
    text_char(f->out, ' ');
    text_put(f->out, c->text);
    f->next++;
}

// Ends the line of the piece that ends at `hi`, where `next` is the place of the next piece: a
// comment behind it follows on the line, and those inside it for which there was no line come
// below.
void format_finish_line(Format *f, uint32_t hi, uint32_t next)
{
    format_trailing(f, hi, next);
    for (const Comment *c;
         (c = next_comment(f)) && (c->span.lo < hi || is_trailing(f, c, hi, next)); f->next++) {
        format_new_line(f);
        text_put(f->out, c->text);
    }
}

// Items between which the source decides whether an empty line stands: neighbours of one of the
// short kinds. Between others there always is one.
static bool may_be_close(const Item *a, const Item *b)
{
    switch (a->kind) {
    case ITEM_FN:
    case ITEM_STRUCT:
    case ITEM_ENUM:
    case ITEM_RULE:
    case ITEM_STRATEGY:
    case ITEM_SCHEDULE: return false;
    case ITEM_IMPORT:
    case ITEM_CONST:
    case ITEM_TYPE:
    case ITEM_EXTERN:
    case ITEM_PATTERN:
    case ITEM_TEST: break;
    }
    return a->kind == b->kind;
}

// The comments before `before`, which stand outside of items.
static void format_top_comments(Format *f, uint32_t before, bool spaced)
{
    for (const Comment *c; (c = next_comment(f)) && c->span.lo < before;
         f->next++, spaced = false) {
        if (f->out->len > 0 && (c->blank_before || spaced)) format_empty_line(f);
        text_put(f->out, c->text);
        text_char(f->out, '\n');
    }
}

// The attribute, behind the comments above it.
static void format_attribute(Format *f, Span at, const char *name)
{
    format_top_comments(f, at.lo, false);
    if (format_blank_above(f, at.lo, true) && f->out->len > 0) format_empty_line(f);
    text_printf(f->out, "#![%s]\n", name);
}

// In the order in which they stand.
static bool format_attributes(Format *f, const Module *m)
{
    uint32_t behind = 0;
    for (int next = 0; next >= 0;) {
        next = -1;
        for (int i = 0; i < FILE_ATTRIBUTE_COUNT; i++)
            if (m->says[i].file && m->says[i].hi > behind &&
                (next < 0 || m->says[i].lo < m->says[next].lo))
                next = i;
        if (next < 0) break;
        format_attribute(f, m->says[next], file_attribute_name[next]);
        behind = m->says[next].hi;
    }
    return behind > 0;
}

void format_module(Session *cx, Text *out, const Module *m)
{
    Text whole = text_new(cx->arena);
    Format f = {.cx = cx, .out = &whole, .module = m, .source = cx->sources.at[m->file - 1]};
    bool attributes = format_attributes(&f, m);
    for (int i = 0; i < m->items.len; i++) {
        const Item *item = m->items.at[i];
        bool spaced = i > 0 ? !may_be_close(m->items.at[i - 1], item) : attributes;
        int comments = f.next;
        format_top_comments(&f, item->span.lo, spaced);
        bool blank = format_blank_above(&f, item->span.lo, true) || (spaced && f.next == comments);
        if (blank && whole.len > 0) format_empty_line(&f);
        uint32_t next = i + 1 < m->items.len ? m->items.at[i + 1]->span.lo : UINT32_MAX;
        format_item(&f, item, next);
    }
    format_top_comments(&f, UINT32_MAX, false);
    text_add(out, text_get(&whole), whole.len);
}
