// Layout of items: on one line if the item fits and contains no comment or doc; otherwise with
// parameters, fields and options on lines of their own.
#include "syntax/format/format.h"

#include <string.h>

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

// Prints generic parameters: [n, m: nat, t: data].
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

// Prints a filter, which is @ or @(condition), and a blank.
static void print_filter(Printer *pr, const Ast *filter)
{
    if (!filter) return;
    printer_text(pr, "@");
    if (filter->kind == AST_PAREN) printer_ast(pr, filter);
    printer_text(pr, " ");
}

static void print_param(Printer *pr, const AstParam *param)
{
    print_filter(pr, param->filter);
    printer_text(pr, param->name->text);
    printer_text(pr, ": ");
    printer_ast(pr, param->type);
}

static void print_option(Printer *pr, const AstOption *option)
{
    printer_text(pr, option->name->text);
    for (int i = 0; i < option->types.len; i++) {
        printer_text(pr, i ? ", " : "(");
        printer_ast(pr, option->types.at[i]);
    }
    if (option->types.len) printer_text(pr, ")");
}

// Prints a number that a schedule defines: mc = 64 or mc = tune(64, 128).
static void print_number(Printer *pr, const AstNumber *number)
{
    bool open = number->choices.len > 1;
    printer_text(pr, number->name->text);
    printer_text(pr, open ? " = tune(" : " = ");
    for (int i = 0; i < number->choices.len; i++) {
        if (i > 0) printer_text(pr, ", ");
        printer_ast(pr, number->choices.at[i]);
    }
    if (open) printer_text(pr, ")");
}

// A member of an item: a parameter, a field, an option, or a number.
typedef struct {
    uint32_t lo, hi;
    const char *doc;
    const AstParam *param;   // a parameter or a field, or NULL
    const AstOption *option; // an option of an enum, or NULL
    const AstNumber *number; // a number that a schedule defines, or NULL
} Member;

static int member_count(const Item *item)
{
    return item->kind == ITEM_ENUM       ? item->options.len
           : item->kind == ITEM_SCHEDULE ? item->tuned.len
                                         : item->params.len;
}

static Member member_at(const Item *item, int i)
{
    if (item->kind == ITEM_ENUM) {
        const AstOption *o = &item->options.at[i];
        uint32_t hi = o->types.len ? vec_last(&o->types)->span.hi : o->span.hi;
        return (Member){.lo = o->span.lo, .hi = hi, .doc = o->doc, .option = o};
    }
    if (item->kind == ITEM_SCHEDULE) {
        const AstNumber *n = &item->tuned.at[i];
        return (Member){.lo = n->span.lo, .hi = vec_last(&n->choices)->span.hi, .number = n};
    }
    const AstParam *p = &item->params.at[i];
    uint32_t lo = p->filter ? p->filter->span.lo : p->span.lo;
    return (Member){.lo = lo, .hi = p->type->span.hi, .doc = p->doc, .param = p};
}

static void print_member(Printer *pr, Member m)
{
    if (m.param)
        print_param(pr, m.param);
    else if (m.option)
        print_option(pr, m.option);
    else
        print_number(pr, m.number);
}

static void print_members(Printer *pr, const Item *item)
{
    for (int i = 0; i < member_count(item); i++) {
        if (i > 0) printer_text(pr, ", ");
        print_member(pr, member_at(item, i));
    }
}

static void print_where(Printer *pr, const Item *item)
{
    for (int i = 0; i < item->where.len; i++) {
        printer_text(pr, i ? ", " : "where ");
        printer_ast(pr, item->where.at[i]);
    }
}

// Prints the result of a function: -> type. A result () is omitted.
static void print_result(Printer *pr, const Item *item)
{
    if (!item->type) return;
    bool none = item->type->kind == AST_TYPE_TUPLE && item->type->kids.len == 0;
    if (none && item->kind != ITEM_PATTERN) return;
    printer_text(pr, " -> ");
    printer_ast(pr, item->type);
}

