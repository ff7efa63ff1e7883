// The changes of a program by `adze repl`.
#include "driver/pipeline/pipeline.h"

#include <string.h>

// Items of different kinds can have the same name: rules and strategies are named apart from
// functions, constants and types, and so are tests, and schedules for each target.
static bool is_strategic(ItemKind k)
{
    return k == ITEM_RULE || k == ITEM_STRATEGY;
}

static bool is_replaced(const Item *old, const Item *item)
{
    if (item_has_title(old->kind) || item_has_title(item->kind))
        return old->kind == item->kind && strcmp(old->string, item->string) == 0;
    if (old->kind == ITEM_IMPORT || item->kind == ITEM_IMPORT || old->name != item->name)
        return false;
    if (old->kind == ITEM_SCHEDULE || item->kind == ITEM_SCHEDULE)
        return old->kind == item->kind && old->target == item->target;
    return is_strategic(old->kind) == is_strategic(item->kind);
}

// Removes the items among the first `n` that `item` replaces or, without an item, those of this
// name. Returns the number that remain of these `n`.
static int take_out(Session *cx, Module *m, int n, const Item *item, Sym name, Replacements *out)
{
    int kept = 0;
    for (int i = 0; i < m->items.len; i++) {
        Item *old = m->items.at[i];
        bool gone = i < n &&
                    (item ? is_replaced(old, item) : old->name == name && old->kind != ITEM_IMPORT);
        if (gone)
            vec_push(cx->arena, out, ((Replacement){old, item}));
        else
            m->items.at[kept++] = old;
    }
    n -= m->items.len - kept;
    m->items.len = kept;
    return n;
}

Replacements additions_apply(Session *cx, const Additions *additions, Module *m)
{
    Replacements replaced = {0};
    for (int i = 0; i < additions->len; i++) {
        const Addition *a = &additions->at[i];
        int before = m->items.len;
        replaced.len = 0;
        if (a->removed) take_out(cx, m, before, NULL, session_sym(cx, a->removed), &replaced);
        if (!a->text) continue;
        uint32_t file = session_add_source(cx, a->label, a->text, strlen(a->text));
        parse_more_items(cx, file, m);
        for (int k = 0, n = m->items.len - before; k < n; k++)
            before = take_out(cx, m, before, m->items.at[before + k], NULL, &replaced);
    }
    return replaced;
}
