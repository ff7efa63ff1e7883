// Comparisons of a size that is linear in the lane number with a uniform one, such as t - l < n,
// which select the lanes before or after one of them. They become a comparison of the lane number
// with that lane in numbers as narrow as the elements, and their 64 bits do not limit how many
// lanes fit into a vector.
#include "loops/vector/vectors.h"

typedef struct {
    const Divergence *d;
    bool exact;
} Exact;

static void visit_atom(Node *atom, void *env);

// Whether the size has the value of a linear function in each lane, not only modulo 2^64: it
// depends on the lane by the index, and by locals that are such sizes.
static bool is_exact(const Divergence *d, Node *size)
{
    Exact x = {d, true};
    nat_atoms(d->cx, size, visit_atom, &x);
    return x.exact;
}

static void visit_atom(Node *atom, void *env)
{
    Exact *x = env;
    const LaneName *n = atom->kind == NAT_VAR ? map_get(&x->d->names, MAP_KEY(atom->attr.sym)) : NULL;
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
    *c = (LaneCompare){.op = left ? (Prim)e->attr.i : reversed((Prim)e->attr.i),
                       .bound = with,
                       .sum = sum};
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
