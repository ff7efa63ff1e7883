// Coalesces gathers of adjacent elements, x[at], x[at + 1], .., into gathers of runs: each of two
// or four vectors gathers the runs of a half or a quarter of the lanes, and shuffles within 16
// bytes separate the elements. This halves or quarters the number of loads and insertions:
//
//   a = gather_where x at m           p = gather_runs x at m 2 0      # pairs of lanes 0 1 4 5 ..
//   b = gather_where x (at + 1) m     q = gather_runs x at m 2 1      # pairs of lanes 2 3 6 7 ..
//                                     a = shuffled p q 0 2 8 10 ..
//                                     b = shuffled p q 1 3 9 11 ..
//
// Four elements of 4 bytes become 16 bytes of each record, which are transposed.
#include "base/target/cpu.h"
#include "loops/simplify/simplify.h"

enum { LANE = 4, GROUP = 4 }; // bytes per lane, and lanes per 16 bytes

// A gather, and the range of statements in the block over which its value does not change.
typedef struct {
    Node *gather, *rest, *offset; // at positions rest + offset
    bool steps;                   // the positions are an arithmetic progression
    int first, last;
    int next;          // the gather seen before at the same positions, or -1
    Node *replacement; // NULL if it is in no run
} Gathered;

typedef struct {
    int at; // the statement to insert before
    Stmts stmts;
} Inserted;

typedef struct {
    Session *cx;
    VEC(Gathered) seen; // the gathers in this block
    VEC(Inserted) inserted;
    Map at;   // rest and offset of positions -> the last gather seen that has them, plus 1
    int open; // the first gather that is still available
    int now;  // the current statement
} Gathers;

Node *gather_positions_without_offset(Session *cx, Node *positions, Node **offset)
{
    bool sum = positions->kind == CORE_PRIM && positions->attr.i == PRIM_ADD;
    *offset = nat_const(cx, 0);
    for (int i = 0; sum && i < 2; i++) {
        Node *x = positions->op[i];
        if (x->kind != LOOP_SPLAT || x->op[0]->kind != CORE_NAT) continue;
        *offset = x->op[0]->op[0];
        return positions->op[1 - i];
    }
    return positions;
}

// --- a run --------------------------------------------------------------------------------------

static Node *declared(Gathers *g, Stmts *out, const char *name, Node *value)
{
    Node *decl, *local = loops_name(g->cx, name, value, &decl, value->origin);
    vec_push(g->cx->arena, out, decl);
    return local;
}

// The part with this number of the runs of `length` elements, of which `gather` has the first ones.
static Node *part_of_runs(Gathers *g, Node *gather, int length, int number)
{
    Node *ops[] = {gather->op[0], gather->op[1], nat_const(g->cx, length),
                   nat_const(g->cx, number)};
    return node_make(g->cx, &(NodeSpec){.kind = LOOP_GATHER_RUNS,
                                        .attr.sym = gather->attr.sym,
                                        .type = gather->type,
                                        .nops = 4,
                                        .ops = ops,
                                        .origin = gather->origin});
}

// In each 16 bytes, lanes of the vectors a and b: 0 to 3 stand for those of a, 4 to 7 for those of
// b.
static Node *shuffled(Gathers *g, Node *a, Node *b, const int *from)
{
    int64_t lanes;
    type_is_vec(a->type, &lanes);
    Node **ops = ARENA_ARRAY(g->cx->arena, Node *, lanes + 2);
    ops[0] = a;
    ops[1] = b;
    for (int64_t k = 0; k < lanes; k++) {
        int slot = from[k % GROUP];
        int64_t in = k / GROUP * GROUP + slot % GROUP;
        ops[2 + k] = nat_const(g->cx, slot < GROUP ? in : lanes + in);
    }
    return node_make(
        g->cx,
        &(NodeSpec){.kind = LOOP_SHUFFLE, .type = a->type, .nops = (int)lanes + 2, .ops = ops});
}

static const int even[] = {0, 2, 4, 6}, odd[] = {1, 3, 5, 7};
static const int low[] = {0, 4, 1, 5}, high[] = {2, 6, 3, 7};
static const int front[] = {0, 1, 4, 5}, back[] = {2, 3, 6, 7};

