// Looks up the names of the syntax, and records what they mean.
#include "infer/names/names.h"

static bool is_recorded(const Infer *in, Span at)
{
    return in->modules && in->modules->uses && in->modules->uses->file == at.file;
}

static Span span_of_name(const Ast *e)
{
    return e->name_span.file ? e->name_span : e->span;
}

void infer_record_symbol(const Infer *in, Span at, const Symbol *y)
{
    if (!is_recorded(in, at) || y->kind == SYMBOL_AMBIGUOUS) return;
    Span definition = y->item ? y->item->name_span : NO_SPAN;
    Use use = {.at = at, .definition = definition, .symbol = y};
    vec_push(in->modules->uses->arena, &in->modules->uses->names, use);
}

void infer_record_place(const Infer *in, Span at, Span definition)
{
    if (!is_recorded(in, at)) return;
    Use use = {.at = at, .definition = definition};
    vec_push(in->modules->uses->arena, &in->modules->uses->names, use);
}

void infer_record_type(const Infer *in, const Ast *e, Node *type)
{
    if (!is_recorded(in, e->span)) return;
    TypeOf one = {.at = e->span, .kind = e->kind, .type = type};
    vec_push(in->modules->uses->arena, &in->modules->uses->types, one);
}

Local *infer_local_named(const Scope *s, const Ast *e)
{
    Local *l = e->name ? infer_find_local(s, e->name) : NULL;
    if (l && l->span.file) infer_record_place(s->in, span_of_name(e), l->span);
    return l;
}

Symbol *infer_symbol_named(const Scope *s, const Ast *e)
{
    Symbol *y = e->name ? infer_find_symbol(s, e->name) : NULL;
    if (y && !infer_find_local(s, e->name)) infer_record_symbol(s->in, span_of_name(e), y);
    return y;
}
