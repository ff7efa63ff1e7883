// What the policy stores and copies where the program says all itself: the two errors of access types.
//
//   expected rd, found wr: an array that is written, where one is read      E0411, to_mem(...)
//   expected wr, found rd: an array that is read, where one is written      E0412, copy(...)
#include "rewrite/internal.h"

typedef struct {
    Span at;
    Node *e;
    const char *why;
} Insertion;

Span lower_here(const Lower *l)
{
    return l->at.file ? l->at : l->whole;
}

bool lower_is_explicit(const Lower *l)
{
    uint32_t file = lower_here(l).file;
    return file && l->cx->sources.at[file - 1]->explicit_memory;
}

void lower_inserted(Lower *l, Node *low, Node *e, const char *why)
{
    if (!lower_is_explicit(l) || map_get(&l->inserted, MAP_KEY(low))) return;
    Insertion *i = ARENA_NEW(l->arena, Insertion);
    *i = (Insertion){e->origin.file && e->kind != CORE_VAR ? e->origin : lower_here(l), e, why};
    map_put(&l->inserted, MAP_KEY(low), i);
}

// What the term is called in the language.
static const char *name_of(const Lower *l, Node *e)
{
    switch (e->kind) {
    case CORE_VAR: return "this array";
    case CORE_ARRAY: return "this array literal";
    case CORE_IF: return "this choice between arrays";
    case CORE_TUPLE: return "this tuple";
    case CORE_PROJ: return "this component";
    case CORE_INDEX: return "this element";
    case CORE_GET: return "what this variable holds";
    case CORE_CALL: return "the result of this call";
    case CORE_LABEL: return "this value";
    case VIEW_SLICE: return "this part of an array";
    default: return arena_printf(l->cx->arena, "`%s`", kind_info[e->kind].text);
    }
}

static void report(Lower *l, Node *low, const Insertion *i)
{
    Session *cx = l->cx;
    bool store = low->kind == CORE_TO_MEM;
    Diag *d =
        diag_error(cx, store ? E0411 : E0412, i->at,
                   store ? "expected rd, found wr: %s has nowhere to live"
                         : "expected wr, found rd: %s is already in memory, or read from there",
                   name_of(l, i->e));
    diag_note(cx, d, NO_SPAN, "its type is `%s`; %s", type_show(cx, i->e->type), i->why);
    bool element = i->e->kind == CORE_MAP || i->e->kind == CORE_GENERATE;
    if (store)
        diag_help(cx, d, "say where: to_mem(...)%s",
                  element ? ", or compute it where it is read: .src" : "");
    else
        diag_help(cx, d, "say how it is copied: copy(...)%s", element ? ", or write it: .seq" : "");
}

static void walk(Lower *l, Node *low, Map *seen)
{
    if (map_get(seen, MAP_KEY(low))) return;
    map_put(seen, MAP_KEY(low), l);
    const Insertion *i = map_get(&l->inserted, MAP_KEY(low));
    if (i) report(l, low, i);
    for (uint32_t k = 0; k < low->nops; k++) walk(l, low->op[k], seen);
}

void lower_report_inserted(Lower *l, Node *low)
{
    Map seen = map_new(l->arena);
    walk(l, low, &seen);
}
