// Lowers map.dst(f, e): either e is written where f puts its elements (put.c says when f has a
// put), or f runs on each element of e as soon as the element is computed.
#include "memory_policy/internal.h"

// --- functions with a put ------------------------------------------------------------------------

// Makes every pattern on the path to variable x a .dst unless it already has a variant, and returns
// the result. A pattern with .src stays one, so that there is no put.
static Node *put_sides(Session *cx, Node *e, int x)
{
    if (policy_is_component(e, x) || !node_uses(e, x)) return e;
    Node **ops = ARENA_ARRAY(cx->arena, Node *, e->nops + 1);
    for (uint32_t k = 0; k < e->nops; k++)
        ops[k] = kind_sort((Kind)e->kind, (int)k) == SORT_TERM
                     ? put_sides(cx, e->op[k], x + node_binds(e, (int)k))
                     : e->op[k];
    if (e->kind == CORE_MAP) {
        Node *body = put_sides(cx, e->op[0]->op[0], 0);
        ops[0] = node_with_op(cx, e->op[0], 0, body);
    }
    bool sided = kind_is_view((Kind)e->kind) || e->kind == CORE_MAP || e->kind == CORE_INDEX ||
                 e->kind == CORE_PROJ;
    bool open = sided && e->variant == VARIANT_ANY;
    e = node_with_ops(cx, e, ops);
    return open ? node_with_variant(cx, e, VARIANT_DST) : e;
}

typedef struct {
    Lower *l;
    Uses uses;
} Put;

static Node *add_uses(Put *p, const Low *low)
{
    p->uses = uses_both(p->l->arena, p->uses, low->uses);
    return low->term;
}

// Lowers a body that has a put. A part that does not use x is written, or read if the view reads
// it.
static Node *put_body(Put *p, Node *e, int x)
{
    Session *cx = p->l->cx;
    if (policy_is_component(e, x)) return e;
    if (!node_uses(e, x)) return add_uses(p, lower_write(p->l, e));
    Node **ops = ARENA_ARRAY(cx->arena, Node *, e->nops + 1);
    for (int k = 0; k < (int)e->nops; k++) {
        Node *op = e->op[k];
        ops[k] = op;
        if (kind_sort((Kind)e->kind, k) == SORT_FUN) {
            Put inside = {.l = p->l};
            ops[k] = node_with_op(cx, op, 0, put_body(&inside, op->op[0], 0));
            Uses outside = uses_outside(p->l->arena, inside.uses, (int)op->attr.i, BINDER_LOOP);
            p->uses = uses_both(p->l->arena, p->uses, outside);
        }
        if (kind_sort((Kind)e->kind, k) != SORT_TERM) continue;
        bool read = view_role(e, k) != ROLE_DATA;
        ops[k] = read ? add_uses(p, lower_read(p->l, op, MANY)) : put_body(p, op, x);
    }
    return node_with_ops(cx, e, ops);
}

// Lowers a body that has a put, together with the lets in front of it, whose values are lowered for
// READ.
static Node *put_lets(Put *p, Node *e, int x)
{
    if (e->kind != CORE_LET) return put_body(p, e, x);
    Put inside = {.l = p->l};
    Node *body = put_lets(&inside, e->op[1], x + 1);
    Node *value = add_uses(p, lower_read(p->l, e->op[0], uses_of(inside.uses, 0)));
    Uses outside = uses_outside(p->l->arena, inside.uses, 1, BINDER_LET);
    p->uses = uses_both(p->l->arena, p->uses, outside);
    return node_with_ops(p->l->cx, e, (Node *[]){value, body});
}

Node *policy_with_put(Session *cx, Node *map)
{
    if (map->op[0]->kind != CORE_LAM || map->op[0]->attr.i != 1) return NULL;
    VEC(Node *) lets = {0};
    Node *e = map->op[0]->op[0];
    for (; e->kind == CORE_LET; e = e->op[1]) vec_push(cx->arena, &lets, e);
    e = put_sides(cx, e, lets.len);
    for (int i = lets.len - 1; i >= 0; i--) e = node_with_op(cx, lets.at[i], 1, e);
    Node *f = node_with_op(cx, map->op[0], 0, e);
    int passes = policy_put_passes(f);
    return passes == 1 || (passes > 1 && policy_is_pure(map->op[1])) ? f : NULL;
}

