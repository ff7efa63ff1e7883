// The price of unfolding. Unfolded code grows with the number of call paths, whereas a residual
// function exists only once. Therefore, if the residual code of an entry grows large, the functions
// whose unfolded calls make up much of it are kept as residual functions, and staging starts again.
// Functions that take functions or create arrays, which may be fused with their consumers, are kept
// only above a higher limit.
//
// That bounds the code, but not by the length of the program: where each function calls the one
// before twice, all but the last few would be kept, and the entry would be as large as the limits
// allow. Therefore, once costly functions have been found, large ones are *shared*: if unfolding a
// function made many terms, its next call keeps it. To its callers, it is then no larger than a
// call. So the terms of a function depend on the number of its calls, not on what is called, and
// the residual code is linear in the program. Functions of scalars are shared only if others are
// not enough.
//
// A price covers all calls that one residual function could serve: those with the same literals,
// functions and continuations as arguments or, if that is not enough, with any literals.
#include "staging/values/stage.h"

// A function is costly if it has at least LEAST_CALLS calls, these have at least LEAST_TERMS terms
// on average, and they make up at least 1/PART of all terms.
enum { LEAST_TERMS = 16, LEAST_CALLS = 16, PART = 4 };

// The number of terms from which a function is large. Functions with scalar results are called in
// the loops of others, where calls take time and hinder vectorisation.
enum { LARGE = LEAST_TERMS, LARGE_NUMBERS = 32 };

static bool is_plain(Node *t)
{
    if (t->kind == TYPE_SCALAR || t->kind == TYPE_IDX) return true;
    if (t->kind != TYPE_TUPLE && t->kind != TYPE_STRUCT) return false;
    for (uint32_t i = 0; i < t->nops; i++)
        if (!is_plain(t->op[i])) return false;
    return true;
}

static bool is_plain_call(Stage *s, const Known *f, int n, const Known *const *args)
{
    if (!is_plain(f->special->result)) return false;
    for (int i = 0; i < n; i++)
        if (!known_is_data(args[i]) || !is_plain(stage_data(s, args[i], NO_SPAN)->type))
            return false;
    return true;
}

// --- whether a call can be kept -----------------------------------------------------------------

static bool has_lanes(Node *t)
{
    if (t->kind == TYPE_VEC) return true;
    for (uint32_t i = 0; i < t->nops; i++)
        if (!(kind_info[t->op[i]->kind].levels & LEVEL_NAT) && has_lanes(t->op[i])) return true;
    return false;
}

static bool has_barrier(const Block *block, bool only_lanes)
{
    for (const Block *b = block; b; b = b->up)
        if (b->barrier != BARRIER_NONE && (!only_lanes || b->barrier == BARRIER_VECTORIZE))
            return true;
    return false;
}

// Whether the arguments lead to a variable that a residual function cannot access: one that holds a
// function, or any variable if the call is inside a barrier, where unfolding checks assignments.
static bool reaches_unsuitable_cells(Stage *s, const Function *f, int n, const Known *const *args,
                                     Scope at)
{
    Cells cells = {0};
    for (int i = 0; i < n; i++) stage_reach(s, args[i], f->params.at[i].type, true, &cells);
    for (int i = 0; i < cells.len; i++)
        if (!type_is_data(cells.at[i]->var->type->op[0])) return true;
    return cells.len > 0 && has_barrier(at.block, false);
}

static bool can_be_kept(Stage *s, const Known *f, int n, const Known *const *args, Scope at)
{
    Node *result = f->special->result;
    const Function *function = f->special->function;
    if (s->failed || n == 0 || !type_is_data(result) || has_lanes(result)) return false;
    bool data = true;
    for (int i = 0; i < n; i++) {
        data &= known_is_data(args[i]);
        if (has_lanes(function->params.at[i].type)) return false;
        if (args[i]->kind == KNOWN_TERM && has_lanes(args[i]->node->type)) return false;
    }
    // the callee could continue an enclosing loop by a tail call to a function argument
    if (at.tail && !data) return false;
    return !has_barrier(at.block, true) && !reaches_unsuitable_cells(s, function, n, args, at);
}

// --- prices -------------------------------------------------------------------------------------

static Price *price_of(Stage *s, uint64_t key, bool generic, bool plain, Node *result)
{
    if (!key) return NULL;
    Price *p = map_get(s->prices, key);
    if (p) return p;
    p = ARENA_NEW(s->cx->arena, Price);
    *p = (Price){
        .generic = generic, .plain = plain, .numbers = is_plain(result) && !type_is_unit(result)};
    map_put(s->prices, key, p);
    return p;
}

Spent stage_spent(const Stage *s)
{
    return (Spent){s->terms, s->steps, s->apart};
}

static bool is_large(const Price *p, int64_t terms)
{
    return terms >= (p->numbers ? LARGE_NUMBERS : LARGE);
}

