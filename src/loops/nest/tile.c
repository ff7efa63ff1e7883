// Tiles nests whose inner loop runs along the rows of one array and down the columns of another,
// such as a transposition. Down a column, each iteration uses one element of a different cache
// line. The next element of that line is used one iteration of the outer loop later, when the line
// has already been evicted. So the inner loop is strip-mined into blocks of lines that fit in the
// cache, and the outer loop moves inward until it directly encloses the loop over a block, several
// iterations at a time (strip-mining, interchange, unroll-and-jam; Allen & Kennedy, Optimizing
// Compilers for Modern Architectures, 8 and 9):
//
//   for i { for j { out[i, j] = a[j, i] } }
//
//   = for blocks of j { for i by 4 { for j in the block { out[i..i + 4, j] = a[j, i..i + 4] } }
//                       the remainder }
//
// A parallel outer loop is first divided into strips, enough for all threads. Stores down columns
// are treated in the same way. If no access is contiguous along the inner loop, the loops are
// interchanged.
//
// This is legal if the iterations are independent: none of them loads an element that another one
// stores, and all store to distinct positions.
#include "loops/nest/nest.h"
#include "loops/simplify/simplify.h"

enum {
    BLOCK = 128,     // lines at a time: two or three such blocks fit in the first-level cache
    JAMMED = 4,      // iterations of the outer loop at a time
    NEAR = 8,        // maximum stride within a line, in elements
    FEW = 16,        // strides do not matter in inner loops of up to FEW iterations
    SMALL = 1024,    // a nest of at most SMALL iterations stays in the cache anyway
    STRIP = 32,      // maximum number of iterations of a parallel outer loop in a strip
    STRIPS = 64,     // minimum number of strips, if there are enough iterations
    MAX_LOOPS = 8,   // maximum number of loops in a nest
    MAX_JAMMED = 60, // maximum weight of a body that is unrolled and jammed
    MAX_WEIGHT = 400
};

// Nested loops. The first one is the loop that may move inward, the last one is the innermost.
typedef struct {
    Session *cx;
    Simplifier *known;
    Node *loops[MAX_LOOPS], *inner;
    int n;
    Stmts between; // locals declared between the loops
    Node *body;
    Map own;    // its keys are the locals of the body
    Map stores; // buffer -> the position at which the body stores to it
    bool fits;
} Nest;

// --- which nests ---------------------------------------------------------------------------------

// Collects the loops. Each body but the innermost consists of declarations of locals and one loop.
// Returns false if there is no such nest.
static bool collect_loops(Nest *n, Node *loop)
{
    while (n->n < MAX_LOOPS) {
        n->loops[n->n++] = n->inner = loop;
        loop = loops_inner_loop(n->cx, loop, &n->between);
        if (loop && loop->kind == LOOP_FOR) continue;
        n->body = loops_body(n->inner);
        return n->n > 1 && loops_is_straight(n->body);
    }
    return false;
}

// Checks that the body sets only its own locals, and stores to each buffer at one position only.
static void visit_stmt(Nest *n, Node *s)
{
    uint64_t key = MAP_KEY(s->attr.sym);
    if (s->kind == LOOP_ALLOC) n->fits = false;
    if (s->kind == LOOP_DECL) map_put(&n->own, key, n);
    if (s->kind == LOOP_SET) n->fits &= map_get(&n->own, key) != NULL;
    if (s->kind == LOOP_STORE) {
        Node *position = map_get(&n->stores, key);
        n->fits &= position == NULL || position == s->op[0];
        map_put(&n->stores, key, (void *)(uintptr_t)s->op[0]);
    }
    for (uint32_t i = 0; i < s->nops && n->fits; i++)
        if (loops_is_stmt(s->op[i])) visit_stmt(n, s->op[i]);
}