static const Low *write_where_put(Lower *l, Node *e, Node *f)
{
    Build b = lower_build(l, e);
    Put p = {.l = l};
    b.ops[0] = node_with_op(l->cx, f, 0, put_lets(&p, f->op[0], 0));
    b.uses = uses_outside(l->arena, p.uses, 1, BINDER_LOOP);
    lower_operand_write(&b, 1);
    const Low *low = lower_finish(&b, VARIANT_DST);
    lower_note_reason(l, low->term, "the elements are written where the function puts them");
    return low;
}

// --- functions that are run ----------------------------------------------------------------------

// Lowers an array whose elements are computed one by one, each just before its use.
static const Low *read_in_turn(Lower *l, Node *e, Demand elements)
{
    bool open = e->variant == VARIANT_ANY || e->variant == VARIANT_SEQ;
    if (e->kind == CORE_MAP && e->variant == VARIANT_DST && !policy_with_put(l->cx, e))
        return lower_map_dst(l, e);
    if (e->kind == CORE_GENERATE && open) return lower_write(l, e);
    if (e->kind != CORE_MAP || !open) return lower_stream(l, e, elements);
    Build b = lower_build(l, e);
    const Low *body = lower_write(l, e->op[0]->op[0]);
    const Low *xs = lower_stream(l, e->op[1], demand_of_elements(e->op[0], body));
    lower_function(&b, 0, body, BINDER_LOOP);
    lower_operand(&b, 1, xs, xs->cost);
    return lower_finish(&b, VARIANT_SEQ);
}

static const Low *write_each(Lower *l, Node *e)
{
    Build b = lower_build(l, e);
    const Low *body = lower_write(l, e->op[0]->op[0]);
    const Low *xs = read_in_turn(l, e->op[1], demand_of_elements(e->op[0], body));
    lower_function(&b, 0, body, BINDER_LOOP);
    lower_operand(&b, 1, xs, xs->cost);
    const Low *low = lower_finish(&b, VARIANT_DST);
    lower_note_reason(l, low->term, "each element is used as soon as it is made");
    return low;
}

const Low *lower_map_dst(Lower *l, Node *e)
{
    Node *f = policy_with_put(l->cx, e);
    return f ? write_where_put(l, e, f) : write_each(l, e);
}

// Whether e is slide[s, t](circular[k](xs)) with a ring of k elements that holds a window.
static bool is_ring(Lower *l, Node *e)
{
    Node *xs = e->kind == VIEW_SLIDE && e->variant != VARIANT_WINDOW ? e->op[2] : NULL;
    if (!xs || xs->kind != VIEW_CIRCULAR) return false;
    return nat_lt(l->cx, NULL, nat_const(l->cx, 0), xs->op[0]) == TRUTH_YES &&
           nat_le(l->cx, NULL, e->op[0], xs->op[0]) == TRUTH_YES;
}

// Lowers a slide over a ring (see is_ring): each element is computed once, into the ring.
static const Low *lower_ring(Lower *l, Node *e)
{
    Build slide = lower_build(l, e), ring = lower_build(l, e->op[2]);
    lower_operand_read(&ring, 1, ONCE);
    const Low *elements = lower_finish(&ring, VARIANT_SRC);
    lower_note_reason(l, elements->term,
                      "a ring keeps the last elements, as many as the program says");
    lower_operand(&slide, 2, elements, elements->cost);
    return lower_finish(&slide, VARIANT_SRC);
}

const Low *lower_stream(Lower *l, Node *e, Demand elements)
{
    if (is_ring(l, e)) return lower_ring(l, e);
    if (e->kind != VIEW_SLIDE || e->variant != VARIANT_WINDOW)
        return lower_read(l, e, demand_outer(elements, false));
    Build b = lower_build(l, e);
    lower_operand_read(&b, 2, ONCE);
    return lower_finish(&b, VARIANT_WINDOW);
}
