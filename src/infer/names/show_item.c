// Declarations, as shown in messages.
#include "infer/names/names.h"

static void show_params(Text *t, const Item *item)
{
    for (int i = 0; i < item->params.len; i++) {
        const AstParam *p = &item->params.at[i];
        text_printf(t, "%s%s: ", i ? ", " : "", p->name ? p->name->text : "_");
        if (p->type) ast_print(t, p->type);
    }
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
    show_generics(&t, item);
    text_char(&t, '(');
    show_params(&t, item);
    text_char(&t, ')');
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
