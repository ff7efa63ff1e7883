// Vectorisation: a loop over lanes becomes vector statements, L iterations at a time:
//
//   for i in vectorize(8, 0, n)              for i in 0, 8, .. up to the last whole vector
//       t = x[i] * s             becomes         t : vec[8] = x[i ..] * splat(s)
//       y[i] = max(t, x[i])                      y[i ..] = max(t, x[i ..])
//                                            the remainder, by scalar iterations or under a mask
//
// narrow.c names the narrow integers that indices are converted from, divergence.c finds the values
// that vary by lane, legality.c decides legality and profit, and if_convert.c builds the
// statements, with masks for divergent control flow.
//
// A small array with stores at constant positions is left to C compilers, which keep its elements
// in registers: a vector load would stall on these stores.
//
// Vectors are no wider than the processor's registers, since C compilers split wider ones badly. If
// the body has wide elements, the loop handles fewer lanes at a time.
//
// This is legal because no lane assigns a variable or element that another one reads or assigns (a
// rule of Adze). Only the order within a lane matters, and it is preserved. Loops whose lanes
// provably conflict stay scalar.
#include "base/target/cpu.h"
#include "loops/vector/vectors.h"

enum { MAX_SHORT = 500 }; // maximum weight of an unrolled loop

// --- loops --------------------------------------------------------------------------------------

static void find_arrays(Node *s, LaneArrays *arrays)
{
    if (s->kind == LOOP_STORE && s->op[0]->kind == NAT_CONST && s->op[1]->kind != CORE_LIT &&
        map_get(&arrays->stack, MAP_KEY(s->attr.sym)))
        map_put(&arrays->in_registers, MAP_KEY(s->attr.sym), arrays);
    if (s->kind == LOOP_ALLOC && s->variant == VARIANT_STACK && s->op[1]->kind == NAT_CONST)
        map_put(&arrays->stack, MAP_KEY(s->attr.sym), (void *)(uintptr_t)s);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_arrays(s->op[i], arrays);
}

// Analyses the body, and rewrites its loops as loops with uniform bounds. Returns NULL if that
// fails.
static Node *analysed(Divergence *d, Node *body)
{
    enum { MOST_NESTED = 8 }; // maximum depth of nested loops with varying bounds
    body = name_narrow_integers(d, body);
    for (int i = 0; i < MOST_NESTED; i++) {
        body = prepare_loops(d, body);
        divergence_analyse(d, body);
        if (d->divergent_loops.len == 0)
            return split_uniform_exits(d, close_divergent_loops(d, body));
    }
    return NULL;
}

// Returns whether the loop can be vectorised profitably, and fills in *s. `w` is NULL if nothing is
// known about the code around the loop.
static bool can_vectorise(Session *cx, const Vectoriser *w, Node *loop, int64_t lanes,
                          VectorLoop *s)
{
    int64_t first, iterations;
    *s = (VectorLoop){.loop = loop};
    s->d = (Divergence){.cx = cx,
                        .index = loop->attr.sym,
                        .lanes = lanes,
                        .outer = w ? &w->constants : NULL,
                        .facts = w ? w->s.facts : NULL,
                        .callees = w ? &w->callees : NULL,
                        .arrays = w ? &w->arrays : NULL,
                        .divergent_loops = map_new(cx->arena)};
    s->d.index_is_lane = nat_is_const(loops_from(loop), &first) && first == 0 &&
                         nat_is_const(loops_to(loop), &iterations) && iterations == lanes;
    s->body = analysed(&s->d, loops_body(loop));
    if (!s->body) lane_loss_add(cx, &s->losses, LOSS_ENDS, NULL, NO_SPAN);
    bool suits = s->body && vector_is_legal(&s->d, s->body, &s->widest, &s->losses);
    s->d.widest = s->widest;
    while (suits && s->d.lanes * s->widest > cx->vector_bytes) s->d.lanes /= 2;
    s->d.one_vector = s->d.index_is_lane && s->d.lanes == lanes;
    return suits && s->d.lanes >= 2;
}

