// Loop distribution: a `vectorize` loop that encloses other loops is strip-mined into blocks of
// lanes, which are distributed over the statements of the body and interchanged with the loops in
// it (Allen & Kennedy, Optimizing Compilers for Modern Architectures, 5 and 8). The loops over
// lanes are then innermost and straight-line, as vectorisation requires.
//
//   for i in vectorize(8, 0, n)          for b in 0 .. n/8
//       x = 0                                for k in vectorize(8, 0, 8)  x[k] = 0
//       for j in 0 .. m        becomes       for j in 0 .. m
//           x += a[i, j]                         for k in vectorize(8, 0, 8)  x[k] += a[8*b + k, j]
//       y[i] = x                             for k in vectorize(8, 0, 8)  y[8*b + k] = x[k]
//                                        the remainder, by scalar iterations or one masked vector
//
// This is legal because no lane assigns what another one reads or assigns (a rule of Adze;
// staging/values/lanes.c rejects visible conflicts). Only the order within a lane matters, and it
// is preserved. Loops and branches that enclose loops over lanes have uniform bounds or conditions.
// Assignments to uniform locals execute once. A body with checks, jumps or calls is not
// distributed, since a lane may stop when other lanes have executed more or fewer statements.
#include "loops/vector/vectors.h"
#include "loops/scalar/scalar.h"
#include "loops/simplify/simplify.h"

enum {
    MAX_WEIGHT = 2000, // maximum weight of the body, which is copied
    MAX_BYTES = 16384  // maximum size of the expanded locals of a block
};

typedef struct {
    Node *decl;
    Sym array; // interleaved by lane: element p of lane k is at p * lanes + k
} Expanded;

typedef struct {
    Session *cx;
    Sym index;
    int64_t lanes;
    Map declared; // local or array of the body -> its declaration
    Map changed;  // locals that are set or passed by address
    Map varying;  // locals and indices that differ by lane, and arrays the body declares or writes
    bool grown;   // the last iteration found more varying names
    bool crossed; // some loop encloses a loop over lanes
    int runs;     // number of loops over lanes so far
    Map run_of;   // varying local or array -> the first run that mentions it
    Map expanded; // a name that several runs mention -> Expanded
    VEC(Expanded *) all_expanded;
    Map memo;   // node -> its replacement
    Node *base; // the index of lane 0
    Span origin;
} Lanes;

// --- divergence ---------------------------------------------------------------------------------

static bool varies(const Lanes *l, Node *e)
{
    return loops_reads_any(l->cx, e, &l->varying);
}

static void mark_varying(Lanes *l, Sym name)
{
    if (map_get(&l->varying, MAP_KEY(name))) return;
    map_put(&l->varying, MAP_KEY(name), l);
    l->grown = true;
}

// Marks the names that vary. `some` is true if the statement is in divergent control flow.
static void find_varying(Lanes *l, Node *s, bool some)
{
    if (s->kind == LOOP_IF) some |= varies(l, s->op[0]);
    if (loops_is_counted(s)) some |= varies(l, loops_from(s)) || varies(l, loops_to(s));
    if (s->kind == LOOP_STRIDED) some |= varies(l, s->op[0]);
    bool named = loops_is_counted(s) || s->kind == LOOP_DECL || s->kind == LOOP_SET;
    bool value = s->kind == LOOP_DECL || s->kind == LOOP_SET;
    if (named && (some || (value && varies(l, s->op[s->nops - 1])))) mark_varying(l, s->attr.sym);
    if (s->kind == LOOP_STORE || s->kind == LOOP_ALLOC) mark_varying(l, s->attr.sym);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_varying(l, s->op[i], some);
}

// --- distribution -------------------------------------------------------------------------------

typedef struct {
    Stmts out;
    Stmts run; // statements for one loop over lanes
} Pieces;

static Node *over_lanes(Lanes *l, Node *body)
{
    Node *lanes = nat_const(l->cx, l->lanes), *zero = nat_const(l->cx, 0);
    return loops_loop(l->cx, LOOP_VECTORIZE, l->index, lanes, zero, lanes, body, l->origin);
}

static void end_run(Lanes *l, Pieces *p)
{
    if (p->run.len == 0) return;
    Node *body = loops_block(l->cx, p->run.len, p->run.at);
    vec_push(l->cx->arena, &p->out, over_lanes(l, body));
    p->run.len = 0;
}

static Node *distributed(Lanes *l, Node *s);

