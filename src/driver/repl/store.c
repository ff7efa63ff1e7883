// What lasts in a session: definitions and values.
#include "driver/repl/repl.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// --- definitions --------------------------------------------------------------------------------

Additions store_additions(const Repl *r, Arena *arena, const Addition *more)
{
    Additions all = {0};
    for (int i = 0; i < r->definitions.len; i++)
        vec_push(arena, &all, r->definitions.at[i].addition);
    if (more) vec_push(arena, &all, *more);
    return all;
}

static const char *copy_text(Arena *arena, const char *text)
{
    return text ? arena_strndup(arena, text, strlen(text)) : NULL;
}

static Strings copy_strings(Arena *arena, const Strings *from)
{
    Strings to = {0};
    for (int i = 0; i < from->len; i++) vec_push(arena, &to, copy_text(arena, from->at[i]));
    return to;
}

static void copy_definition(Arena *arena, Definitions *to, const Definition *from)
{
    Definition d = {.names = copy_strings(arena, &from->names),
                    .unnamed = from->unnamed,
                    .shown = copy_strings(arena, &from->shown)};
    d.addition =
        (Addition){copy_text(arena, from->addition.label), copy_text(arena, from->addition.text),
                   copy_text(arena, from->addition.removed)};
    vec_push(arena, to, d);
}

static bool has_name(const Strings *names, const char *name)
{
    for (int i = 0; i < names->len; i++)
        if (strcmp(names->at[i], name) == 0) return true;
    return false;
}

// Whether `more` replaces or removes all items of `old`.
static bool is_obsolete(const Definition *old, const Definition *more)
{
    if (old->unnamed) return false;
    for (int i = 0; i < old->names.len; i++)
        if (!has_name(&more->names, old->names.at[i])) return false;
    return true;
}

// Replaces the arena by one with the definitions that are needed, `more`, and the names.
static void rebuild(Repl *r, const Definition *more, const Strings *names)
{
    Arena *arena = arena_new();
    Definitions kept = {0};
    for (int i = 0; i < r->definitions.len; i++)
        if (!more || !is_obsolete(&r->definitions.at[i], more))
            copy_definition(arena, &kept, &r->definitions.at[i]);
    if (more) copy_definition(arena, &kept, more);
    r->names = copy_strings(arena, names);
    r->definitions = kept;
    if (r->arena) arena_delete(r->arena);
    r->arena = arena;
}

void store_define(Repl *r, const Definition *more)
{
    rebuild(r, more, &r->names);
}

void store_names(Repl *r, const Strings *names)
{
    rebuild(r, NULL, names);
}

bool store_has_name(const Repl *r, const char *name)
{
    return has_name(&r->names, name);
}

// --- values -------------------------------------------------------------------------------------

KeptValues store_kept(const Repl *r, Arena *arena)
{
    KeptValues all = {ARENA_ARRAY(arena, KeptValue, r->nvalues + 1), r->nvalues};
    for (int i = 0; i < r->nvalues; i++) {
        const Held *h = &r->values[i];
        all.at[i] = (KeptValue){h->name, h->full_type, h->leaves, h->nleaves};
    }
    return all;
}

Held *store_find(const Repl *r, const char *name)
{
    for (int i = 0; i < r->nvalues; i++)
        if (strcmp(r->values[i].name, name) == 0) return &r->values[i];
    return NULL;
}

static void free_value(const Held *h)
{
    if (--h->memory->users == 0) {
        munmap(h->memory->at, h->memory->bytes);
        free(h->memory);
    }
    free(h->name);
    free(h->type);
    free(h->full_type);
    free(h->leaves);
}

bool store_drop(Repl *r, const char *name)
{
    Held *h = store_find(r, name);
    if (!h) return false;
    free_value(h);
    size_t after = (size_t)(&r->values[--r->nvalues] - h);
    memmove(h, h + 1, after * sizeof *h);
    return true;
}

void store_keep(Repl *r, const Held *value)
{
    store_drop(r, value->name);
    Held *more = realloc(r->values, ((size_t)r->nvalues + 1) * sizeof *more);
    if (!more) {
        fprintf(stderr, "no memory for %s\n", value->name);
        free_value(value);
        return;
    }
    r->values = more;
    r->values[r->nvalues++] = *value;
}

void store_free(Repl *r)
{
    for (int i = 0; i < r->nvalues; i++) free_value(&r->values[i]);
    free(r->values);
    if (r->arena) arena_delete(r->arena);
}
