// Unfolding has a price. A function that is called again and again, by functions that are, makes
// code that grows with the number of ways to it; as a function of the result it is there once. So
// when what is left of an entry grows large, the functions whose unfolded calls make up much of it
// are kept, and the evaluation begins anew. Kept are only functions of scalars: those on arrays,
// with functions as arguments, or on vectors are where unfolding pays, whatever it costs.
#include "staging/internal.h"

// Of how many lets at least a call is worth being one, how often it happens, and which part of all
// lets such calls have made.
enum { LEAST_LETS = 8, LEAST_CALLS = 16, PART = 4 };

static bool is_plain(Node *t)
{
    if (t->kind == TYPE_SCALAR || t->kind == TYPE_IDX) return true;
    if (t->kind != TYPE_TUPLE && t->kind != TYPE_STRUCT) return false;
    for (uint32_t i = 0; i < t->nops; i++)
        if (!is_plain(t->op[i])) return false;
    return true;
}

static bool is_plain_call(Stage *s, const Known *f, int n, const Known *const *args, Scope at)
{
    if (!is_plain(f->special->result) || n == 0) return false;
    for (int i = 0; i < n; i++)
        if (!known_is_data(args[i]) || !is_plain(stage_data(s, args[i], NO_SPAN)->type))
            return false;
    for (const Block *b = at.block; b; b = b->up)
        if (b->barrier == BARRIER_VECTORIZE) return false;
    return !s->failed;
}

static Price *price_of(Stage *s, const Function *f)
{
    Price *p = map_get(s->prices, MAP_KEY(f));
    if (p) return p;
    p = ARENA_NEW(s->cx->arena, Price);
    map_put(s->prices, MAP_KEY(f), p);
    return p;
}

// When there are too many lets: whether some functions are kept that were not.
static bool keep_costly(Stage *s)
{
    bool some = false;
    for (int i = 0; i < s->prices->len; i++) {
        Price *p = s->prices->entries[i].value;
        bool costly = p->calls >= LEAST_CALLS && p->lets >= LEAST_LETS * p->calls &&
                      p->lets >= s->lets / PART;
        some |= costly && !p->kept;
        p->kept |= costly;
    }
    return some;
}

const Known *stage_call(Stage *s, const Known *f, int n, const Known *const *args, Span call,
                        Scope at)
{
    if (!is_plain_call(s, f, n, args, at)) return stage_unfold(s, f, n, args, call, at);
    Price *p = price_of(s, f->special->function);
    if (p->kept) return stage_keep(s, f, n, args, call.file ? call : f->node->origin, at);
    int64_t before = s->lets;
    const Known *v = stage_unfold(s, f, n, args, call, at);
    p->calls++;
    p->lets += s->lets - before;
    if (s->lets > s->limit && !s->failed) {
        s->limit *= 2;
        s->again = s->failed = keep_costly(s);
    }
    return s->failed ? known_error(s) : v;
}
