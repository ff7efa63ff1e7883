// Loop-invariant code motion, for locals and allocations. A buffer inside a loop is written before
// it is read in each iteration (DPIA's `new`), so one buffer serves all iterations; iterations that
// run in any order need one each. An allocation outside loops, or one whose size may be valid only
// after earlier jumps, does not move before a jump that may skip it. Allocations whose memory can
// be planned are left to plan_memory. Loads also stay: C compilers hoist them if that is safe.
#include "loops/simplify/simplify.h"

typedef VEC(Sym) Syms;

typedef struct {
    Session *cx;
    const LoopEntry *entry;
    Simplifier known; // facts that hold wherever the body runs
    Map bound;        // not NULL for a name that an enclosing loop or its body binds
    Map mutated;      // locals that are set
    Stmts *allocs;    // heap allocations to put first in the function, task or lockstep body
    Stmts *leaving;   // statements to put before the innermost loop
    Syms jumps;       // enclosing labels that an earlier statement may jump to
    int own;          // number of enclosing parallel loops and tasks
} Hoist;

// Whether an expression reads a name that enclosing loops bind, or a local that is set.
static bool depends(Hoist *h, Node *e)
{
    return loops_reads_any(h->cx, e, &h->bound) || loops_reads_any(h->cx, e, &h->mutated);
}

// Whether the expression is a load, or an integer division that may fail. Neither may move before
// the loop's test.
static bool loads_or_fails(Node *e, void *env)
{
    (void)env;
    if (e->kind == LOOP_LOAD) return true;
    bool divides = e->kind == CORE_PRIM && (e->attr.i == PRIM_DIV || e->attr.i == PRIM_REM);
    return divides && !type_is_float(e->type) &&
           !(e->op[1]->kind == CORE_LIT && e->op[1]->attr.bits != 0);
}

// Whether arithmetic on an arbitrary integer in the size may overflow, or the size has no value:
// then no iteration computes it.
static bool may_overflow(Hoist *h, Node *n)
{
    if (n->kind == NAT_OVERFLOW) return true;
    bool arithmetic = n->kind == NAT_SUM || n->kind == NAT_PRODUCT || n->kind == NAT_POW;
    if (arithmetic && loops_reads_any(h->cx, n, &h->known.integers)) return true;
    for (uint32_t k = 0; k < n->nops; k++)
        if (may_overflow(h, n->op[k])) return true;
    return false;
}

// Whether an expression may be valid only under the enclosing conditions, because arithmetic may
// overflow or a divisor may be zero.
static bool is_guarded(Hoist *h, Node *e)
{
    if (e->kind == CORE_NAT)
        return may_overflow(h, e->op[0]) || !nat_is_total(h->cx, h->known.facts, e->op[0]);
    for (uint32_t i = 0; i < e->nops; i++)
        if (is_guarded(h, e->op[i])) return true;
    return false;
}

static void bind(Hoist *h, Sym name, bool inside)
{
    map_put(&h->bound, MAP_KEY(name), inside ? h : NULL);
}

typedef enum { ALWAYS, SOMETIMES, IN_LOOP } Place;

static Node *hoist(Hoist *h, Node *s, Place place);

// Hoists within the body of a lockstep loop or task, which keeps its allocations. No jump leaves
// the body, so earlier jumps are irrelevant inside it.
static Node *with_own(Hoist *h, Node *body, Place place)
{
    Stmts own = {0}, *allocs = h->allocs;
    Syms jumps = h->jumps;
    h->allocs = &own;
    h->jumps = (Syms){0};
    body = hoist(h, body, place);
    h->allocs = allocs;
    h->jumps = jumps;
    vec_push(h->cx->arena, &own, body);
    return own.len == 1 ? body : loops_block(h->cx, own.len, own.at);
}

// Whether iterations may run at the same time, so that each has arrays of its own. On a device that
// holds for parallel loops inside of others, too, which are loops of work-items.
static bool has_own_arrays(const Hoist *h, Node *loop)
{
    return loops_is_lockstep(loop) || (h->entry->device && loops_is_parallel(loop, NULL));
}

static Node *loop(Hoist *h, Node *s)
{
    if (s->kind != LOOP_FOREVER) bind(h, s->attr.sym, true);
    Stmts leaving = {0}, *outer = h->leaving;
    h->leaving = &leaving;
    bool own = has_own_arrays(h, s), parallel = own && s->kind != LOOP_VECTORIZE;
    h->own += parallel;
    Node *body = own ? with_own(h, loops_body(s), IN_LOOP) : hoist(h, loops_body(s), IN_LOOP);
    h->own -= parallel;
    h->leaving = outer;
    Node *kept = node_with_op(h->cx, s, (int)s->nops - 1, body);
    if (leaving.len == 0) return kept;
    vec_push(h->cx->arena, &leaving, kept);
    NodeSpec spec = {.kind = LOOP_BLOCK, .nops = leaving.len, .ops = leaving.at};
    return node_make(h->cx, &spec);
}

