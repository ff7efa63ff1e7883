// Line breaking. A form that fits stays on one line; any other is broken after its leading
// plain-text operands.
#include "term/internal.h"

Doc *doc_text(Arena *arena, const char *text)
{
    Doc *d = ARENA_NEW(arena, Doc);
    d->text = text;
    d->width = (int)strlen(text);
    return d;
}

Doc *doc_form(Arena *arena)
{
    Doc *d = ARENA_NEW(arena, Doc);
    d->width = 1;
    return d;
}

void doc_add(Arena *arena, Doc *form, Doc *kid)
{
    vec_push(arena, &form->kids, kid);
    form->width += kid->width + 1; // no space precedes the first kid, so its 1 is for the `)`
    if (form->width > 1 << 20) form->width = 1 << 20;
}

static void write_flat(const Session *cx, Text *out, const Doc *d)
{
    if (d->text) {
        text_put(out, d->text);
        return;
    }
    mark_open(cx, out, d->from);
    text_char(out, '(');
    for (int i = 0; i < d->kids.len; i++) {
        if (i) text_char(out, ' ');
        write_flat(cx, out, d->kids.at[i]);
    }
    text_char(out, ')');
    mark_close(cx, out);
}

static void new_line(Text *out, int indent)
{
    text_printf(out, "\n%*s", indent, "");
}

// Writes a form. Plain text fills lines, whereas each kid that is a form gets a line of its own.
// `column` is the column at which the form begins, and `after` the number of parentheses that close
// after it.
static void write_doc(const Session *cx, Text *out, const Doc *d, int column, int after, int width)
{
    if (d->text || width == 0 || column + d->width + after <= width) {
        write_flat(cx, out, d);
        return;
    }
    mark_open(cx, out, d->from);
    text_char(out, '(');
    int at = column + 1;
    bool fills = true; // whether the current line holds only plain text so far
    for (int i = 0; i < d->kids.len; i++) {
        const Doc *kid = d->kids.at[i];
        bool last = i == d->kids.len - 1;
        int closing = last ? after + 1 : 0;
        bool inlined = kid->text || (d->chain && !last); // `(let x value` stays one line
        if (inlined && fills && (i == 0 || at + 1 + kid->width + closing <= width)) {
            if (i) text_char(out, ' ');
            write_flat(cx, out, kid);
            at += kid->width + (i > 0);
            continue;
        }
        at = column + (d->chain && last ? 1 : 2);
        new_line(out, at);
        write_doc(cx, out, kid, at, closing, width);
        fills = kid->text != NULL;
        at += kid->width;
    }
    text_char(out, ')');
    mark_close(cx, out);
}

void doc_write(const Session *cx, Text *out, const Doc *d, int indent, int width)
{
    write_doc(cx, out, d, indent, 0, width);
}