// Checks that a buffer that the body stores to is loaded from only in the body, and only at the
// position of the store.
static void visit_loads(Nest *n, Node *e, bool in_body)
{
    if (node_is_size_or_type(e)) return;
    Node *position = e->kind == LOOP_LOAD ? map_get(&n->stores, MAP_KEY(e->attr.sym)) : NULL;
    if (position) n->fits &= in_body && position == e->op[0];
    for (uint32_t i = 0; i < e->nops && n->fits; i++) visit_loads(n, e->op[i], in_body);
}

// Whether the bounds of a loop use neither the outermost index nor a local declared between the
// loops.
static bool is_fixed(const Nest *n, Node *loop)
{
    for (int i = 0; i < 2; i++) {
        if (nat_occurs(loop->op[i], nat_var(n->cx, n->loops[0]->attr.sym))) return false;
        for (int k = 0; k < n->between.len; k++)
            if (nat_occurs(loop->op[i], nat_var(n->cx, n->between.at[k]->attr.sym))) return false;
    }
    return true;
}

static bool is_nest(Nest *n, Node *loop)
{
    if (!collect_loops(n, loop) || loops_weight(n->body, MAX_WEIGHT) >= MAX_WEIGHT) return false;
    n->fits = true;
    for (int i = 1; i < n->n; i++) n->fits &= is_fixed(n, n->loops[i]);
    if (n->fits) visit_stmt(n, n->body);
    if (n->fits) visit_loads(n, n->body, true);
    for (int i = 0; i < n->between.len && n->fits; i++)
        visit_loads(n, n->between.at[i]->op[1], false);
    for (int i = 0; i < n->stores.len && n->fits; i++)
        n->fits =
            loops_are_apart(n->cx, n->known->facts, n->stores.entries[i].value, n->loops, n->n);
    return n->fits && n->stores.len > 0;
}

// --- whether it pays -----------------------------------------------------------------------------

typedef struct {
    Nest *n;
    Node *down;   // an access that is strided in the inner loop and contiguous in the outer one
    bool along;   // some access is contiguous in the inner loop
    bool outward; // all accesses are invariant or contiguous in the outer loop
} Strides;

static bool is_near(Node *stride)
{
    int64_t k;
    return stride && nat_is_const(stride, &k) && k >= -NEAR && k <= NEAR;
}

static void visit_strides(Strides *s, Node *e)
{
    if (node_is_size_or_type(e)) return;
    if (e->kind == LOOP_LOAD || e->kind == LOOP_STORE) {
        Session *cx = s->n->cx;
        Node *inner = loops_stride(cx, e->op[0], s->n->inner->attr.sym), *zero = nat_const(cx, 0),
             *outer = loops_stride(cx, e->op[0], s->n->loops[0]->attr.sym);
        s->along |= is_near(inner) && inner != zero;
        s->outward &= is_near(outer);
        if (!s->down && inner && !is_near(inner) && is_near(outer) && outer != zero) s->down = e;
    }
    for (uint32_t i = 0; i < e->nops; i++) visit_strides(s, e->op[i]);
}

static bool is_small(const Nest *n)
{
    int64_t all = 1;
    for (int i = 0; i < n->n; i++) {
        int64_t count = loops_trip_count(n->cx, n->loops[i]);
        if (count < 0 || count > SMALL || (all *= count) > SMALL) return false;
    }
    return true;
}

static bool is_light(const Nest *n)
{
    return loops_weight(n->body, MAX_JAMMED) < MAX_JAMMED;
}

// --- the new nest --------------------------------------------------------------------------------

typedef struct {
    Nest *n;
    Map *done;       // its keys are the indices of innermost loops that this pass created
    Node *from, *to; // the bounds of the block
} Rewrite;

