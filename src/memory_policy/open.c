// Finds the patterns whose loop the program chooses; for #![explicit_loops], reports the patterns
// that it leaves open.
#include "memory_policy/internal.h"

/// The variants of a pattern that determine its loop.
typedef struct {
    Kind kind;
    const char *variants, *threads; // `threads` lists those that exist only on targets with threads
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
    Map seen; // 1 + id of a visited term -> not NULL
    bool good;
} Open;

static const LoopVariants *variants_of(Node *e)
{
    for (size_t i = 0; i < sizeof loop_variants / sizeof *loop_variants; i++)
        if (loop_variants[i].kind == e->kind) return &loop_variants[i];
    return NULL;
}

// Reports that nothing chooses the loop of `e`. `at` is the position of the pattern, or of the
// innermost enclosing term that has a position.
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

// Reports open patterns from the outside in, operands from left to right.
static void check_chosen(Open *o, Node *e, Span around)
{
    Span at = e->origin.file ? e->origin : around;
    if (map_get(&o->seen, (uint64_t)e->id + 1)) return;
    map_put(&o->seen, (uint64_t)e->id + 1, o);
    const LoopVariants *has = e->variant == VARIANT_ANY ? variants_of(e) : NULL;
    if (has) report(o, e, has, at);
    for (uint32_t i = 0; i < e->nops; i++)
        if (e->op[i]->type) check_chosen(o, e->op[i], at);
}

bool policy_check_chosen(Session *cx, const Function *flat, bool serial)
{
    Arena *arena = arena_new_beside(cx->arena);
    Open o = {cx, flat, serial, map_new(arena), true};
    if (flat->body) check_chosen(&o, flat->body, flat->span);
    for (int i = 0; i < flat->callees.len; i++)
        if (flat->callees.at[i]->body) check_chosen(&o, flat->callees.at[i]->body, flat->span);
    arena_delete(arena);
    return o.good;
}

typedef struct {
    Session *cx;
    Map seen; // 1 + id of a visited term -> not NULL
    const Map *by_schedule, *by_default;
    Map open;        // position of a pattern without a variant -> not NULL
    Spans chosen;    // positions of patterns with a variant
    Spans scheduled; // those where a schedule chose the variant
    Spans defaulted; // those where the default schedule chose it
    Spans spread;    // positions of ranges that may run on threads
} Chosen;

static uint64_t key_of(Span at)
{
    return hash_mix(hash_mix(at.file, at.lo), at.hi) | 1;
}

static void find_chosen(Chosen *c, Node *e)
{
    if (map_get(&c->seen, (uint64_t)e->id + 1)) return;
    map_put(&c->seen, (uint64_t)e->id + 1, c);
    bool pattern = variants_of(e), chosen = pattern && e->variant != VARIANT_ANY;
    if (pattern && !chosen) map_put(&c->open, key_of(e->origin), c);
    if (chosen) vec_push(c->cx->arena, &c->chosen, e->origin);
    if (chosen && c->by_schedule && map_get(c->by_schedule, core_choice_key(e)))
        vec_push(c->cx->arena, &c->scheduled, e->origin);
    else if (chosen && c->by_default && map_get(c->by_default, core_choice_key(e)))
        vec_push(c->cx->arena, &c->defaulted, e->origin);
    if (e->kind == CORE_RANGE && e->variant == VARIANT_PAR)
        vec_push(c->cx->arena, &c->spread, e->origin);
    for (uint32_t i = 0; i < e->nops; i++)
        if (e->op[i]->type) find_chosen(c, e->op[i]);
}

static void take_closed(Chosen *c, const Spans *from, Spans *out)
{
    for (int i = 0; i < from->len; i++)
        if (!map_get(&c->open, key_of(from->at[i]))) vec_push(c->cx->arena, out, from->at[i]);
}

void policy_note_chosen(Session *cx, const Function *flat, Function *low)
{
    Arena *arena = arena_new_beside(cx->arena);
    Chosen c = {.cx = cx,
                .seen = map_new(arena),
                .open = map_new(arena),
                .by_schedule = flat->by_schedule,
                .by_default = flat->by_default};
    find_chosen(&c, flat->body);
    take_closed(&c, &c.chosen, &low->chosen);
    take_closed(&c, &c.scheduled, &low->scheduled);
    take_closed(&c, &c.defaulted, &low->defaulted);
    low->spread = c.spread;
    arena_delete(arena);
}
