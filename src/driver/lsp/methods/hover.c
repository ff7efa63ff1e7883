// Hover: what a name means, its type with its sizes, and its documentation.
#include "driver/lsp/methods/methods.h"

static void put_code(Text *t, const char *code)
{
    text_printf(t, "```adze\n%s\n```", code);
}

// The type of a name where it is used, which has the sizes of that place.
static void put_type_here(const Analysis *a, Text *t, const Meant *target)
{
    Node *type = names_type_at(a, target->at);
    if (!target->symbol || !names_is_known(type) || type->kind == TYPE_FUN) return;
    text_put(t, "\n\n");
    put_code(t, arena_printf(a->cx->arena, "%s: %s", target->symbol->name->text,
                             type_show(a->cx, type)));
}

static void put_target(const Analysis *a, Text *t, const Meant *target)
{
    const char *doc = target->decl ? target->decl->doc : show_doc(target->symbol);
    if (target->decl)
        put_code(t, show_decl(a, target->decl));
    else if (target->symbol)
        put_code(t, show_symbol(a, target->symbol));
    if (!target->decl && !target->symbol && names_type_at(a, target->at))
        put_code(t, type_show(a->cx, names_type_at(a, target->at)));
    put_type_here(a, t, target);
    if (doc) text_printf(t, "\n\n%s", doc);
    const Symbol *y = target->symbol;
    if (y && y->unit && y->unit->name && !target->decl)
        text_printf(t, "\n\nfrom `%s`", y->unit->name->text);
}

json_t *method_hover(Server *s, const json_t *params, Failure *failure)
{
    size_t offset;
    Analysis *a = server_place(s, params, &offset, failure);
    if (!a) return NULL;
    Meant target;
    Text t = text_new(a->cx->arena);
    Span span = NO_SPAN;
    if (names_find(a, offset, &target)) {
        put_target(a, &t, &target);
        span = target.at;
    }
    const TypeOf *e = t.len ? NULL : names_expression(a, offset);
    if (e) {
        put_code(&t, type_show(a->cx, e->type));
        span = e->at;
    }
    if (t.len == 0) return NULL;
    return json_pack("{s:{s:s, s:o}, s:o}", "contents", "kind", "markdown", "value",
                     json_text(text_get(&t)), "range", analysis_range(a, span));
}
