// Counters of loops that lanes leave at different times. All lanes that are still in the loop have one count, so that it can be a scalar
// there; but what is read behind the loop differs by lane. So that is a local of its own, which lanes set when they leave:
//
//   k = 0                                       k = 0
//   while k < m && a[i + k] == b[k] {           while k < m && a[i + k] == b[k] {      a row of a, one element of b
//       k += 1                       becomes        k += 1
//   }                                           }  lanes that leave: last = k
//   out[i] = k                                  out[i] = last
//
// This is loop-closed form (LCSSA), for locals that it makes the same in all lanes, where fewer places of memory then differ by lane. A
// counter that is no place gains nothing: to choose it lane by lane when lanes leave costs what it costs in each round.
#include "loops/vectors.h"

enum { MOST_EXITS = 3 }; // each sets the local

static Node *stmt_of(Session *cx, Kind kind, Sym name, int n, Node *const *ops, Span origin)
{
    return node_make(
        cx, &(NodeSpec){.kind = kind, .attr.sym = name, .nops = n, .ops = ops, .origin = origin});
}

static Node *local_of(Session *cx, Sym name, Node *type)
{
    return node_make(cx, &(NodeSpec){.kind = LOOP_VAR, .attr.sym = name, .type = type});
}

// --- one local of one loop ------------------------------------------------------------------------

typedef struct {
    Session *cx;
    Sym label, in, behind; // the local in the loop and behind it
    Node *set;             // behind = in
    int exits;
} Closed;

static Node *renamed(Session *cx, Node *n, int depth, void *env)
{
    const Closed *c = env;
    if (kind_info[n->kind].levels & (LEVEL_NAT | LEVEL_TYPE)) return n;
    if (n->kind == LOOP_VAR && n->attr.sym == c->in) return local_of(cx, c->behind, n->type);
    n = node_map(cx, n, depth, renamed, env);
    if (n->kind != LOOP_SET || n->attr.sym != c->in) return n;
    return stmt_of(cx, LOOP_SET, c->behind, 1, n->op, n->origin);
}

// With the local set before each jump behind the loop.
static Node *closed(void *env, Node *s)
{
    Closed *c = env;
    if (s->kind != LOOP_JUMP || s->attr.sym != c->label) return loops_map(c->cx, s, closed, c);
    c->exits++;
    return stmt_of(c->cx, LOOP_BLOCK, NULL, 2, (Node *[]){c->set, s}, s->origin);
}

// The label around a loop that sets the local which is read behind it; NULL when there are too many ways out.
static Node *closed_loop(Closed *c, Node *label, Node *decl)
{
    Session *cx = c->cx;
    Node *loop = label->op[0], *value = local_of(cx, c->in, decl->op[0]);
    c->set = stmt_of(cx, LOOP_SET, c->behind, 1, &value, decl->origin);
    loop = closed(c, loop);
    if (loops_is_counted(loop)) { // its end is an exit, too
        c->exits++;
        loop = stmt_of(cx, LOOP_LABEL, sym_fresh(cx->syms, "rounds"), 1, &loop, loop->origin);
        loop = stmt_of(cx, LOOP_BLOCK, NULL, 2, (Node *[]){loop, c->set}, loop->origin);
    }
    return c->exits <= MOST_EXITS ? node_with_op(cx, label, 0, loop) : NULL;
}

// --- all of a body --------------------------------------------------------------------------------

typedef VEC(Sym) Syms;

typedef struct {
    Divergence *d; // of the body as it was
    const Divergence
        *chosen; // of the body with all of them: only those that are the same in it; NULL: all
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

// Locals that differ by lane and are set in the statement.
static void find_set(const Counters *c, Node *s, Syms *found)
{
    bool some = s->kind == LOOP_SET && divergence_varies(c->d, s->attr.sym);
    for (int i = 0; some && i < found->len; i++) some = found->at[i] != s->attr.sym;
    if (some) vec_push(c->d->cx->arena, found, s->attr.sym);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_set(c, s->op[i], found);
}

static bool is_left(const Counters *c, Node *s)
{
    return s->kind == LOOP_LABEL && map_get(&c->d->divergent, MAP_KEY(s->attr.sym)) &&
           (s->op[0]->kind == LOOP_FOREVER || loops_is_counted(s->op[0]));
}

// Statement i of a block, a loop that lanes leave: the local is declared before it and read behind it, where it gets another name.
static void close(Counters *c, Node **stmts, uint32_t i, uint32_t n, Sym local, Stmts *out)
{
    Session *cx = c->d->cx;
    Node *decl = declared_in(stmts, i, local);
    bool chosen = !c->chosen || !divergence_varies(c->chosen, local);
    if (!decl || !chosen || !is_read_in(cx, stmts + i + 1, n - i - 1, local)) return;
    Closed one = {.cx = cx,
                  .label = stmts[i]->attr.sym,
                  .in = local,
                  .behind = sym_fresh(cx->syms, local->text)};
    Node *label = closed_loop(&one, stmts[i], decl), *nothing = core_unit(cx);
    if (!label) return;
    stmts[i] = label;
    vec_push(cx->arena, out,
             stmt_of(cx, LOOP_DECL, one.behind, 2, (Node *[]){decl->op[0], nothing}, decl->origin));
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
        Syms set = {0};
        if (is_left(c, stmts[i])) find_set(c, stmts[i], &set);
        for (int k = 0; k < set.len; k++) close(c, stmts, i, s->nops, set.at[k], &out);
        vec_push(cx->arena, &out, stmts[i]);
    }
    return c->closed ? loops_block(cx, out.len, out.at) : s;
}

// --- whether it pays ------------------------------------------------------------------------------

static int places_apart(Divergence *d, Node *n)
{
    if (kind_info[n->kind].levels & (LEVEL_NAT | LEVEL_TYPE)) return 0;
    bool access = n->kind == LOOP_LOAD || n->kind == LOOP_STORE;
    int places = access && divergence_of(d, n->op[0]).varies;
    for (uint32_t i = 0; i < n->nops; i++) places += places_apart(d, n->op[i]);
    return places;
}

static Divergence divergence_like(const Divergence *d, Node *body)
{
    Divergence other = {.cx = d->cx,
                        .index = d->index,
                        .lanes = d->lanes,
                        .outer = d->outer,
                        .uneven = map_new(d->cx->arena)};
    divergence_find(&other, body);
    return other;
}

Node *lanes_with_counters(Divergence *d, Node *body)
{
    Counters all = {.d = d}, some = {.d = d};
    int places = places_apart(d, body);
    Node *tried = places ? in_blocks(&all, body) : body;
    if (all.closed == 0) return body;
    Divergence there = divergence_like(d, tried);
    some.chosen = &there;
    tried = in_blocks(&some, body);
    if (some.closed == 0) return body;
    there = divergence_like(d, tried);
    if (there.uneven.len || places_apart(&there, tried) >= places) return body;
    *d = there;
    return tried;
}
