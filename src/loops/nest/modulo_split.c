// Splits loops by the residue of their index modulo a constant. If the body of a loop computes the
// remainder (a*i + r) % c, with a small constant c and an invariant r, the remainder depends only
// on the residue of i modulo c. The same holds for the quotient (i + r)/c, up to a counter:
//
//   * If the body has an effect for one residue only, the loop visits only indices of that residue:
//     for i = the first of them; i < to; i += c.
//   * If the body contains loops, the residue is tested once, outside them.
//   * Otherwise, the loop is unrolled by c, so that memory is accessed in order. If the body also
//     divides by c, the indices are c*k + q in a loop over k, and the quotient is k. The iterations
//     before the first index of residue 0, and those left over at the end, still compute the
//     remainder.
//
// Of a parallel loop, only the last form is made; the loop over k is then the parallel one.
//
// Remainders by small constants that are left in positions, such as those of rows in a ring, are
// computed outside of the loops in which they do not change.
#include "loops/nest/nest.h"
#include "loops/simplify/simplify.h"

enum { MAX_GROWN = 2000, MOST_NAMED = 16 };

typedef struct {
    Session *cx;
    Simplifier *s;
    Map done; // its keys are the indices of loops that are left unchanged
    bool device;
} ModuloSplit;

// --- residues -----------------------------------------------------------------------------------

/// Index i has residue p when i = origin + p modulo c.
typedef struct {
    Session *cx;
    Sym index;
    int64_t c;
    Node *origin;
} Residues;

static int64_t inverse(int64_t a, int64_t c)
{
    for (int64_t x = 1; x < c; x++)
        if (((a % c + c) % c) * x % c == 1) return x;
    return 0;
}

// Finds a remainder (a*i + rest) % c in the loop. Sets the origin to -rest/a modulo c, so that the
// remainder is a*p % c at indices of residue p. Returns false if there is no such remainder.
static bool find_residues(Session *cx, Node *loop, Residues *r)
{
    Remainder found;
    int64_t x;
    *r = (Residues){.cx = cx, .index = loop->attr.sym};
    if (!loops_find_remainder(cx, loop, true, &found)) return false;
    if (!nat_is_const(found.divisor, &r->c) || !(x = inverse(found.a, r->c))) return false;
    r->origin = nat_mul(cx, nat_const(cx, r->c - x), found.rest);
    return true;
}

// The size modulo c.
static Node *modulo(const Residues *r, Node *e)
{
    return nat_mod(r->cx, e, nat_const(r->cx, r->c));
}

// The residue of an index.
static Node *residue_of(const Residues *r, Node *i)
{
    return modulo(r, nat_add(r->cx, i, nat_mul(r->cx, nat_const(r->cx, r->c - 1), r->origin)));
}

// The distance from an index to the next one of residue p, which may be the index itself.
static Node *distance_to(const Residues *r, Node *i, int64_t p)
{
    Node *back = nat_mul(r->cx, nat_const(r->cx, r->c - 1), i);
    return modulo(r, nat_add(r->cx, nat_add(r->cx, r->origin, nat_const(r->cx, p)), back));
}

// --- the body for one residue -------------------------------------------------------------------

typedef struct {
    const Residues *r;
    Node *index; // an arbitrary index of residue p: origin + p + c*k
    Map done;
} Known;

static Node *known(Session *cx, Node *n, int depth, void *env)
{
    Known *k = env;
    int64_t d;
    if (n->nops == 0 || (kind_info[n->kind].levels & LEVEL_TYPE)) return n;
    Node *done = map_get(&k->done, MAP_KEY(n));
    if (done) return done;
    done = node_map(cx, n, depth, known, k);
    if (done->kind == NAT_MOD && nat_is_const(done->op[1], &d) && d > 0 && k->r->c % d == 0) {
        Node *at = nat_mod(cx, loops_at(cx, done->op[0], k->r->index, k->index), done->op[1]);
        if (nat_is_const(at, &d)) done = at;
    }
    map_put(&k->done, MAP_KEY(n), (void *)(uintptr_t)done);
    return done;
}

static Node *simplified(ModuloSplit *w, Node *stmt)
{
    Scope outer = simplifier_enter(w->s);
    Node *done = simplify_stmt(w->s, stmt);
    simplifier_leave(w->s, outer, NULL);
    return done;
}