// Prints each member on a line of its own. Members of structs and enums may have docs.
static void format_members(Format *f, const Item *item, uint32_t lo, uint32_t hi)
{
    int len = member_count(item);
    f->indent += INDENT;
    format_finish_line(f, lo, len ? member_at(item, 0).lo : hi);
    for (int i = 0; i < len; i++) {
        Member m = member_at(item, i);
        format_flush_comments(f, m.lo, i == 0);
        if (i > 0 && format_blank_above(f, m.lo, true)) format_empty_line(f);
        format_new_line(f);
        put_docs(f, m.doc);
        Printer pr = format_flat(f);
        print_member(&pr, m);
        text_char(f->out, ',');
        format_finish_line(f, m.hi, i + 1 < len ? member_at(item, i + 1).lo : hi);
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

// Returns an upper bound on the position where the list of parameters or numbers ends.
static uint32_t members_end(const Item *item)
{
    return item->type        ? item->type->span.lo
           : item->where.len ? item->where.at[0]->span.lo
                             : item->body->span.lo;
}

static void format_signature(Format *f, const Item *item)
{
    Printer measure = format_measure(f, 2), pr = format_flat(f);
    print_generics(&pr, item);
    print_generics(&measure, item);
    text_char(f->out, '(');
    print_members(&measure, item);
    print_result(&measure, item);
    uint32_t lo = item->name_span.hi, hi = members_end(item);
    if (member_count(item) > 0 && (measure.full || format_has_comment(f, lo, hi)))
        format_members(f, item, lo, hi);
    else
        print_members(&pr, item);
    text_char(f->out, ')');
    print_result(&pr, item);
    format_where(f, item);
}

// Prints a function on one line. Since it never fits when measured, the formatter breaks it.
void printer_function(Printer *pr, const Item *item)
{
    if (pr->measure) {
        pr->full = true;
        return;
    }
    printer_text(pr, "fn ");
    print_filter(pr, item->filter);
    printer_text(pr, item->name->text);
    print_generics(pr, item);
    printer_text(pr, "(");
    print_members(pr, item);
    printer_text(pr, ")");
    print_result(pr, item);
    printer_text(pr, " ");
    print_where(pr, item);
    if (item->where.len) printer_text(pr, " ");
    printer_ast(pr, item->body);
}

void format_function(Format *f, const Item *item)
{
    Printer pr = format_flat(f);
    if (item->entry) printer_text(&pr, "entry ");
    if (item->simd) {
        printer_text(&pr, "simd[");
        printer_ast(&pr, item->simd);
        printer_text(&pr, "] ");
    }
    printer_text(&pr, item->kind == ITEM_EXTERN                     ? "extern fn "
                      : item->kind == ITEM_PATTERN || item->pattern ? "pattern "
                                                                    : "fn ");
    print_filter(&pr, item->filter);
    printer_text(&pr, item->name->text);
    format_signature(f, item);
    if (item->kind != ITEM_FN) return;
    text_char(f->out, ' ');
    format_block(f, item->body);
}

// Prints the numeric parameters of a rule: (m: nat).
static void print_numbers(Printer *pr, const Item *item)
{
    for (int i = 0; i < item->numbers.len; i++) {
        printer_text(pr, i ? ", " : "(");
        print_param(pr, &item->numbers.at[i]);
    }
    if (item->numbers.len > 0) printer_text(pr, ")");
}

static void format_rule_item(Format *f, const Item *item)
{
    Printer pr = format_flat(f);
    if (item->fp != FP_EXACT) printer_text(&pr, float_class_text[item->fp]);
    printer_text(&pr, item->fp != FP_EXACT ? " rule " : "rule ");
    printer_text(&pr, item->name->text);
    print_numbers(&pr, item);
    format_signature(f, item);
    text_char(f->out, ' ');
    format_rule(f, item->body);
}

static void format_strategy(Format *f, const Item *item)
{
    Printer pr = format_flat(f);
    printer_text(&pr, "strategy ");
    printer_text(&pr, item->name->text);
    format_signature(f, item);
    text_char(f->out, ' ');
    format_block(f, item->body);
}

// Prints a schedule: schedule name for target(numbers) allow class { ... }.
static void format_schedule(Format *f, const Item *item)
{
    const char *allow = item->fp == FP_EXACT
                            ? " "
                            : arena_printf(f->cx->arena, " allow %s ", float_class_text[item->fp]);
    Printer pr = format_flat(f);
    printer_text(&pr, "schedule ");
    printer_text(&pr, item->name->text);
    if (item->target) printer_text(&pr, " for ");
    if (item->target) printer_text(&pr, item->target->text);
    if (item->tuned.len > 0) {
        Printer measure = format_measure(f, 3);
        uint32_t lo = item->name_span.hi, hi = members_end(item);
        printer_text(&pr, "(");
        print_members(&measure, item);
        printer_text(&measure, allow);
        if (measure.full || format_has_comment(f, lo, hi))
            format_members(f, item, lo, hi);
        else
            print_members(&pr, item);
        printer_text(&pr, ")");
    }
    printer_text(&pr, allow);
    format_block(f, item->body);
}

// Prints struct Name { members } or enum Name { members }.
static void format_data(Format *f, const Item *item)
{
    if (item->c_layout.file) {
        text_put(f->out, "#[c_layout]");
        format_trailing(f, item->c_layout.hi, item->name_span.lo);
        format_flush_comments(f, item->name_span.lo, false);
        text_char(f->out, '\n');
    }
    Printer measure = format_measure(f, 4), pr = format_flat(f);
    printer_text(&pr, item->kind == ITEM_ENUM ? "enum " : "struct ");
    printer_text(&pr, item->name->text);
    print_generics(&pr, item);
    print_generics(&measure, item);
    print_members(&measure, item);
    bool broken = measure.full || format_has_comment(f, item->name_span.hi, item->span.hi);
    for (int i = 0; i < member_count(item); i++) broken |= member_at(item, i).doc != NULL;
    bool empty = member_count(item) == 0;
    printer_text(&pr, broken || empty ? " {" : " { ");
    if (broken)
        format_members(f, item, item->name_span.hi, item->span.hi);
    else
        print_members(&pr, item);
    printer_text(&pr, broken || empty ? "}" : " }");
}

static void format_import(Format *f, const Item *item)
{
    Printer measure = format_measure(f, item->passed_on ? 14 : 10), pr = format_flat(f);
    printer_text(&pr, item->passed_on ? "pub import " : "import ");
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

// Prints a test or a bench, which the word introduces.
static void format_titled(Format *f, const char *word, const Item *item)
{
    Printer pr = format_flat(f);
    printer_text(&pr, word);
    printer_string(&pr, item->string);
    printer_text(&pr, " ");
    format_ast(f, item->body, 0);
}

void format_item(Format *f, const Item *item, uint32_t next)
{
    put_docs(f, item->doc);
    switch (item->kind) {
    case ITEM_IMPORT: format_import(f, item); break;
    case ITEM_CONST: format_const(f, item); break;
    case ITEM_TYPE: format_alias(f, item); break;
    case ITEM_STRUCT:
    case ITEM_ENUM: format_data(f, item); break;
    case ITEM_EXTERN:
    case ITEM_FN:
    case ITEM_PATTERN: format_function(f, item); break;
    case ITEM_TEST: format_titled(f, "test ", item); break;
    case ITEM_BENCH: format_titled(f, "bench ", item); break;
    case ITEM_RULE: format_rule_item(f, item); break;
    case ITEM_STRATEGY: format_strategy(f, item); break;
    case ITEM_SCHEDULE: format_schedule(f, item); break;
    }
    format_trailing(f, item->span.hi, next);
    text_char(f->out, '\n');
}
