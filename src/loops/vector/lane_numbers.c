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

// --- comparisons ---------------------------------------------------------------------------------
//
// Comparisons of a size that is linear in the lane number with a uniform one, such as t - l < n,
// which select the lanes before or after one of them. They become a comparison of the lane number
// with that lane in numbers as narrow as the elements, and their 64 bits do not limit how many
// lanes fit into a vector.

typedef struct {
    const Divergence *d;
    bool exact;
} Exact;

static void visit_exact(Node *atom, void *env);

// Whether the size has the value of a linear function in each lane, not only modulo 2^64: it
// depends on the lane by the index, and by locals that are such sizes.
static bool is_exact(const Divergence *d, Node *size)
{
    Exact x = {d, true};
    nat_atoms(d->cx, size, visit_exact, &x);
    return x.exact;
}

static void visit_exact(Node *atom, void *env)
{
    Exact *x = env;
    const LaneName *n =
        atom->kind == NAT_VAR ? map_get(&x->d->names, MAP_KEY(atom->attr.sym)) : NULL;
    if (!x->exact || !n || shape_is_uniform(n->shape)) return;
    Node *value = n->stmt->kind == LOOP_DECL ? n->stmt->op[1] : NULL;
    x->exact = value && value->kind == CORE_NAT && is_exact(x->d, value->op[0]);
}

static Prim reversed(Prim op)
{
    switch (op) {
    case PRIM_LT: return PRIM_GT;
    case PRIM_LE: return PRIM_GE;
    case PRIM_GT: return PRIM_LT;
    case PRIM_GE: return PRIM_LE;
    default: return op;
    }
}

static bool compares(Node *e)
{
    if (e->kind != CORE_PRIM || e->nops != 2) return false;
    switch ((Prim)e->attr.i) {
    case PRIM_LT:
    case PRIM_LE:
    case PRIM_GT:
    case PRIM_GE:
    case PRIM_EQ:
    case PRIM_NE: return true;
    default: return false;
    }
}

// The comparison of a sum that may wrap with a size that is not negative: lanes in which it has
// wrapped hold the least numbers.
static bool compare_wrapped(Divergence *d, Node *e, Node *a, Node *b, LaneCompare *c)
{
    bool left = shape_is_uniform(divergence_of(d, b));
    Node *sum = left ? a : b, *with = left ? b : a;
    Shape by = divergence_of(d, sum);
    if (by.step != 1 || !shape_is_uniform(divergence_of(d, with))) return false;
    if (nat_ge0(d->cx, d->facts, with) != TRUTH_YES) return false;
    *c = (LaneCompare){
        .op = left ? (Prim)e->attr.i : reversed((Prim)e->attr.i), .bound = with, .sum = sum};
    return c->op != PRIM_EQ && c->op != PRIM_NE;
}

// The size that an expression is, or a local of i64, or NULL.
static Node *size_of(Session *cx, Node *e)
{
    Scalar s;
    bool local = e->kind == LOOP_VAR && type_is_scalar(e->type, &s) && s == SCALAR_I64;
    return local ? nat_var(cx, e->attr.sym) : loops_size(cx, e);
}

bool lane_compare(Divergence *d, Node *e, LaneCompare *c)
{
    Session *cx = d->cx;
    Node *a = compares(e) ? size_of(cx, e->op[0]) : NULL;
    Node *b = a ? size_of(cx, e->op[1]) : NULL;
    if (!b) return false;
    Shape left = divergence_of(d, a), right = divergence_of(d, b);
    int64_t step = left.step - right.step;
    if (left.varies || right.varies || (step != 1 && step != -1)) return false;
    if (!is_exact(d, a) || !is_exact(d, b)) return compare_wrapped(d, e, a, b, c);
    *c = (LaneCompare){.op = step == 1 ? (Prim)e->attr.i : reversed((Prim)e->attr.i),
                       .bound = step == 1 ? nat_sub(cx, b, a) : nat_sub(cx, a, b)};
    return true;
}
