// Loop-closed form (LCSSA) for counters of divergent loops. The count is uniform among the lanes
// that are active in the loop, so it can be a scalar there, but it varies after the loop. The
// value after the loop gets a local of its own, which only active lanes set:
//
//   k = 0                                       k = 0, last = k
//   while k < m && a[i + k] == b[k] {           while k < m && a[i + k] == b[k] {
//       k += 1                       becomes        last += 1, k += 1
//   }                                           }
//   out[i] = k                                  out[i] = last
//
// This is done for locals that become uniform as a result, if it reduces the number of varying
// positions and conditions. It costs nothing, since the value after the loop is a vector anyway.
#include "loops/vector/vectors.h"

enum { MOST_SETS = 3 };

// --- one local of one loop ----------------------------------------------------------------------

typedef struct {
    Session *cx;
    Sym in, behind; // the local in the loop, and after it
    Sym now;        // a snapshot of it in the loop, or NULL
    int sets;
} Closed;

static Node *renamed(Session *cx, Node *n, int depth, void *env)
{
    const Closed *c = env;
    if (node_is_size_or_type(n)) return n;
    if (n->kind == LOOP_VAR && n->attr.sym == c->in) return loops_local(cx, c->behind, n->type);
    n = node_map(cx, n, depth, renamed, env);
    if (n->kind != LOOP_SET || n->attr.sym != c->in) return n;
    return loops_set(cx, c->behind, n->op[0], n->origin);
}

static void find_snapshot(Closed *c, Node *s)
{
    Stmts decls = loops_all(c->cx, s, IS_DECL);
    for (int i = 0; i < decls.len; i++) {
        Node *value = decls.at[i]->kind == LOOP_DECL ? decls.at[i]->op[1] : NULL;
        if (value && value->kind == LOOP_VAR && value->attr.sym == c->in)
            c->now = decls.at[i]->attr.sym;
    }
}

// Expresses the assigned value as an increment of the local that is read after the loop. Returns
// NULL if that is impossible.
static Node *step_of(const Closed *c, Node *value)
{
    Session *cx = c->cx;
    int64_t by;
    Node *behind = loops_local(cx, c->behind, value->type);
    if (value->kind == CORE_NAT && c->now) {
        Node *step = nat_sub(cx, value->op[0], nat_var(cx, c->now));
        return nat_is_const(step, &by)
                   ? core_prim(cx, PRIM_ADD, 2, (Node *[]){behind, core_size(cx, step)})
                   : NULL;
    }
    if (value->kind != CORE_PRIM || value->nops != 2 || value->op[0]->kind != LOOP_VAR) return NULL;
    bool from = value->op[0]->attr.sym == c->in || value->op[0]->attr.sym == c->now;
    if (!from || value->op[1]->kind != CORE_LIT) return NULL;
    return node_with_op(cx, value, 0, behind);
}

// At each assignment, also sets the local that is read after the loop. If possible, its vector is
// incremented, since that is cheaper than a broadcast of the scalar.
static Node *closed(void *env, Node *s)
{
    Closed *c = env;
    Session *cx = c->cx;
    if (s->kind != LOOP_SET || s->attr.sym != c->in) return loops_map(cx, s, closed, c);
    c->sets++;
    Node *step = step_of(c, s->op[0]),
         *value = step ? step : loops_local(cx, c->in, s->op[0]->type);
    Node *set = loops_set(cx, c->behind, value, s->origin);
    Node *both[] = {step ? set : s, step ? s : set};
    return loops_stmt(cx, LOOP_BLOCK, NULL, 2, both, s->origin);
}

// --- all locals of a body -----------------------------------------------------------------------

typedef struct {
    Divergence *d; // the divergence of the original body
    // The divergence that results from closing all locals. Only locals that are uniform in it are
    // closed; if it is NULL, all locals are.
    const Divergence *chosen;
    int closed;
} Counters;

static Node *declared_in(Node *const *stmts, uint32_t n, Sym name)
{
    for (uint32_t i = 0; i < n; i++)
        if (stmts[i]->kind == LOOP_DECL && stmts[i]->attr.sym == name) return stmts[i];
    return NULL;
}

static bool is_read_in(Session *cx, Node *const *stmts, uint32_t n, Sym name)
{
    for (uint32_t i = 0; i < n; i++)
        if (loops_uses(cx, stmts[i], name)) return true;
    return false;
}

