// Which loops the program chooses, and where it leaves a choice open although it is to make all of
// them: #![explicit_loops].
#include "memory_policy/internal.h"

/// The variants of a pattern, as far as they say which loop it becomes.
typedef struct {
    Kind kind;
    const char *variants, *threads; // always; on a target with threads
} LoopVariants;

static const LoopVariants loop_variants[] = {
    {CORE_MAP, "seq, unroll, vec, src, dst", "par"},
    {CORE_GENERATE, "seq, unroll, vec, src", "par"},
    {CORE_REDUCE, "seq, unroll, vec, inplace", "par"},
    {CORE_FOLD, "seq, unroll, inplace", NULL},
    {CORE_SCAN, "seq, unroll, vec", "par"},
    {CORE_SCAN_EX, "seq, unroll, vec", "par"},
};

typedef struct {
    Session *cx;
    const Function *f;
    bool serial;
    Map seen; // id of a term + 1 -> not NULL
    bool good;
} Open;

static const LoopVariants *variants_of(Node *e)
{
    for (size_t i = 0; i < sizeof loop_variants / sizeof *loop_variants; i++)
        if (loop_variants[i].kind == e->kind) return &loop_variants[i];
    return NULL;
}

// `at`: its place, or that of what is around it.
static void report(Open *o, Node *e, const LoopVariants *has, Span at)
{
    Session *cx = o->cx;
    const char *name = kind_info[e->kind].text;
    bool threads = has->threads && !o->serial;
    Diag *d = diag_error(cx, E0417, at, "nothing chooses the loop of this `%s`", name);
    diag_note(cx, d, NO_SPAN, "its variants are %s%s%s", has->variants, threads ? ", " : "",
              threads ? has->threads : "");
    if (at.file != o->f->span.file)
        diag_note(cx, d, o->f->span, "it is part of the entry `%s`", o->f->name->text);
    diag_help(cx, d,
              "choose a variant here, as in %s.seq(...), or with a rule in a schedule of `%s`",
              name, o->f->name->text);
    o->good = false;
}

// From the outside in, operands from left to right.
static void look(Open *o, Node *e, Span around)
{
    Span at = e->origin.file ? e->origin : around;
    if (map_get(&o->seen, (uint64_t)e->id + 1)) return;
    map_put(&o->seen, (uint64_t)e->id + 1, o);
    const LoopVariants *has = e->variant == VARIANT_ANY ? variants_of(e) : NULL;
    if (has) report(o, e, has, at);
    for (uint32_t i = 0; i < e->nops; i++)
        if (e->op[i]->type) look(o, e->op[i], at);
}

bool rewrite_check_chosen(Session *cx, const Function *flat, bool serial)
{
    Arena *arena = arena_new_beside(cx->arena);
    Open o = {cx, flat, serial, map_new(arena), true};
    if (flat->body) look(&o, flat->body, flat->span);
    for (int i = 0; i < flat->callees.len; i++)
        if (flat->callees.at[i]->body) look(&o, flat->callees.at[i]->body, flat->span);
    arena_delete(arena);
    return o.good;
}

typedef struct {
    Session *cx;
    Map seen; // id of a term + 1 -> not NULL
    const Map *by_schedule;
    Map open;        // place of a pattern without a variant -> not NULL
    Spans said;      // of those with one
    Spans scheduled; // of those that have it from a schedule
} Chosen;

static uint64_t key_of(Span at)
{
    return hash_mix(hash_mix(at.file, at.lo), at.hi) | 1;
}

static void find_chosen(Chosen *c, Node *e)
{
    if (map_get(&c->seen, (uint64_t)e->id + 1)) return;
    map_put(&c->seen, (uint64_t)e->id + 1, c);
    bool said = e->variant != VARIANT_ANY && variants_of(e);
    if (said) vec_push(c->cx->arena, &c->said, e->origin);
    if (said && c->by_schedule && map_get(c->by_schedule, core_choice_key(e)))
        vec_push(c->cx->arena, &c->scheduled, e->origin);
    if (e->variant == VARIANT_ANY && variants_of(e)) map_put(&c->open, key_of(e->origin), c);
    for (uint32_t i = 0; i < e->nops; i++)
        if (e->op[i]->type) find_chosen(c, e->op[i]);
}

static void take_closed(Chosen *c, const Spans *from, Spans *out)
{
    for (int i = 0; i < from->len; i++)
        if (!map_get(&c->open, key_of(from->at[i]))) vec_push(c->cx->arena, out, from->at[i]);
}

void rewrite_chosen(Session *cx, const Function *flat, Function *low)
{
    Arena *arena = arena_new_beside(cx->arena);
    Chosen c = {
        .cx = cx, .seen = map_new(arena), .open = map_new(arena), .by_schedule = flat->by_schedule};
    find_chosen(&c, flat->body);
    take_closed(&c, &c.said, &low->chosen);
    take_closed(&c, &c.scheduled, &low->scheduled);
    arena_delete(arena);
}
