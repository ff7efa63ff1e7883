// Loops over lanes become statements on vectors, a vector of L elements for L rounds:
//
//   for i in vectorize(8, 0, n)              for i in 0, 8, .. up to the last whole 8
//       t = x[i] * s             becomes         t : vec[8] = x[i ..] * splat(s)
//       y[i] = max(t, x[i])                      y[i ..] = max(t, x[i ..])
//                                            the rounds that are left, one after the other, or together, with a mask
//
// What differs by lane is found by divergence.c; legality.c says what can be vectors; if_convert.c makes them, with masks where lanes go
// different ways.
//
// An array whose elements are stored one by one by name is better left to C compilers, which keep these in registers: a vector of them
// would have to wait until all are in memory.
//
// Vectors are no wider than the machine's: C compilers take those apart badly, so that the loop goes over fewer lanes at a time when
// the widest element of the body asks for that.
//
// Legal, since a lane does not assign what another reads or assigns (the language's rule), so that only the order within a lane matters, and
// that is kept. Where it can be seen that lanes meet, nothing is done.
#include "loops/vector/vectors.h"

enum { MAX_SHORT = 500 }; // weight of what is written out

// --- loops --------------------------------------------------------------------------------------

static void find_arrays(Node *s, LaneArrays *arrays)
{
    if (s->kind == LOOP_STORE && s->op[0]->kind == NAT_CONST && s->op[1]->kind != CORE_LIT)
        map_put(&arrays->named, MAP_KEY(s->attr.sym), arrays);
    if (s->kind == LOOP_ALLOC && s->variant == VARIANT_STACK && s->op[1]->kind == NAT_CONST)
        map_put(&arrays->stack, MAP_KEY(s->attr.sym), (void *)(uintptr_t)s);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_arrays(s->op[i], arrays);
}

static void find_constants(Node *s, const Map *changed, Map *constants)
{
    if (s->kind == LOOP_DECL && !map_get(changed, MAP_KEY(s->attr.sym)))
        map_put(constants, MAP_KEY(s->attr.sym), (void *)(uintptr_t)s);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_constants(s->op[i], changed, constants);
}

// What differs by lane in the body, which is put into a form that can be done on lanes.
static Node *analysed(Divergence *d, Node *body)
{
    enum { ROUNDS = 8 }; // of loops in loops whose ends differ
    for (int i = 0; i < ROUNDS; i++) {
        body = lanes_prepared(d, body);
        divergence_find(d, body);
        if (d->uneven.len == 0) return lanes_with_exits_apart(d, lanes_with_counters(d, body));
    }
    return NULL;
}

// `w`: what is known there, or NULL.
static bool is_suited(Session *cx, const LaneWalk *w, Node *loop, int64_t lanes, SuitedLoop *s)
{
    int64_t first, rounds;
    *s = (SuitedLoop){.loop = loop};
    s->d = (Divergence){.cx = cx,
                        .index = loop->attr.sym,
                        .lanes = lanes,
                        .outer = w ? &w->constants : NULL,
                        .callees = w ? &w->callees : NULL,
                        .uneven = map_new(cx->arena)};
    s->d.numbers = nat_is_const(loops_from(loop), &first) && first == 0 &&
                   nat_is_const(loops_to(loop), &rounds) && rounds == lanes;
    s->body = analysed(&s->d, loops_body(loop));
    if (!s->body) lane_lost(cx, &s->losses, LOSS_ENDS, NULL, NO_SPAN);
    bool suits =
        s->body && lanes_suit(&s->d, s->body, w ? &w->arrays : NULL, &s->widest, &s->losses);
    while (suits && s->d.lanes * s->widest > cx->vector_bytes) s->d.lanes /= 2;
    return suits && s->d.lanes >= 2;
}

bool lanes_suit_loop(const LaneWalk *w, Node *loop, int64_t lanes, SuitedLoop *s)
{
    bool suits = is_suited(w->cx, w, loop, lanes, s);
    lanes_noted(&s->d, w->entry, loop, suits ? s->body : NULL);
    return suits;
}

Node *lanes_of_loop(SuitedLoop *s, const LaneWalk *w, Node *mask)
{
    Session *cx = s->d.cx;
    Facts *facts = facts_new(cx, cx->arena, w ? w->s.facts : NULL);
    Node *whole = nat_sub(cx, loops_to(s->loop), nat_const(cx, s->d.lanes - 1));
    facts_range(facts, s->d.index, loops_from(s->loop), mask ? loops_to(s->loop) : whole);
    return lanes_linearised(&s->d, w ? w->entry : NULL, facts, s->body, mask);
}

Node *loops_on_lanes(Session *cx, Node *loop, int64_t lanes)
{
    SuitedLoop s;
    return is_suited(cx, NULL, loop, lanes, &s) && s.d.lanes == lanes
               ? lanes_of_loop(&s, NULL, NULL)
               : NULL;
}

static int64_t lanes_of(Node *loop)
{
    int64_t lanes;
    if (loop->kind != LOOP_VECTORIZE || !nat_is_const(loop->op[0], &lanes)) return 0;
    bool vector = lanes > 1 && lanes <= LOOPS_MAX_LANES && (lanes & (lanes - 1)) == 0;
    return vector ? lanes : 0;
}