// Whether the declaration can move out of the loop: its local is never reassigned, and its value is
// pure arithmetic over names from outside the loop.
static bool may_leave(Hoist *h, Node *s)
{
    if (map_get(&h->mutated, MAP_KEY(s->attr.sym))) return false;
    if (s->op[1]->kind == CORE_TUPLE || node_any(s->op[1], loads_or_fails, NULL)) return false;
    return !depends(h, s->op[1]) && !is_guarded(h, s->op[1]);
}

static Node *block(Hoist *h, Node *s, Place place)
{
    Arena *a = h->cx->arena;
    bool in_loop = place == IN_LOOP;
    Stmts kept = {0};
    for (uint32_t i = 0; i < s->nops; i++) {
        Node *stmt = s->op[i];
        if (in_loop && stmt->kind == LOOP_DECL && may_leave(h, stmt)) {
            vec_push(a, h->leaving, stmt);
            continue;
        }
        uint32_t length = in_loop && stmt->kind == LOOP_ALLOC ? loops_table(s, i) : 0;
        if (length) {
            for (uint32_t k = 0; k <= length; k++) vec_push(a, h->leaving, s->op[i + k]);
            i += length;
            continue;
        }
        if (in_loop && loops_is_declaration(stmt)) bind(h, stmt->attr.sym, true);
        Node *done = hoist(h, stmt, place);
        if (!loops_is_empty(done)) vec_push(a, &kept, done);
    }
    return loops_block(h->cx, kept.len, kept.at);
}

static Node *task(Hoist *h, Node *s)
{
    h->own++;
    s = node_with_op(h->cx, s, 0, with_own(h, s->op[0], ALWAYS));
    h->own--;
    return s;
}

// Whether an allocation stays where it is. An allocation that will be planned does, since it starts
// the live range of its array.
static bool stays(Hoist *h, Node *alloc, Place place)
{
    if (!loops_is_heap(alloc) || place == SOMETIMES || depends(h, alloc->op[1])) return true;
    if (!loops_is_static(h->cx, h->entry, alloc->op[1])) return h->jumps.len > 0;
    return !h->own || (h->jumps.len > 0 && place != IN_LOOP);
}

// The allocation, moved before the conditions around it. Where these do not hold, its size may be
// negative.
static Node *unguarded(Hoist *h, Node *alloc)
{
    Node *size = alloc->op[1];
    if (nat_ge0(h->cx, h->known.facts, size) == TRUTH_YES) return alloc;
    return node_with_op(h->cx, alloc, 1, nat_max(h->cx, size, nat_const(h->cx, 0)));
}

// Jumps to the label do not skip what follows it.
static Node *label(Hoist *h, Node *s, Place place)
{
    Node *done = node_with_op(h->cx, s, 0, hoist(h, s->op[0], place));
    int others = 0;
    for (int i = 0; i < h->jumps.len; i++)
        if (h->jumps.at[i] != s->attr.sym) h->jumps.at[others++] = h->jumps.at[i];
    h->jumps.len = others;
    return done;
}

static Node *hoist(Hoist *h, Node *s, Place place)
{
    switch (s->kind) {
    case LOOP_BLOCK: return block(h, s, place);
    case LOOP_FOR:
    case LOOP_PARALLEL:
    case LOOP_VECTORIZE:
    case LOOP_STRIDED:
    case LOOP_FOREVER: return loop(h, s);
    case LOOP_SPAWN: return task(h, s);
    case LOOP_LABEL: return label(h, s, place);
    case LOOP_IF: {
        Place inside = place == IN_LOOP ? IN_LOOP : SOMETIMES;
        Node *ops[] = {s->op[0], hoist(h, s->op[1], inside), hoist(h, s->op[2], inside)};
        return node_with_ops(h->cx, s, ops);
    }
    case LOOP_JUMP: vec_push(h->cx->arena, &h->jumps, s->attr.sym); return s;
    case LOOP_ALLOC:
        if (stays(h, s, place)) return s;
        bind(h, s->attr.sym, false);
        vec_push(h->cx->arena, h->allocs, unguarded(h, s));
        return loops_block(h->cx, 0, NULL);
    default: return s;
    }
}

// The maximum number of walks, each of which moves statements out of one loop.
enum { MOST_LEVELS = 6 };

static LoopEntry *hoist_entry(Session *cx, const LoopEntry *e)
{
    Node *body = e->body;
    Hoist h = {.cx = cx, .entry = e, .known = simplifier_new(cx, e), .mutated = map_new(cx->arena)};
    loops_changed(body, &h.mutated);
    simplifier_learn_all(&h.known, body); // moving declarations changes none of these facts
    for (int level = 0; level < MOST_LEVELS; level++) {
        Stmts none = {0}, allocs = {0};
        h.bound = map_new(cx->arena);
        h.allocs = &allocs;
        h.leaving = &none;
        h.jumps = (Syms){0};
        Node *rest = hoist(&h, body, ALWAYS);
        vec_push(cx->arena, &allocs, rest);
        Node *next = loops_block(cx, allocs.len, allocs.at);
        if (next == body) break;
        body = next;
    }
    return loops_with_body(cx, e, body);
}

LoopEntry *loops_licm(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, hoist_entry);
}