static Node *any_index(const Residues *r, int64_t p)
{
    Session *cx = r->cx;
    Node *steps = nat_mul(cx, nat_const(cx, r->c), nat_var(cx, sym_fresh(cx->syms, "k")));
    return nat_add(cx, nat_add(cx, r->origin, nat_const(cx, p)), steps);
}

static Node *body_of(ModuloSplit *w, Node *loop, const Residues *r, int64_t p)
{
    Known k = {r, any_index(r, p), map_new(w->cx->arena)};
    Node *body = known(w->cx, loops_body(loop), 0, &k);
    Scope outer = simplifier_enter(w->s);
    simplifier_assume_index(w->s, loop->attr.sym, loops_from(loop), loops_to(loop));
    body = simplify_stmt(w->s, body);
    simplifier_leave(w->s, outer, NULL);
    return body;
}

// --- loops --------------------------------------------------------------------------------------

/// A loop, and its body for each residue.
typedef struct {
    ModuloSplit *w;
    Node *loop;    // a LOOP_FOR
    Node *threads; // of the parallel loop that `loop` replaces, or NULL
    Residues r;
    Node *bodies[LOOPS_FEW_RESIDUES];
} Parts;

static Node *strided(Parts *p, Sym index, Node *from, Node *to, Node *body)
{
    Node *step = nat_const(p->w->cx, p->r.c);
    return loops_loop(p->w->cx, LOOP_STRIDED, index, step, from, to, body, p->loop->origin);
}

static Node *one_residue(Parts *p, int64_t k)
{
    Node *from = loops_from(p->loop);
    from = nat_add(p->w->cx, from, distance_to(&p->r, from, k));
    return strided(p, p->loop->attr.sym, from, loops_to(p->loop), p->bodies[k]);
}

static Node *branch(Session *cx, Prim op, Node *a, Node *b, Node *yes, Node *no)
{
    return loops_if(cx, loops_compare(cx, op, a, b), yes, no, NO_SPAN);
}

// A chain of branches over the residues k, k + 1, .. c - 1. Consecutive residues with equal bodies
// share a branch.
static Node *choice(Parts *p, int64_t k)
{
    Session *cx = p->w->cx;
    int64_t end = k + 1;
    while (end < p->r.c && p->bodies[end] == p->bodies[k]) end++;
    Node *body = simplifier_copy(p->w->s, p->bodies[k]);
    if (end == p->r.c) return body;
    Node *residue = residue_of(&p->r, nat_var(cx, p->loop->attr.sym)), *rest = choice(p, end);
    if (end == k + 1) return branch(cx, PRIM_EQ, residue, nat_const(cx, k), body, rest);
    return branch(cx, PRIM_LT, residue, nat_const(cx, end), body, rest);
}

static Node *branch_outside(Parts *p)
{
    Node *loop = p->loop;
    map_put(&p->w->done, MAP_KEY(loop->attr.sym), p->w);
    return loops_for(p->w->cx, loop, loops_from(loop), loops_to(loop), choice(p, 0));
}

// The body for the index `at`, which has residue k.
static Node *iteration_at(Parts *p, int64_t k, Node *at)
{
    Session *cx = p->w->cx;
    Node *loop = node_with_op(cx, p->loop, 2, p->bodies[k % p->r.c]);
    return simplifier_iteration(p->w->s, loop, at);
}

// The iterations in [from, to), which still compute the remainder.
static Node *unchanged(Parts *p, Node *from, Node *to)
{
    Node *loop = simplifier_copy(p->w->s, p->loop);
    map_put(&p->w->done, MAP_KEY(loop->attr.sym), p->w);
    return loops_for(p->w->cx, loop, from, to, loops_body(loop));
}

// The iteration at index `at`, which has residue k, guarded by at < to.
static Node *once(Parts *p, int64_t k, Node *at, Node *to)
{
    Node *none = loops_block(p->w->cx, 0, NULL);
    return branch(p->w->cx, PRIM_LT, at, to, iteration_at(p, k, at), none);
}

// The iterations that the unrolled loop leaves over. That loop starts at the index `start`, which
// has residue k.
static Node *remaining(Parts *p, int64_t k, Node *start, Node *to)
{
    Session *cx = p->w->cx;
    Node *c = nat_const(cx, p->r.c), *one = nat_const(cx, 1);
    Node *length = nat_max(cx, nat_sub(cx, to, start), nat_const(cx, 0));
    if (p->r.c > 2)
        return unchanged(p, nat_add(cx, start, nat_mul(cx, c, nat_div(cx, length, c))), to);
    Node *round = iteration_at(p, k, nat_sub(cx, to, one));
    return branch(cx, PRIM_EQ, nat_mod(cx, length, c), one, round, loops_block(cx, 0, NULL));
}