static void add_cost(Price *p, Spent cost)
{
    p->calls++;
    p->terms += cost.terms;
    p->steps += cost.steps;
    p->large |= is_large(p, cost.terms);
}

static void add_costs(const Prices *of, Spent cost)
{
    if (of->special) add_cost(of->special, cost);
    if (of->generic && of->generic != of->special) add_cost(of->generic, cost);
}

// Counts what a call has made as apart from its caller, for which it is a term.
static void set_apart(Stage *s, Spent before)
{
    s->apart = before.apart + (s->terms > before.terms ? s->terms - before.terms - 1 : 0);
}

// --- which functions are kept --------------------------------------------------------------------

static bool is_costly(const Price *p, int64_t cost, int64_t all)
{
    return p->calls >= LEAST_CALLS && cost >= LEAST_TERMS * p->calls && cost >= all / PART;
}

// Marks costly functions as kept: only plain ones, or any if `all` is set. Returns whether there
// was one. The cost is measured in steps if `steps` is set, and in terms otherwise.
static bool keep_costly(Stage *s, bool all, bool steps)
{
    bool some = false;
    for (int generic = 0; generic < 2 && !some; generic++)
        for (int i = 0; i < s->prices->len; i++) {
            Price *p = s->prices->entries[i].value;
            bool costly =
                steps ? is_costly(p, p->steps, s->steps) : is_costly(p, p->terms, s->terms);
            if (p->kept || !costly || p->generic != (generic == 1) || !(p->plain || all)) continue;
            some = p->kept = true;
        }
    return some;
}

bool stage_find_prices(Stage *s, const Known *f, int n, const Known *const *args, Scope at,
                       Prices *out)
{
    if (!can_be_kept(s, f, n, args, at)) return false;
    bool plain = is_plain_call(s, f, n, args);
    Node *result = f->special->result;
    out->special = price_of(s, stage_shared_key(s, f, n, args, false), false, plain, result);
    out->generic = price_of(s, stage_shared_key(s, f, n, args, true), true, plain, result);
    return true;
}

static bool shares(const Stage *s, const Price *p)
{
    return s->sharing == SHARE_ALL || (s->sharing == SHARE_PLAIN && p->plain);
}

// Keeps a large function that has been called this often.
static bool share(Stage *s, Price *p, int64_t calls)
{
    if (!shares(s, p) || !p->large || p->single || p->calls < calls) return false;
    s->again = p->kept = p->shared = true;
    return true;
}

const Price *stage_kept_by(Stage *s, const Prices *of)
{
    if (!of->special) return NULL;
    if (of->special->kept || share(s, of->special, 1)) return of->special;
    if (of->generic->kept || share(s, of->generic, LEAST_CALLS)) return of->generic;
    return NULL;
}

void stage_add_kept(Stage *s, const Prices *of, Spent before)
{
    add_costs(of, (Spent){.terms = 1});
    set_apart(s, before);
}

void stage_add_cost(Stage *s, const Prices *of, Spent before)
{
    int64_t own = s->terms - before.terms - (s->apart - before.apart);
    add_costs(of, (Spent){.terms = own, .steps = s->steps - before.steps});
    const Price *p = of->special;
    if (p && shares(s, p) && is_large(p, own)) set_apart(s, before);
    if (s->failed || s->terms <= s->limit) return;
    bool all = s->terms > s->limit_all;
    s->limit *= 2;
    if (!keep_costly(s, all, false)) return;
    s->again = s->failed = true;
    if (all || s->sharing == SHARE_NONE) s->sharing = all ? SHARE_ALL : SHARE_PLAIN;
}

void stage_begin_prices(Stage *s)
{
    for (int i = 0; i < s->prices->len; i++) {
        Price *p = s->prices->entries[i].value;
        p->calls = p->terms = p->steps = 0;
        p->large = false;
    }
}

void stage_end_prices(Stage *s)
{
    if (s->failed || s->again) return;
    for (int i = 0; i < s->prices->len; i++) {
        Price *p = s->prices->entries[i].value;
        if (!p->shared || p->calls > 1) continue;
        p->kept = p->shared = false;
        s->again = p->single = true;
    }
}

bool stage_step(Stage *s)
{
    enum { MOST_UNFOLDED = 40000 }; // limit on terms if a function calls itself at other sizes
    if (s->failed) return false;
    if (s->terms > MOST_UNFOLDED && s->resized && stage_make_sized(s, s->resized)) return false;
    if (++s->steps <= s->budget) return true;
    s->again = keep_costly(s, true, true) || (s->resized && stage_make_sized(s, s->resized));
    if (s->again)
        s->failed = true;
    else
        stage_fail(s, E0503, s->entry->span, NULL,
                   "this entry is too large after inlining all calls");
    return false;
}