// Adds the statement to `p->out` or to the current run. Blocks are flattened, as names are unique.
static void distribute(Lanes *l, Pieces *p, Node *s)
{
    Arena *a = l->cx->arena;
    bool uniform = !map_get(&l->varying, MAP_KEY(s->attr.sym));
    if (s->kind == LOOP_BLOCK) {
        for (uint32_t i = 0; i < s->nops; i++) distribute(l, p, s->op[i]);
    } else if (s->kind == LOOP_DECL && uniform) {
        vec_push(a, &p->out, s); // it does not depend on the current run
    } else if (s->kind == LOOP_SET && uniform) {
        end_run(l, p);
        vec_push(a, &p->out, s);
    } else if ((s->kind == LOOP_FOR || s->kind == LOOP_STRIDED) && uniform) {
        end_run(l, p);
        l->crossed = true;
        Node *body = distributed(l, loops_body(s));
        vec_push(a, &p->out, loops_for(l->cx, s, loops_from(s), loops_to(s), body));
    } else if (s->kind == LOOP_IF && !varies(l, s->op[0])) {
        end_run(l, p);
        Node *then = distributed(l, s->op[1]), *otherwise = distributed(l, s->op[2]);
        vec_push(a, &p->out, loops_if(l->cx, s->op[0], then, otherwise, s->origin));
    } else {
        vec_push(a, &p->run, s);
    }
}

static Node *distributed(Lanes *l, Node *s)
{
    Pieces p = {0};
    distribute(l, &p, s);
    end_run(l, &p);
    return loops_block(l->cx, p.out.len, p.out.at);
}

static bool is_run(const Lanes *l, Node *s)
{
    return s->kind == LOOP_VECTORIZE && s->attr.sym == l->index;
}

// Whether all runs are straight-line code; divergent loops need if-conversion (if_convert.c).
static bool is_straight(const Lanes *l, Node *s)
{
    if (is_run(l, s)) return loops_is_straight(loops_body(s));
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && !is_straight(l, s->op[i])) return false;
    return true;
}

// --- names live across runs ---------------------------------------------------------------------

static void mention(Sym name, void *env)
{
    Lanes *l = env;
    uint64_t key = MAP_KEY(name);
    Node *decl = map_get(&l->declared, key);
    if (!decl || !map_get(&l->varying, key)) return;
    uintptr_t run = (uintptr_t)map_get(&l->run_of, key);
    if (!run) map_put(&l->run_of, key, (void *)(uintptr_t)l->runs);
    if (!run || run == (uintptr_t)l->runs || map_get(&l->expanded, key)) return;
    Expanded *s = ARENA_NEW(l->cx->arena, Expanded);
    *s = (Expanded){decl, sym_fresh(l->cx->syms, name->text)};
    map_put(&l->expanded, key, s);
    vec_push(l->cx->arena, &l->all_expanded, s);
}

static void find_expanded(Lanes *l, Node *s)
{
    if (is_run(l, s)) {
        Map seen = map_new(l->cx->arena);
        l->runs++;
        Stmts writes = loops_all(l->cx, loops_body(s), IS_DECL | IS_SET | IS_STORE);
        for (int i = 0; i < writes.len; i++) mention(writes.at[i]->attr.sym, l);
        loops_reads(l->cx, loops_body(s), &seen, mention, l);
        return;
    }
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_expanded(l, s->op[i]);
}

static int64_t count_of(const Expanded *s)
{
    int64_t count = 1;
    if (s->decl->kind == LOOP_ALLOC) (void)nat_is_const(s->decl->op[1], &count);
    return count;
}

static bool fits(const Lanes *l)
{
    int64_t bytes = 0;
    for (int i = 0; i < l->all_expanded.len; i++) {
        const Expanded *s = l->all_expanded.at[i];
        Scalar scalar;
        int64_t size = type_is_scalar(s->decl->op[0], &scalar) ? scalar_info[scalar].size : 8;
        int64_t count = count_of(s);
        if (count > MAX_BYTES) return false;
        bytes += count * size * l->lanes;
        if (bytes > MAX_BYTES) return false;
    }
    return true;
}

// --- runs ---------------------------------------------------------------------------------------

// The position, in the array of an expanded name, of this lane's element `position` or, if
// `position` is NULL, of this lane's value of the local.
static Node *position_of(const Lanes *l, Node *position)
{
    Node *lane = nat_var(l->cx, l->index), *lanes = nat_const(l->cx, l->lanes);
    return position ? nat_add(l->cx, nat_mul(l->cx, position, lanes), lane) : lane;
}

