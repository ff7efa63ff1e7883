// Which entries need not be staged again: those that nothing has changed that they depend on. An
// entry depends on the items that it uses, directly or through others, on rules and schedules, on
// attributes, and on all other files.
#include "driver/lsp/analysis/analysis.h"

#include <stdlib.h>

#include <xxhash.h>

typedef VEC(int) IntVec;

/// The items of a file as a graph.
typedef struct {
    const Module *m;
    uint64_t *text; // the hash of each item's text
    IntVec *uses;   // for each item, the numbers of items that it uses
    bool *visited;
    uint64_t common; // the hash of what all entries depend on
} Items;

static uint64_t hash_of(const Source *s, Span span)
{
    return XXH3_64bits(s->text + span.lo, span.hi - span.lo);
}

// The number of the item around an offset, or -1. Items are in the order of the text.
static int item_around(const Items *t, uint32_t at)
{
    int lo = 0, hi = t->m->items.len;
    while (hi - lo > 1) {
        int mid = lo + (hi - lo) / 2;
        if (t->m->items.at[mid]->span.lo <= at)
            lo = mid;
        else
            hi = mid;
    }
    bool inside = hi > 0 && t->m->items.at[lo]->span.lo <= at && at < t->m->items.at[lo]->span.hi;
    return inside ? lo : -1;
}

static bool is_for_all(const Item *item)
{
    return item->kind == ITEM_RULE || item->kind == ITEM_STRATEGY || item->kind == ITEM_SCHEDULE ||
           item->kind == ITEM_IMPORT || item->kind == ITEM_EXTERN;
}

static void hash_common(const Analysis *a, Items *t)
{
    const Session *cx = a->cx;
    for (int i = 0; i < cx->sources.len; i++) {
        const Source *s = cx->sources.at[i];
        if (i + 1 != (int)a->work.file) t->common += XXH3_64bits(s->text, s->len); // in any order
    }
    for (int i = 0; i < FILE_ATTRIBUTE_COUNT; i++)
        t->common = hash_mix(t->common, t->m->says[i].file != 0);
    for (int i = 0; i < t->m->items.len; i++)
        if (is_for_all(t->m->items.at[i])) t->common = hash_mix(t->common, t->text[i]);
}

static Items items_new(const Analysis *a)
{
    Arena *arena = a->cx->arena;
    const Source *s = a->cx->sources.at[a->work.file - 1];
    int n = a->work.module->items.len;
    Items t = {.m = a->work.module};
    t.text = ARENA_ARRAY(arena, uint64_t, n + 1);
    t.uses = ARENA_ARRAY(arena, IntVec, n + 1);
    t.visited = ARENA_ARRAY(arena, bool, n + 1);
    for (int i = 0; i < n; i++) t.text[i] = hash_of(s, t.m->items.at[i]->span);
    for (int i = 0; i < a->uses.names.len; i++) {
        const Use *use = &a->uses.names.at[i];
        if (use->definition.file != a->work.file) continue;
        int from = item_around(&t, use->at.lo), to = item_around(&t, use->definition.lo);
        bool again = from >= 0 && t.uses[from].len && vec_last(&t.uses[from]) == to;
        if (from >= 0 && to >= 0 && from != to && !again) vec_push(arena, &t.uses[from], to);
    }
    hash_common(a, &t);
    return t;
}

// The hash of an item and of all that it uses.
static uint64_t hash_from(Items *t, int item, uint64_t hash)
{
    if (t->visited[item]) return hash;
    t->visited[item] = true;
    hash = hash_mix(hash, t->text[item]);
    for (int i = 0; i < t->uses[item].len; i++) hash = hash_from(t, t->uses[item].at[i], hash);
    return hash;
}

void unchanged_find(Analysis *a)
{
    Items t = items_new(a);
    a->keys = ARENA_ARRAY(a->cx->arena, uint64_t, a->nentries + 1);
    for (int i = 0; i < a->nentries; i++) {
        int item = item_around(&t, a->entries[i]->span.lo);
        for (int k = 0; k < t.m->items.len; k++) t.visited[k] = false;
        if (item >= 0) a->keys[i] = hash_from(&t, item, t.common) | 1;
    }
}

bool unchanged_is_clean(const Analysis *a, int entry)
{
    for (int i = 0; a->keys[entry] && i < a->nclean; i++)
        if (a->clean[i] == a->keys[entry]) return true;
    return false;
}

void unchanged_add_clean(Analysis *a, int entry)
{
    if (!a->keys[entry]) return;
    a->clean = memory_more(a->clean, (size_t)(a->nclean + 1) * sizeof *a->clean);
    a->clean[a->nclean++] = a->keys[entry];
}

void unchanged_forget(Analysis *a)
{
    int n = 0;
    for (int i = 0; i < a->nclean; i++) {
        bool used = false;
        for (int k = 0; k < a->nentries && !used; k++) used = a->keys[k] == a->clean[i];
        if (used) a->clean[n++] = a->clean[i];
    }
    a->nclean = n;
}
