// Fuses the stages of a stencil. Where one loop computes the rows of an array, and the next one
// reads a window of a few rows in each iteration, both become one loop, in which the second lags
// behind the first by as many rows as it needs (loop shifting), and the array keeps only the rows
// that are still needed, in a ring (array contraction):
//
//   for i < n + 2 { t[i, ..] = f(i) }              t: [n + 2][m]
//   for i < n { out[i, ..] = g(t[i .. i + 3, ..]) }
//
//     for q < n + 2 {                              t: [3][m]
//         t[q % 3, ..] = f(q);
//         if q >= 2 { out[q - 2, ..] = g(t[(q - 2) % 3, ..], .., t[q % 3, ..]) }
//     }
//
// Halide calls this a sliding window with folded storage (Ragan-Kelley et al., PLDI 2013). If the
// last stage is a parallel loop, its iterations are divided into strips. Each strip has a ring of
// its own and computes the rows before it that its first iterations read once more, so the strips
// are independent. There may be any number of stages, and a stage may read the arrays of several.
#include "loops/nest/nest.h"

enum {
    MOST_STAGES = 16,
    MOST_STMTS = 32,    // between the first and the last stage
    MOST_ROWS = 16,     // in a window, and in a ring
    MOST_WEIGHT = 1500, // nodes of all stages: index-set splitting copies them
    FEW_ROWS = 64,      // of the last stage, for which this does not pay
    SHORT_ROW = 64,     // elements of a row for which a loop of its own does not pay
    SMALL_ARRAY = 8192, // elements that stay in the first-level cache anyway
    STRIP = 32,         // rows of a strip, where few rows are computed twice; twice as many else
    MOST_EXTRA = 8,     // rows that a strip computes, and another one, too
};

/// An array that one statement of a block computes and one later statement reads, or that only one
/// statement uses.
typedef struct {
    Node *alloc;
    int at, producer, consumer; // their numbers in the block, -1 if there are none yet
    bool other;                 // used in another way
    Node *row;      // the number of elements of a row; NULL if it is not computed by rows
    int64_t lo, hi; // iteration i of the consumer reads rows i + lo to i + hi
    int64_t ring;   // the number of rows that are kept, 0 for all
} Link;

/// A loop that runs its iteration r in iteration r + delay of the fused loop. For iteration i of
/// the last stage, its iterations i + first to i + last are needed.
typedef struct {
    int at; // its number in the block
    Node *loop;
    int64_t delay, first, last;
} Stage;

typedef struct {
    Session *cx;
    Simplifier known;
    LoopEntry *entry;
} Fuse;

/// The statements of a block, and the stages that have been found.
typedef struct {
    Fuse *f;
    Stmts stmts;
    Map links;                 // Sym of an array -> Link
    Map producers, consumers;  // sets of statements that store to such arrays, or load from them
    Stage stages[MOST_STAGES]; // the last one first
    int n;
    VEC(Link *) between; // the arrays that they pass on
} Stages;

static Node *plus(Session *cx, Node *a, int64_t b)
{
    return nat_add(cx, a, nat_const(cx, b));
}

// --- arrays between two loops -------------------------------------------------------------------

static void note_user(int *user, int at, Link *l)
{
    l->other |= *user >= 0 && *user != at;
    *user = at;
}

// Whether the statement may be a stage before (`before`) or behind others.
static bool is_linked(const Stages *g, int at, bool before)
{
    return map_get(before ? &g->producers : &g->consumers, MAP_KEY(g->stmts.at[at])) != NULL;
}

typedef struct {
    Stages *g;
    int at;
} Noting;

static void note_access(Node *access, void *env)
{
    Noting *n = env;
    Link *l = map_get(&n->g->links, MAP_KEY(access->attr.sym));
    if (!l) return;
    bool stores = access->kind == LOOP_STORE;
    l->other |= !stores && access->kind != LOOP_LOAD;
    note_user(stores ? &l->producer : &l->consumer, n->at, l);
    map_put(stores ? &n->g->producers : &n->g->consumers, MAP_KEY(n->g->stmts.at[n->at]), l);
}

