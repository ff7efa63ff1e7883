// Declarations, as shown in messages.
#include "infer/names/names.h"

static void show_params(Text *t, const AstParamVec *params)
{
    text_char(t, '(');
    for (int i = 0; i < params->len; i++) {
        const AstParam *p = &params->at[i];
        text_printf(t, "%s%s: ", i ? ", " : "", p->name ? p->name->text : "_");
        if (p->type) ast_print(t, p->type);
    }
    text_char(t, ')');
}

// Shows generics the way the source writes them: the kind follows only the last of several generics
// of the same kind.
static void show_generics(Text *t, const Item *item)
{
    if (item->generics.len == 0) return;
    text_char(t, '[');
    for (int i = 0; i < item->generics.len; i++) {
        const AstGeneric *g = &item->generics.at[i];
        bool last = i + 1 == item->generics.len || item->generics.at[i + 1].kind != g->kind;
        text_put(t, g->name ? g->name->text : "_");
        if (last && g->kind) text_printf(t, ": %s", g->kind->text);
        if (i + 1 < item->generics.len) text_put(t, ", ");
    }
    text_char(t, ']');
}

const char *infer_show_item(Session *cx, const Item *item)
{
    Text t = text_new(cx->arena);
    text_put(&t, item->name ? item->name->text : "_");
    if (item->numbers.len) show_params(&t, &item->numbers);
    show_generics(&t, item);
    show_params(&t, &item->params);
    if (item->type) {
        text_put(&t, " -> ");
        ast_print(&t, item->type);
    }
    return text_get(&t);
}

bool infer_is_reported(const Session *cx, DiagCode code, Span span)
{
    for (int i = 0; i < cx->diags.len; i++)
        if (cx->diags.at[i]->code == code && cx->diags.at[i]->span.lo == span.lo &&
            cx->diags.at[i]->span.file == span.file)
            return true;
    return false;
}
