// Strip-mines loops whose bodies compute remainders (i + r) % s and quotients (i + r)/s of the
// index by a size s. In blocks of s iterations, both are known. A loop over whole blocks that
// starts at index 0 becomes two loops:
//
//   for i in 0..k*s  =  for q in 0..k { for j in 0..s }, with the index q*s + j
//
// Otherwise, the outer loop steps from one multiple of s to the next:
//
//   for i in from..to  =
//     for b in from - (from + r) % s.. by s { for i in max(b, from)..min(b + s, to) }
//
// In its body, (i + r) % s is i - b, and (i + r)/s is (b + r)/s. Index-set splitting then splits
// the inner loop at conditions on these. Remainders by small constants are left to modulo_split.c.
#include "loops/nest/nest.h"
#include "loops/simplify/simplify.h"

// --- which remainders ---------------------------------------------------------------------------

// A search for a remainder. It covers conditions and, in an innermost loop, also positions,
// including their quotients. A division in an outer loop costs little.
typedef struct {
    Session *cx;
    Node *index;
    bool few;
    bool positions; // whether to search positions, too
    Map inner;      // names that the body brings into scope
    Map seen;
    Remainder *out;
    bool found;
} Finder;

static bool is_invariant(Finder *f, Node *e)
{
    return !nat_occurs(e, f->index) && !loops_reads_any(f->cx, e, &f->inner);
}

static void found_remainder(Finder *f, Node *e, Node *divisor)
{
    Session *cx = f->cx;
    int64_t c;
    bool few = nat_is_const(divisor, &c) && c <= LOOPS_FEW_RESIDUES;
    if (few != f->few || !nat_occurs(e, f->index) || !is_invariant(f, divisor)) return;
    f->out->divisor = divisor;
    f->found = loops_is_linear(cx, e, f->index->attr.sym, &f->out->a, &f->out->rest) &&
               is_invariant(f, f->out->rest);
}

// Searches a size for remainders and, if it is in a position, also for quotients. Quotients do not
// decide conditions.
static void find_in_sizes(Finder *f, Node *n)
{
    if (n->kind == NAT_MOD || (n->kind == NAT_DIV && f->positions))
        found_remainder(f, n->op[0], n->op[1]);
    for (uint32_t k = 0; k < n->nops && !f->found; k++) find_in_sizes(f, n->op[k]);
}

static void find_in_node(Finder *f, Node *n)
{
    if (f->found || kind_info[n->kind].levels & LEVEL_TYPE) return;
    if (kind_info[n->kind].levels & LEVEL_NAT) {
        if (f->positions) find_in_sizes(f, n);
        return;
    }
    if (map_get(&f->seen, MAP_KEY(n))) return;
    map_put(&f->seen, MAP_KEY(n), f);
    if (n->kind == LOOP_IF || n->kind == LOOP_SELECT) find_in_sizes(f, n->op[0]);
    for (uint32_t k = 0; k < n->nops; k++) find_in_node(f, n->op[k]);
}

bool loops_find_remainder(Session *cx, Node *loop, bool few, Remainder *out)
{
    Finder f = {.cx = cx,
                .index = nat_var(cx, loop->attr.sym),
                .few = few,
                .positions = !loops_has_loop(loops_body(loop)),
                .inner = map_new(cx->arena),
                .seen = map_new(cx->arena),
                .out = out};
    loops_bound(loops_body(loop), &f.inner);
    find_in_node(&f, loops_body(loop));
    return f.found;
}

// --- blocks -------------------------------------------------------------------------------------

typedef struct {
    Session *cx;
    Simplifier *s;
    Map done; // indices of loops inside blocks
} Blocks;

// The quotient and the remainder of the index, which are known inside a block.
typedef struct {
    const Remainder *r;
    Node *index, *quotient, *remainder;
} Inside;

static Node *replace_known(Session *cx, Node *n, void *env)
{
    const Inside *in = env;
    bool known = (n->kind == NAT_MOD || n->kind == NAT_DIV) && n->op[1] == in->r->divisor &&
                 n->op[0] == nat_add(cx, in->index, in->r->rest);
    if (!known) return n;
    return n->kind == NAT_MOD ? in->remainder : in->quotient;
}

static Node *body_inside(Session *cx, Node *loop, const Remainder *r, Node *quotient,
                         Node *remainder)
{
    Inside in = {r, nat_var(cx, loop->attr.sym), quotient, remainder};
    return node_rewrite(cx, loops_body(loop), replace_known, &in);
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
    Node *inner = loops_for(cx, loop, low, high, body);
    return loops_loop(cx, LOOP_STRIDED, block, s, first, to, inner, loop->origin);
}

// for k in 0..blocks { for j in 0..s }, with the index s*k + j.
static Node *in_whole_blocks(Blocks *w, Node *loop, const Remainder *r, Node *blocks)
{
    Session *cx = w->cx;
    Sym outer = sym_fresh(cx->syms, loop->attr.sym->text);
    Sym inner = sym_fresh(cx->syms, "j");
    Node *zero = nat_const(cx, 0), *k = nat_var(cx, outer), *j = nat_var(cx, inner);
    Node *index = nat_add(cx, nat_mul(cx, r->divisor, k), j);
    Node *body = loops_at(cx, body_inside(cx, loop, r, k, j), loop->attr.sym, index);
    Node *block = loops_counted(cx, inner, zero, r->divisor, body, loop->origin);
    return loops_counted(cx, outer, zero, blocks, block, loop->origin);
}

// The number of blocks if the loop starts at 0 and consists of whole blocks, or NULL.
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

// Whether the divisor is positive in every iteration. If a block may begin before the first index,
// the divisor must also be positive before the loop, since the remainder is computed there.
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