static Node *loop_of(Session *cx, Node *like, Kind kind, int n, Node *const *ops)
{
    return node_make(cx, &(NodeSpec){.kind = kind,
                                     .attr.sym = like->attr.sym,
                                     .nops = n,
                                     .ops = ops,
                                     .origin = like->origin});
}

// Few vectors, as when those of the machine are shorter than the lanes, need no loop: what is stored by one statement and read by the next
// then stays in registers.
static bool is_short(Node *body, int64_t rounds)
{
    return rounds == 1 ||
           (rounds <= LANES_FEW && loops_weight(body, MAX_SHORT) * rounds < MAX_SHORT);
}

Node *lanes_written_out(Session *cx, Node *loop, int64_t lanes, int64_t rounds)
{
    Stmts out = {0};
    for (int64_t k = 0; k < rounds; k++) {
        Node *copy = k ? loops_copy(cx, loop, NULL, NULL) : loop;
        Node *index = nat_add(cx, loops_from(loop), nat_const(cx, k * lanes));
        NodeBinding with = {copy->attr.sym, index};
        vec_push(cx->arena, &out, node_replace_names(cx, loops_body(copy), &with, 1));
    }
    return loops_block(cx, out.len, out.at);
}

// --- the rounds that are left --------------------------------------------------------------------

// Lanes of masks as wide as the elements.
static Node *number_of_lane(Session *cx, int size, int64_t lanes)
{
    static const Scalar by_size[] = {
        [1] = SCALAR_I8, [2] = SCALAR_I16, [4] = SCALAR_I32, [8] = SCALAR_I64};
    return type_scalar(cx, by_size[lanes > INT8_MAX && size == 1 ? 2 : size]);
}

Node *lanes_before(const SuitedLoop *s, Node *left)
{
    Session *cx = s->d.cx;
    Node *type = number_of_lane(cx, s->widest, s->d.lanes);
    Node *lane = node_make(
        cx, &(NodeSpec){.kind = LOOP_IOTA, .type = vec_type(&s->d, type_scalar(cx, SCALAR_I64))});
    return vec_prim(cx, PRIM_LT, vec_cast(&s->d, lane, type),
                    vec_splat(&s->d, core_cast(cx, core_size(cx, left), type)));
}

static Node *before_end(const SuitedLoop *s)
{
    return lanes_before(s, nat_sub(s->d.cx, loops_to(s->loop), nat_var(s->d.cx, s->d.index)));
}

static Node *in_order(Session *cx, Node *loop, Node *done)
{
    Node *ops[] = {done, loops_to(loop), loops_body(loop)};
    return loops_copy(cx, loop_of(cx, loop, LOOP_FOR, 3, ops), NULL, NULL);
}

// At once, with a mask, where that is cheaper than one after the other.
static Node *rest(const LaneWalk *w, SuitedLoop *s, Node *done)
{
    Session *cx = s->d.cx;
    Node *loop = s->loop, *to = loops_to(loop), *left = nat_sub(cx, to, done);
    if (!lanes_pay_masked(&s->d, s->body, s->widest, left)) return in_order(cx, loop, done);
    NodeBinding at = {s->d.index, done};
    Node *body = node_replace_names(cx, lanes_of_loop(s, w, before_end(s)), &at, 1);
    Node *some = core_prim(cx, PRIM_LT, 2, (Node *[]){core_size(cx, done), core_size(cx, to)});
    Node *ops[] = {some, loops_copy(cx, body, NULL, NULL), loops_block(cx, 0, NULL)};
    if (nat_lt(cx, w->s.facts, done, to) == TRUTH_YES) return ops[1];
    return loop_of(cx, loop, LOOP_IF, 3, ops);
}

// Whole vectors, and what is left; NULL: there are no whole ones, and one with a mask does not pay.
static Node *in_vectors(const LaneWalk *w, SuitedLoop *s)
{
    Session *cx = w->cx;
    const Facts *facts = w->s.facts;
    Node *loop = s->loop;
    int64_t lanes = s->d.lanes, known;
    Node *from = loops_from(loop), *to = loops_to(loop), *size = nat_const(cx, lanes);
    Node *extent = nat_sub(cx, to, from);
    if (nat_ge0(cx, facts, extent) != TRUTH_YES) extent = nat_max(cx, extent, nat_const(cx, 0));
    Node *blocks = nat_simplify(cx, facts, nat_div(cx, extent, size));
    bool fixed = nat_is_const(blocks, &known);
    if (fixed && known == 0)
        return lanes_pay_masked(&s->d, s->body, s->widest, extent) ? rest(w, s, from) : NULL;
    Node *done = nat_add(cx, from, nat_mul(cx, blocks, size)), *body = lanes_of_loop(s, w, NULL);
    Node *all = loop_of(cx, loop, LOOP_STRIDED, 4, (Node *[]){size, from, done, body});
    body = fixed && is_short(body, known) ? lanes_written_out(cx, all, lanes, known) : all;
    if (nat_le(cx, facts, to, done) == TRUTH_YES) return body;
    return loops_block(cx, 2, (Node *[]){body, rest(w, s, done)});
}

