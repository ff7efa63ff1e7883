// Horizontal operations: sequential loops over the lanes of a vector that compute `any` or `all` of
// a condition, or the number whose bits say where it holds, or compact the lanes where it holds
// (compact.c).
#include "loops/vector/vectors.h"

bool is_loop_over_lanes(Node *loop, int64_t *lanes)
{
    int64_t from;
    return loop->kind == LOOP_FOR && nat_is_const(loops_from(loop), &from) && from == 0 &&
           nat_is_const(loops_to(loop), lanes) && *lanes > 1 && *lanes <= LOOPS_MAX_LANES &&
           (*lanes & (*lanes - 1)) == 0;
}

Node *loop_over_lanes(Session *cx, Node *loop, int64_t lanes, Node *body)
{
    return loops_loop(cx, LOOP_VECTORIZE, loop->attr.sym, nat_const(cx, lanes), loops_from(loop),
                      loops_to(loop), body, loop->origin);
}

// Whether the body of a loop is `a = a | c` or `a = a & c`.
static bool is_any_or_all(Node *loop)
{
    Node *set = loops_body(loop);
    if (set->kind != LOOP_SET || set->op[0]->kind != CORE_PRIM) return false;
    Node *value = set->op[0], *before = value->op[0];
    Scalar s;
    bool logic = value->attr.i == PRIM_OR || value->attr.i == PRIM_AND;
    if (!logic || !type_is_scalar(value->type, &s) || s != SCALAR_BOOL) return false;
    return before->kind == LOOP_VAR && before->attr.sym == set->attr.sym;
}

static bool is_cast_to_u64(Node *e)
{
    Scalar s;
    return e->kind == CORE_CAST && type_is_scalar(e->type, &s) && s == SCALAR_U64;
}

// If the body of a loop over i is `a = a | u64(c) << u64(i)`, returns c. Returns NULL otherwise.
static Node *condition_of_bits(Node *loop)
{
    Node *set = loops_body(loop);
    if (set->kind != LOOP_SET) return NULL;
    Node *value = set->op[0];
    if (value->kind != CORE_PRIM || value->attr.i != PRIM_OR) return NULL;
    Scalar s;
    Node *before = value->op[0], *bit = value->op[1];
    if (before->kind != LOOP_VAR || before->attr.sym != set->attr.sym) return NULL;
    if (bit->kind != CORE_PRIM || bit->attr.i != PRIM_SHL) return NULL;
    Node *one = bit->op[0], *lane = bit->op[1];
    if (!is_cast_to_u64(one) || !type_is_scalar(one->op[0]->type, &s) || s != SCALAR_BOOL)
        return NULL;
    if (!is_cast_to_u64(lane) || lane->op[0]->kind != CORE_NAT) return NULL;
    Node *index = lane->op[0]->op[0];
    bool own = index->kind == NAT_VAR && index->attr.sym == loop->attr.sym;
    return own ? one->op[0] : NULL;
}

bool is_horizontal(Node *loop)
{
    int64_t lanes;
    if (!is_loop_over_lanes(loop, &lanes)) return false;
    return condition_of_bits(loop) || is_any_or_all(loop);
}

// The body is `if c { let before = n; n = before + 1 }`, with sizes.
bool is_count_of_lanes(Session *cx, Node *loop)
{
    int64_t lanes, more;
    Node *branch = loops_body(loop);
    if (!is_loop_over_lanes(loop, &lanes) || branch->kind != LOOP_IF) return false;
    if (branch->op[1]->nops != 2 || branch->op[2]->nops > 0) return false;
    Node *decl = branch->op[1]->op[0], *set = branch->op[1]->op[1];
    return decl->kind == LOOP_DECL && decl->op[1]->kind == LOOP_VAR && set->kind == LOOP_SET &&
           decl->op[1]->attr.sym == set->attr.sym && set->op[0]->kind == CORE_NAT &&
           nat_is_const(nat_sub(cx, set->op[0]->op[0], nat_var(cx, decl->attr.sym)), &more) &&
           more == 1;
}

// Returns the value of the declaration at the end of a statement. Appends the statements before
// that declaration to `before`.
static Node *last_value(Session *cx, Node *s, Stmts *before)
{
    while (s->kind == LOOP_BLOCK) {
        for (uint32_t i = 0; i + 1 < s->nops; i++) vec_push(cx->arena, before, s->op[i]);
        s = s->op[s->nops - 1];
    }
    return s->op[1];
}

// The bits of a mask, from bit `from` on if that is not NULL.
static Node *bits_from(Session *cx, Node *mask, Node *from)
{
    Node *u64 = type_scalar(cx, SCALAR_U64);
    Node *bits =
        node_make(cx, &(NodeSpec){.kind = LOOP_MASK_BITS, .type = u64, .nops = 1, .ops = &mask});
    if (!from) return bits;
    return core_prim(cx, PRIM_SHL, 2, (Node *[]){bits, core_cast(cx, core_size(cx, from), u64)});
}

// Turns `a = a | c[0] | c[1] ..` into `a = a | any(c)`, `a = a & ..` into `a = a & !any(!c)`, and
// `a = a | u64(c[0]) << 0 | u64(c[1]) << 1 ..` into `a = a | mask_bits(c)`.
static Node *across(Vectoriser *w, Node *loop)
{
    Session *cx = w->cx;
    int64_t lanes;
    if (!is_horizontal(loop) || !is_loop_over_lanes(loop, &lanes)) return loop;
    Node *set = loops_body(loop), *bits = condition_of_bits(loop);
    Node *value = set->op[0], *condition = bits ? bits : value->op[1];
    bool all = value->attr.i == PRIM_AND;
    if (loops_uses(cx, condition, set->attr.sym)) return loop;
    if (all) condition = loops_negated(cx, condition);
    Node *decl;
    VectorLoop s;
    loops_name(cx, "found", condition, &decl, NO_SPAN);
    if (!vector_loop_analyse(w, loop_over_lanes(cx, loop, lanes, decl), lanes, &s)) return loop;
    if (lanes / s.d.lanes > MOST_VECTORS_UNROLLED) return loop;
    Stmts out = {0};
    Node *mask = last_value(cx, vector_loop_body(&s, w, NULL), &out);
    Node *from = lanes > s.d.lanes ? nat_var(cx, loop->attr.sym) : NULL;
    Node *now = bits ? bits_from(cx, mask, from) : vec_any(cx, mask);
    if (all) now = core_prim(cx, PRIM_NOT, 1, &now);
    Node *found = core_prim(cx, (Prim)value->attr.i, 2, (Node *[]){value->op[0], now});
    vec_push(cx->arena, &out, node_with_op(cx, set, 0, found));
    Node *body = loops_block(cx, out.len, out.at);
    return vector_loop_unroll(cx, node_with_op(cx, loop, 2, body), s.d.lanes, lanes / s.d.lanes);
}

Node *horizontal_loop(Vectoriser *w, Node *loop)
{
    loop = across(w, loop);
    // inside a loop over lanes, each lane has a counter of its own
    return loop->kind == LOOP_FOR && w->depth == 0 ? compact_loop(w, loop) : loop;
}