// The innermost body at these indices of the outer and inner loop. Appends the declarations between
// the loops to `locals`.
static Node *body_at(Rewrite *r, Node *outer, Node *inner, Stmts *locals)
{
    Session *cx = r->n->cx;
    const Stmts *between = &r->n->between;
    Node *all = loops_copy(cx, r->n->inner, NULL, NULL);
    if (between->len) {
        Stmts with = {0};
        for (int i = 0; i < between->len; i++) vec_push(cx->arena, &with, between->at[i]);
        vec_push(cx->arena, &with, r->n->inner);
        all = loops_copy(cx, loops_block(cx, with.len, with.at), NULL, NULL);
    }
    Node *loop = between->len ? all->op[all->nops - 1] : all;
    NodeBinding names[2] = {{r->n->loops[0]->attr.sym, outer}, {loop->attr.sym, inner}};
    for (int i = 0; i < between->len; i++)
        vec_push(cx->arena, locals, node_replace_names(cx, all->op[i], names, 1));
    return node_replace_names(cx, loop->op[2], names, 2);
}

static Node *jammed(void *env, Node *first, int times)
{
    Rewrite *r = env;
    Session *cx = r->n->cx;
    Stmts out = {0}, bodies = {0};
    Node *at = nat_var(cx, sym_fresh(cx->syms, r->n->inner->attr.sym->text));
    for (int i = 0; i < times; i++) {
        Node *body = body_at(r, nat_add(cx, first, nat_const(cx, i)), at, &out);
        vec_push(cx->arena, &bodies, body);
    }
    Node *body = loops_block(cx, bodies.len, bodies.at);
    vec_push(cx->arena, &out,
             loops_counted(cx, at->attr.sym, r->from, r->to, body, r->n->inner->origin));
    map_put(r->done, MAP_KEY(at->attr.sym), r);
    return loops_block(cx, out.len, out.at);
}

static Node *block(void *env, Node *first, Node *count)
{
    Rewrite *r = env;
    Nest *n = r->n;
    r->from = first;
    r->to = nat_add(n->cx, first, count);
    return loops_unroll_by(n->known, n->loops[0], is_light(n) ? JAMMED : 1, jammed, r);
}

// Encloses `body` in the loops between the outer and the inner one.
static Node *within(const Nest *n, Node *body)
{
    for (int i = n->n - 1; i-- > 1;)
        body = loops_for(n->cx, n->loops[i], n->loops[i]->op[0], n->loops[i]->op[1], body);
    return body;
}

static Node *tiled(Nest *n, Map *done)
{
    Rewrite r = {.n = n, .done = done};
    return within(n, loops_strip_mine(n->cx, n->inner, nat_const(n->cx, BLOCK), block, &r));
}

static Node *strip(void *env, Node *first, Node *count)
{
    const Rewrite *r = env;
    Nest *n = r->n;
    Session *cx = n->cx;
    Scope outer = simplifier_enter(n->known);
    facts_ge0(n->known->facts, nat_sub(cx, count, nat_const(cx, 1)));
    n->loops[0] = loops_for(cx, n->loops[0], first, nat_add(cx, first, count), n->loops[0]->op[2]);
    Node *done = tiled(n, r->done);
    simplifier_leave(n->known, outer, NULL);
    return done;
}

// Divides the parallel outer loop of a nest into strips, and tiles each of them.
static Node *in_strips(Nest *n, Node *parallel, Map *done)
{
    Session *cx = n->cx;
    Rewrite r = {.n = n, .done = done};
    Node *all = nat_sub(cx, loops_to(parallel), loops_from(parallel)), *decl = NULL;
    Node *size = nat_max(cx, nat_div(cx, all, nat_const(cx, STRIPS)), nat_const(cx, 1));
    size = nat_min(cx, size, nat_const(cx, STRIP));
    int64_t known;
    if (!nat_is_const(size, &known)) size = loops_integer(cx, "strip", size, &decl);
    Node *loop = loops_strip_mine(cx, parallel, size, strip, &r);
    return decl ? loops_block(cx, 2, (Node *[]){decl, loop}) : loop;
}