// Replaces gathers of consecutive elements, in this order.
static void make_run(Gathers *g, Gathered *const *members, int length)
{
    Inserted new = {.at = members[0]->first};
    Node *parts[GROUP], *between[GROUP];
    for (int i = 0; i < length; i++) {
        Node *part = part_of_runs(g, members[0]->gather, length, i);
        parts[i] = declared(g, &new.stmts, length == 2 ? "pairs" : "rows", part);
        if (members[i]->first < new.at) new.at = members[i]->first;
    }
    for (int i = 0; i < length && length == 2; i++)
        members[i]->replacement = shuffled(g, parts[0], parts[1], i ? odd : even);
    for (int i = 0; i < length && length == GROUP; i++) {
        Node *half = shuffled(g, parts[i / 2 * 2], parts[i / 2 * 2 + 1], i % 2 ? high : low);
        between[i] = declared(g, &new.stmts, "half", half);
    }
    for (int i = 0; i < length && length == GROUP; i++)
        members[i]->replacement =
            shuffled(g, between[i / 2], between[i / 2 + 2], i % 2 ? back : front);
    vec_push(g->cx->arena, &g->inserted, new);
}

// --- gathers ------------------------------------------------------------------------------------

// Whether the positions form an arithmetic progression.
static bool is_step(Node *positions)
{
    if (positions->kind == LOOP_IOTA || positions->kind == LOOP_SPLAT) return true;
    if (positions->kind != CORE_PRIM && positions->kind != CORE_CAST) return false;
    for (uint32_t i = 0; i < positions->nops; i++)
        if (!is_step(positions->op[i])) return false;
    return true;
}

// Whether the target implements this gather with scalar loads, and its vector fits in a register.
static bool is_scalarised(const Gathers *g, Node *e)
{
    int64_t lanes;
    Scalar s;
    int least = g->cx->cpu->costs.gather;
    if (e->kind != LOOP_GATHER || !type_is_vec(e->type, &lanes) ||
        !type_is_scalar(type_lane(e->type), &s))
        return false;
    int64_t bytes = lanes * LANE;
    bool whole = scalar_info[s].size == LANE && lanes % GROUP == 0 && bytes <= g->cx->vector_bytes;
    return whole && (least == 0 || bytes < least);
}

static uint64_t place_key(Node *rest, Node *offset)
{
    return (uint64_t)rest->id << 32 | offset->id;
}

static void add_gather(Gathers *g, Node *e)
{
    Gathered new = {.gather = e,
                    .steps = e->op[1]->kind == LOOP_SPLAT && is_step(e->op[0]),
                    .first = g->now,
                    .last = -1};
    for (int i = g->open; i < g->seen.len; i++)
        if (g->seen.at[i].gather == e && g->seen.at[i].last < 0) return;
    new.rest = gather_positions_without_offset(g->cx, e->op[0], &new.offset);
    uint64_t key = place_key(new.rest, new.offset);
    new.next = (int)(uintptr_t)map_get(&g->at, key) - 1;
    vec_push(g->cx->arena, &g->seen, new);
    map_put(&g->at, key, (void *)(uintptr_t)g->seen.len);
}

// Returns a gather of the elements at this distance from those of `a`, whose value is available in
// one of the statements from..to, and that is in no run yet. Returns NULL if there is none.
static Gathered *find_beside(Gathers *g, const Gathered *a, int64_t distance, int from, int to)
{
    Node *offset = nat_add(g->cx, a->offset, nat_const(g->cx, distance)), *like = a->gather;
    int i = (int)(uintptr_t)map_get(&g->at, place_key(a->rest, offset)) - 1;
    for (; i >= 0; i = g->seen.at[i].next) {
        Gathered *b = &g->seen.at[i];
        bool same = b->gather->attr.sym == like->attr.sym && b->gather->op[1] == like->op[1] &&
                    b->gather->type == like->type;
        if (same && !b->replacement && b->first <= to && from <= b->last) return b;
    }
    return NULL;
}

// Finds gathers of the elements after `first` that are all available in one statement.
static bool find_run(Gathers *g, Gathered *first, int length, Gathered **members)
{
    int from = first->first, to = first->last;
    if (first->replacement) return false;
    members[0] = first;
    for (int k = 1; k < length; k++) {
        Gathered *next = members[k] = find_beside(g, first, k, from, to);
        if (!next) return false;
        from = next->first > from ? next->first : from;
        to = next->last < to ? next->last : to;
    }
    return true;
}

