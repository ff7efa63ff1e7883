// Coalesces gathers of adjacent elements, x[at] and x[at + 1], into gathers of pairs: two vectors
// each gather the pairs of half the lanes, and shuffles within 16 bytes separate the elements. This
// halves the number of loads and insertions.
//
//   a = gather_where x at m              p = gather_pairs x at m 0      # pairs of lanes 0 1 4 5 ..
//   b = gather_where x (at + 1) m        q = gather_pairs x at m 1      # pairs of lanes 2 3 6 7 ..
//                                        a = shuffled p q 0 2 8 10 ..
//                                        b = shuffled p q 1 3 9 11 ..
#include "base/target/cpu.h"
#include "loops/simplify/simplify.h"

enum { LANE = 4, GROUP = 4 }; // bytes per lane, and lanes per 16 bytes

// A gather, and the range of statements in the block over which its value does not change.
typedef struct {
    Node *gather, *rest, *offset; // at positions rest + offset
    int first, last;
    Node *replacement; // NULL if it has no partner
} Gathered;

typedef struct {
    int at;       // the statement to insert before
    Node *halves; // a block of two declarations
} Pair;

typedef struct {
    Session *cx;
    VEC(Gathered) seen; // the gathers in this block
    VEC(Pair) pairs;
    int open; // the first gather that is still available
    int now;  // the current statement
} Pairs;

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

// --- a pair -------------------------------------------------------------------------------------

static Node *half(Pairs *p, Node *gather, Node *positions, int number)
{
    Node *ops[] = {positions, gather->op[1], nat_const(p->cx, number)};
    return node_make(p->cx, &(NodeSpec){.kind = LOOP_GATHER_PAIRS,
                                        .attr.sym = gather->attr.sym,
                                        .type = gather->type,
                                        .nops = 3,
                                        .ops = ops,
                                        .origin = gather->origin});
}

// The first or second element of each pair in the halves a and b.
static Node *elements(Pairs *p, Node *a, Node *b, int64_t lanes, int which)
{
    Node **ops = ARENA_ARRAY(p->cx->arena, Node *, lanes + 2);
    ops[0] = a;
    ops[1] = b;
    for (int64_t k = 0; k < lanes; k++) {
        int64_t group = k / GROUP * GROUP, in = k % GROUP, slot = group + in % 2 * 2 + which;
        ops[2 + k] = nat_const(p->cx, slot + (in < 2 ? 0 : lanes));
    }
    return node_make(
        p->cx,
        &(NodeSpec){.kind = LOOP_SHUFFLE, .type = a->type, .nops = (int)lanes + 2, .ops = ops});
}

static void pair(Pairs *p, Gathered *low, Gathered *high)
{
    int64_t lanes;
    Node *halves[2], *locals[2];
    type_is_vec(low->gather->type, &lanes);
    for (int i = 0; i < 2; i++) {
        Node *pairs = half(p, low->gather, low->gather->op[0], i);
        locals[i] = loops_name(p->cx, "pairs", pairs, &halves[i], pairs->origin);
    }
    low->replacement = elements(p, locals[0], locals[1], lanes, 0);
    high->replacement = elements(p, locals[0], locals[1], lanes, 1);
    int at = low->first < high->first ? low->first : high->first;
    vec_push(p->cx->arena, &p->pairs, ((Pair){at, loops_block(p->cx, 2, halves)}));
}

// --- gathers ------------------------------------------------------------------------------------

// Whether the positions form an arithmetic progression.
static bool is_step(Node *positions)
{
    if (positions->kind == LOOP_IOTA || positions->kind == LOOP_SPLAT) return true;
    if (positions->kind != CORE_PRIM) return false;
    for (uint32_t i = 0; i < positions->nops; i++)
        if (!is_step(positions->op[i])) return false;
    return true;
}

// Whether the target implements this gather with scalar loads, and its vector fits in a register.
static bool is_scalarised(const Pairs *p, Node *e)
{
    int64_t lanes;
    Scalar s;
    int least = p->cx->cpu->costs.gather;
    if (e->kind != LOOP_GATHER || !type_is_vec(e->type, &lanes) ||
        !type_is_scalar(type_lane(e->type), &s))
        return false;
    bool all = e->op[1]->kind == LOOP_SPLAT, steps = all && is_step(e->op[0]);
    if (steps) return false; // C compilers turn these into shuffles
    int64_t bytes = lanes * LANE;
    bool whole = scalar_info[s].size == LANE && lanes % GROUP == 0 && bytes <= p->cx->vector_bytes;
    return whole && (least == 0 || bytes < least);
}

// The distance from a to b in elements; 0 if they are equal, or differ in more than the offset.
static int64_t distance(const Pairs *p, const Gathered *a, const Gathered *b)
{
    int64_t k;
    bool like = a->gather->attr.sym == b->gather->attr.sym && a->rest == b->rest &&
                a->gather->op[1] == b->gather->op[1] && a->gather->type == b->gather->type;
    return like && nat_is_const(nat_sub(p->cx, b->offset, a->offset), &k) ? k : 0;
}