bool vector_loop_analyse(const Vectoriser *w, Node *loop, int64_t lanes, VectorLoop *s)
{
    bool suits = can_vectorise(w->cx, w, loop, lanes, s);
    note_lanes(&s->d, w->entry, loop, suits ? s->body : NULL);
    return suits;
}

Node *vector_loop_body(VectorLoop *s, const Vectoriser *w, Node *mask)
{
    Session *cx = s->d.cx;
    Facts *facts = facts_new(cx, cx->arena, w ? w->s.facts : NULL);
    Node *whole = nat_sub(cx, loops_to(s->loop), nat_const(cx, s->d.lanes - 1));
    facts_range(facts, s->d.index, loops_from(s->loop), mask ? loops_to(s->loop) : whole);
    return if_convert(&s->d, w, facts, s->body, mask);
}

Node *loops_vector_body(Session *cx, Node *loop, int64_t lanes)
{
    VectorLoop s;
    return can_vectorise(cx, NULL, loop, lanes, &s) && s.d.lanes == lanes
               ? vector_loop_body(&s, NULL, NULL)
               : NULL;
}

static int64_t lanes_of(Node *loop)
{
    int64_t lanes;
    if (loop->kind != LOOP_VECTORIZE || !nat_is_const(loop->op[0], &lanes)) return 0;
    bool vector = lanes > 1 && lanes <= LOOPS_MAX_LANES && (lanes & (lanes - 1)) == 0;
    return vector ? lanes : 0;
}

// Whether to unroll the loop, so that a few vectors stay in registers from a store to the next
// load.
static bool can_unroll(Node *body, int64_t times)
{
    return times == 1 ||
           (times <= MOST_VECTORS_UNROLLED && loops_weight(body, MAX_SHORT) * times < MAX_SHORT);
}

Node *vector_loop_unroll(Session *cx, Node *loop, int64_t lanes, int64_t times)
{
    Stmts out = {0};
    for (int64_t k = 0; k < times; k++) {
        Node *copy = k ? loops_copy(cx, loop, NULL, NULL) : loop;
        Node *index = nat_add(cx, loops_from(loop), nat_const(cx, k * lanes));
        vec_push(cx->arena, &out, loops_at(cx, loops_body(copy), copy->attr.sym, index));
    }
    return loops_block(cx, out.len, out.at);
}

// --- the remainder ------------------------------------------------------------------------------

Node *vector_first_lanes(const VectorLoop *s, Node *left)
{
    return vec_lanes_by(&s->d, PRIM_LT, core_size(s->d.cx, left));
}

static Node *before_end(const VectorLoop *s)
{
    return vector_first_lanes(s, nat_sub(s->d.cx, loops_to(s->loop), nat_var(s->d.cx, s->d.index)));
}

static Node *in_order(Session *cx, Node *loop, Node *done)
{
    Node *rest =
        loops_counted(cx, loop->attr.sym, done, loops_to(loop), loops_body(loop), loop->origin);
    return loops_copy(cx, rest, NULL, NULL);
}

// The iterations that start at `done`, as one masked vector if that is cheaper than a scalar loop.
static Node *remainder_from(const Vectoriser *w, VectorLoop *s, Node *done)
{
    Session *cx = s->d.cx;
    Node *loop = s->loop, *to = loops_to(loop), *left = nat_sub(cx, to, done);
    if (!vector_remainder_pays(&s->d, s->body, s->widest, left)) return in_order(cx, loop, done);
    Node *body = loops_at(cx, vector_loop_body(s, w, before_end(s)), s->d.index, done);
    body = loops_copy(cx, body, NULL, NULL);
    if (nat_lt(cx, w->s.facts, done, to) == TRUTH_YES) return body;
    return loops_if(cx, loops_compare(cx, PRIM_LT, done, to), body, loops_block(cx, 0, NULL),
                    loop->origin);
}