static Node *load(const Lanes *l, const Expanded *s, Node *position)
{
    return loops_load(l->cx, s->array, s->decl->op[0], position_of(l, position));
}

static Node *store(const Lanes *l, const Expanded *s, Node *position, Node *value)
{
    return loops_store(l->cx, s->array, position_of(l, position), value, NO_SPAN);
}

// Whether the name is a local that is never reassigned. Each run that reads such a local declares
// it again, so that it can be used in positions.
static bool is_constant(const Lanes *l, const Expanded *s)
{
    return s->decl->kind == LOOP_DECL && !map_get(&l->changed, MAP_KEY(s->decl->attr.sym));
}

static Node *to_array(const Lanes *l, const Expanded *s, Node *n)
{
    Node *nothing = loops_block(l->cx, 0, NULL);
    switch (n->kind) {
    case LOOP_VAR: return load(l, s, NULL);
    case LOOP_LOAD: return load(l, s, n->op[0]);
    case LOOP_SET: return store(l, s, NULL, n->op[0]);
    case LOOP_STORE: return store(l, s, n->op[0], n->op[1]);
    case LOOP_DECL: return loops_is_nothing(n->op[1]) ? nothing : store(l, s, NULL, n->op[1]);
    default: return nothing; // an allocation, which array_of replaces
    }
}

static Node *array_of(const Lanes *l, const Expanded *s)
{
    Node *count = nat_const(l->cx, count_of(s) * l->lanes);
    return loops_stack(l->cx, s->array, s->decl->op[0], count, s->decl->origin);
}

// Replaces expanded names with elements of the arrays.
static Node *to_arrays(Session *cx, Node *n, int depth, void *env)
{
    Lanes *l = env;
    if (node_is_size_or_type(n)) return n;
    Node *done = map_get(&l->memo, MAP_KEY(n));
    if (done) return done;
    bool named = kind_info[n->kind].attr == ATTR_SYM;
    const Expanded *s = named ? map_get(&l->expanded, MAP_KEY(n->attr.sym)) : NULL;
    done = node_map(cx, n, depth, to_arrays, env);
    if (s && !is_constant(l, s)) done = to_array(l, s, done);
    map_put(&l->memo, MAP_KEY(n), (void *)(uintptr_t)done);
    return done;
}

static bool is_among(Node *s, Node *const *stmts, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (stmts[i] == s) return true;
    return false;
}

// Returns a run (the statements of one loop over lanes) with its expanded names replaced with
// elements of their arrays. A local that is never reassigned is stored by the run that declares it,
// and declared again by runs that read it.
static Node *rewritten(Lanes *l, Node *run)
{
    Session *cx = l->cx;
    Node *body = loops_body(run);
    bool is_block = body->kind == LOOP_BLOCK;
    Node *const *stmts = is_block ? body->op : &body;
    uint32_t n = is_block ? body->nops : 1;
    Stmts out = {0}, after = {0};
    for (int i = 0; i < l->all_expanded.len; i++) {
        const Expanded *s = l->all_expanded.at[i];
        Node *decl = s->decl;
        if (!is_constant(l, s)) continue;
        if (is_among(decl, stmts, n)) {
            vec_push(cx->arena, &after,
                     store(l, s, NULL, loops_unchanging(cx, decl->attr.sym, decl->op[0])));
        } else if (loops_uses(cx, body, decl->attr.sym)) {
            vec_push(cx->arena, &out, node_with_op(cx, decl, 1, load(l, s, NULL)));
        }
    }
    Node *index = nat_add(cx, l->base, nat_var(cx, l->index));
    for (uint32_t i = 0; i < n; i++)
        vec_push(cx->arena, &out, to_arrays(cx, loops_at(cx, stmts[i], l->index, index), 0, l));
    for (int i = 0; i < after.len; i++) vec_push(cx->arena, &out, after.at[i]);
    body = loops_block(cx, out.len, out.at);
    return loops_copy(cx, over_lanes(l, body), NULL, NULL);
}

static Node *rewrite_runs(void *env, Node *s)
{
    Lanes *l = env;
    return is_run(l, s) ? rewritten(l, s) : loops_map(l->cx, s, rewrite_runs, l);
}

