// Exact constant folding and algebraic simplification. Folds operators on literals if both of the
// interpreter's algebras agree, comparisons of sizes that the known facts decide, conversions to
// in-bounds indices, and elements of array literals.
#include "staging/values/stage.h"

static bool is_literal(Node *e)
{
    return e->kind == CORE_LIT && e->type->kind == TYPE_SCALAR;
}

static bool is_number(Node *e, int64_t value)
{
    double x;
    if (!is_literal(e)) return false;
    if (!type_is_float(e->type)) return type_is_integer(e->type) && e->attr.i == value;
    memcpy(&x, &e->attr.bits, sizeof x);
    return value == 1 && x == 1.0;
}

// Whether the literal is the neutral element of addition: -0.0 for floats, since -0.0 + 0.0 is 0.0.
static bool is_neutral(Node *e)
{
    return is_number(e, 0) || core_is_float_zero(e, true);
}

// Whether no bits are set: false for bool, 0 for integers.
static bool is_none(Node *e)
{
    return is_literal(e) && !type_is_float(e->type) && e->attr.bits == 0;
}

// Whether all bits are set: true for bool, ~0 for integers.
static bool is_all(Node *e)
{
    if (!is_literal(e) || type_is_float(e->type)) return false;
    return e->attr.bits ==
           scalar_wrap((Scalar)e->type->attr.i, type_is_integer(e->type) ? UINT64_MAX : 1);
}

// Folds x op neutral to x and, for integers, x * 0 to 0 if x cannot fail.
static Node *fold_identity(Node *e)
{
    if (e->nops != 2) return e;
    Node *a = e->op[0], *b = e->op[1];
    bool integer = type_is_integer(a->type);
    switch ((Prim)e->attr.i) {
    case PRIM_ADD: return is_neutral(b) ? a : is_neutral(a) ? b : e;
    case PRIM_SUB: return is_number(b, 0) || core_is_float_zero(b, false) ? a : e;
    case PRIM_MUL:
        if (is_number(b, 1)) return a;
        if (is_number(a, 1)) return b;
        if (integer && is_number(b, 0) && known_is_atom(a)) return b;
        return integer && is_number(a, 0) && known_is_atom(b) ? a : e;
    case PRIM_DIV: return is_number(b, 1) ? a : e;
    case PRIM_POW: return is_number(b, 1) ? a : e;
    case PRIM_SHL:
    case PRIM_SHR: return is_number(b, 0) ? a : e;
    case PRIM_AND: return is_all(b) ? a : is_all(a) ? b : e;
    case PRIM_OR:
    case PRIM_XOR: return is_none(b) ? a : is_none(a) ? b : e;
    default: return e;
    }
}

// An i64 value as a size, or NULL if it is not known to be one.
static Node *as_size(Stage *s, Node *e)
{
    if (e->kind == CORE_NAT) return e->op[0];
    if (is_literal(e) && e->type->attr.i == SCALAR_I64) return nat_const(s->cx, e->attr.i);
    return NULL;
}

static Truth negation(Truth t)
{
    return t == TRUTH_UNKNOWN ? t : t == TRUTH_YES ? TRUTH_NO : TRUTH_YES;
}

static Truth compare(Stage *s, Prim op, Node *a, Node *b)
{
    switch (op) {
    case PRIM_EQ: return nat_eq(s->cx, s->facts, a, b);
    case PRIM_NE: return negation(nat_eq(s->cx, s->facts, a, b));
    case PRIM_LT: return nat_lt(s->cx, s->facts, a, b);
    case PRIM_LE: return nat_le(s->cx, s->facts, a, b);
    case PRIM_GT: return nat_lt(s->cx, s->facts, b, a);
    case PRIM_GE: return nat_le(s->cx, s->facts, b, a);
    default: return TRUTH_UNKNOWN;
    }
}

// Folds comparisons of sizes, such as n == 0.
static Node *fold_size_comparison(Stage *s, Node *e)
{
    if (prim_info[e->attr.i].result != GIVES_BOOL || e->nops != 2) return e;
    Node *a = as_size(s, e->op[0]), *b = as_size(s, e->op[1]);
    if (!a || !b) return e;
    Truth t = compare(s, (Prim)e->attr.i, a, b);
    return t == TRUTH_UNKNOWN ? e : core_literal_like(s->cx, e, t == TRUTH_YES);
}

static bool in_bounds(Stage *s, Node *i, Node *n)
{
    return nat_ge0(s->cx, s->facts, i) == TRUTH_YES && nat_lt(s->cx, s->facts, i, n) == TRUTH_YES;
}

// Folds to_idx(cast i) to i if i has the same bound. A size known to be below the bound needs no
// check.
static Node *fold_to_idx(Stage *s, Node *e)
{
    Node *x = e->op[0];
    if (x->kind == CORE_CAST && x->op[0]->type == e->type) return x->op[0];
    Node *size = as_size(s, x);
    if (!size || !in_bounds(s, size, e->type->op[0])) return e;
    if (x->kind == CORE_LIT) return core_literal_like(s->cx, e, x->attr.bits);
    return node_with_type(s->cx, x, e->type);
}

// Folds [a, b, c][1] to b.
static Node *fold_index(Node *e)
{
    Node *xs = e->op[0], *i = e->op[1];
    if (xs->kind != CORE_ARRAY || i->kind != CORE_LIT || i->attr.bits >= xs->nops) return e;
    return xs->op[i->attr.bits];
}

bool stage_may_fail(Stage *s, Node *term)
{
    return core_may_fail(&s->failing, term);
}

// Folds (a, b).0 to a if neither a nor b can fail.
static Node *fold_projection(Stage *s, Node *e)
{
    Node *of = e->op[0];
    return of->kind == CORE_TUPLE && !stage_may_fail(s, of) ? of->op[e->attr.i] : e;
}

static Node *fold_size(Stage *s, Node *e)
{
    int64_t value;
    if (e->type->kind != TYPE_SCALAR || !nat_is_const(e->op[0], &value)) return e;
    return core_literal_like(s->cx, e, (uint64_t)value);
}

// Folds `if true a b` to `a`.
static Node *fold_branch(Node *e)
{
    if (!is_literal(e->op[0])) return e;
    Node *taken = e->op[e->op[0]->attr.bits ? 1 : 2];
    return taken->type == e->type ? taken : e;
}

Node *stage_fold(Stage *s, Node *e)
{
    switch (e->kind) {
    case CORE_PRIM: {
        Node *folded = core_literal_of_prim(s->cx, e);
        if (folded == e) folded = fold_identity(e);
        return folded == e ? fold_size_comparison(s, e) : folded;
    }
    case CORE_CAST: return core_literal_of_cast(s->cx, e);
    case CORE_TO_IDX: return fold_to_idx(s, e);
    case CORE_INDEX: return fold_index(e);
    case CORE_PROJ: return fold_projection(s, e);
    case CORE_NAT: return fold_size(s, e);
    case CORE_IF: return fold_branch(e);
    default: return e;
    }
}