// Whether the node is a division by c. If the index is c*k + q, its quotient is the counter k.
static bool divides(Node *n, void *env)
{
    const int64_t *c = env;
    int64_t d;
    return n->kind == NAT_DIV && nat_is_const(n->op[1], &d) && d == *c;
}

// A loop that executes the iterations in groups of c, as long as a whole group is below `to`. It
// begins at `start`, which has residue `first`.
static Node *steps_from(Parts *p, Node *start, int64_t first, Node *to)
{
    Session *cx = p->w->cx;
    Node *c = nat_const(cx, p->r.c), *zero = nat_const(cx, 0);
    Sym index = sym_fresh(cx->syms, p->loop->attr.sym->text);
    Node *i = nat_var(cx, index);
    bool counted = p->threads || node_any(loops_body(p->loop), divides, &p->r.c);
    Stmts body = {0};
    for (int64_t q = 0; q < p->r.c; q++) {
        Node *at = counted ? nat_add(cx, start, nat_mul(cx, c, i)) : i;
        vec_push(cx->arena, &body, iteration_at(p, first + q, nat_add(cx, at, nat_const(cx, q))));
    }
    Node *rounds = loops_block(cx, body.len, body.at);
    if (!counted)
        return strided(p, index, start, nat_sub(cx, to, nat_const(cx, p->r.c - 1)), rounds);
    Node *count = nat_div(cx, nat_max(cx, nat_sub(cx, to, start), zero), c);
    Span origin = p->loop->origin;
    if (!p->threads) return loops_counted(cx, index, zero, count, rounds, origin);
    return loops_loop(cx, LOOP_PARALLEL, index, p->threads, zero, count, rounds, origin);
}

static Node *in_steps(Parts *p)
{
    Session *cx = p->w->cx;
    int64_t c = p->r.c, first = 0;
    Node *start = loops_from(p->loop), *to = loops_to(p->loop);
    Stmts out = {0};
    if (!nat_is_const(residue_of(&p->r, start), &first)) {
        Node *from = start;
        Node *decl, *aligned = nat_add(cx, from, distance_to(&p->r, from, 0));
        start = loops_integer(cx, "start", aligned, &decl);
        vec_push(cx->arena, &out, decl);
        Node *end = nat_min(cx, start, to);
        vec_push(cx->arena, &out, c == 2 ? once(p, 1, from, end) : unchanged(p, from, end));
    }
    vec_push(cx->arena, &out, steps_from(p, start, first, to));
    vec_push(cx->arena, &out, remaining(p, first, start, to));
    return loops_block(cx, out.len, out.at);
}

// --- remainders that are left --------------------------------------------------------------------

/// The positions in the loops of a block, of which the remainders by a constant get names.
typedef struct {
    const Map *inner; // the names that the visited loop binds
    Map done;         // node -> what it becomes: remainders become locals
    Stmts stmts;      // of the new block
} Named;

static Node *name_of(Session *cx, Named *r, Node *n)
{
    int64_t c;
    Node *decl, *local = map_get(&r->done, MAP_KEY(n));
    if (local) return local;
    if (n->kind != NAT_MOD || !nat_is_const(n->op[1], &c) || c > MOST_NAMED) return n;
    if (loops_reads_any(cx, n->op[0], r->inner)) return n;
    local = loops_integer(cx, "r", n, &decl);
    vec_push(cx->arena, &r->stmts, decl);
    map_put(&r->done, MAP_KEY(n), (void *)(uintptr_t)local);
    return local;
}

static Node *with_named(Session *cx, Node *n, int depth, void *env);

static Node *in_position(Session *cx, Node *n, int depth, void *env)
{
    return n->nops ? name_of(cx, env, node_map(cx, n, depth, in_position, env)) : n;
}

static Node *named_in(Session *cx, Node *n, int depth, Named *r)
{
    Node *done = node_map(cx, n, depth, with_named, r);
    if (!loops_is_load(n) && !loops_is_store(n)) return done;
    return node_with_op(cx, done, 0, in_position(cx, n->op[0], depth, r));
}

static Node *with_named(Session *cx, Node *n, int depth, void *env)
{
    Named *r = env;
    if (n->nops == 0 || node_is_size_or_type(n)) return n;
    Node *done = map_get(&r->done, MAP_KEY(n));
    if (!done) done = named_in(cx, n, depth, r);
    map_put(&r->done, MAP_KEY(n), (void *)(uintptr_t)done);
    return done;
}

