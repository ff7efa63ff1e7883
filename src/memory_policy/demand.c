// How demands, uses and costs are combined.
#include "memory_policy/internal.h"

Demand demand_inner(Demand d)
{
    return d >> 1 | (d & 1u << (DEMAND_LEVELS - 1));
}

Demand demand_outer(Demand elements, bool many)
{
    return ((elements << 1) | (many ? 1u : 0u)) & MANY;
}

Uses uses_one(Arena *a, Use use)
{
    Use *u = ARENA_NEW(a, Use);
    *u = use;
    return (Uses){1, u};
}

Use use_whole(int index, Demand d)
{
    return use_component(index, WHOLE, d);
}

Use use_component(int index, int component, Demand d)
{
    Use u = {.index = index, .component = component, .demand = d};
    for (int l = 0; l < INDEXED_LEVELS; l++) u.by[l] = BY_NONE;
    return u;
}

// Combines two uses of one variable.
typedef Use Combine(const Use *x, const Use *y);

// Combines uses of [from, middle) and [middle, to). No element is used by both.
static Use combine_parts(const Use *first, const Use *second)
{
    Use u = use_component(first->index, first->component, first->demand | second->demand);
    u.from = first->from;
    u.to = second->to;
    u.in_parts = true;
    return u;
}

static Use combine_both(const Use *x, const Use *y)
{
    Use u = use_component(x->index, x->component, MANY);
    if (x->to && x->to == y->from)
        u = combine_parts(x, y);
    else if (y->to && y->to == x->from)
        u = combine_parts(y, x);
    u.place = x->place | y->place;
    u.passed = x->passed || y->passed;
    return u;
}

static Use combine_either(const Use *x, const Use *y)
{
    Use u = use_component(x->index, x->component, x->demand | y->demand);
    u.place = x->place | y->place;
    u.passed = x->passed || y->passed;
    u.in_parts = x->in_parts || y->in_parts;
    if (x->from == y->from && x->to == y->to) {
        u.from = x->from;
        u.to = x->to;
    }
    for (int l = 0; l < INDEXED_LEVELS; l++)
        if (x->by[l] == y->by[l]) u.by[l] = x->by[l];
    return u;
}

static bool is_before(const Use *x, const Use *y)
{
    return x->index != y->index ? x->index < y->index : x->component < y->component;
}

static Uses merge(Arena *a, Uses x, Uses y, Combine *combine)
{
    if (x.len == 0) return y;
    if (y.len == 0) return x;
    Use *all = ARENA_ARRAY(a, Use, x.len + y.len);
    int n = 0, i = 0, j = 0;
    while (i < x.len || j < y.len) {
        if (j == y.len || (i < x.len && is_before(&x.at[i], &y.at[j])))
            all[n++] = x.at[i++];
        else if (i == x.len || is_before(&y.at[j], &x.at[i]))
            all[n++] = y.at[j++];
        else
            all[n++] = combine(&x.at[i++], &y.at[j++]);
    }
    return (Uses){n, all};
}

Uses uses_both(Arena *a, Uses x, Uses y)
{
    return merge(a, x, y, combine_both);
}

Uses uses_either(Arena *a, Uses x, Uses y)
{
    return merge(a, x, y, combine_either);
}

// The demand of a use, as seen outside a loop whose index is variable 0. If the index selects at
// some level, each iteration selects the outer levels again, but different elements of the inner
// levels.
static Demand in_index_loop(const Use *u)
{
    for (int l = 0; l < INDEXED_LEVELS; l++)
        if (u->by[l] == 0) return u->demand | ((1u << l) - 1);
    return MANY;
}

static Use use_outside(const Use *u, int n, Binder binder)
{
    Use out = *u;
    out.index -= n;
    if (binder == BINDER_LOOP) out.demand = MANY;
    if (binder == BINDER_INDEX) out.demand = in_index_loop(u);
    for (int l = 0; l < INDEXED_LEVELS; l++) out.by[l] = u->by[l] < n ? BY_NONE : u->by[l] - n;
    return out;
}

Uses uses_outside(Arena *a, Uses u, int n, Binder binder)
{
    Use *all = ARENA_ARRAY(a, Use, u.len + 1);
    int len = 0;
    for (int i = 0; i < u.len; i++)
        if (u.at[i].index >= n) all[len++] = use_outside(&u.at[i], n, binder);
    return (Uses){len, all};
}

