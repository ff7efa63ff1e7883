// Values that depend only on the lane number, such as lanes[L]() and its comparisons with literals,
// are constant vectors: they cost nothing, and their width does not limit the number of lanes.
#include "loops/vector/vectors.h"

enum { MOST_VISITED = 400 }; // maximum number of nodes visited in an expression

typedef struct {
    const Divergence *d;
    bool constant;
    int visited;
} Numbers;

static bool is_constant(Numbers *n, Node *e);

// Whether the name is the index, or a local that is never reassigned and depends only on the lane
// number.
static bool is_constant_name(Numbers *n, Sym name)
{
    const Divergence *d = n->d;
    if (name == d->index) return true;
    const LaneName *local = map_get(&d->names, MAP_KEY(name));
    if (!local || local->stmt->kind != LOOP_DECL || map_get(&d->changed, MAP_KEY(name)))
        return false;
    return !loops_is_nothing(local->stmt->op[1]) && is_constant(n, local->stmt->op[1]);
}

static void visit_atom(Node *atom, void *env)
{
    Numbers *n = env;
    if (atom->kind == NAT_VAR) n->constant = n->constant && is_constant_name(n, atom->attr.sym);
}

static bool is_constant(Numbers *n, Node *e)
{
    if (n->visited++ > MOST_VISITED) return false;
    switch ((Kind)e->kind) {
    case CORE_LIT: return true;
    case CORE_NAT: nat_atoms(n->d->cx, e->op[0], visit_atom, n); return n->constant;
    case LOOP_VAR: return is_constant_name(n, e->attr.sym);
    case CORE_PRIM:
    case CORE_CAST:
    case LOOP_SELECT:
        for (uint32_t i = 0; i < e->nops; i++)
            if (!is_constant(n, e->op[i])) return false;
        return true;
    default: return false;
    }
}

bool lane_is_constant(const Divergence *d, Node *e)
{
    Numbers n = {d, true, 0};
    return d->index_is_lane && is_constant(&n, e);
}