static bool is_large(Node *alloc)
{
    int64_t count;
    return alloc->nops == 2 && (!nat_is_const(alloc->op[1], &count) || count > SMALL_ARRAY);
}

static void find_links(Stages *g)
{
    Session *cx = g->f->cx;
    for (int i = 0; i < g->stmts.len; i++) {
        Node *s = g->stmts.at[i];
        Map seen = map_new(cx->arena);
        Noting n = {g, i};
        if (g->links.len) loops_accesses(s, &seen, note_access, &n);
        if (s->kind != LOOP_ALLOC || !is_large(s)) continue;
        Link *l = ARENA_NEW(cx->arena, Link);
        *l = (Link){.alloc = s, .at = i, .producer = -1, .consumer = -1};
        map_put(&g->links, MAP_KEY(s->attr.sym), l);
    }
}

// --- rows ---------------------------------------------------------------------------------------

/// Visits or replaces the accesses to arrays of rows in a stage.
typedef struct Rows Rows;
struct Rows {
    Stages *g;
    Sym index; // of the stage
    bool fit;  // whether all accesses seen so far are as required
    Node *(*access)(Rows *r, Link *l, Node *access);
};

static Node *in_expr(Session *cx, Node *n, int depth, void *env)
{
    Rows *r = env;
    if (n->nops == 0 || node_is_size_or_type(n) || loops_is_stmt(n)) return n;
    n = node_map(cx, n, depth, in_expr, r);
    Link *l = n->kind == LOOP_LOAD ? map_get(&r->g->links, MAP_KEY(n->attr.sym)) : NULL;
    return l ? r->access(r, l, n) : n;
}

static Node *in_stmt(void *env, Node *s)
{
    Rows *r = env;
    Session *cx = r->g->f->cx;
    s = node_map(cx, s, 0, in_expr, r); // before the facts about a declared local hold
    s = simplifier_map_branches(&r->g->f->known, s, in_stmt, r);
    Link *l = s->kind == LOOP_STORE ? map_get(&r->g->links, MAP_KEY(s->attr.sym)) : NULL;
    return l ? r->access(r, l, s) : s;
}

// Applies r->access to each access in the body of the loop.
static Node *each_access(Rows *r, Node *loop)
{
    Simplifier *known = &r->g->f->known;
    Scope outer = simplifier_enter(known);
    simplifier_assume_index(known, loop->attr.sym, loops_from(loop), loops_to(loop));
    Node *body = in_stmt(r, loops_body(loop));
    simplifier_leave(known, outer, NULL);
    return body;
}

static RowPosition in_row(Rows *r, Node *row_size, Node *position)
{
    RowPosition at;
    r->fit &= loops_in_row(r->g->f->cx, r->g->f->known.facts, row_size, position, &at);
    return at;
}

// Iteration r of a producer stores to row r only.
static Node *check_store(Rows *r, Link *l, Node *store)
{
    Session *cx = r->g->f->cx;
    int64_t size;
    if (store->kind != LOOP_STORE || l->consumer == l->producer || !r->fit) return store;
    Node *row = loops_stride(cx, store->op[0], r->index);
    if (!row || (l->row && l->row != row)) r->fit = false;
    if (!r->fit || (nat_is_const(row, &size) && size < SHORT_ROW)) {
        r->fit = false;
        return store;
    }
    l->row = row;
    r->fit &= in_row(r, row, store->op[0]).row == nat_var(cx, r->index);
    return store;
}

// Whether row <= limit (`above`) or row >= limit can be proved. A clamped row is bounded by what it
// is clamped to.
static bool is_within(Session *cx, const Facts *facts, Node *row, Node *limit, bool above)
{
    if (row->kind == NAT_MIN || row->kind == NAT_MAX) {
        bool any = (row->kind == NAT_MIN) == above;
        for (uint32_t i = 0; i < row->nops; i++)
            if (is_within(cx, facts, row->op[i], limit, above) == any) return any;
        return !any;
    }
    int64_t beyond;
    Node *over = above ? nat_sub(cx, row, limit) : nat_sub(cx, limit, row);
    return (nat_upper(cx, facts, over, &beyond) && beyond <= 0) ||
           nat_ge0(cx, facts, nat_sub(cx, nat_const(cx, 0), over)) == TRUTH_YES;
}