// Returns the loop as whole vectors and a remainder. Returns NULL if there is no whole vector and a
// masked one does not pay.
static Node *in_vectors(const Vectoriser *w, VectorLoop *s)
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
        return vector_remainder_pays(&s->d, s->body, s->widest, extent) ? remainder_from(w, s, from)
                                                                        : NULL;
    Node *done = nat_add(cx, from, nat_mul(cx, blocks, size)), *body = vector_loop_body(s, w, NULL);
    Node *all = loops_loop(cx, LOOP_STRIDED, loop->attr.sym, size, from, done, body, loop->origin);
    body = fixed && can_unroll(body, known) ? vector_loop_unroll(cx, all, lanes, known) : all;
    if (nat_le(cx, facts, to, done) == TRUTH_YES) return body;
    return loops_block(cx, 2, (Node *[]){body, remainder_from(w, s, done)});
}

// Whether the statement stores to a local array of constant size.
static bool stores_to_local(Node *s, void *env)
{
    const Vectoriser *w = env;
    return s->kind == LOOP_STORE && map_get(&w->arrays.stack, MAP_KEY(s->attr.sym));
}

// Whether the loop has at most `asked` iterations and updates the elements of a local array, which
// vectors at constant positions can keep in registers. Vectors at other positions, and scalars,
// would force it into memory.
static bool updates_registers(Vectoriser *w, VectorLoop *s, int64_t asked)
{
    Session *cx = w->cx;
    Node *loop = s->loop, *extent = nat_sub(cx, loops_to(loop), loops_from(loop));
    int64_t vectors = asked / s->d.lanes;
    return cpu_has_masks(cx->cpu, s->widest) &&
           loops_weight(loops_body(loop), MAX_SHORT) * vectors < MAX_SHORT &&
           node_any(loops_body(loop), stores_to_local, w) &&
           nat_le(cx, w->s.facts, extent, nat_const(cx, asked)) == TRUTH_YES;
}

// The iterations of a vector that starts at the constant position `at`.
static Node *vector_at(const Vectoriser *w, VectorLoop *s, Node *at)
{
    Session *cx = w->cx;
    Node *loop = s->loop, *left = nat_sub(cx, loops_to(loop), at),
         *lanes = nat_const(cx, s->d.lanes);
    bool whole = nat_le(cx, w->s.facts, lanes, left) == TRUTH_YES;
    Node *some = nat_simplify(cx, w->s.facts, nat_min(cx, left, lanes));
    Node *mask = whole ? NULL : vector_first_lanes(s, some);
    Node *body = loops_at(cx, vector_loop_body(s, w, mask), s->d.index, at);
    body = loops_copy(cx, body, NULL, NULL);
    if (whole || nat_lt(cx, w->s.facts, at, loops_to(loop)) == TRUTH_YES) return body;
    return loops_if(cx, loops_compare(cx, PRIM_LT, at, loops_to(loop)), body,
                    loops_block(cx, 0, NULL), loop->origin);
}

static Node *in_registers(const Vectoriser *w, VectorLoop *s, int64_t asked)
{
    Session *cx = w->cx;
    Stmts out = {0};
    for (int64_t k = 0; k < asked; k += s->d.lanes) {
        Node *at = nat_add(cx, loops_from(s->loop), nat_const(cx, k));
        if (nat_le(cx, w->s.facts, loops_to(s->loop), at) == TRUTH_YES) break;
        vec_push(cx->arena, &out, vector_at(w, s, at));
    }
    return loops_block(cx, out.len, out.at);
}

static Node *vectors(Vectoriser *w, Node *loop)
{
    int64_t lanes = lanes_of(loop);
    VectorLoop s;
    bool suits = vector_loop_analyse(w, loop, lanes, &s);
    Node *done = !suits                            ? NULL
                 : updates_registers(w, &s, lanes) ? in_registers(w, &s, lanes)
                                                   : in_vectors(w, &s);
    if (suits && !done) lane_loss_add(w->cx, &s.losses, LOSS_SHORT, NULL, NO_SPAN);
    if (done) vec_push(w->cx->arena, &w->vectors, loop->origin);
    lane_losses_report(w->cx, w->entry, loop, lanes, done ? s.d.lanes : 0, &s.losses);
    return done;
}