static Node *vectors(const LaneWalk *w, Node *loop)
{
    int64_t lanes = lanes_of(loop);
    SuitedLoop s;
    bool suits = lanes_suit_loop(w, loop, lanes, &s);
    Node *done = suits ? in_vectors(w, &s) : NULL;
    if (suits && !done) lane_lost(w->cx, &s.losses, LOSS_SHORT, NULL, NO_SPAN);
    lanes_lost(w->cx, w->entry, loop, lanes, done ? s.d.lanes : 0, &s.losses);
    return done;
}

// Of a loop over a number of lanes that vectors do not have.
static void tell_count(const LaneWalk *w, Node *loop)
{
    int64_t asked;
    LaneLosses losses = {0};
    if (!nat_is_const(loop->op[0], &asked) || asked <= 1) return;
    lane_lost(w->cx, &losses, LOSS_POWER, NULL, NO_SPAN);
    lanes_lost(w->cx, w->entry, loop, asked, 0, &losses);
}

// NULL where the loop stays as it is.
static Node *vectors_between(LaneWalk *w, Node *loop)
{
    Node *decl;
    if (loop->kind != LOOP_VECTORIZE) return NULL;
    if (!lanes_of(loop)) {
        tell_count(w, loop);
        return NULL;
    }
    Node *bounded = simplifier_bounded(&w->s, loop, &decl);
    Node *done = bounded ? vectors(w, bounded) : NULL;
    return done && decl ? loops_block(w->cx, 2, (Node *[]){decl, done}) : done;
}

static Node *vectorise(void *env, Node *s);

// What the version for any strides loses says so: that is what other strides than 1 cost.
static Node *vectorise_any_strides(LaneWalk *w, Node *s)
{
    LoopEntry *e = w->entry;
    int before = e->lane_losses.len;
    w->any_strides = NULL;
    s = vectorise(w, s);
    for (int i = before; i < e->lane_losses.len; i++) e->lane_losses.at[i].strided = true;
    return s;
}

static Node *vectorise(void *env, Node *s)
{
    LaneWalk *w = env;
    if (s == w->any_strides) return vectorise_any_strides(w, s);
    bool lanes = lanes_of(s) > 0;
    w->inside += lanes;
    Node *done = simplifier_map(&w->s, s, vectorise, w);
    w->inside -= lanes;
    Node *vectors = vectors_between(w, done);
    return lanes_across(w, vectors ? vectors : done);
}

static LaneWalk walk_of(LoopEntry *e, Simplifier known, LaneCallees callees)
{
    Session *cx = known.cx;
    Arena *a = cx->arena;
    LaneWalk w = {cx, e, known, {map_new(a), map_new(a)}, map_new(a), callees, 0, map_new(a), NULL};
    Map changed = map_new(a);
    loops_changed(e->body, &changed);
    find_arrays(e->body, &w.arrays);
    find_constants(e->body, &changed, &w.constants);
    lanes_find_counters(e->body, &w.counters);
    return w;
}

Node *loops_rest(const Simplifier *known, const LoopEntry *e, Node *loop, Node *done)
{
    Session *cx = known->cx;
    LaneCallees none = {e, map_new(cx->arena)}; // what calls has no rest
    LaneWalk w = walk_of(loops_with_body(cx, e, e->body), *known, none);
    int64_t lanes = lanes_of(loop);
    SuitedLoop s;
    Node *ops[] = {loop->op[0], done, loops_to(loop), loops_body(loop)};
    Node *left = loop_of(cx, loop, LOOP_VECTORIZE, 4, ops);
    if (lanes == 0 || !is_suited(cx, &w, left, lanes, &s)) return in_order(cx, loop, done);
    Node *whole = s.d.lanes < lanes ? in_vectors(&w, &s) : NULL;
    return whole ? loops_copy(cx, whole, NULL, NULL) : rest(&w, &s, done);
}

// `callees`: of the entry whose function it is.
static LoopEntry *vectorised(Session *cx, const LoopEntry *e, LaneCallees callees)
{
    if (e->external) return loops_with_body(cx, e, NULL);
    LoopEntry *done = loops_with_body(cx, e, lane_tables_as_values(cx, e->body));
    LaneWalk w = walk_of(done, simplifier_new(cx, e), callees);
    Node *versions = loops_versions(done);
    w.any_strides = versions ? versions->op[2] : NULL;
    Node *body = loops_shuffled(cx, vectorise(&w, done->body));
    done->body = loops_sweep(cx, loops_whole_stores(cx, done, body));
    return done;
}

LoopEntry *loops_vectorise(Session *cx, const LoopEntry *e)
{
    LaneCallees callees = lane_callees(cx, e);
    LoopEntry *done = vectorised(cx, e, callees);
    done->callees.len = done->callees.cap = 0;
    for (int i = 0; i < e->callees.len; i++)
        vec_push(cx->arena, &done->callees, vectorised(cx, e->callees.at[i], callees));
    return done;
}
