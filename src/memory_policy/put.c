// Finds the functions that have a put. For map.dst(f, e), the inverse of f, applied to the
// destination, yields the locations of the elements of e (Lin's I, 5.36-5.50).
#include "memory_policy/memory_policy.h"
#include "ir/walk.h"
#include "views/views.h"

enum { MAX_USES = 64, MAX_DEPTH = 16 };

// The used components of x, each as a path from the outside in.
typedef struct {
    int n;
    struct {
        int len, at[MAX_DEPTH];
    } path[MAX_USES];
} Uses;

bool policy_is_component(Node *e, int x)
{
    while (e->kind == CORE_PROJ && e->variant == VARIANT_ANY) e = e->op[0];
    return e->kind == CORE_VAR && e->attr.i == x;
}

static bool add_use(Uses *u, Node *e)
{
    if (u->n == MAX_USES) return false;
    int depth = 0;
    for (Node *at = e; at->kind == CORE_PROJ; at = at->op[0]) depth++;
    if (depth > MAX_DEPTH) return false;
    u->path[u->n].len = depth;
    for (Node *at = e; at->kind == CORE_PROJ; at = at->op[0])
        u->path[u->n].at[--depth] = (int)at->attr.i;
    u->n++;
    return true;
}

static bool overlap(const Uses *u, int a, int b)
{
    int n = u->path[a].len < u->path[b].len ? u->path[a].len : u->path[b].len;
    for (int i = 0; i < n; i++)
        if (u->path[a].at[i] != u->path[b].at[i]) return false;
    return true;
}

// Whether no component is used twice.
static bool is_single(const Uses *u)
{
    for (int a = 0; a < u->n; a++)
        for (int b = 0; b < a; b++)
            if (overlap(u, a, b)) return false;
    return true;
}

static bool may_fail(Node *e)
{
    Arena *arena = arena_new();
    Map memo = map_new(arena);
    bool fails = core_may_fail(&memo, e);
    arena_delete(arena);
    return fails;
}

// Whether e can be hoisted out of the loop over the elements, even though the loop may have no
// iterations.
static bool comes_before(Node *e, int x)
{
    return !node_uses(e, x) && e->type->kind != TYPE_REF && !may_fail(e);
}

// Whether e as a function of variable x has a put. `lossy` says that part of its result is
// discarded, so that the result cannot be read back. Adds the used components of x to *u.
static bool has_put(Node *e, int x, bool lossy, Uses *u);

static bool operands_have(Node *e, int x, bool lossy, Uses *u)
{
    for (int k = 0; k < (int)e->nops; k++) {
        ViewRole role = view_role(e, k);
        if (role == ROLE_SIZE) continue;
        if (role == ROLE_DATA ? !has_put(e->op[k], x, lossy, u) : !comes_before(e->op[k], x))
            return false;
    }
    return true;
}

static bool view_has(Node *e, int x, bool lossy, Uses *u)
{
    int64_t n;
    const ViewRow *row = view_row((Kind)e->kind);
    if (e->variant != VARIANT_DST || row->alone) return false;
    switch (row->writes) {
    case WRITES_DATA: return operands_have(e, x, lossy, u);
    case WRITES_PART: return operands_have(e, x, true, u);
    case WRITES_BORDER: // modes other than const read the interior back
        return (e->attr.i == PAD_CONST || !lossy) && operands_have(e, x, lossy, u);
    case WRITES_COPIES:
        return !lossy && nat_is_const(e->op[0], &n) && n > 0 && operands_have(e, x, lossy, u);
    case WRITES_PERMUTED:
    case WRITES_NOTHING: break;
    }
    return false;
}

static int passes(Node *lam, bool lossy);

static bool has_put(Node *e, int x, bool lossy, Uses *u)
{
    if (policy_is_component(e, x)) return add_use(u, e);
    if (!node_uses(e, x)) return true;
    bool dst = e->variant == VARIANT_DST;
    switch ((Kind)e->kind) {
    case CORE_TUPLE:
    case CORE_ARRAY: return operands_have(e, x, lossy, u);
    case CORE_PROJ: return dst && has_put(e->op[0], x, true, u);
    case CORE_INDEX: return dst && comes_before(e->op[1], x) && has_put(e->op[0], x, true, u);
    case CORE_MAP:
        return dst && !node_uses(e->op[0], x) && passes(e->op[0], lossy) == 1 &&
               has_put(e->op[1], x, lossy, u);
    default: return kind_is_view((Kind)e->kind) && view_has(e, x, lossy, u);
    }
}

// The number of times that the argument must be evaluated, or 0 if there is no put.
static int passes(Node *lam, bool lossy)
{
    int x = 0;
    Uses all = {0};
    if (lam->kind != CORE_LAM || lam->attr.i != 1) return 0;
    Node *e = lam->op[0];
    for (; e->kind == CORE_LET; e = e->op[1], x++)
        if (!comes_before(e->op[0], x)) return 0;
    if (!has_put(e, x, lossy, &all)) return 0;
    if (is_single(&all)) return 1;
    if (e->kind != CORE_TUPLE) return 0;
    for (uint32_t k = 0; k < e->nops; k++) {
        Uses part = {0};
        if (!has_put(e->op[k], x, lossy, &part) || !is_single(&part)) return 0;
    }
    return (int)e->nops;
}

int policy_put_passes(Node *lam)
{
    return passes(lam, false);
}

static Walk find_effect(Node *e, void *env)
{
    (void)env;
    bool reads = e->kind == CORE_GET || e->kind == CORE_BORROW ||
                 (e->kind >= CORE_REF_AT && e->kind <= CORE_REF_SLICE);
    return e->kind >= CORE_NEW && e->kind <= CORE_CALL && !reads ? WALK_STOP : WALK_INTO;
}

bool policy_is_pure(Node *e)
{
    Arena *arena = arena_new();
    Map seen = map_new(arena);
    bool pure = !node_walk_once(&seen, e, find_effect, NULL);
    arena_delete(arena);
    return pure;
}