// Reports a loop whose number of lanes is not a power of two.
static void report_lanes(const Vectoriser *w, Node *loop)
{
    int64_t asked;
    LaneLosses losses = {0};
    if (!nat_is_const(loop->op[0], &asked) || asked <= 1) return;
    lane_loss_add(w->cx, &losses, LOSS_POWER, NULL, NO_SPAN);
    lane_losses_report(w->cx, w->entry, loop, asked, 0, &losses);
}

// Returns the loop as vectors, or NULL if it is left unchanged.
static Node *vectors_between(Vectoriser *w, Node *loop)
{
    Node *decl;
    if (loop->kind != LOOP_VECTORIZE) return NULL;
    if (!lanes_of(loop)) {
        report_lanes(w, loop);
        return NULL;
    }
    Node *bounded = simplifier_bounded(&w->s, loop, &decl);
    Node *done = bounded ? vectors(w, bounded) : NULL;
    return done && decl ? loops_block(w->cx, 2, (Node *[]){decl, done}) : done;
}

static Node *vectorise(void *env, Node *s);

// Vectorises the version for arbitrary strides. Marks its losses, since they occur only with
// strides other than 1.
static Node *vectorise_any_strides(Vectoriser *w, Node *s)
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
    Vectoriser *w = env;
    if (s == w->any_strides) return vectorise_any_strides(w, s);
    bool lanes = lanes_of(s) > 0;
    w->depth += lanes;
    Node *done = simplifier_map(&w->s, s, vectorise, w);
    w->depth -= lanes;
    Node *vectors = vectors_between(w, done);
    return horizontal_loop(w, vectors ? vectors : done);
}

static Vectoriser walk_of(LoopEntry *e, Simplifier known, LaneCallees callees)
{
    Session *cx = known.cx;
    Arena *a = cx->arena;
    Vectoriser w = {
        cx,         e,    known, {map_new(a), map_new(a)}, loops_constants(cx, e->body), callees, 0,
        map_new(a), NULL, {0}};
    find_arrays(e->body, &w.arrays);
    find_counters_from_zero(e->body, &w.counters);
    return w;
}

Node *loops_vector_remainder(const Simplifier *known, const LoopEntry *e, Node *loop, Node *done)
{
    Session *cx = known->cx;
    LaneCallees none = {e, map_new(cx->arena)}; // a loop with calls is not distributed
    Vectoriser w = walk_of(loops_with_body(cx, e, e->body), *known, none);
    int64_t lanes = lanes_of(loop);
    VectorLoop s;
    Node *left = loops_for(cx, loop, done, loops_to(loop), loops_body(loop));
    if (lanes == 0 || !can_vectorise(cx, &w, left, lanes, &s)) return in_order(cx, loop, done);
    Node *whole = s.d.lanes < lanes ? in_vectors(&w, &s) : NULL;
    return whole ? loops_copy(cx, whole, NULL, NULL) : remainder_from(&w, &s, done);
}

// Vectorises the loops of one function. `callees` are those of the entry that `e` belongs to.
static LoopEntry *vectorised(Session *cx, const LoopEntry *e, LaneCallees callees)
{
    if (e->external) return loops_with_body(cx, e, NULL);
    LoopEntry *done = loops_with_body(cx, e, e->body);
    Vectoriser w = walk_of(done, simplifier_new(cx, e), callees);
    Node *versions = loops_versions(done);
    w.any_strides = versions ? versions->op[2] : NULL;
    Node *body = gathers_to_shuffles(cx, vectorise(&w, done->body));
    lane_losses_drop_borders(done, &w.vectors);
    done->body = loops_dce(cx, unmask_stores(cx, done, body));
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