Demand uses_of(Uses u, int index)
{
    Demand d = ONCE;
    bool whole = false;
    for (int i = 0; i < u.len; i++) {
        if (u.at[i].index != index) continue;
        if (whole) return MANY; // both the whole variable and one of its components are used
        whole = u.at[i].component == WHOLE;
        d |= u.at[i].demand;
    }
    return d;
}

int uses_place(Uses u, int index)
{
    int place = 0;
    for (int i = 0; i < u.len; i++)
        if (u.at[i].index == index) place |= u.at[i].place;
    return place;
}

bool uses_passed(Uses u, int index)
{
    for (int i = 0; i < u.len; i++)
        if (u.at[i].index == index && u.at[i].passed) return true;
    return false;
}

bool uses_in_parts(Uses u, int index)
{
    for (int i = 0; i < u.len; i++)
        if (u.at[i].index == index && u.at[i].in_parts) return true;
    return false;
}

Uses uses_for_parts(Arena *a, Uses u)
{
    Use *all = ARENA_ARRAY(a, Use, u.len + 1);
    for (int i = 0; i < u.len; i++) {
        all[i] = u.at[i];
        all[i].in_parts = true;
    }
    return (Uses){u.len, all};
}

Uses uses_stored(Arena *a, Uses u)
{
    Use *all = ARENA_ARRAY(a, Use, u.len + 1);
    for (int i = 0; i < u.len; i++) {
        all[i] = u.at[i];
        all[i].place &= (uint8_t)~USE_READ;
    }
    return (Uses){u.len, all};
}

static uint8_t saturate(int x)
{
    return (uint8_t)(x < COST_BIG ? x : COST_BIG);
}

Cost cost_sum(Cost a, Cost b)
{
    a.once = saturate(a.once + b.once);
    for (int l = 0; l < DEMAND_LEVELS; l++) a.at[l] = saturate(a.at[l] + b.at[l]);
    return a;
}

Cost cost_plus(Cost a, int once, int level0)
{
    a.once = saturate(a.once + once);
    a.at[0] = saturate(a.at[0] + level0);
    return a;
}

Cost cost_repeated(Cost a, Demand d)
{
    enum { READS = 3 }; // an estimate of the number of reads; a stencil has at least three
    for (int l = 0; l < DEMAND_LEVELS; l++)
        if (d >> l & 1) a.at[l] = saturate(READS * a.at[l]);
    return a;
}

Cost cost_outer(Cost elements)
{
    Cost c = {.at[0] = elements.once};
    for (int l = 1; l < DEMAND_LEVELS; l++) c.at[l] = elements.at[l - 1];
    c.at[DEMAND_LEVELS - 1] = saturate(c.at[DEMAND_LEVELS - 1] + elements.at[DEMAND_LEVELS - 1]);
    return c;
}

Cost cost_inner(Cost array)
{
    Cost c = {.once = saturate(array.once + array.at[0])};
    for (int l = 1; l < DEMAND_LEVELS; l++) c.at[l - 1] = array.at[l];
    c.at[DEMAND_LEVELS - 1] = array.at[DEMAND_LEVELS - 1];
    return c;
}

Cost cost_joined(Cost array)
{
    Cost c = {.once = array.once, .at[0] = saturate(array.at[0] + array.at[1])};
    for (int l = 2; l < DEMAND_LEVELS; l++) c.at[l - 1] = array.at[l];
    c.at[DEMAND_LEVELS - 1] = array.at[DEMAND_LEVELS - 1];
    return c;
}

int cost_of_scalar(Node *e)
{
    enum { HARD = 8 }; // enough that storing the result pays off
    switch (e->kind) {
    case CORE_PRIM: return prim_info[e->attr.i].work == WORK_SHORT ? 1 : HARD;
    case CORE_IF:
    case CORE_TO_IDX: return 1;
    default: return 0;
    }
}

bool cost_exceeds(Cost c, Demand d)
{
    enum { CHEAP = 2 };
    for (int l = 0; l < DEMAND_LEVELS; l++)
        if ((d >> l & 1) && c.at[l] > CHEAP) return true;
    return false;
}
