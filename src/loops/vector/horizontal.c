// Horizontal operations: sequential loops over the lanes of a vector that compute `any` or `all` of
// a condition, or compact the lanes where it holds (compact.c).
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

// Turns `a = a | c[0] | c[1] ..` into `a = a | any(c)`, and `a = a & ..` into `a = a & !any(!c)`.
static Node *any_or_all(Vectoriser *w, Node *loop)
{
    Session *cx = w->cx;
    int64_t lanes;
    if (!is_loop_over_lanes(loop, &lanes) || !is_any_or_all(loop)) return loop;
    Node *set = loops_body(loop), *value = set->op[0];
    bool all = value->attr.i == PRIM_AND;
    if (loops_uses(cx, value->op[1], set->attr.sym)) return loop;
    Node *decl, *condition = all ? loops_negated(cx, value->op[1]) : value->op[1];
    VectorLoop s;
    loops_name(cx, "found", condition, &decl, NO_SPAN);
    if (!vector_loop_analyse(w, loop_over_lanes(cx, loop, lanes, decl), lanes, &s)) return loop;
    if (lanes / s.d.lanes > MOST_VECTORS_UNROLLED) return loop;
    Stmts out = {0};
    Node *mask = last_value(cx, vector_loop_body(&s, w, NULL), &out), *any = vec_any(cx, mask);
    Node *now = all ? core_prim(cx, PRIM_NOT, 1, &any) : any;
    Node *found = core_prim(cx, (Prim)value->attr.i, 2, (Node *[]){value->op[0], now});
    vec_push(cx->arena, &out, node_with_op(cx, set, 0, found));
    Node *body = loops_block(cx, out.len, out.at);
    return vector_loop_unroll(cx, node_with_op(cx, loop, 2, body), s.d.lanes, lanes / s.d.lanes);
}

Node *horizontal_loop(Vectoriser *w, Node *loop)
{
    loop = any_or_all(w, loop);
    // inside a loop over lanes, each lane has a counter of its own
    return loop->kind == LOOP_FOR && w->depth == 0 ? compact_loop(w, loop) : loop;
}
