// Arithmetic on the indices in the results of get and put. They are either numbers or sizes, which
// may be unknown.
#include "views/internal.h"

static bool in_numbers(const ViewContext *v)
{
    return v->numbers != NULL;
}

static bool known_before(ViewNumbers *n, Node *size, int64_t *value)
{
    for (int i = 0; i < n->nknown; i++)
        if (n->known[i].size == size) {
            *value = n->known[i].n;
            return true;
        }
    return false;
}

Index index_size(const ViewContext *v, Node *size)
{
    ViewNumbers *n = v->numbers;
    Index i = {.size = size};
    if (!n || known_before(n, size, &i.number)) return i;
    i.number = 0;
    if (n->failed || !n->size(n->env, size, &i.number)) n->failed = true;
    if (n->nknown < VIEW_SIZES) {
        n->known[n->nknown].size = size;
        n->known[n->nknown++].n = i.number;
    }
    return i;
}

Index index_number(const ViewContext *v, int64_t n)
{
    return in_numbers(v) ? (Index){.number = n} : (Index){.size = nat_const(v->cx, n)};
}

// Returns whether the divisor is positive, so that the quotient is defined. Sets n->failed if it is
// not.
static bool divides(ViewNumbers *n, int64_t by)
{
    if (by <= 0) n->failed = true;
    return by > 0;
}

static int64_t of_numbers(ViewNumbers *n, Kind op, int64_t a, int64_t b)
{
    switch (op) {
    case NAT_SUM: return (int64_t)((uint64_t)a + (uint64_t)b);
    case NAT_PRODUCT: return (int64_t)((uint64_t)a * (uint64_t)b);
    case NAT_DIV: return divides(n, b) ? floor_div(a, b) : 0;
    case NAT_MOD: return divides(n, b) ? floor_mod(a, b) : 0;
    case NAT_MIN: return a < b ? a : b;
    case NAT_MAX: return a > b ? a : b;
    default: n->failed = true; return 0;
    }
}

Index index_apply(const ViewContext *v, Kind op, Index a, Index b)
{
    if (in_numbers(v)) return (Index){.number = of_numbers(v->numbers, op, a.number, b.number)};
    if (!a.size || !b.size) return (Index){.size = NULL};
    return (Index){.size = nat_apply(v->cx, op, a.size, b.size)};
}

Index index_sub(const ViewContext *v, Index a, Index b)
{
    if (in_numbers(v)) return (Index){.number = (int64_t)((uint64_t)a.number - (uint64_t)b.number)};
    if (!a.size || !b.size) return (Index){.size = NULL};
    return (Index){.size = nat_sub(v->cx, a.size, b.size)};
}

Index index_share(const ViewContext *v, Index a)
{
    if (in_numbers(v) || !a.size || !v->share) return a;
    return (Index){.size = v->share(v->env, a.size)};
}

Index index_simplify(const ViewContext *v, Index a)
{
    if (in_numbers(v) || !a.size) return a;
    return (Index){.size = nat_simplify(v->cx, v->facts, a.size)};
}

Index length_of(const ViewContext *v, Node *view, int k)
{
    return index_size(v, view->op[k]->type->op[0]);
}

// --- paths --------------------------------------------------------------------------------------

static struct Path *new_step(const ViewContext *v)
{
    if (!in_numbers(v)) return ARENA_NEW(v->arena, struct Path);
    CHECK(v->cx, v->numbers->used < VIEW_ROOM, "a path with too many steps");
    return &v->numbers->room[v->numbers->used++];
}

Path *step_again(const ViewContext *v, PathStep step, Path *rest)
{
    struct Path *p = new_step(v);
    *p = (struct Path){.step = step, .rest = rest};
    return p;
}

Path *step_index(const ViewContext *v, Index index, Path *rest)
{
    return step_again(v, (PathStep){.at = index}, rest);
}

Path *step_component(const ViewContext *v, int component, Path *rest)
{
    return step_again(v, (PathStep){.is_component = true, .component = component}, rest);
}

Path *path_index(Arena *a, Node *index, Path *rest)
{
    struct Path *p = ARENA_NEW(a, struct Path);
    *p = (struct Path){.step.index = index, .rest = rest};
    return p;
}

Path *path_component(Arena *a, int component, Path *rest)
{
    struct Path *p = ARENA_NEW(a, struct Path);
    *p = (struct Path){.step = {.is_component = true, .component = component}, .rest = rest};
    return p;
}

Path *path_append(Arena *a, Path *prefix, Path *rest)
{
    if (!prefix) return rest;
    struct Path *p = ARENA_NEW(a, struct Path);
    *p = (struct Path){.step = prefix->step, .rest = path_append(a, prefix->rest, rest)};
    return p;
}

// --- results ------------------------------------------------------------------------------------

ViewStep step_place(int operand, Path *path)
{
    return (ViewStep){.kind = STEP_PLACE, .inside = {operand, path}};
}

ViewStep step_window(Index index, const Index *lo, const Index *hi, ViewPlace inside,
                     ViewPlace outside)
{
    ViewStep s = {.kind = STEP_WINDOW, .index = index, .inside = inside, .outside = outside};
    s.has_lo = lo != NULL;
    s.has_hi = hi != NULL;
    if (lo) s.lo = *lo;
    if (hi) s.hi = *hi;
    return s;
}

ViewPlace view_settled(const ViewStep *s)
{
    int64_t i = s->index.number;
    bool outside = s->kind == STEP_WINDOW &&
                   ((s->has_lo && i < s->lo.number) || (s->has_hi && i >= s->hi.number));
    return outside ? s->outside : s->inside;
}
