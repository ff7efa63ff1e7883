// Strip-mines loops whose body computes a remainder (i + r) % s or a quotient (i + r)/s of the
// index, by a size s. Where the loop is about whole blocks from index 0 on, both become counters:
//
//   for i in 0..k*s  =  for q in 0..k; for j in 0..s, of index q*s + j
//
// Otherwise a loop goes from one multiple of s to the next, one inside through the indices between:
//
//   for i in from..to  =
//     for b in from - (from + r) % s.. by s; for i in max(b, from)..min(b + s, to)
//
// There (i + r) % s is i - b and (i + r)/s is (b + r)/s. Conditions on them split the loop inside
// (index_set_split.c).
#include "loops/nest/nest.h"
#include "loops/simplify/simplify.h"

typedef struct {
    Session *cx;
    Simplifier *s;
    Map done; // names of the indices of loops inside
} Blocks;

/// Inside of a block, the quotient and the remainder are known.
typedef struct {
    const Remainder *r;
    Node *index, *quotient, *remainder;
    Map done;
} Inside;

static bool is_asked_for(Session *cx, const Inside *in, Node *n)
{
    return (n->kind == NAT_MOD || n->kind == NAT_DIV) && n->op[1] == in->r->divisor &&
           n->op[0] == nat_add(cx, in->index, in->r->rest);
}

static Node *inside(Session *cx, Node *n, int depth, void *env)
{
    Inside *in = env;
    if (n->nops == 0 || (kind_info[n->kind].levels & LEVEL_TYPE)) return n;
    Node *done = map_get(&in->done, MAP_KEY(n));
    if (done) return done;
    if (is_asked_for(cx, in, n))
        done = n->kind == NAT_MOD ? in->remainder : in->quotient;
    else
        done = node_map(cx, n, depth, inside, in);
    map_put(&in->done, MAP_KEY(n), (void *)(uintptr_t)done);
    return done;
}

static Node *body_inside(Session *cx, Node *loop, const Remainder *r, Node *quotient,
                         Node *remainder)
{
    Inside in = {r, nat_var(cx, loop->attr.sym), quotient, remainder, map_new(cx->arena)};
    return inside(cx, loops_body(loop), 0, &in);
}

// The first index at or before `from` whose remainder is 0.
static Node *first_multiple(Blocks *w, Node *from, const Remainder *r)
{
    Session *cx = w->cx;
    Node *ahead = nat_add(cx, from, r->rest);
    if (ahead != nat_const(cx, 0)) ahead = simplify_size(w->s, nat_mod(cx, ahead, r->divisor));
    return nat_sub(cx, from, ahead);
}

static Node *in_blocks(Blocks *w, Node *loop, const Remainder *r)
{
    Session *cx = w->cx;
    Node *from = loops_from(loop), *to = loops_to(loop), *s = r->divisor;
    Node *first = first_multiple(w, from, r);
    Sym block = sym_fresh(cx->syms, "block");
    map_put(&w->done, MAP_KEY(loop->attr.sym), w);
    Node *begin = nat_var(cx, block), *i = nat_var(cx, loop->attr.sym);
    Node *low = first == from ? begin : nat_max(cx, begin, from);
    Node *high = nat_min(cx, nat_add(cx, begin, s), to);
    Node *quotient = nat_div(cx, nat_add(cx, begin, r->rest), s);
    Node *body = body_inside(cx, loop, r, quotient, nat_sub(cx, i, begin));
    Node *ops[4] = {s, first, to, loops_for(cx, loop, low, high, body)};
    return node_make(cx, &(NodeSpec){.kind = LOOP_STRIDED,
                                     .attr.sym = block,
                                     .nops = 4,
                                     .ops = ops,
                                     .origin = loop->origin});
}

// for k in 0..blocks; for j in 0..s, of index s*k + j: where the loop is about whole blocks from 0
// on.
static Node *in_whole_blocks(Blocks *w, Node *loop, const Remainder *r, Node *blocks)
{
    Session *cx = w->cx;
    Sym outer = sym_fresh(cx->syms, loop->attr.sym->text);
    Sym inner = sym_fresh(cx->syms, "j");
    Node *zero = nat_const(cx, 0), *k = nat_var(cx, outer), *j = nat_var(cx, inner);
    Node *index = nat_add(cx, nat_mul(cx, r->divisor, k), j);
    NodeBinding with = {loop->attr.sym, index};
    Node *body = node_replace_names(cx, body_inside(cx, loop, r, k, j), &with, 1);
    NodeSpec spec = {.kind = LOOP_FOR, .attr.sym = inner, .nops = 3, .origin = loop->origin};
    spec.ops = (Node *[]){zero, r->divisor, body};
    Node *block = node_make(cx, &spec);
    spec.attr.sym = outer;
    spec.ops = (Node *[]){zero, blocks, block};
    return node_make(cx, &spec);
}

// The number of blocks, where the loop is about all indices of whole ones; or NULL.
static Node *whole_blocks(Blocks *w, Node *loop, const Remainder *r)
{
    Session *cx = w->cx;
    Node *zero = nat_const(cx, 0), *to = loops_to(loop);
    if (loops_from(loop) != zero || r->rest != zero) return NULL;
    Scope outer = simplifier_enter(w->s);
    simplifier_assume_index(w->s, loop->attr.sym, loops_from(loop), loops_to(loop));
    Node *blocks = simplify_size(w->s, nat_div(cx, to, r->divisor));
    bool whole = nat_mul(cx, blocks, r->divisor) == to;
    simplifier_leave(w->s, outer, NULL);
    return whole ? blocks : NULL;
}

// In an iteration of the loop; before it, where there may be none, only if a block may begin before
// the first index, which takes a remainder.
static bool is_positive(Blocks *w, Node *loop, const Remainder *r)
{
    Session *cx = w->cx;
    Node *zero = nat_const(cx, 0), *from = nat_add(cx, loops_from(loop), r->rest);
    if (nat_lt(cx, w->s->facts, zero, r->divisor) == TRUTH_YES) return true;
    if (from != zero) return false;
    Scope outer = simplifier_enter(w->s);
    simplifier_assume_index(w->s, loop->attr.sym, loops_from(loop), loops_to(loop));
    bool positive = nat_lt(cx, w->s->facts, zero, r->divisor) == TRUTH_YES;
    simplifier_leave(w->s, outer, NULL);
    return positive;
}

static Node *block(void *env, Node *stmt)
{
    Blocks *w = env;
    Remainder r;
    if (stmt->kind == LOOP_FOR && !map_get(&w->done, MAP_KEY(stmt->attr.sym)) &&
        !loops_may_jump(loops_body(stmt)) && loops_find_remainder(w->cx, stmt, false, &r) &&
        r.a == 1 && is_positive(w, stmt, &r) && simplifier_has_lengths(w->s, stmt) &&
        simplifier_is_length(w->s, r.divisor) && simplifier_is_length(w->s, r.rest)) {
        Node *blocks = whole_blocks(w, stmt, &r);
        Scope outer = simplifier_enter(w->s);
        stmt = blocks ? in_whole_blocks(w, stmt, &r, blocks) : in_blocks(w, stmt, &r);
        stmt = simplify_stmt(w->s, stmt);
        simplifier_leave(w->s, outer, NULL);
    }
    return simplifier_map(w->s, stmt, block, w);
}

Node *loops_split_by_remainder(Simplifier *s, Node *body)
{
    Blocks w = {s->cx, s, map_new(s->cx->arena)};
    return block(&w, body);
}