// The distributed body for a block of lanes that starts at `base`, or NULL if distribution is not
// possible or does not pay.
static Node *for_block(Session *cx, Node *loop, int64_t lanes, Node *base)
{
    Arena *a = cx->arena;
    Lanes l = {.cx = cx,
               .index = loop->attr.sym,
               .lanes = lanes,
               .declared = map_new(a),
               .changed = map_new(a),
               .varying = map_new(a),
               .run_of = map_new(a),
               .expanded = map_new(a),
               .memo = map_new(a),
               .base = base,
               .origin = loop->origin};
    Node *body = loops_branches_to_selects(cx, loops_body(loop));
    Stmts decls = loops_all(cx, body, IS_DECL);
    for (int i = 0; i < decls.len; i++)
        map_put(&l.declared, MAP_KEY(decls.at[i]->attr.sym), (void *)(uintptr_t)decls.at[i]);
    loops_changed(body, &l.changed);
    mark_varying(&l, l.index);
    while (l.grown) {
        l.grown = false;
        find_varying(&l, body, false);
    }
    Node *pieces = distributed(&l, body);
    find_expanded(&l, pieces);
    if (!l.crossed || !is_straight(&l, pieces) || !fits(&l)) return NULL;
    Stmts out = {0};
    for (int i = 0; i < l.all_expanded.len; i++)
        vec_push(a, &out, array_of(&l, l.all_expanded.at[i]));
    vec_push(a, &out, rewrite_runs(&l, pieces));
    return loops_block(cx, out.len, out.at);
}

// --- loops --------------------------------------------------------------------------------------

typedef struct {
    Session *cx;
    const LoopEntry *entry;
    Simplifier s; // the facts that hold where the loop begins
} Pass;

// The number of lanes of a loop that may be worth distributing, or 0.
static int64_t lanes_of(Node *loop)
{
    int64_t lanes;
    if (loop->kind != LOOP_VECTORIZE || !nat_is_const(loop->op[0], &lanes)) return 0;
    Node *body = loops_body(loop);
    bool suits = lanes > 1 && lanes <= MAX_BYTES && !loops_is_straight(body) &&
                 loops_is_regular(body) && loops_weight(body, MAX_WEIGHT) < MAX_WEIGHT;
    return suits ? lanes : 0;
}

// Returns the loop split into blocks of lanes, or NULL if it is left unchanged.
static Node *in_blocks(Pass *w, Node *loop)
{
    Session *cx = w->cx;
    const Facts *facts = w->s.facts;
    int64_t lanes = lanes_of(loop), known = 0;
    Node *from = loops_from(loop), *to = loops_to(loop), *zero = nat_const(cx, 0);
    Node *extent = nat_sub(cx, to, from), *size = nat_const(cx, lanes);
    if (nat_ge0(cx, facts, extent) != TRUTH_YES) extent = nat_max(cx, extent, zero);
    Node *blocks = nat_simplify(cx, facts, nat_div(cx, extent, size));
    bool fixed = nat_is_const(blocks, &known);
    if (fixed && known == 0) return NULL;
    Sym b = sym_fresh(cx->syms, "block");
    Node *number = fixed && known == 1 ? zero : nat_var(cx, b);
    Node *body = for_block(cx, loop, lanes, nat_add(cx, from, nat_mul(cx, number, size)));
    if (!body) return NULL;
    if (number != zero) body = loops_counted(cx, b, zero, blocks, body, loop->origin);
    Node *done = nat_add(cx, from, nat_mul(cx, blocks, size));
    if (nat_le(cx, facts, to, done) == TRUTH_YES) return body;
    return loops_block(cx, 2,
                       (Node *[]){body, loops_vector_remainder(&w->s, w->entry, loop, done)});
}

static Node *distribute_stmt(void *env, Node *s)
{
    Pass *w = env;
    Node *decl, *loop = simplifier_map(&w->s, s, distribute_stmt, w);
    Node *bounded = lanes_of(loop) ? simplifier_bounded(&w->s, loop, &decl) : NULL;
    Node *done = bounded ? in_blocks(w, bounded) : NULL;
    if (!done) return loop;
    return decl ? loops_block(w->cx, 2, (Node *[]){decl, done}) : done;
}

static LoopEntry *distribute_entry(Session *cx, const LoopEntry *e)
{
    Pass w = {cx, e, simplifier_new(cx, e)};
    return loops_with_body(cx, e, loops_dce(cx, distribute_stmt(&w, e->body)));
}

LoopEntry *loops_distribute(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, distribute_entry);
}
