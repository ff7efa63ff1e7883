// How many operations a term takes, as a polynomial of sizes: operations on scalars, and functions
// such as exp, each once. Both branches of an `if` count. The body of a loop that ends by itself
// counts once, since nobody knows how often it runs.
#include "nat/nat.h"
#include "schedule/run.h"

typedef struct {
    Session *cx;
    Map known; // term -> its operations; terms are shared
} Estimate;

// How often the pattern calls its function, or 1.
static Node *times_of(Session *cx, Node *e)
{
    switch (e->kind) {
    case CORE_MAP: return e->op[1]->type->op[0];
    case CORE_REDUCE:
    case CORE_FOLD:
    case CORE_SCAN:
    case CORE_SCAN_EX: return e->op[2]->type->op[0];
    case CORE_SCATTER_WITH: return e->op[3]->type->op[0];
    case CORE_ITERATE:
    case CORE_GENERATE: return e->op[0];
    default: return nat_const(cx, 1);
    }
}

static Node *operations(Estimate *s, Node *e)
{
    Node *known = map_get(&s->known, MAP_KEY(e));
    if (known) return known;
    Node *sum = nat_const(s->cx, e->kind == CORE_PRIM), *times = times_of(s->cx, e);
    for (int k = 0; k < (int)e->nops; k++) {
        if (!run_is_child(e, k)) continue;
        bool lam = e->op[k]->kind == CORE_LAM;
        Node *part = operations(s, lam ? e->op[k]->op[0] : e->op[k]);
        sum = nat_add(s->cx, sum, lam ? nat_mul(s->cx, times, part) : part);
    }
    map_put(&s->known, MAP_KEY(e), (void *)(uintptr_t)sum);
    return sum;
}

Node *run_operations(Run *r, Node *e, const Way *way)
{
    Estimate s = {r->cx, map_new(r->arena)};
    Node *all = operations(&s, e);
    for (const Way *w = way; w; w = w->outer)
        if (w->child >= 0 && w->node->op[w->child]->kind == CORE_LAM)
            all = nat_mul(r->cx, times_of(r->cx, w->node), all);
    return all;
}