// Finds constants with index + lo <= row <= index + hi.
static bool find_range(Session *cx, const Facts *facts, Node *row, Node *index, Link *l)
{
    int64_t shift, lo = MOST_ROWS, hi = -MOST_ROWS;
    if (nat_is_const(nat_sub(cx, row, index), &shift)) lo = hi = shift;
    while (lo > -MOST_ROWS && !is_within(cx, facts, row, plus(cx, index, lo), false)) lo--;
    while (hi < MOST_ROWS && !is_within(cx, facts, row, plus(cx, index, hi), true)) hi++;
    if (lo < l->lo) l->lo = lo;
    if (hi > l->hi) l->hi = hi;
    return l->lo > -MOST_ROWS && l->hi < MOST_ROWS && l->hi - l->lo < MOST_ROWS;
}

// The rows that a consumer loads.
static Node *note_load(Rows *r, Link *l, Node *load)
{
    Session *cx = r->g->f->cx;
    const Facts *facts = r->g->f->known.facts;
    if (load->kind != LOOP_LOAD || !l->row || l->other || !r->fit) return load;
    Node *row = in_row(r, l->row, load->op[0]).row;
    r->fit = r->fit && find_range(cx, facts, row, nat_var(cx, r->index), l);
    return load;
}

// The access in the ring.
static Node *to_ring(Rows *r, Link *l, Node *access)
{
    Session *cx = r->g->f->cx;
    if (!l->ring) return access;
    RowPosition at = in_row(r, l->row, access->op[0]);
    Node *row = nat_mod(cx, at.row, nat_const(cx, l->ring));
    return node_with_op(cx, access, 0, nat_add(cx, nat_mul(cx, row, l->row), at.rest));
}

// --- which loops --------------------------------------------------------------------------------

// Whether the program or its schedule wants the loop as it is. A schedule that makes a loop
// parallel does not say how the iterations are divided.
static bool is_kept(Fuse *f, Node *loop)
{
    if (loop->kind == LOOP_PARALLEL && loops_is_scheduled(f->entry, loop->origin)) return false;
    return loops_chosen_by(f->cx, f->entry, loop) != NULL;
}

// Whether a loop can be a stage: its iterations have no effect but stores.
static bool is_stage(Fuse *f, Node *s)
{
    if (s->kind != LOOP_FOR && s->kind != LOOP_PARALLEL) return false;
    if (loops_has(loops_body(s), IS_SERIAL) || !simplifier_has_lengths(&f->known, s)) return false;
    Map changed = map_new(f->cx->arena), bound = map_new(f->cx->arena);
    loops_changed(s, &changed);
    loops_bound(s, &bound);
    for (int i = 0; i < changed.len; i++)
        if (!map_get(&bound, changed.entries[i].key)) return false;
    return !is_kept(f, s);
}

static Stage *stage_at(Stages *g, int at)
{
    for (int i = 0; i < g->n; i++)
        if (g->stages[i].at == at) return &g->stages[i];
    return NULL;
}

// Whether the loop can move past the statements between it and the last stage, that stage included.
// None of them reads what it stores to, but other stages.
static bool may_move(Stages *g, int at)
{
    for (int i = at + 1; i <= g->stages[0].at; i++) {
        Node *s = g->stmts.at[i];
        bool serial = loops_is(s, IS_SERIAL) && s->kind != LOOP_PARALLEL && s->kind != LOOP_CHECK;
        if (serial || loops_has(s, IS_TASK)) return false;
        if (loops_changes_input(g->f->cx, s, g->stmts.at[at])) return false;
    }
    return true;
}

/// The arrays that a loop stores to, and whether they are all read by stages, or by no one else.
typedef struct {
    Stages *g;
    int at;
    Map inside; // the names that the loop binds
    VEC(Link *) links;
    bool all;
} Stored;

static void note_stored(Node *access, void *env)
{
    Stored *s = env;
    if (access->kind == LOOP_LOAD || map_get(&s->inside, MAP_KEY(access->attr.sym))) return;
    Link *l = map_get(&s->g->links, MAP_KEY(access->attr.sym));
    bool own = l && l->consumer == s->at;
    s->all &= l && !l->other && (own || stage_at(s->g, l->consumer));
    for (int i = 0; i < s->links.len; i++)
        if (s->links.at[i] == l) return;
    vec_push(s->g->f->cx->arena, &s->links, l);
}

