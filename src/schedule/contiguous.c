// Whether consecutive positions of a generate read consecutive elements, which vectors of positions
// load at once:
//
//     generate(n, |i| f(x[i], y[k, i + j], z[k]))     is contiguous
//     generate(n, |i| f(y[i, k]))                     is not: these elements are in different rows
#include "schedule/internal.h"

// How often the variable of the generate, `depth` variables further out, is added in a position; -1
// if it is used in another way.
static int times_added(Node *e, int depth)
{
    if (!node_uses(e, depth)) return 0;
    if (e->kind == CORE_VAR) return 1;
    if (e->kind == CORE_CAST || e->kind == CORE_TO_IDX) return times_added(e->op[0], depth);
    bool sum = e->kind == CORE_PRIM && (e->attr.i == PRIM_ADD || e->attr.i == PRIM_SUB);
    int a = sum ? times_added(e->op[0], depth) : -1, b = sum ? times_added(e->op[1], depth) : -1;
    if (a < 0 || b < 0) return -1;
    return e->attr.i == PRIM_SUB && b ? -1 : a + b;
}

typedef struct {
    Session *cx;
    Map seen;
    bool fails;
} Along;

// Whether the element is of one row for all positions, and next to that of the position before.
static bool is_next(Node *e, int depth)
{
    return e->type->kind == TYPE_SCALAR && times_added(e->op[1], depth) == 1 &&
           !node_uses(e->op[0], depth);
}

static bool may_fail(const Along *a, Node *e)
{
    if (e->kind == CORE_TO_IDX) return !term_is_in_range(a->cx, e);
    return core_fails_itself(e) || (e->kind >= CORE_NEW && e->kind <= CORE_CALL);
}

static void visit(Along *a, Node *e, int depth)
{
    uint64_t key = (uint64_t)e->id << 20 | (uint64_t)(depth & 0xfffff);
    if (a->fails || !e->type || map_get(&a->seen, key)) return;
    map_put(&a->seen, key, a);
    bool element = e->kind == CORE_INDEX && node_uses(e, depth);
    a->fails |= may_fail(a, e) || (element && !is_next(e, depth));
    for (int k = 0; k < (int)e->nops; k++) visit(a, e->op[k], depth + node_binds(e, k));
}

bool generate_is_contiguous(Session *cx, Arena *arena, Node *generate)
{
    if (generate->kind != CORE_GENERATE || generate->op[1]->kind != CORE_LAM) return false;
    Along a = {cx, map_new(arena), false};
    visit(&a, generate->op[1]->op[0], 0);
    return !a.fails;
}
