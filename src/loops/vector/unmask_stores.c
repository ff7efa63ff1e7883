// Replaces packed stores with stores of whole vectors, which are faster. If a loop fills an array,
// starting at its first element, a store may overwrite the elements after the packed lanes, since
// later stores replace them:
//
//   for i in 0 .. n/L                              for i in 0 .. n/L
//       store_packed out k x m          becomes        store_packed.unchecked out k x m
//       k += count(m)                                  k += count(m)
//
// This is legal if the loop contains the first access to the array and no other store to it, and
// the array has room for the lanes of all iterations.
#include "loops/vector/vectors.h"

typedef struct {
    Session *cx;
    Simplifier s; // the facts that hold where the loop begins
    Map counters; // loop index -> a local that starts at 0 and that the loop sets
    Map fresh;    // array -> the index of the loop that mentions it first
    Map lengths;  // array -> its number of elements
} Whole;

// --- arrays whose first access is in a loop ------------------------------------------------------

typedef struct {
    Whole *w;
    Map born;      // array -> the innermost loop that encloses its allocation
    Map mentioned; // names mentioned so far
    Map seen;      // nodes visited so far
} Order;

static void mention(Order *o, Node *n)
{
    if (map_get(&o->seen, MAP_KEY(n))) return;
    map_put(&o->seen, MAP_KEY(n), o);
    if (kind_info[n->kind].attr == ATTR_SYM && n->kind != LOOP_ALLOC)
        map_put(&o->mentioned, MAP_KEY(n->attr.sym), o);
    for (uint32_t i = 0; i < n->nops; i++) mention(o, n->op[i]);
}

// Finds the loop's unconditional packed stores to arrays that have not been accessed before.
static void find_firsts(Order *o, Node *s, Node *loop, Node *around)
{
    Whole *w = o->w;
    Sym array = s->attr.sym;
    if (s->kind == LOOP_STORE_PACKED && !map_get(&o->mentioned, MAP_KEY(array)) &&
        map_get(&w->lengths, MAP_KEY(array)) && map_get(&o->born, MAP_KEY(array)) == around)
        map_put(&w->fresh, MAP_KEY(array), (void *)(uintptr_t)loop->attr.sym);
    for (uint32_t i = 0; s->kind == LOOP_BLOCK && i < s->nops; i++)
        find_firsts(o, s->op[i], loop, around);
}

static bool in_turn(Node *s)
{
    return s->kind == LOOP_FOR || s->kind == LOOP_STRIDED;
}

static void in_order(Order *o, Node *s, Node *around)
{
    bool again = loops_is(s, IS_LOOP) || s->kind == LOOP_SPAWN;
    if (s->kind == LOOP_ALLOC) {
        map_put(&o->w->lengths, MAP_KEY(s->attr.sym), (void *)(uintptr_t)s->op[1]);
        map_put(&o->born, MAP_KEY(s->attr.sym), (void *)(uintptr_t)around);
    }
    if (in_turn(s) && map_get(&o->w->counters, MAP_KEY(s->attr.sym)))
        find_firsts(o, loops_body(s), s, around);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) in_order(o, s->op[i], again ? s : around);
    mention(o, s);
}

// --- one iteration ------------------------------------------------------------------------------

typedef struct {
    Whole *w;
    Node *loop;
    Sym counter;
    Map now;          // locals that equal the counter
    Map next;         // packed stores at the counter
    VEC(Node *) kept; // masks of packed stores since the counter was last set
    int64_t lanes;    // upper bound on the increment so far
    bool counts;      // increment_of bounds every assignment to the counter
} Iteration;

static bool is_counter(const Iteration *r, Node *e)
{
    return e->kind == LOOP_VAR && e->attr.sym == r->counter;
}

static bool is_next(const Iteration *r, Node *position)
{
    return position->kind == NAT_VAR &&
           (position->attr.sym == r->counter || map_get(&r->now, MAP_KEY(position->attr.sym)));
}

// An upper bound on the increment (the count of the stores' mask, or a constant), or -1 if unknown.
static int64_t increment_of(const Iteration *r, Node *set)
{
    int64_t n;
    Node *sum = set->kind == LOOP_SET ? set->op[0] : NULL;
    if (!sum || sum->kind != CORE_PRIM || sum->attr.i != PRIM_ADD || !is_counter(r, sum->op[0]))
        return -1;
    Node *more = sum->op[1], *mask = more->kind == LOOP_COUNT ? more->op[0] : NULL;
    for (int i = 0; i < r->kept.len; i++)
        if (r->kept.at[i] != mask) return -1;
    if (mask) return type_is_vec(mask->type, &n) ? n : -1;
    return more->kind == CORE_NAT && nat_is_const(more->op[0], &n) && n >= 0 ? n : -1;
}