// Makes runs of `length` elements, beginning with elements that no other one precedes, so that
// records of several runs are taken from their beginnings. Not where C compilers make shuffles of
// single loads.
static void make_runs(Gathers *g, int length)
{
    Gathered *members[GROUP];
    for (int i = 0; i < g->seen.len; i++) {
        Gathered *at = &g->seen.at[i];
        bool suits = !at->replacement && (length == GROUP || !at->steps);
        if (!suits || find_beside(g, at, -1, at->first, at->last)) continue;
        while (at) {
            bool run = find_run(g, at, length, members);
            if (run) make_run(g, members, length);
            at = find_beside(g, at, run ? length : 1, at->first, at->last);
        }
    }
}

// Finds gathers that are executed whenever the expression is evaluated.
static void find_gathers(Gathers *g, Node *e)
{
    if (node_is_size_or_type(e)) return;
    bool chooses = e->kind == LOOP_SELECT && e->op[0]->type->kind != TYPE_VEC;
    for (uint32_t i = 0; i < (chooses ? 1 : e->nops); i++) find_gathers(g, e->op[i]);
    if (is_scalarised(g, e)) add_gather(g, e);
}

// --- statements ---------------------------------------------------------------------------------

// Whether the statement is straight-line code with no other statements in it.
static bool is_plain(Node *s)
{
    return s->kind == LOOP_DECL || s->kind == LOOP_SET || loops_is_store(s) ||
           s->kind == LOOP_ALLOC;
}

// Ends the availability of the gathers whose values the current statement may change. Positions and
// masks load nothing: vectorisation has given loaded ones names.
static void kill_gathers(Gathers *g, Node *s)
{
    for (int i = g->open; i < g->seen.len; i++) {
        Gathered *old = &g->seen.at[i];
        bool changed = !is_plain(s) ||
                       (s->kind == LOOP_SET && loops_uses(g->cx, old->gather, s->attr.sym)) ||
                       (loops_is_store(s) && s->attr.sym == old->gather->attr.sym);
        if (changed && old->last < 0) old->last = is_plain(s) ? g->now : g->now - 1;
    }
    if (!is_plain(s)) g->open = g->seen.len;
}

typedef struct {
    const Gathers *gathers;
    int now;
} Replacement;

static Node *replace(Session *cx, Node *e, int depth, void *env)
{
    const Replacement *r = env;
    if (node_is_size_or_type(e) || loops_is_stmt(e)) return e;
    for (int i = 0; e->kind == LOOP_GATHER && i < r->gathers->seen.len; i++) {
        const Gathered *g = &r->gathers->seen.at[i];
        if (g->gather == e && g->replacement && r->now >= g->first && r->now <= g->last)
            return g->replacement;
    }
    return node_map(cx, e, depth, replace, env);
}

static Node *with_runs(Gathers *g, Node *block)
{
    Stmts out = {0};
    for (int i = 0; i < (int)block->nops; i++) {
        Replacement r = {g, i};
        Node *s = block->op[i];
        for (int k = 0; k < g->inserted.len; k++)
            for (int h = 0; g->inserted.at[k].at == i && h < g->inserted.at[k].stmts.len; h++)
                vec_push(g->cx->arena, &out, g->inserted.at[k].stmts.at[h]);
        for (uint32_t k = 0; is_plain(s) && k < s->nops; k++)
            s = node_with_op(g->cx, s, (int)k, replace(g->cx, s->op[k], 0, &r));
        vec_push(g->cx->arena, &out, s);
    }
    return loops_block(g->cx, out.len, out.at);
}

static Node *in_block(Session *cx, Node *block)
{
    Gathers g = {.cx = cx, .at = map_new(cx->arena)};
    for (g.now = 0; g.now < (int)block->nops; g.now++) {
        Node *s = block->op[g.now];
        for (uint32_t k = 0; is_plain(s) && k < s->nops; k++) find_gathers(&g, s->op[k]);
        kill_gathers(&g, s);
    }
    for (int i = 0; i < g.seen.len; i++)
        if (g.seen.at[i].last < 0) g.seen.at[i].last = (int)block->nops - 1;
    for (int length = GROUP; length > 1; length /= 2) make_runs(&g, length);
    return g.inserted.len ? with_runs(&g, block) : block;
}

static Node *in_statement(void *env, Node *s)
{
    Session *cx = env;
    s = loops_map(cx, s, in_statement, cx);
    return s->kind == LOOP_BLOCK ? in_block(cx, s) : s;
}

static LoopEntry *runs_of_entry(Session *cx, const LoopEntry *e)
{
    return loops_with_body(cx, e, in_statement(cx, e->body));
}

LoopEntry *loops_coalesce_gathers(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, runs_of_entry);
}
