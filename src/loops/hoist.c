// Allocations leave loops, and so do locals that are the same in every iteration. A buffer made
// inside a loop is written before it is read in each iteration (DPIA's `new`), so one buffer serves
// all of them. Loads are left where they are: the C compiler moves them where that is safe.
#include "loops/passes.h"

typedef VEC(Node *) Stmts;

typedef struct {
    Session *cx;
    Map bound;      // names bound by the loops around, and locals of their bodies: not NULL
    Map mutated;    // locals that are set
    Stmts allocs;   // heap allocations for the outermost block
    Stmts *leaving; // statements for the block around the innermost loop
} Hoist;

typedef struct {
    Hoist *h;
    bool depends;
} Depends;

static void look(Sym name, void *env)
{
    Depends *d = env;
    if (map_get(&d->h->bound, MAP_KEY(name)) || map_get(&d->h->mutated, MAP_KEY(name)))
        d->depends = true;
}

// Whether an expression reads something bound in the loops around, or a local that is set.
static bool depends(Hoist *h, Node *e)
{
    Depends d = {h, false};
    Map seen = map_new(h->cx->arena);
    loops_reads(h->cx, e, &seen, look, &d);
    return d.depends;
}

static bool has_load(Node *e)
{
    if (e->kind == LOOP_LOAD) return true;
    for (uint32_t i = 0; i < e->nops; i++)
        if (has_load(e->op[i])) return true;
    return false;
}

// Whether the expression divides integers by something that may be zero: the test of the divisor
// stands before it in the loop.
static bool may_fail(Node *e)
{
    bool divides = e->kind == CORE_PRIM && (e->attr.i == PRIM_DIV || e->attr.i == PRIM_REM);
    if (divides && !type_is_float(e->type) &&
        !(e->op[1]->kind == CORE_LIT && e->op[1]->attr.bits != 0))
        return true;
    for (uint32_t i = 0; i < e->nops; i++)
        if (may_fail(e->op[i])) return true;
    return false;
}

static void find_sets(Node *s, Map *mutated)
{
    if (s->kind == LOOP_SET) map_put(mutated, MAP_KEY(s->attr.sym), mutated);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_sets(s->op[i], mutated);
}

static void bind(Hoist *h, Sym name, bool inside)
{
    map_put(&h->bound, MAP_KEY(name), inside ? h : NULL);
}

static Node *hoist(Hoist *h, Node *s, bool in_loop);

static Node *loop(Hoist *h, Node *s)
{
    bind(h, s->attr.sym, true);
    Stmts leaving = {0}, *outer = h->leaving;
    h->leaving = &leaving;
    Node *body = hoist(h, s->op[2], true);
    h->leaving = outer;
    Node *kept = node_with_op(h->cx, s, 2, body);
    if (leaving.len == 0) return kept;
    vec_push(h->cx->arena, &leaving,
             kept); // the locals that left stand before the loop, in its block
    NodeSpec spec = {.kind = LOOP_BLOCK, .nops = leaving.len, .ops = leaving.at};
    return node_make(h->cx, &spec);
}

// A local whose value is pure arithmetic over what is known before the loop.
static bool may_leave(Hoist *h, Node *s)
{
    if (map_get(&h->mutated, MAP_KEY(s->attr.sym))) return false;
    if (s->op[1]->kind == CORE_TUPLE || has_load(s->op[1]) || may_fail(s->op[1])) return false;
    return !depends(h, s->op[1]);
}

// Tables: a stack array that is only given literals, at once, by the statements after its
// allocation.
static uint32_t table_length(Node *block, uint32_t at)
{
    Node *alloc = block->op[at];
    if (alloc->variant != VARIANT_STACK) return 0;
    uint32_t k = at + 1;
    for (; k < block->nops; k++) {
        Node *s = block->op[k];
        if (s->kind != LOOP_STORE || s->attr.sym != alloc->attr.sym) break;
        if (s->op[0]->kind != NAT_CONST || s->op[1]->kind != CORE_LIT) break;
    }
    return k - at - 1;
}

static bool stores_to(Node *s, Sym name)
{
    if (s->kind == LOOP_STORE && s->attr.sym == name) return true;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && stores_to(s->op[i], name)) return true;
    return false;
}

static bool is_table(Node *block, uint32_t at, uint32_t *length)
{
    *length = table_length(block, at);
    if (*length == 0) return false;
    for (uint32_t k = at + 1 + *length; k < block->nops; k++)
        if (stores_to(block->op[k], block->op[at]->attr.sym)) return false;
    return true;
}

static Node *block(Hoist *h, Node *s, bool in_loop)
{
    Arena *a = h->cx->arena;
    Stmts kept = {0};
    for (uint32_t i = 0; i < s->nops; i++) {
        Node *stmt = s->op[i];
        uint32_t length;
        if (in_loop && stmt->kind == LOOP_DECL && may_leave(h, stmt)) {
            vec_push(a, h->leaving, stmt);
            continue;
        }
        if (in_loop && stmt->kind == LOOP_ALLOC && is_table(s, i, &length)) {
            for (uint32_t k = 0; k <= length; k++) vec_push(a, h->leaving, s->op[i + k]);
            i += length;
            continue;
        }
        if (in_loop && (stmt->kind == LOOP_DECL || stmt->kind == LOOP_ALLOC))
            bind(h, stmt->attr.sym, true);
        Node *done = hoist(h, stmt, in_loop);
        if (!loops_is_empty(done)) vec_push(a, &kept, done);
    }
    return loops_block(h->cx, kept.len, kept.at);
}

static Node *hoist(Hoist *h, Node *s, bool in_loop)
{
    switch (s->kind) {
    case LOOP_BLOCK: return block(h, s, in_loop);
    case LOOP_FOR: return loop(h, s);
    case LOOP_IF: {
        Node *ops[] = {s->op[0], hoist(h, s->op[1], in_loop), hoist(h, s->op[2], in_loop)};
        return node_with_ops(h->cx, s, ops);
    }
    case LOOP_ALLOC:
        if (s->variant == VARIANT_STACK || depends(h, s->op[1])) return s;
        bind(h, s->attr.sym, false);
        vec_push(h->cx->arena, &h->allocs, s);
        return loops_block(h->cx, 0, NULL);
    default: return s;
    }
}

// One level per round: what left the innermost loop may leave the next one.
enum { ROUNDS = 6 };

LoopEntry *loops_hoist(Session *cx, const LoopEntry *e)
{
    Node *body = e->body;
    for (int round = 0; round < ROUNDS; round++) {
        Hoist h = {.cx = cx, .bound = map_new(cx->arena), .mutated = map_new(cx->arena)};
        find_sets(body, &h.mutated);
        Stmts none = {0};
        h.leaving = &none;
        Node *rest = hoist(&h, body, false);
        vec_push(cx->arena, &h.allocs, rest);
        Node *next = loops_block(cx, h.allocs.len, h.allocs.at);
        if (next == body) break;
        body = next;
    }
    return loops_with_body(cx, e, body);
}
