// Values of 64 bits whose width does not limit the number of lanes. Those that depend only on the
// lane number, such as lanes[L]() and its comparisons with literals, are constant vectors, which
// cost nothing. Comparisons with sizes are computed in numbers as narrow as the elements.
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

// --- comparisons of lane numbers ----------------------------------------------------------------
//
// Comparisons whose operands have 64 bits, but which need no lanes of 64 bits, so that they do not
// limit how many lanes fit into a vector.
//
//   t - l < n      a size that is linear in the lane number, and a uniform one: select the lanes
//                  before or after one of them. Becomes a comparison of the lane number in numbers
//                  as narrow as the elements.
//   i64(i) < n     an integer of at most 32 bits, and a uniform size, as in bounds checks. Becomes
//                  a comparison of i32: i <= i32(min(n, 2^31) - 1), whose right side is uniform.

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

// --- comparisons of narrow integers --------------------------------------------------------------

// The only non-uniform term of the size, if that is a name, or NULL. Sets *rest to the sum of the
// uniform terms, or to NULL.
static Node *varying_term(Divergence *d, Node *size, Node **rest)
{
    Node *name = size->kind == NAT_VAR ? size : NULL;
    for (uint32_t i = 0; size->kind == NAT_SUM && i < size->nops; i++) {
        if (shape_is_uniform(divergence_of(d, size->op[i]))) continue;
        if (name || size->op[i]->kind != NAT_VAR) return NULL;
        name = size->op[i];
    }
    *rest = name ? nat_sub(d->cx, size, name) : NULL;
    return name;
}

// The only term of the size that is not uniform, if that is a name which is cast from a narrow
// integer. Returns that integer, and sets *rest to the sum of the other terms, a constant.
static Node *narrow_term(Divergence *d, Node *size, int64_t *rest)
{
    Node *others, *name = varying_term(d, size, &others);
    bool small = name && nat_is_const(others, rest) && *rest >= INT32_MIN && *rest <= INT32_MAX;
    return small ? narrow_value(d, name) : NULL;
}

// The narrow integer that the operand exceeds by `rest`, or NULL.
static Node *narrow_operand(Divergence *d, Node *e, int64_t *rest)
{
    Node *size = size_of(d->cx, e), *narrow = size ? narrow_term(d, size, rest) : NULL;
    if (!size && is_widened(e)) {
        narrow = e->op[0];
        *rest = 0;
    }
    return narrow && fits_i32(narrow->type) ? narrow : NULL;
}

// The size less `rest`, but at most `most`. An arbitrary size is limited before the subtraction,
// which then does not overflow.
static Node *limited_difference(Divergence *d, Node *size, int64_t rest, int64_t most)
{
    Session *cx = d->cx;
    Node *limit = nat_const(cx, most);
    if (rest < 0) size = nat_min(cx, size, limit);
    return nat_simplify(cx, d->facts, nat_min(cx, nat_sub(cx, size, nat_const(cx, rest)), limit));
}

// Fills in the comparison of an i32 with the size less `rest`. No value of the type stands for
// 2^31, so that `<` becomes `<=`.
static bool compare_i32(Divergence *d, Prim op, Node *size, int64_t rest, NarrowCompare *c)
{
    Session *cx = d->cx;
    bool strict = op == PRIM_LT || op == PRIM_GE, equal = op == PRIM_EQ || op == PRIM_NE;
    int64_t most = INT32_MAX, known;
    Node *bound = limited_difference(d, size, rest, strict || equal ? most + 1 : most);
    bool literal = nat_is_const(bound, &known) && known <= INT32_MAX;
    if (equal && nat_le(cx, d->facts, bound, nat_const(cx, most)) != TRUTH_YES) return false;
    if (strict && !literal) {
        bound = nat_simplify(cx, d->facts, nat_sub(cx, bound, nat_const(cx, 1)));
        op = op == PRIM_LT ? PRIM_LE : PRIM_GT;
    }
    if (nat_le(cx, d->facts, nat_const(cx, INT32_MIN), bound) != TRUTH_YES) return false;
    Node *i32 = type_scalar(cx, SCALAR_I32);
    c->op = op;
    c->bound = nat_is_const(bound, &known) ? core_int(cx, i32, known)
                                           : core_cast(cx, core_size(cx, bound), i32);
    return true;
}

bool narrow_compare(Divergence *d, Node *e, NarrowCompare *c)
{
    Session *cx = d->cx;
    if (!compares(e)) return false;
    int64_t rest;
    for (int i = 0; i < 2; i++) {
        Node *size = size_of(cx, e->op[1 - i]);
        if (!size || !shape_is_uniform(divergence_of(d, size))) continue;
        Node *narrow = narrow_operand(d, e->op[i], &rest);
        if (!narrow || shape_is_uniform(divergence_of(d, narrow))) return false;
        Prim op = (Prim)e->attr.i;
        c->narrow = core_cast(cx, narrow, type_scalar(cx, SCALAR_I32));
        return compare_i32(d, i == 0 ? op : reversed(op), size, rest, c);
    }
    return false;
}
