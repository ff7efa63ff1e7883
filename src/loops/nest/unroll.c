// Unrolls short loops over constant tables (such as the weights of a stencil), whose elements then
// become literals; short sums, so that the enclosing loop becomes innermost; and loops marked by
// the program.
#include "loops/simplify/simplify.h"
#include "loops/vector/vectors.h"

// Maximum trip counts and weights of loops over tables, of marked loops, and of sums.
enum { MAX_TIMES = 8, MAX_BODY = 60, MAX_UNROLLED = 1000 };
enum { MAX_MARKED_TIMES = 64 };
enum { MAX_SUM_TIMES = 5, MAX_SUM = 500 };

typedef struct {
    Session *cx;
    Simplifier *s;
    Map tables; // Sym -> its literals, a Node *[]
    Map counts; // Sym -> number of literals
    int depth;  // number of enclosing loops
    int lanes;  // number of those over lanes
} Unroll;

// --- tables -------------------------------------------------------------------------------------

static void note_table(Unroll *u, Node *block, uint32_t at)
{
    uint32_t n = loops_table(block, at);
    Sym name = block->op[at]->attr.sym;
    if (n == 0) return;
    Node **values = ARENA_ARRAY(u->cx->arena, Node *, n);
    for (uint32_t k = 0; k < n; k++) {
        Node *position = block->op[at + 1 + k]->op[0];
        if (position->attr.i != (int64_t)k) return;
        values[k] = block->op[at + 1 + k]->op[1];
    }
    map_put(&u->tables, MAP_KEY(name), values);
    map_put(&u->counts, MAP_KEY(name), (void *)(uintptr_t)n);
}

static void find_tables(Unroll *u, Node *s)
{
    for (uint32_t i = 0; i < s->nops; i++) {
        if (s->kind == LOOP_BLOCK && s->op[i]->kind == LOOP_ALLOC) note_table(u, s, i);
        if (loops_is_stmt(s->op[i])) find_tables(u, s->op[i]);
    }
}

static Node *table_value(Session *cx, Node *n, void *env)
{
    (void)cx;
    const Unroll *u = env;
    if (n->kind != LOOP_LOAD) return n;
    Node *const *values = map_get(&u->tables, MAP_KEY(n->attr.sym));
    int64_t at;
    if (!values || !nat_is_const(n->op[0], &at)) return n;
    int64_t count = (int64_t)(uintptr_t)map_get(&u->counts, MAP_KEY(n->attr.sym));
    return at >= 0 && at < count ? values[at] : n;
}

// --- loops --------------------------------------------------------------------------------------

static bool reads_table(Node *n, void *env)
{
    const Unroll *u = env;
    return n->kind == LOOP_LOAD && map_get(&u->tables, MAP_KEY(n->attr.sym)) &&
           n->op[0]->kind != NAT_CONST;
}

// Whether the body only sets locals and has no loops, like that of a sum or maximum of a few
// elements.
static bool is_sum(Node *s)
{
    if (s->kind == LOOP_STORE || s->kind == LOOP_ALLOC || loops_is_counted(s)) return false;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && !is_sum(s->op[i])) return false;
    return loops_is_straight(s);
}

// Whether a loop is worth unrolling as a sum. The mask of a vector is not: `vectorise` makes one
// instruction of its reduction.
static bool is_short_sum(const Unroll *u, Node *loop, int64_t times, int weight)
{
    if (u->depth == 0 || times > MAX_SUM_TIMES || weight * times > MAX_SUM) return false;
    if (u->lanes == 0 && (is_horizontal(loop) || is_count_of_lanes(u->cx, loop))) return false;
    return is_sum(loops_body(loop));
}

// The trip count of a loop that is worth unrolling, or 0.
static int64_t times_to_unroll(Unroll *u, Node *loop)
{
    Node *body = loops_body(loop);
    int64_t times = loops_trip_count(u->cx, loop);
    bool marked = loop->variant == VARIANT_UNROLL;
    if (times < 0 || times > (marked ? MAX_MARKED_TIMES : MAX_TIMES) || loops_may_jump(body))
        return 0;
    int weight = loops_weight(body, MAX_UNROLLED);
    if (marked) return times;
    if (!is_short_sum(u, loop, times, weight) &&
        (weight > MAX_BODY || !node_any(body, reads_table, u)))
        return 0;
    return weight * times <= MAX_UNROLLED ? times : 0;
}

static Node *iteration(Unroll *u, Node *loop, int64_t k)
{
    Node *index = nat_add(u->cx, loops_from(loop), nat_const(u->cx, k));
    Scope outer = simplifier_enter(u->s);
    Node *body = simplify_stmt(u->s, simplifier_iteration(u->s, loop, index));
    simplifier_leave(u->s, outer, body);
    return node_rewrite(u->cx, body, table_value, u);
}

static Node *unroll(void *env, Node *s)
{
    Unroll *u = env;
    bool loop = loops_is(s, IS_LOOP), lanes = s->kind == LOOP_VECTORIZE;
    u->depth += loop;
    u->lanes += lanes;
    s = simplifier_map(u->s, s, unroll, u);
    u->depth -= loop;
    u->lanes -= lanes;
    int64_t times = s->kind == LOOP_FOR ? times_to_unroll(u, s) : 0;
    if (times == 0) return s;
    Stmts out = {0};
    for (int64_t k = 0; k < times; k++) vec_push(u->cx->arena, &out, iteration(u, s, k));
    return loops_block(u->cx, out.len, out.at);
}

static LoopEntry *unroll_entry(Session *cx, const LoopEntry *e)
{
    Simplifier s = simplifier_new(cx, e);
    Unroll u = {cx, &s, map_new(cx->arena), map_new(cx->arena), 0, 0};
    find_tables(&u, e->body);
    return loops_with_body(cx, e, loops_dce(cx, unroll(&u, e->body)));
}

LoopEntry *loops_unroll(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, unroll_entry);
}