static bool is_fresh(const Iteration *r, Node *store)
{
    void *first = map_get(&r->w->fresh, MAP_KEY(store->attr.sym));
    return first && first == (void *)(uintptr_t)r->loop->attr.sym;
}

// Visits a packed store. Returns the store, made unchecked if it is at the counter and the array
// has room for all lanes.
static Node *visit_store(Iteration *r, Node *s, int64_t total)
{
    int64_t lanes;
    vec_push(r->w->cx->arena, &r->kept, s->op[2]);
    if (!is_next(r, s->op[0]) || !type_is_vec(s->op[1]->type, &lanes)) return s;
    map_put(&r->next, MAP_KEY(s), r);
    return is_fresh(r, s) && r->lanes + lanes <= total
               ? node_with_variant(r->w->cx, s, VARIANT_UNCHECKED)
               : s;
}

// Visits the statements of an iteration in order. If `total` is 0, only counts lanes.
static Node *visit_iteration(Iteration *r, Node *s, int64_t total)
{
    Session *cx = r->w->cx;
    if (s->kind == LOOP_BLOCK) {
        Stmts out = {0};
        for (uint32_t i = 0; i < s->nops; i++)
            vec_push(cx->arena, &out, visit_iteration(r, s->op[i], total));
        return loops_block(cx, out.len, out.at);
    }
    if (s->kind == LOOP_STORE_PACKED) return visit_store(r, s, total);
    if (s->kind == LOOP_DECL && is_counter(r, s->op[1])) map_put(&r->now, MAP_KEY(s->attr.sym), r);
    if (!loops_sets(s, r->counter)) return s;
    int64_t more = increment_of(r, s);
    r->counts &= more >= 0;
    r->lanes += more;
    r->kept.len = 0;
    r->now = map_new(cx->arena);
    return s;
}

static Node *trip_count(Session *cx, Node *loop)
{
    Node *extent = nat_sub(cx, loops_to(loop), loops_from(loop)), *step = loop->op[0];
    if (loop->kind == LOOP_FOR) return extent;
    return nat_div(cx, nat_add(cx, extent, nat_sub(cx, step, nat_const(cx, 1))), step);
}

// Drops arrays that have other stores or not enough room.
static void drop_others(Iteration *r, Node *s, Node *total)
{
    Session *cx = r->w->cx;
    Node *room = loops_is_store(s) ? map_get(&r->w->lengths, MAP_KEY(s->attr.sym)) : NULL;
    bool fits = room && nat_le(cx, r->w->s.facts, total, room) == TRUTH_YES;
    if (room && !(fits && map_get(&r->next, MAP_KEY(s))))
        map_put(&r->w->fresh, MAP_KEY(s->attr.sym), NULL);
    for (uint32_t i = 0; i < s->nops; i++) {
        if (s->op[i]->kind == LOOP_ADDRESS)
            map_put(&r->w->fresh, MAP_KEY(s->op[i]->attr.sym), NULL);
        if (loops_is_stmt(s->op[i])) drop_others(r, s->op[i], total);
    }
}

static Node *filling(Whole *w, Node *loop, Sym counter)
{
    Session *cx = w->cx;
    Node *body = loops_body(loop);
    Arena *a = cx->arena;
    Iteration r = {w, loop, counter, map_new(a), map_new(a), {0}, 0, true};
    visit_iteration(&r, body, 0);
    int64_t total = r.lanes;
    if (!r.counts || total == 0 || r.kept.len > 0) return loop;
    drop_others(&r, body, nat_mul(cx, nat_const(cx, total), trip_count(cx, loop)));
    r = (Iteration){w, loop, counter, map_new(a), map_new(a), {0}, 0, true};
    return node_with_op(cx, loop, loop->nops - 1, visit_iteration(&r, body, total));
}

static Node *whole(void *env, Node *s)
{
    Whole *w = env;
    Sym counter = in_turn(s) ? map_get(&w->counters, MAP_KEY(s->attr.sym)) : NULL;
    if (counter) s = filling(w, s, counter);
    return simplifier_map(&w->s, s, whole, w);
}

Node *unmask_stores(Session *cx, const LoopEntry *e, Node *body)
{
    Arena *a = cx->arena;
    Whole w = {cx, simplifier_new(cx, e), map_new(a), map_new(a), map_new(a)};
    find_counters_from_zero(body, &w.counters);
    if (w.counters.len == 0) return body;
    Order o = {&w, map_new(a), map_new(a), map_new(a)};
    for (int i = 0; i < e->params.len; i++) {
        const LoopParam *p = &e->params.at[i];
        bool between = p->strides && p->rank > 1; // there may be gaps between rows
        if (p->output && !p->both && p->rank && !between)
            map_put(&w.lengths, MAP_KEY(p->name), (void *)(uintptr_t)p->count);
    }
    in_order(&o, body, NULL);
    return whole(&w, body);
}
