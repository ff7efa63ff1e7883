// Formats a module: its attributes, its items, and the comments between them.
#include "syntax/format/format.h"

// Whether the source decides if an empty line separates the items, because both are of the same
// short kind. An empty line always separates other items.
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
    case ITEM_TEST:
    case ITEM_BENCH: break;
    }
    return a->kind == b->kind;
}

// Prints the comments up to `before`, which are outside items. If `spaced` is true, an empty line
// precedes the first of them.
static void format_top_comments(Format *f, uint32_t before, bool spaced)
{
    for (const Comment *c; (c = format_next_comment(f)) && c->span.lo < before;
         f->next++, spaced = false) {
        if (f->out->len > 0 && (c->blank_before || spaced)) format_empty_line(f);
        text_put(f->out, c->text);
        text_char(f->out, '\n');
    }
}

// Prints the attribute, after the comments above it.
static void format_attribute(Format *f, Span at, const char *name)
{
    format_top_comments(f, at.lo, false);
    if (format_blank_above(f, at.lo, true) && f->out->len > 0) format_empty_line(f);
    text_printf(f->out, "#![%s]\n", name);
}

// Prints the attributes in source order, and returns whether there are any.
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
