// Gathers at 32-bit positions: x[i64(at + c)] is a gather at the vector `at`, with the uniform
// offset c. Several gathers, x[at], x[at + 1], x[at + n], then share one vector of positions.
//
// A 32-bit sum may wrap, but with 0 <= c < 2^31, a wrapped sum is negative, which is not a
// position.
#include "loops/vector/vectors.h"

typedef struct {
    const IfConverter *l;
    Node *base; // a local that is never reassigned, or NULL
    Node *offset;
} GatherBase;

// The declaration (in the body or outside it) of a local that is never reassigned. NULL for any
// other name.
static Node *declaration(const Divergence *d, Sym name)
{
    const LaneName *n = map_get(&d->names, MAP_KEY(name));
    if (n && (n->stmt->kind != LOOP_DECL || map_get(&d->changed, MAP_KEY(name)))) return NULL;
    Node *decl = n ? n->stmt : d->outer ? map_get(d->outer, MAP_KEY(name)) : NULL;
    return decl && !loops_is_nothing(decl->op[1]) ? decl : NULL;
}

static bool is_i32(Node *type)
{
    Scalar s;
    return type_is_scalar(type, &s) && s == SCALAR_I32;
}

static bool is_in_range(const IfConverter *l, Node *size)
{
    Node *most = nat_const(l->cx, INT32_MAX);
    return nat_ge0(l->cx, l->facts, size) == TRUTH_YES &&
           nat_le(l->cx, l->facts, size, most) == TRUTH_YES;
}

// Returns the value of a uniform i32 as a size, or NULL if it is not known to be in 0 .. 2^31 - 1.
static Node *known_size(const IfConverter *l, Node *e)
{
    Session *cx = l->cx;
    Node *size = NULL, *decl = NULL;
    if (!is_i32(e->type)) return NULL;
    if (e->kind == CORE_LIT) {
        size = nat_const(cx, (int32_t)e->attr.i);
    } else if (e->kind == LOOP_VAR) {
        decl = declaration(l->d, e->attr.sym);
        return decl ? known_size(l, decl->op[1]) : NULL;
    } else if (e->kind == CORE_CAST && e->op[0]->kind == CORE_NAT) {
        size = e->op[0]->op[0];
    } else if (e->kind == CORE_PRIM && (e->attr.i == PRIM_ADD || e->attr.i == PRIM_MUL)) {
        Node *a = known_size(l, e->op[0]), *b = a ? known_size(l, e->op[1]) : NULL;
        if (b) size = e->attr.i == PRIM_ADD ? nat_add(cx, a, b) : nat_mul(cx, a, b);
    }
    return size && is_in_range(l, size) ? size : NULL;
}

// Splits e into base + offset, where the base is a local. Leaves the base NULL if that fails.
static void split_sum(GatherBase *n, Node *e, Node *offset)
{
    const IfConverter *l = n->l;
    if (e->kind == LOOP_VAR) {
        Node *decl = declaration(l->d, e->attr.sym);
        if (!decl) return;
        n->base = e;
        n->offset = offset;
        if (decl->op[1]->kind == CORE_PRIM) split_sum(n, decl->op[1], offset);
        return;
    }
    if (e->kind != CORE_PRIM || e->attr.i != PRIM_ADD) return;
    for (int i = 0; i < 2; i++) {
        Node *c = known_size(l, e->op[1 - i]);
        Node *sum = c ? nat_add(l->cx, offset, c) : NULL;
        if (!sum || !is_in_range(l, sum)) continue;
        split_sum(n, e->op[i], sum);
        return;
    }
}

// The only non-uniform term of the size, if that is a name, or NULL. Sets *rest to the sum of the
// uniform terms, or to NULL.
static Node *varying_term(const IfConverter *l, Node *size, Node **rest)
{
    Node *name = size->kind == NAT_VAR ? size : NULL;
    for (uint32_t i = 0; size->kind == NAT_SUM && i < size->nops; i++) {
        if (shape_is_uniform(divergence_of(l->d, size->op[i]))) continue;
        if (name || size->op[i]->kind != NAT_VAR) return NULL;
        name = size->op[i];
    }
    *rest = name ? nat_sub(l->cx, size, name) : NULL;
    return name;
}

Node *gather_base(const IfConverter *l, Node *position, Node **offset)
{
    GatherBase n = {.l = l};
    Node *rest, *name = varying_term(l, position, &rest);
    Node *decl = name ? declaration(l->d, name->attr.sym) : NULL;
    Node *value = decl && decl->op[1]->kind == CORE_CAST ? decl->op[1]->op[0] : NULL;
    if (!value || !is_i32(value->type)) return NULL;
    split_sum(&n, value, nat_const(l->cx, 0));
    if (n.base) *offset = nat_add(l->cx, n.offset, rest);
    return n.base;
}