// Names the remainders that the positions in the loops of a block compute, outside of these loops.
static Node *name_remainders(void *env, Node *s)
{
    ModuloSplit *w = env;
    Session *cx = w->cx;
    if (s->kind != LOOP_BLOCK && !loops_is_counted(s)) return loops_map(cx, s, name_remainders, w);
    bool block = s->kind == LOOP_BLOCK;
    Named r = {.done = map_new(cx->arena)};
    for (uint32_t i = 0; i < (block ? s->nops : 1); i++) {
        Node *stmt = block ? s->op[i] : s;
        Map inner = map_new(cx->arena);
        loops_bound(stmt, &inner);
        r.inner = &inner;
        if (loops_is_counted(stmt)) stmt = with_named(cx, stmt, 0, &r);
        if (loops_is_counted(stmt))
            stmt =
                node_with_op(cx, stmt, (int)stmt->nops - 1, name_remainders(w, loops_body(stmt)));
        else
            stmt = name_remainders(w, stmt);
        vec_push(cx->arena, &r.stmts, stmt);
    }
    return loops_block(cx, r.stmts.len, r.stmts.at);
}

// --- the pass -----------------------------------------------------------------------------------

static bool is_short(ModuloSplit *w, Node *loop, int64_t c)
{
    int64_t most;
    Node *rounds = nat_sub(w->cx, loops_to(loop), loops_from(loop));
    return nat_upper(w->cx, w->s->facts, rounds, &most) && most <= c;
}

// Finds the body for each residue. Returns how many are not empty, or 0 if all are equal and the
// quotient is not computed; sets *last to the last residue with an effect.
static int64_t find_bodies(Parts *p, int64_t *last)
{
    int64_t some = 0;
    bool differ = node_any(loops_body(p->loop), divides, &p->r.c);
    for (int64_t k = 0; k < p->r.c; k++) {
        p->bodies[k] = body_of(p->w, p->loop, &p->r, k);
        differ |= p->bodies[k] != p->bodies[0];
        if (loops_is_empty(p->bodies[k])) continue;
        some++;
        *last = k;
    }
    return differ ? some : 0;
}

static Node *split_loop(ModuloSplit *w, Node *loop)
{
    Node *decl;
    bool parallel = loop->kind == LOOP_PARALLEL, nested = loops_has_loop(loops_body(loop));
    Parts p = {.w = w, .threads = parallel ? loop->op[0] : NULL};
    // neighbouring work-items of a device access neighbouring elements
    if (parallel && (nested || w->device)) return loop;
    if (loops_may_jump(loops_body(loop)) || !find_residues(w->cx, loop, &p.r)) return loop;
    if (is_short(w, loop, p.r.c)) return loop;
    if (loops_weight(loops_body(loop), MAX_GROWN) * p.r.c > MAX_GROWN) return loop;
    p.loop = simplifier_bounded(w->s, parallel ? loops_sequential(w->cx, loop) : loop, &decl);
    if (!p.loop || !simplifier_is_length(w->s, p.r.origin)) return loop;
    if (!nat_is_total(w->cx, w->s->facts, p.r.origin)) return loop;
    int64_t last = 0, some = find_bodies(&p, &last);
    if (some == 0 || (parallel && some == 1)) return loop;
    Node *done = some == 1 ? one_residue(&p, last) : nested ? branch_outside(&p) : in_steps(&p);
    return simplified(w, decl ? loops_block(w->cx, 2, (Node *[]){decl, done}) : done);
}

static Node *split(void *env, Node *stmt)
{
    ModuloSplit *w = env;
    bool either =
        stmt->kind == LOOP_PARALLEL || (stmt->kind == LOOP_FOR && stmt->variant != VARIANT_MMA);
    if (either && !map_get(&w->done, MAP_KEY(stmt->attr.sym))) stmt = split_loop(w, stmt);
    return simplifier_map(w->s, stmt, split, w);
}

static LoopEntry *split_entry(Session *cx, const LoopEntry *e)
{
    Simplifier s = simplifier_new(cx, e);
    ModuloSplit w = {cx, &s, map_new(cx->arena), e->device};
    return loops_with_body(cx, e, loops_dce(cx, name_remainders(&w, split(&w, e->body))));
}

LoopEntry *loops_modulo_split(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, split_entry);
}