// Finds the windows in which stages read what the loop computes. Returns false if there are none.
static bool find_windows(Stages *g, Node *loop)
{
    Rows stores = {g, loop->attr.sym, true, check_store};
    each_access(&stores, loop);
    for (int i = 0; i < g->n && stores.fit; i++) {
        Rows loads = {g, g->stages[i].loop->attr.sym, true, note_load};
        each_access(&loads, g->stages[i].loop);
        stores.fit &= loads.fit;
    }
    return stores.fit;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

// Sets which iterations of a stage are needed. Returns false if strips would compute too many of
// them twice.
static bool find_needed(Stages *g, Stage *s, Link *const *links, int n)
{
    for (int i = 0; i < n; i++) {
        const Stage *consumer = stage_at(g, links[i]->consumer);
        if (!consumer) continue;
        s->first = smaller(s->first, consumer->first + links[i]->lo);
        s->last = larger(s->last, consumer->last + links[i]->hi);
    }
    return g->stages[0].loop->kind != LOOP_PARALLEL || s->last - s->first <= MOST_EXTRA;
}

static void add_producer(Stages *g, int at)
{
    Session *cx = g->f->cx;
    Node *loop = g->stmts.at[at];
    Stage stage = {.at = at, .loop = loop};
    Stored stored = {.g = g, .at = at, .inside = map_new(cx->arena), .all = true};
    Map seen = map_new(cx->arena);
    if (!is_linked(g, at, true) || !is_stage(g->f, loop)) return;
    if (loop->kind == LOOP_PARALLEL && g->stages[0].loop->kind != LOOP_PARALLEL) return;
    loops_bound(loop, &stored.inside);
    loops_accesses(loops_body(loop), &seen, note_stored, &stored);
    if (!stored.all || stored.links.len == 0) return;
    bool fit = may_move(g, at) && find_windows(g, loop) &&
               find_needed(g, &stage, stored.links.at, stored.links.len);
    for (int i = 0; i < stored.links.len; i++) {
        stored.links.at[i]->other |= !fit;
        if (fit) vec_push(cx->arena, &g->between, stored.links.at[i]);
    }
    if (fit) g->stages[g->n++] = stage;
}

// Finds the stages of which the loop is the last. Returns false if it is the only one.
static bool find_stages(Stages *g, int at)
{
    Node *last = g->stmts.at[at];
    int64_t rows;
    if (!is_linked(g, at, false) || !is_stage(g->f, last)) return false;
    Node *count = nat_sub(g->f->cx, loops_to(last), loops_from(last));
    if (nat_is_const(count, &rows) && rows <= FEW_ROWS) return false;
    g->n = 0;
    g->between.len = 0;
    g->stages[g->n++] = (Stage){.at = at, .loop = last};
    for (int i = at; i-- > 0 && at - i <= MOST_STMTS && g->n < MOST_STAGES;) add_producer(g, i);
    return g->n > 1;
}

// --- when each stage runs -----------------------------------------------------------------------

// A stage runs as soon as the rows that it reads are there.
static void set_delays(Stages *g)
{
    for (int k = g->n; k-- > 0;)
        for (int i = 0; i < g->between.len; i++) {
            Link *l = g->between.at[i];
            Stage *s = &g->stages[k];
            if (l->consumer == s->at && l->row)
                s->delay = larger(s->delay, stage_at(g, l->producer)->delay + l->hi);
        }
    for (int i = 0; i < g->between.len; i++) {
        Link *l = g->between.at[i];
        if (l->row)
            l->ring = stage_at(g, l->consumer)->delay - stage_at(g, l->producer)->delay - l->lo + 1;
    }
}

// Whether the fused loop keeps few rows, and is short.
static bool pays(const Stages *g)
{
    int weight = 0;
    for (int i = 0; i < g->between.len; i++)
        if (g->between.at[i]->ring > MOST_ROWS) return false;
    for (int i = 0; i < g->n; i++) weight += loops_weight(g->stages[i].loop, MOST_WEIGHT);
    return weight < MOST_WEIGHT;
}

// --- the fused loop -----------------------------------------------------------------------------

/// The rows of the last stage that one loop computes.
typedef struct {
    Node *from, *to;
} Strip;

// `body` where first <= row < end, as far as that is not known.
static Node *within(Stages *g, Node *row, Node *first, Node *end, Node *body)
{
    Session *cx = g->f->cx;
    const Facts *facts = g->f->known.facts;
    Node *none = loops_block(cx, 0, NULL);
    if (nat_lt(cx, facts, row, end) != TRUTH_YES)
        body = loops_if(cx, loops_compare(cx, PRIM_LT, row, end), body, none, body->origin);
    if (nat_le(cx, facts, first, row) != TRUTH_YES)
        body = loops_if(cx, loops_compare(cx, PRIM_LE, first, row), body, none, body->origin);
    return body;
}

// Iteration `index` of the fused loop, as far as the stage goes.
static Node *iteration_of(Stages *g, const Stage *s, Strip strip, Node *index)
{
    Session *cx = g->f->cx;
    Rows rows = {g, s->loop->attr.sym, true, to_ring};
    Node *row = plus(cx, index, -s->delay);
    Node *body = loops_at(cx, each_access(&rows, s->loop), s->loop->attr.sym, row);
    body = within(g, row, plus(cx, strip.from, s->first), plus(cx, strip.to, s->last), body);
    if (s == g->stages) return body;
    return within(g, row, loops_from(s->loop), loops_to(s->loop), body);
}

// The number of rows of a ring: no more than there are.
static Node *rows_of(Stages *g, const Link *l)
{
    Session *cx = g->f->cx;
    Node *all = loops_to(stage_at(g, l->producer)->loop), *ring = nat_const(cx, l->ring);
    return nat_simplify(cx, NULL, nat_min(cx, ring, all)); // for any sizes: it is planned before
}

static Node *fused_loop(Stages *g, Strip strip)
{
    Session *cx = g->f->cx;
    Simplifier *known = &g->f->known;
    const Stage *last = g->stages;
    int64_t first = 0;
    for (int i = 0; i < g->n; i++) first = smaller(first, g->stages[i].first + g->stages[i].delay);
    Sym index = sym_fresh(cx->syms, "i");
    Node *from = nat_max(cx, plus(cx, strip.from, first), nat_const(cx, 0));
    Node *to = plus(cx, strip.to, last->delay);
    from = nat_simplify(cx, known->facts, from);
    Stmts body = {0}, all = {0};
    Scope outer = simplifier_enter(known);
    simplifier_assume_index(known, index, from, to);
    for (int i = g->n; i-- > 0;)
        vec_push(cx->arena, &body, iteration_of(g, &g->stages[i], strip, nat_var(cx, index)));
    simplifier_leave(known, outer, NULL);
    for (int i = 0; i < g->between.len; i++) {
        Link *l = g->between.at[i];
        Node *count = l->ring ? nat_mul(cx, l->row, rows_of(g, l)) : l->alloc->op[1];
        vec_push(cx->arena, &all, node_with_op(cx, l->alloc, 1, count));
    }
    Node *loop =
        loops_counted(cx, index, from, to, loops_block(cx, body.len, body.at), last->loop->origin);
    vec_push(cx->arena, &all, loop);
    return loops_block(cx, all.len, all.at);
}

// A parallel loop over strips.
static Node *in_strips(Stages *g)
{
    Session *cx = g->f->cx;
    Simplifier *known = &g->f->known;
    Node *loop = g->stages[0].loop, *from = loops_from(loop), *to = loops_to(loop);
    int64_t extra = 0;
    for (int i = 0; i < g->n; i++) extra = larger(extra, g->stages[i].last - g->stages[i].first);
    int64_t size = extra <= MOST_EXTRA / 2 ? STRIP : 2 * STRIP;
    Node *count = nat_div(cx, plus(cx, nat_sub(cx, to, from), size - 1), nat_const(cx, size));
    Sym index = sym_fresh(cx->syms, "strip");
    Node *begin = nat_add(cx, from, nat_mul(cx, nat_const(cx, size), nat_var(cx, index)));
    Strip strip = {begin, nat_min(cx, plus(cx, begin, size), to)};
    Scope outer = simplifier_enter(known);
    simplifier_assume_index(known, index, nat_const(cx, 0), count);
    Node *body = fused_loop(g, strip);
    simplifier_leave(known, outer, NULL);
    return loops_loop(cx, LOOP_PARALLEL, index, loop->op[0], nat_const(cx, 0), count, body,
                      loop->origin);
}

static void note_fusion(Stages *g)
{
    Session *cx = g->f->cx;
    for (int i = 0; i < g->between.len; i++) {
        const Link *l = g->between.at[i];
        if (!l->ring) continue;
        const char *why =
            arena_printf(cx->arena, "%s keeps %d row%s at a time", l->alloc->attr.sym->text,
                         (int)l->ring, l->ring == 1 ? "" : "s");
        loops_note_choice(cx, g->f->entry, g->stages[0].loop, "stages fused", why);
    }
}

static bool fuse_stages(Stages *g)
{
    Session *cx = g->f->cx;
    const Stage *last = g->stages;
    Node *loop = last->loop;
    set_delays(g);
    if (!pays(g)) return false;
    note_fusion(g);
    Node *fused = loop->kind == LOOP_PARALLEL
                      ? in_strips(g)
                      : fused_loop(g, (Strip){loops_from(loop), loops_to(loop)});
    for (int i = 1; i < g->n; i++) g->stmts.at[g->stages[i].at] = loops_block(cx, 0, NULL);
    for (int i = 0; i < g->between.len; i++)
        g->stmts.at[g->between.at[i]->at] = loops_block(cx, 0, NULL);
    g->stmts.at[last->at] = fused;
    return true;
}

// --- the pass -----------------------------------------------------------------------------------

static Node *fuse(void *env, Node *s);

// Appends the statements of the block and of the blocks in it, and learns about their locals.
static void add_statements(Stages *g, Node *block)
{
    Fuse *f = g->f;
    for (uint32_t i = 0; i < block->nops; i++) {
        Node *s = block->op[i];
        if (s->kind == LOOP_DECL) s = simplifier_map(&f->known, s, fuse, f);
        if (s->kind == LOOP_BLOCK)
            add_statements(g, s);
        else
            vec_push(f->cx->arena, &g->stmts, s);
    }
}

static Node *in_block(Fuse *f, Node *block)
{
    Arena *arena = f->cx->arena;
    Stages g = {
        .f = f, .links = map_new(arena), .producers = map_new(arena), .consumers = map_new(arena)};
    bool any = false;
    Scope outer = simplifier_enter(&f->known);
    add_statements(&g, block);
    find_links(&g);
    for (int at = g.stmts.len; g.links.len && at-- > 0;)
        if (find_stages(&g, at)) any |= fuse_stages(&g);
    simplifier_leave(&f->known, outer, NULL);
    return any ? loops_block(f->cx, g.stmts.len, g.stmts.at) : block;
}

// What is in the statements of a block whose own stages are fused.
static Node *inside(void *env, Node *s)
{
    Fuse *f = env;
    if (s->kind != LOOP_BLOCK) return fuse(f, s);
    Scope outer = simplifier_enter(&f->known);
    s = loops_map(f->cx, s, inside, f);
    simplifier_leave(&f->known, outer, NULL);
    return s;
}

static Node *fuse(void *env, Node *s)
{
    Fuse *f = env;
    if (s->kind == LOOP_BLOCK) return inside(f, in_block(f, s));
    return simplifier_map(&f->known, s, fuse, f);
}

static bool is_large_alloc(Node *s, void *env)
{
    (void)env;
    return s->kind == LOOP_ALLOC && is_large(s);
}

static LoopEntry *fuse_entry(Session *cx, const LoopEntry *e)
{
    LoopEntry *done = loops_with_body(cx, e, e->body);
    if (!loops_any(e->body, is_large_alloc, NULL)) return done;
    Fuse f = {cx, simplifier_new(cx, e), done};
    done->body = fuse(&f, e->body);
    return done;
}

LoopEntry *loops_fuse_stages(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, fuse_entry);
}
