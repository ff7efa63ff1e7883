// The formatter: lines, comments and items. What is printed depends on the tree, on the comments,
// and on where the source has empty lines; all three are the same when the output is read again.
#include "syntax/internal.h"

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
static bool blank_above(const Format *f, uint32_t at, bool docs)
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

static void empty_line(Format *f)
{
    text_char(f->out, '\n');
}

// Comments up to `before` on lines of their own; `first`: no empty line may stand before the first.
void format_flush_comments(Format *f, uint32_t before, bool first)
{
    for (const Comment *c; (c = next_comment(f)) && c->span.lo < before; first = false) {
        if (c->blank_before && !first) empty_line(f);
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
    if (blank_above(f, lo, false) && (!first || f->next > before)) empty_line(f);
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

static void put_trailing(Format *f, uint32_t hi, uint32_t next)
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
    put_trailing(f, hi, next);
    for (const Comment *c;
         (c = next_comment(f)) && (c->span.lo < hi || is_trailing(f, c, hi, next)); f->next++) {
        format_new_line(f);
        text_put(f->out, c->text);
    }
}

static void put_docs(Format *f, const char *doc)
{
    while (doc) {
        const char *end = strchr(doc, '\n');
        size_t len = end ? (size_t)(end - doc) : strlen(doc);
        text_put(f->out, len ? "/// " : "///");
        text_add(f->out, doc, len);
        format_new_line(f);
        doc = end ? end + 1 : NULL;
    }
}

// [n, m: nat, t: data]
static void print_generics(Printer *pr, const Item *item)
{
    for (int i = 0; i < item->generics.len; i++) {
        const AstGeneric *g = &item->generics.at[i];
        bool last = i + 1 == item->generics.len;
        printer_text(pr, i ? ", " : "[");
        printer_text(pr, g->name->text);
        if (last || item->generics.at[i + 1].kind != g->kind) {
            printer_text(pr, ": ");
            if (g->kind) printer_text(pr, g->kind->text);
        }
        if (last) printer_text(pr, "]");
    }
}

static void print_param(Printer *pr, const AstParam *param)
{
    printer_text(pr, param->name->text);
    printer_text(pr, ": ");
    printer_ast(pr, param->type);
}

static void print_params(Printer *pr, const Item *item)
{
    for (int i = 0; i < item->params.len; i++) {
        if (i > 0) printer_text(pr, ", ");
        print_param(pr, &item->params.at[i]);
    }
}

static void print_where(Printer *pr, const Item *item)
{
    for (int i = 0; i < item->where.len; i++) {
        printer_text(pr, i ? ", " : "where ");
        printer_ast(pr, item->where.at[i]);
    }
}

static void print_result(Printer *pr, const Item *item)
{
    printer_text(pr, " -> ");
    printer_ast(pr, item->type);
}

// Fields or parameters one on each line; those of structs have docs.
static void format_params(Format *f, const Item *item, uint32_t lo, uint32_t hi)
{
    int len = item->params.len;
    f->indent += INDENT;
    format_finish_line(f, lo, len ? item->params.at[0].span.lo : hi);
    for (int i = 0; i < len; i++) {
        const AstParam *param = &item->params.at[i];
        format_flush_comments(f, param->span.lo, i == 0);
        if (i > 0 && blank_above(f, param->span.lo, true)) empty_line(f);
        format_new_line(f);
        put_docs(f, param->doc);
        Printer pr = format_flat(f);
        print_param(&pr, param);
        text_char(f->out, ',');
        format_finish_line(f, param->type->span.hi, i + 1 < len ? param[1].span.lo : hi);
    }
    format_flush_comments(f, hi, len == 0);
    f->indent -= INDENT;
    format_new_line(f);
}

static void format_where(Format *f, const Item *item)
{
    if (item->where.len == 0) return;
    Printer measure = format_measure(f, 3), pr = format_flat(f);
    print_where(&measure, item);
    f->indent += INDENT;
    if (measure.full)
        format_new_line(f);
    else
        text_char(f->out, ' ');
    f->indent -= INDENT;
    print_where(&pr, item);
}

static void format_signature(Format *f, const Item *item)
{
    Printer measure = format_measure(f, 2), pr = format_flat(f);
    print_generics(&pr, item);
    print_generics(&measure, item);
    text_char(f->out, '(');
    print_params(&measure, item);
    print_result(&measure, item);
    uint32_t lo = item->name_span.hi, hi = item->type->span.lo;
    if (item->params.len > 0 && (measure.full || format_has_comment(f, lo, hi)))
        format_params(f, item, lo, hi);
    else
        print_params(&pr, item);
    text_char(f->out, ')');
    print_result(&pr, item);
    format_where(f, item);
}

static void format_fn(Format *f, const Item *item)
{
    if (item->entry) text_put(f->out, "entry ");
    text_put(f->out, item->kind == ITEM_FN ? "fn " : "pattern ");
    text_put(f->out, item->name->text);
    format_signature(f, item);
    if (item->kind != ITEM_FN) return;
    text_char(f->out, ' ');
    format_block(f, item->body);
}

static void format_struct_item(Format *f, const Item *item)
{
    Printer measure = format_measure(f, 4), pr = format_flat(f);
    printer_text(&pr, "struct ");
    printer_text(&pr, item->name->text);
    print_generics(&pr, item);
    print_generics(&measure, item);
    print_params(&measure, item);
    bool broken = measure.full || format_has_comment(f, item->name_span.hi, item->span.hi);
    for (int i = 0; i < item->params.len; i++) broken |= item->params.at[i].doc != NULL;
    printer_text(&pr, broken ? " {" : item->params.len ? " { " : " {");
    if (broken)
        format_params(f, item, item->name_span.hi, item->span.hi);
    else
        print_params(&pr, item);
    printer_text(&pr, broken || item->params.len == 0 ? "}" : " }");
}

static void format_import(Format *f, const Item *item)
{
    Printer measure = format_measure(f, 10), pr = format_flat(f);
    printer_text(&pr, "import ");
    printer_text(&pr, item->name->text);
    if (item->imported.len == 0) return;
    printer_text(&measure, item->name->text);
    for (int i = 0; i < item->imported.len; i++) {
        printer_text(&measure, ", ");
        printer_ast(&measure, item->imported.at[i]);
    }
    if (measure.full || format_has_comment(f, item->name_span.hi, item->span.hi)) {
        Brackets b = {" (", ")", true, item->name_span.hi, item->span.hi};
        format_list(f, b, item->imported.at, item->imported.len);
        return;
    }
    for (int i = 0; i < item->imported.len; i++) {
        printer_text(&pr, i ? ", " : " (");
        printer_ast(&pr, item->imported.at[i]);
    }
    printer_text(&pr, ")");
}

static void format_const(Format *f, const Item *item)
{
    Printer pr = format_flat(f);
    printer_text(&pr, "const ");
    printer_text(&pr, item->name->text);
    if (item->type) {
        printer_text(&pr, ": ");
        printer_ast(&pr, item->type);
    }
    printer_text(&pr, " = ");
    format_ast(f, item->body, 0);
}

static void format_alias(Format *f, const Item *item)
{
    Printer pr = format_flat(f);
    printer_text(&pr, "type ");
    printer_text(&pr, item->name->text);
    print_generics(&pr, item);
    printer_text(&pr, " = ");
    printer_ast(&pr, item->type);
}

static void format_test(Format *f, const Item *item)
{
    Printer pr = format_flat(f);
    printer_text(&pr, "test ");
    printer_string(&pr, item->string);
    printer_text(&pr, " ");
    format_ast(f, item->body, 0);
}

static void format_item(Format *f, const Item *item, uint32_t next)
{
    put_docs(f, item->doc);
    switch (item->kind) {
    case ITEM_IMPORT: format_import(f, item); break;
    case ITEM_CONST: format_const(f, item); break;
    case ITEM_TYPE: format_alias(f, item); break;
    case ITEM_STRUCT: format_struct_item(f, item); break;
    case ITEM_FN:
    case ITEM_PATTERN: format_fn(f, item); break;
    case ITEM_TEST: format_test(f, item); break;
    }
    put_trailing(f, item->span.hi, next);
    text_char(f->out, '\n');
}

// Items between which the source decides whether an empty line stands: neighbours of one of the
// short kinds. Between others there always is one.
static bool may_be_close(const Item *a, const Item *b)
{
    return a->kind == b->kind && a->kind != ITEM_FN && a->kind != ITEM_STRUCT;
}

// The comments before `before`, which stand outside of items.
static void format_top_comments(Format *f, uint32_t before, bool spaced)
{
    for (const Comment *c; (c = next_comment(f)) && c->span.lo < before;
         f->next++, spaced = false) {
        if (f->out->len > 0 && (c->blank_before || spaced)) empty_line(f);
        text_put(f->out, c->text);
        text_char(f->out, '\n');
    }
}

void format_module(Session *cx, Text *out, const Module *m)
{
    Text whole = text_new(cx->arena);
    Format f = {.cx = cx, .out = &whole, .module = m, .source = cx->sources.at[m->file - 1]};
    for (int i = 0; i < m->items.len; i++) {
        const Item *item = m->items.at[i];
        bool spaced = i > 0 && !may_be_close(m->items.at[i - 1], item);
        int comments = f.next;
        format_top_comments(&f, item->span.lo, spaced);
        bool blank = blank_above(&f, item->span.lo, true) || (spaced && f.next == comments);
        if (blank && whole.len > 0) empty_line(&f);
        uint32_t next = i + 1 < m->items.len ? m->items.at[i + 1]->span.lo : UINT32_MAX;
        format_item(&f, item, next);
    }
    format_top_comments(&f, UINT32_MAX, false);
    text_add(out, text_get(&whole), whole.len);
}
