// Loops whose body asks for a remainder (i + r) % s of the index, by a size: one loop goes from one multiple of s to the next, a loop inside
// through the indices between.
//
//   for i in from..to  =  for b in from - (from + r) % s.. by s; for i in max(b, from)..min(b + s, to)
//
// There (i + r) % s is i - b and (i + r)/s is (b + r)/s, and what asks for them splits the loop inside (split.c).
#include "loops/passes.h"

typedef struct {
    Session *cx;
    Simplifier *s;
    Map done; // names of the indices of loops inside
} Blocks;

/// In a block that begins at `begin`.
typedef struct {
    Remainder r;
    Node *index, *begin;
    Map done;
} Inside;

static bool is_asked_for(Session *cx, const Inside *in, Node *n)
{
    return (n->kind == NAT_MOD || n->kind == NAT_DIV) && n->op[1] == in->r.divisor &&
           n->op[0] == nat_add(cx, in->index, in->r.rest);
}

static Node *inside(Session *cx, Node *n, int depth, void *env)
{
    Inside *in = env;
    if (n->nops == 0 || (kind_info[n->kind].levels & LEVEL_TYPE)) return n;
    Node *done = map_get(&in->done, MAP_KEY(n));
    if (done) return done;
    if (!is_asked_for(cx, in, n))
        done = node_map(cx, n, depth, inside, in);
    else if (n->kind == NAT_MOD)
        done = nat_sub(cx, in->index, in->begin);
    else
        done = nat_div(cx, nat_add(cx, in->begin, in->r.rest), in->r.divisor);
    map_put(&in->done, MAP_KEY(n), (void *)(uintptr_t)done);
    return done;
}

static Node *in_blocks(Blocks *w, Node *loop, const Remainder *r)
{
    Session *cx = w->cx;
    Node *from = loops_from(loop), *to = loops_to(loop), *s = r->divisor;
    Node *ahead = simplify_size(w->s, nat_mod(cx, nat_add(cx, from, r->rest), s));
    Node *first = nat_sub(cx, from, ahead);
    Sym block = sym_fresh(cx->syms, "block");
    map_put(&w->done, MAP_KEY(loop->attr.sym), w);
    Node *begin = nat_var(cx, block);
    Inside in = {*r, nat_var(cx, loop->attr.sym), begin, map_new(cx->arena)};
    Node *low = first == from ? begin : nat_max(cx, begin, from);
    Node *high = nat_min(cx, nat_add(cx, begin, s), to);
    Node *body = inside(cx, loops_body(loop), 0, &in);
    Node *ops[4] = {s, first, to, loops_for(cx, loop, low, high, body)};
    return node_make(cx, &(NodeSpec){.kind = LOOP_STRIDED,
                                     .attr.sym = block,
                                     .nops = 4,
                                     .ops = ops,
                                     .origin = loop->origin});
}

static bool is_positive(Blocks *w, Node *size)
{
    return nat_lt(w->cx, w->s->facts, nat_const(w->cx, 0), size) == TRUTH_YES;
}

static Node *block(void *env, Node *stmt)
{
    Blocks *w = env;
    Remainder r;
    if (stmt->kind == LOOP_FOR && !map_get(&w->done, MAP_KEY(stmt->attr.sym)) &&
        !loops_may_jump(loops_body(stmt)) && loops_find_remainder(w->cx, stmt, false, &r) &&
        r.a == 1 && is_positive(w, r.divisor) && simplifier_has_lengths(w->s, stmt) &&
        simplifier_is_length(w->s, r.divisor) && simplifier_is_length(w->s, r.rest)) {
        Scope outer = simplifier_enter(w->s);
        stmt = simplify_stmt(w->s, in_blocks(w, stmt, &r));
        simplifier_leave(w->s, outer, NULL);
    }
    return simplifier_map(w->s, stmt, block, w);
}

Node *loops_in_multiples(Simplifier *s, Node *body)
{
    Blocks w = {s->cx, s, map_new(s->cx->arena)};
    return block(&w, body);
}
