// Vec, Map and the table of interned names.
#include "base/map.h"
#include "base/sym.h"
#include "base/vec.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void *vec_grow(Arena *arena, const void *at, int len, int *cap, size_t size)
{
    bool fits = *cap <= INT_MAX / 2;
    int twice = !fits ? INT_MAX : *cap ? *cap * 2 : 8;
    void *grown = arena_alloc(arena, fits ? (size_t)twice * size : SIZE_MAX);
    *cap = twice; // only now, since arena_alloc may longjmp out
    if (len) memcpy(grown, at, (size_t)len * size);
    return grown;
}

Map map_new(Arena *arena)
{
    return (Map){.arena = arena};
}

// The slot that holds `key`, or the free slot for it.
static uint32_t *find_slot(const Map *m, uint64_t key)
{
    uint32_t mask = m->nslots - 1;
    for (uint32_t i = (uint32_t)hash_mix(key, 0) & mask;; i = (i + 1) & mask) {
        uint32_t *slot = &m->slots[i];
        if (*slot == 0 || m->entries[*slot - 1].key == key) return slot;
    }
}

void *map_get(const Map *m, uint64_t key)
{
    if (m->len == 0) return NULL;
    uint32_t slot = *find_slot(m, key);
    return slot ? m->entries[slot - 1].value : NULL;
}

static void map_grow(Map *m)
{
    m->nslots = m->nslots ? m->nslots * 2 : 16;
    m->slots = ARENA_ARRAY(m->arena, uint32_t, m->nslots);
    m->entries = vec_grow(m->arena, m->entries, m->len, &m->cap, sizeof *m->entries);
    for (int i = 0; i < m->len; i++) *find_slot(m, m->entries[i].key) = (uint32_t)i + 1;
}

void map_put(Map *m, uint64_t key, void *value)
{
    if ((uint32_t)m->len * 2 >= m->nslots || m->len == m->cap) map_grow(m);
    uint32_t *slot = find_slot(m, key);
    if (*slot == 0) {
        m->entries[m->len] = (MapEntry){.key = key};
        *slot = (uint32_t)++m->len;
    }
    m->entries[*slot - 1].value = value;
}

struct SymTable {
    Arena *arena;
    Map by_hash; // hash of the text -> chain of names
    Map numbers; // base name -> the last number that sym_fresh tried
    uint32_t count;
};

typedef struct Chain Chain;
struct Chain {
    Chain *next;
    Sym sym;
};

SymTable *sym_table_new(Arena *arena)
{
    SymTable *t = ARENA_NEW(arena, SymTable);
    t->arena = arena;
    t->by_hash = map_new(arena);
    t->numbers = map_new(arena);
    return t;
}

static uint64_t hash_text(const char *text, size_t len)
{
    uint64_t h = len;
    for (size_t i = 0; i < len; i++) h = hash_mix(h, (unsigned char)text[i]);
    return h;
}

static Sym find_text(const Chain *chain, const char *text, size_t len)
{
    for (; chain; chain = chain->next)
        if (chain->sym->len == len && memcmp(chain->sym->text, text, len) == 0) return chain->sym;
    return NULL;
}

Sym sym_intern(SymTable *t, const char *text, size_t len)
{
    uint64_t h = hash_text(text, len);
    Chain *chain = map_get(&t->by_hash, h);
    Sym found = find_text(chain, text, len);
    if (found) return found;
    struct SymData *s = arena_alloc(t->arena, sizeof *s + len + 1);
    s->id = ++t->count;
    s->hash = (uint32_t)h;
    s->len = (uint32_t)len;
    s->written = s;
    if (len) memcpy(s->text, text, len);
    Chain *link = ARENA_NEW(t->arena, Chain);
    *link = (Chain){.next = chain, .sym = s};
    map_put(&t->by_hash, h, link);
    return s;
}

Sym sym_fresh(SymTable *t, const char *base)
{
    Sym stem = sym_intern(t, base, strlen(base));
    for (;;) {
        uintptr_t k = (uintptr_t)map_get(&t->numbers, MAP_KEY(stem)) + 1;
        map_put(&t->numbers, MAP_KEY(stem), (void *)k);
        char *text = arena_printf(t->arena, "%s%ju", base, (uintmax_t)k);
        uint32_t before = t->count;
        struct SymData *s = (struct SymData *)(uintptr_t)sym_intern(t, text, strlen(text));
        if (t->count == before) continue;
        s->written = stem->written;
        return s;
    }
}
