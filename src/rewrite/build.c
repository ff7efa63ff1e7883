// Putting low terms together: operands as they are lowered, with their uses and costs summed up.
#include "rewrite/internal.h"

const Low *low_new(Lower *l, Low low)
{
    Low *n = ARENA_NEW(l->arena, Low);
    *n = low;
    return n;
}

Build lower_build(Lower *l, Node *from)
{
    Build b = {.l = l, .from = from, .ops = ARENA_ARRAY(l->arena, Node *, from->nops + 1)};
    memcpy(b.ops, from->op, sizeof *b.ops * from->nops);
    return b;
}

void lower_operand(Build *b, int k, const Low *x, Cost cost)
{
    b->ops[k] = x->term;
    b->uses = uses_both(b->l->arena, b->uses, x->uses);
    b->cost = cost_sum(b->cost, cost);
}

void lower_branches(Build *b, int k, const Low *x, const Low *y)
{
    b->ops[k] = x->term;
    b->ops[k + 1] = y->term;
    Uses uses = uses_either(b->l->arena, x->uses, y->uses);
    b->uses = uses_both(b->l->arena, b->uses, uses);
    b->cost = cost_sum(b->cost, cost_sum(x->cost, y->cost));
}

void lower_view_operand(Build *b, int k, const Low *x, Cost cost)
{
    lower_operand(b, k, x, cost);
    b->stored |= x->stored;
}

void lower_function(Build *b, int k, const Low *body, Binder binder)
{
    Node *lam = b->from->op[k];
    b->ops[k] = node_with_op(b->l->cx, lam, 0, body->term);
    b->uses = uses_both(b->l->arena, b->uses,
                        uses_outside(b->l->arena, body->uses, (int)lam->attr.i, binder));
}

const Low *lower_finish(Build *b, Variant variant)
{
    Node *term = node_with_variant(b->l->cx, node_with_ops(b->l->cx, b->from, b->ops), variant);
    return low_new(b->l, (Low){term, b->uses, b->cost, b->stored});
}

void lower_tell(Lower *l, Node *low, const char *why)
{
    if (!map_get(&l->why, MAP_KEY(low))) map_put(&l->why, MAP_KEY(low), (void *)(uintptr_t)why);
}

static Node *wrap(Lower *l, Kind kind, Node *e)
{
    return node_make(
        l->cx,
        &(NodeSpec){.kind = kind, .type = e->type, .nops = 1, .ops = &e, .origin = e->origin});
}

const Low *lower_to_mem(Lower *l, Node *e, const char *why)
{
    const Low *w = lower_write(l, e);
    Low low = {.term = wrap(l, CORE_TO_MEM, w->term),
               .uses = uses_stored(l->arena, w->uses),
               .cost.once = COST_BIG,
               .stored = true};
    lower_tell(l, low.term, why);
    return low_new(l, low);
}

const Low *lower_copy(Lower *l, const Low *r)
{
    if (r->term->kind == CORE_TO_MEM)
        return low_new(l, (Low){.term = r->term->op[0], .uses = r->uses});
    return low_new(l, (Low){.term = wrap(l, CORE_COPY, r->term), .uses = r->uses});
}

const Low *lower_kept(Lower *l, Node *e, const char *why)
{
    const Low *r = lower_to_mem(l, e, why);
    return low_new(l, (Low){.term = wrap(l, CORE_COPY, r->term), .uses = r->uses});
}

Node *lower_lam_body(Node *lam)
{
    return lam->op[0];
}

Demand demand_of_elements(Node *lam, const Low *body)
{
    Node *x = type_param(lam->type, (int)lam->attr.i - 1);
    return type_has_array(x) ? uses_of(body->uses, 0) : ONCE;
}