static Node *interchanged(Nest *n, Map *done)
{
    Session *cx = n->cx;
    Stmts body = {0};
    for (int i = 0; i < n->between.len; i++) vec_push(cx->arena, &body, n->between.at[i]);
    vec_push(cx->arena, &body, n->body);
    Node *outer = n->loops[0], *inner = n->inner;
    Node *once = loops_block(cx, body.len, body.at);
    once = loops_for(cx, outer, outer->op[0], outer->op[1], once);
    map_put(done, MAP_KEY(outer->attr.sym), n);
    return within(n, loops_for(cx, inner, inner->op[0], inner->op[1], once));
}

// --- the pass ------------------------------------------------------------------------------------

typedef struct {
    Session *cx;
    LoopEntry *entry; // gets the remarks
    Simplifier known;
    Map done;
} Tile;

static void note_tiling(Tile *t, const Nest *n, const Strides *s)
{
    const char *what = s->along ? "loop in blocks" : "loops swapped";
    const char *does = s->down->kind == LOOP_LOAD ? "read" : "written";
    const char *how = s->along ? arena_printf(t->cx->arena, "now %d lines of it at a time", BLOCK)
                               : "now along them";
    const char *why = arena_printf(t->cx->arena, "%s was %s down its columns, %s",
                                   s->down->attr.sym->text, does, how);
    loops_note_choice(t->cx, t->entry, n->loops[0], what, why);
}

// Whether the program or its schedule forbids changing the nest; if so, reports what that costs.
static bool is_kept(Tile *t, const Nest *n, const Strides *s)
{
    const char *by = NULL;
    for (int i = 0; i < n->n && !by; i++) by = loops_chosen_by(t->cx, t->entry, n->loops[i]);
    if (!by) return false;
    const char *does = s->down->kind == LOOP_LOAD ? "read" : "written";
    const char *why = arena_printf(t->cx->arena, "%s fixes it, and %s is %s down its columns", by,
                                   s->down->attr.sym->text, does);
    loops_note_choice(t->cx, t->entry, n->loops[0], "order of loops", why);
    return true;
}

static Node *tile(void *env, Node *s)
{
    Tile *t = env;
    if (s->kind == LOOP_VECTORIZE) return s; // loops over lanes become the innermost ones
    s = simplifier_map(&t->known, s, tile, t);
    Arena *a = t->cx->arena;
    Nest n = {.cx = t->cx, .known = &t->known, .own = map_new(a), .stores = map_new(a)};
    bool parallel = s->kind == LOOP_PARALLEL;
    if (s->kind != LOOP_FOR && !parallel) return s;
    if (!is_nest(&n, parallel ? loops_sequential(t->cx, s) : s)) return s;
    if (map_get(&t->done, MAP_KEY(n.inner->attr.sym))) return s;
    if (!simplifier_has_lengths(&t->known, s) || !simplifier_has_lengths(&t->known, n.inner))
        return s;
    int64_t count = loops_trip_count(t->cx, n.inner);
    if ((count >= 0 && count <= FEW) || is_small(&n)) return s;
    Strides strides = {.n = &n, .outward = true};
    visit_strides(&strides, n.body);
    bool swap = !strides.along && strides.outward && !parallel;
    if (!strides.down || (!strides.along && !swap)) return s;
    if (parallel && !is_light(&n)) return s;
    if (is_kept(t, &n, &strides)) return s;
    note_tiling(t, &n, &strides);
    for (int i = 1; i < n.n; i++) n.loops[i] = loops_with_total_range(n.known, n.loops[i]);
    n.inner = n.loops[n.n - 1];
    return parallel        ? in_strips(&n, s, &t->done)
           : strides.along ? tiled(&n, &t->done)
                           : interchanged(&n, &t->done);
}

static LoopEntry *tile_entry(Session *cx, const LoopEntry *e)
{
    LoopEntry *done = loops_with_body(cx, e, e->body);
    Tile t = {cx, done, simplifier_new(cx, e), map_new(cx->arena)};
    done->body = tile(&t, e->body);
    return done;
}

LoopEntry *loops_tile(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, tile_entry);
}