static void add_gather(Pairs *p, Node *e)
{
    Gathered new = {.gather = e, .first = p->now, .last = p->now};
    for (int i = p->open; i < p->seen.len; i++)
        if (p->seen.at[i].gather == e && p->seen.at[i].last < 0) return;
    new.last = -1;
    new.rest = gather_positions_without_offset(p->cx, e->op[0], &new.offset);
    vec_push(p->cx->arena, &p->seen, new);
    Gathered *own = &vec_last(&p->seen);
    for (int i = p->open; i < p->seen.len - 1 && !own->replacement; i++) {
        Gathered *other = &p->seen.at[i];
        int64_t by = other->replacement || other->last >= 0 ? 0 : distance(p, other, own);
        if (by == 1) pair(p, other, own);
        if (by == -1) pair(p, own, other);
    }
}

// Finds gathers that are executed whenever the expression is evaluated.
static void find_gathers(Pairs *p, Node *e)
{
    if (node_is_size_or_type(e)) return;
    bool chooses = e->kind == LOOP_SELECT && e->op[0]->type->kind != TYPE_VEC;
    for (uint32_t i = 0; i < (chooses ? 1 : e->nops); i++) find_gathers(p, e->op[i]);
    if (is_scalarised(p, e)) add_gather(p, e);
}

// --- statements ---------------------------------------------------------------------------------

// Whether the statement is straight-line code with no other statements in it.
static bool is_plain(Node *s)
{
    return s->kind == LOOP_DECL || s->kind == LOOP_SET || loops_is_store(s) ||
           s->kind == LOOP_ALLOC;
}

// Ends the availability of the gathers whose values the current statement may change.
static void kill_gathers(Pairs *p, Node *s)
{
    for (int i = p->open; i < p->seen.len; i++) {
        Gathered *g = &p->seen.at[i];
        bool changed = !is_plain(s) ||
                       (s->kind == LOOP_SET && loops_uses(p->cx, g->gather, s->attr.sym)) ||
                       (loops_is_store(s) && s->attr.sym == g->gather->attr.sym);
        if (changed && g->last < 0) g->last = is_plain(s) ? p->now : p->now - 1;
    }
    if (!is_plain(s)) p->open = p->seen.len;
}

typedef struct {
    const Pairs *pairs;
    int now;
} Replacement;

static Node *replace(Session *cx, Node *e, int depth, void *env)
{
    const Replacement *r = env;
    if (node_is_size_or_type(e) || loops_is_stmt(e)) return e;
    for (int i = 0; e->kind == LOOP_GATHER && i < r->pairs->seen.len; i++) {
        const Gathered *g = &r->pairs->seen.at[i];
        if (g->gather == e && g->replacement && r->now >= g->first && r->now <= g->last)
            return g->replacement;
    }
    return node_map(cx, e, depth, replace, env);
}

static Node *with_pairs(Pairs *p, Node *block)
{
    Stmts out = {0};
    for (int i = 0; i < (int)block->nops; i++) {
        Replacement r = {p, i};
        Node *s = block->op[i];
        for (int k = 0; k < p->pairs.len; k++)
            for (uint32_t h = 0; p->pairs.at[k].at == i && h < 2; h++)
                vec_push(p->cx->arena, &out, p->pairs.at[k].halves->op[h]);
        for (uint32_t k = 0; is_plain(s) && k < s->nops; k++)
            s = node_with_op(p->cx, s, (int)k, replace(p->cx, s->op[k], 0, &r));
        vec_push(p->cx->arena, &out, s);
    }
    return loops_block(p->cx, out.len, out.at);
}

static Node *in_block(Session *cx, Node *block)
{
    Pairs p = {.cx = cx};
    for (p.now = 0; p.now < (int)block->nops; p.now++) {
        Node *s = block->op[p.now];
        for (uint32_t k = 0; is_plain(s) && k < s->nops; k++) find_gathers(&p, s->op[k]);
        kill_gathers(&p, s);
    }
    for (int i = 0; i < p.seen.len; i++)
        if (p.seen.at[i].last < 0) p.seen.at[i].last = (int)block->nops - 1;
    return p.pairs.len ? with_pairs(&p, block) : block;
}

static Node *in_statement(void *env, Node *s)
{
    Session *cx = env;
    s = loops_map(cx, s, in_statement, cx);
    return s->kind == LOOP_BLOCK ? in_block(cx, s) : s;
}

static LoopEntry *pairs_of_entry(Session *cx, const LoopEntry *e)
{
    return loops_with_body(cx, e, in_statement(cx, e->body));
}

LoopEntry *loops_coalesce_gathers(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, pairs_of_entry);
}
