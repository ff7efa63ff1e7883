// The outline of a file, and the lenses above its entries and tests.
#include "driver/lsp/methods/methods.h"

// SymbolKind, for each kind of item; 0 for those that the outline leaves out.
static const int symbol_kind[] = {
    [ITEM_IMPORT] = 0, [ITEM_CONST] = 14, [ITEM_TYPE] = 26,     [ITEM_STRUCT] = 23,
    [ITEM_ENUM] = 10,  [ITEM_FN] = 12,    [ITEM_EXTERN] = 12,   [ITEM_PATTERN] = 12,
    [ITEM_TEST] = 6,   [ITEM_RULE] = 25,  [ITEM_STRATEGY] = 25, [ITEM_SCHEDULE] = 25,
    [ITEM_BENCH] = 6,
};
enum { KIND_FIELD = 8, KIND_OPTION = 22 };

static json_t *entry_of(const Analysis *a, const char *name, int kind, Span all, Span at)
{
    if (!at.file || at.lo < all.lo || at.hi > all.hi) at = (Span){all.file, all.lo, all.lo};
    return json_pack("{s:o, s:i, s:o, s:o}", "name", json_text(*name ? name : "?"), "kind", kind,
                     "range", analysis_range(a, all), "selectionRange", analysis_range(a, at));
}

static void add_members(const Analysis *a, json_t *one, const Item *item)
{
    json_t *list = json_array();
    for (int i = 0; item->kind == ITEM_STRUCT && i < item->params.len; i++) {
        const AstParam *p = &item->params.at[i];
        if (p->name)
            json_array_append_new(list, entry_of(a, p->name->text, KIND_FIELD, p->span, p->span));
    }
    for (int i = 0; i < item->options.len; i++) {
        const AstOption *o = &item->options.at[i];
        if (o->name)
            json_array_append_new(list, entry_of(a, o->name->text, KIND_OPTION, o->span, o->span));
    }
    if (json_array_size(list)) json_object_set(one, "children", list);
    json_decref(list);
}

static const char *name_of(const Item *item)
{
    if (item_has_title(item->kind)) return item->string ? item->string : "?";
    return item->name ? item->name->text : "?";
}

json_t *method_symbols(Server *s, const json_t *params, Failure *failure)
{
    Document *d = server_document(s, params, failure);
    Analysis *a = d ? analysis_of(s, d) : NULL;
    if (!a) return NULL;
    json_t *list = json_array();
    for (int i = 0; a->work.module && i < a->work.module->items.len; i++) {
        const Item *item = a->work.module->items.at[i];
        if (!item || !symbol_kind[item->kind]) continue;
        json_t *one =
            entry_of(a, name_of(item), symbol_kind[item->kind], item->span, item->name_span);
        if (item->kind == ITEM_FN || item->kind == ITEM_EXTERN)
            json_object_set_new(one, "detail", json_text(infer_show_item(a->cx, item)));
        add_members(a, one, item);
        json_array_append_new(list, one);
    }
    return list;
}

// --- lenses -------------------------------------------------------------------------------------

static void add_lens(const Analysis *a, const Document *d, json_t *list, const Item *item,
                     const char *title, const char *command, const char *member)
{
    Span at = {item->span.file, item->span.lo, item->span.lo};
    json_t *argument = json_pack("{s:s, s:o}", "uri", d->uri, member, json_text(name_of(item)));
    json_array_append_new(list, json_pack("{s:o, s:{s:s, s:s, s:[o]}}", "range",
                                          analysis_range(a, at), "command", "title", title,
                                          "command", command, "arguments", argument));
}

json_t *method_lenses(Server *s, const json_t *params, Failure *failure)
{
    Document *d = server_document(s, params, failure);
    Analysis *a = d ? analysis_of(s, d) : NULL;
    if (!a) return NULL;
    json_t *list = json_array();
    for (int i = 0; a->work.module && i < a->work.module->items.len; i++) {
        const Item *item = a->work.module->items.at[i];
        if (item && item->kind == ITEM_TEST)
            add_lens(a, d, list, item, "run test", "adze.test", "title");
        if (!item || !item->entry || !item->name) continue;
        add_lens(a, d, list, item, "explain", "adze.explain", "entry");
        add_lens(a, d, list, item, "show C", "adze.showC", "entry");
    }
    return list;
}