// Whether an expression has the same value throughout the body.
static bool is_fixed(const Divergence *d, Node *e)
{
    if (node_is_size_or_type(e)) return true;
    if (loops_is_load(e) || e->kind == LOOP_ADDRESS) return false;
    if (e->kind == LOOP_VAR && map_get(&d->changed, MAP_KEY(e->attr.sym))) return false;
    for (uint32_t i = 0; i < e->nops; i++)
        if (!is_fixed(d, e->op[i])) return false;
    return true;
}

// The value of the local before the loop, as an invariant expression, or NULL if it is unknown.
static Node *first_of(const Counters *c, Node *const *stmts, uint32_t i, Node *decl)
{
    for (uint32_t k = 0; k < i; k++)
        if (loops_sets(stmts[k], decl->attr.sym)) return NULL;
    return !loops_is_nothing(decl->op[1]) && is_fixed(c->d, decl->op[1]) ? decl->op[1] : NULL;
}

// Closes a local of statement i, a divergent loop, if it is declared before and read after the
// loop.
static void close(Counters *c, Node **stmts, uint32_t i, uint32_t n, Sym local, Stmts *out)
{
    Session *cx = c->d->cx;
    for (uint32_t k = 0; k < n; k++)
        if (loops_mentions(stmts[k], local)) return; // its address is passed to a call
    Node *decl = declared_in(stmts, i, local), *first = decl ? first_of(c, stmts, i, decl) : NULL;
    bool chosen = !c->chosen || !divergence_varies(c->chosen, local);
    if (!first || !chosen || !is_read_in(cx, stmts + i + 1, n - i - 1, local)) return;
    Closed one = {.cx = cx, .in = local, .behind = sym_fresh(cx->syms, local->text)};
    find_snapshot(&one, stmts[i]);
    Node *loop = closed(&one, stmts[i]);
    if (one.sets > MOST_SETS) return;
    stmts[i] = loop;
    vec_push(cx->arena, out, loops_decl(cx, one.behind, decl->op[0], first, decl->origin));
    for (uint32_t k = i + 1; k < n; k++) stmts[k] = renamed(cx, stmts[k], 0, &one);
    c->closed++;
}

static Node *in_blocks(void *env, Node *s)
{
    Counters *c = env;
    Session *cx = c->d->cx;
    s = loops_map(cx, s, in_blocks, c);
    if (s->kind != LOOP_BLOCK) return s;
    Stmts out = {0};
    Node **stmts = ARENA_ARRAY(cx->arena, Node *, s->nops + 1);
    for (uint32_t i = 0; i < s->nops; i++) stmts[i] = s->op[i];
    for (uint32_t i = 0; i < s->nops; i++) {
        Map set = map_new(cx->arena);
        if (divergence_is_loop(c->d, stmts[i])) loops_names(stmts[i], IS_SET, &set);
        for (int k = 0; k < set.len; k++) {
            Sym local = (Sym)(uintptr_t)set.entries[k].key;
            if (divergence_varies(c->d, local)) close(c, stmts, i, s->nops, local, &out);
        }
        vec_push(cx->arena, &out, stmts[i]);
    }
    return c->closed ? loops_block(cx, out.len, out.at) : s;
}

// --- whether it pays ----------------------------------------------------------------------------

// Counts varying positions and conditions.
static int count_varying(Divergence *d, Node *n)
{
    if (node_is_size_or_type(n)) return 0;
    bool access = n->kind == LOOP_LOAD || n->kind == LOOP_STORE;
    bool branch = n->kind == LOOP_IF;
    int varying = access ? divergence_of(d, n->op[0]).varies
                         : branch && !shape_is_uniform(divergence_of(d, n->op[0]));
    for (uint32_t i = 0; i < n->nops; i++) varying += count_varying(d, n->op[i]);
    return varying;
}

static Divergence divergence_like(const Divergence *d, Node *body)
{
    Divergence other = {.cx = d->cx,
                        .index = d->index,
                        .lanes = d->lanes,
                        .outer = d->outer,
                        .callees = d->callees,
                        .divergent_loops = map_new(d->cx->arena)};
    divergence_analyse(&other, body);
    return other;
}

Node *close_divergent_loops(Divergence *d, Node *body)
{
    Counters all = {.d = d}, some = {.d = d};
    int varying = count_varying(d, body);
    Node *tried = varying ? in_blocks(&all, body) : body;
    if (all.closed == 0) return body;
    Divergence there = divergence_like(d, tried);
    some.chosen = &there;
    tried = in_blocks(&some, body);
    if (some.closed == 0) return body;
    there = divergence_like(d, tried);
    if (there.divergent_loops.len || count_varying(&there, tried) >= varying) return body;
    *d = there;
    return tried;
}
