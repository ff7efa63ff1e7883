// Time skewing: successive sweeps over an array run together, each a few vectors behind the one
// before it, so that the vectors between them stay in registers (loop skewing and unroll-and-jam;
// Wonnacott, Achieving Scalable Locality with Time Skewing, IJPP 2002). Sweeps of this form update
// trees of options, Bézier curves, or divided differences in place:
//
//   for j in 0 .. n                           for j in 0, 2 .. n
//       for k in 0 .. n - j                       a[0] = f(a[0], a[1])
//           a[k] = f(a[k], a[k + 1])              p = a[1], q = a[0]
//                                  becomes        for k in 1 .. n - j
//                                                     r = a[k + 1], s = f(p, r)
//                                                     a[k - 1] = f(q, s)
//                                                     p = r, q = s
//                                                 a[n - j - 1] = q
//
// SWEEPS of them run together: an iteration has one load and one store for all. Each a[k] is a
// vector: C compilers vectorise the loop over k if it is a scalar.
//
// A sweep loads the elements from k to k + reach and stores the one at k. The next sweep is `reach`
// elements behind: it loads what the sweep before it has stored, and stores what that one does not
// need any more. From one sweep to the next the range ends up to `reach` elements earlier, so that
// a sweep never catches up with the one before. The first elements of each sweep are computed
// before the loop, the last ones, if any, after it, and the sweeps that are too short, or left
// over, as they were. All operations are the same, so results are bitwise identical.
#include "loops/simplify/simplify.h"

enum {
    SWEEPS = 4,    // sweeps that run together
    MAX_REACH = 2, // maximum distance of a loaded element from the stored one
    MAX_WEIGHT = 60
};

// A nest of sweeps.
typedef struct {
    Session *cx;
    Node *outer, *inner, *body;
    Node *store; // the last statement of the body
    Sym array;
    int64_t step;    // elements between the positions of successive iterations
    int64_t reach;   // of the loads, in iterations
    int64_t shrinks; // how much earlier the next sweep ends
    bool fits;
    Node *input[MAX_REACH + 1]; // what replaces the loads at iteration k, k + 1, ..
    Node *position;             // of iteration k
} Sweeps;

// --- which nests --------------------------------------------------------------------------------

static Node *position_of(const Sweeps *w)
{
    return w->store->op[0];
}

// Returns how many iterations after the one that stores to `position` the position is stored to, or
// -1 if that is no number from 0 to MAX_REACH.
static int64_t distance(const Sweeps *w, Node *from, Node *position)
{
    int64_t apart;
    bool known = nat_is_const(nat_sub(w->cx, position, from), &apart) && apart >= 0;
    return known && apart % w->step == 0 && apart / w->step <= MAX_REACH ? apart / w->step : -1;
}

static void visit_expr(Sweeps *w, Node *e)
{
    if (node_is_size_or_type(e)) return;
    if (loops_names_buffer(e) && e->attr.sym == w->array) {
        bool vector = e->kind == LOOP_LOAD && e->type == w->store->op[1]->type;
        int64_t ahead = vector ? distance(w, position_of(w), e->op[0]) : -1;
        w->fits &= ahead >= 0;
        if (ahead > w->reach) w->reach = ahead;
    }
    for (uint32_t i = 0; i < e->nops && w->fits; i++) visit_expr(w, e->op[i]);
}

// Checks the body: declarations of locals, and one store of a vector.
static bool has_sweeps(Sweeps *w)
{
    Session *cx = w->cx;
    int64_t lanes;
    Node *body = w->body;
    bool block = body->kind == LOOP_BLOCK && body->nops > 0;
    w->store = block ? body->op[body->nops - 1] : body;
    if (w->store->kind != LOOP_STORE || !type_is_vec(w->store->op[1]->type, &lanes)) return false;
    w->array = w->store->attr.sym;
    Node *step = loops_stride(cx, position_of(w), w->inner->attr.sym);
    if (!step || !nat_is_const(step, &w->step) || w->step < lanes) return false;
    if (nat_occurs(position_of(w), nat_var(cx, w->outer->attr.sym))) return false;
    w->fits = true;
    for (uint32_t i = 0; block && i + 1 < body->nops; i++) {
        if (body->op[i]->kind != LOOP_DECL || loops_is_nothing(body->op[i]->op[1])) return false;
        visit_expr(w, body->op[i]->op[1]);
    }
    visit_expr(w, w->store->op[1]);
    return w->fits && w->reach > 0;
}

// Checks the ranges: the sweeps begin at one element, and end at the same one or a little earlier
// each time.
static bool has_ranges(Sweeps *w)
{
    Session *cx = w->cx;
    Sym j = w->outer->attr.sym;
    Node *change = loops_stride(cx, loops_to(w->inner), j);
    if (nat_occurs(loops_from(w->inner), nat_var(cx, j))) return false;
    if (!change || !nat_is_const(change, &w->shrinks)) return false;
    w->shrinks = -w->shrinks;
    return w->shrinks >= 0 && w->shrinks <= w->reach;
}

static bool is_nest(Sweeps *w, Node *loop)
{
    if (loop->kind != LOOP_FOR || loops_body(loop)->kind != LOOP_FOR) return false;
    w->outer = loop;
    w->inner = loops_body(loop);
    w->body = loops_body(w->inner);
    return loops_is_straight(w->body) && loops_weight(w->body, MAX_WEIGHT) < MAX_WEIGHT &&
           has_sweeps(w) && has_ranges(w);
}

// --- statements ---------------------------------------------------------------------------------

static Node *constant(const Sweeps *w, int64_t n)
{
    return nat_const(w->cx, n);
}

static Node *plus(const Sweeps *w, Node *size, int64_t n)
{
    return nat_add(w->cx, size, constant(w, n));
}

static Node *last_of(const Sweeps *w, Node *j)
{
    return loops_at(w->cx, loops_to(w->inner), w->outer->attr.sym, j);
}

// A copy of the body for these indices.
static Node *body_at(const Sweeps *w, Node *j, Node *k)
{
    return loops_at(w->cx, loops_iteration(w->cx, w->inner, k), w->outer->attr.sym, j);
}

static Node *position_at(const Sweeps *w, Node *k)
{
    return loops_at(w->cx, position_of(w), w->inner->attr.sym, k);
}

static Node *load_at(const Sweeps *w, Node *k)
{
    return loops_load(w->cx, w->array, w->store->op[1]->type, position_at(w, k));
}

static Node *from_input(Session *cx, Node *n, int depth, void *env)
{
    const Sweeps *w = env;
    if (n->nops == 0 || node_is_size_or_type(n)) return n;
    if (n->kind == LOOP_LOAD && n->attr.sym == w->array)
        return w->input[distance(w, w->position, n->op[0])];
    return node_map(cx, n, depth, from_input, env);
}

// Appends the body for these indices, with w->input for its loads. Returns a local that holds what
// it stores.
static Node *value_at(Sweeps *w, Stmts *out, Node *j, Node *k)
{
    Session *cx = w->cx;
    w->position = position_at(w, k);
    Node *body = from_input(cx, body_at(w, j, k), 0, w), *decl;
    bool block = body->kind == LOOP_BLOCK;
    for (uint32_t i = 0; block && i + 1 < body->nops; i++) vec_push(cx->arena, out, body->op[i]);
    Node *store = block ? body->op[body->nops - 1] : body;
    Node *value = loops_name(cx, w->array->text, store->op[1], &decl, store->origin);
    vec_push(cx->arena, out, decl);
    return value;
}

// --- sweeps together ----------------------------------------------------------------------------

// The first elements of each sweep but the last one, as many as it is ahead of that.
static void first_elements(const Sweeps *w, Stmts *out, Node *j)
{
    for (int t = 0; t + 1 < SWEEPS; t++)
        for (int64_t k = 0; k < (SWEEPS - 1 - t) * w->reach; k++)
            vec_push(w->cx->arena, out,
                     body_at(w, plus(w, j, t), plus(w, loops_from(w->inner), k)));
}

// The elements that each sweep has not reached when the first one is done. There are none if each
// one ends `reach` elements earlier than the one before it.
static void last_elements(const Sweeps *w, Stmts *out, Node *j)
{
    Session *cx = w->cx;
    for (int t = 1; t < SWEEPS && w->shrinks < w->reach; t++) {
        Sym k = sym_fresh(cx->syms, w->inner->attr.sym->text);
        Node *from = plus(w, last_of(w, j), -t * w->reach);
        vec_push(cx->arena, out,
                 loops_counted(cx, k, from, last_of(w, plus(w, j, t)),
                               body_at(w, plus(w, j, t), nat_var(cx, k)), w->inner->origin));
    }
}

// An iteration of all sweeps: the first one is at element k. held[t] are the locals with the
// elements that sweep t has loaded or got from the one before it, and needs again.
static Node *together(Sweeps *w, Node *j, Node *k, Node *held[SWEEPS][MAX_REACH])
{
    Session *cx = w->cx;
    Arena *a = cx->arena;
    Stmts out = {0};
    Node *fresh[SWEEPS + 1], *decl;
    int64_t reach = w->reach;
    fresh[0] = loops_name(cx, w->array->text, load_at(w, plus(w, k, reach)), &decl, NO_SPAN);
    vec_push(a, &out, decl);
    for (int t = 0; t < SWEEPS; t++) {
        for (int64_t c = 0; c < reach; c++) w->input[c] = held[t][c];
        w->input[reach] = fresh[t];
        fresh[t + 1] = value_at(w, &out, plus(w, j, t), plus(w, k, -t * reach));
    }
    Node *stored = position_at(w, plus(w, k, -(SWEEPS - 1) * reach));
    vec_push(a, &out, loops_store(cx, w->array, stored, fresh[SWEEPS], w->store->origin));
    for (int t = 0; t < SWEEPS; t++)
        for (int64_t c = 0; c < reach; c++)
            vec_push(a, &out,
                     loops_set(cx, held[t][c]->attr.sym, c + 1 < reach ? held[t][c + 1] : fresh[t],
                               NO_SPAN));
    return loops_block(cx, out.len, out.at);
}

// The sweeps j to j + SWEEPS - 1.
static Node *sweeps_from(Sweeps *w, Node *j)
{
    Session *cx = w->cx;
    Arena *a = cx->arena;
    Stmts out = {0};
    Node *held[SWEEPS][MAX_REACH], *type = w->store->op[1]->type;
    Node *first = plus(w, loops_from(w->inner), (SWEEPS - 1) * w->reach), *end = last_of(w, j);
    first_elements(w, &out, j);
    for (int t = 0; t < SWEEPS; t++)
        for (int64_t c = 0; c < w->reach; c++) {
            Sym name = sym_fresh(cx->syms, w->array->text);
            Node *value = load_at(w, plus(w, first, c - t * w->reach));
            vec_push(a, &out, loops_decl(cx, name, type, value, NO_SPAN));
            held[t][c] = loops_local(cx, name, type);
        }
    Sym k = sym_fresh(cx->syms, w->inner->attr.sym->text);
    Node *body = together(w, j, nat_var(cx, k), held);
    vec_push(a, &out, loops_counted(cx, k, first, end, body, w->inner->origin));
    for (int t = 1; t < SWEEPS; t++)
        for (int64_t c = 0; c < w->reach; c++)
            vec_push(a, &out,
                     loops_store(cx, w->array, position_at(w, plus(w, end, c - t * w->reach)),
                                 held[t][c], w->store->origin));
    last_elements(w, &out, j);
    return node_make(cx, &(NodeSpec){.kind = LOOP_BLOCK, .nops = out.len, .ops = out.at});
}

// How often SWEEPS sweeps run together. The last one of them is at least (SWEEPS - 1) * reach
// elements long.
static Node *times(const Sweeps *w)
{
    Session *cx = w->cx;
    Node *count = nat_sub(cx, loops_to(w->outer), loops_from(w->outer));
    Node *longest = nat_sub(cx, last_of(w, loops_from(w->outer)), loops_from(w->inner));
    Node *more = plus(w, longest, -(SWEEPS - 1) * (w->reach + w->shrinks));
    int64_t each = SWEEPS * w->shrinks;
    Node *all = nat_div(cx, count, constant(w, SWEEPS));
    if (w->shrinks) all = nat_min(cx, all, nat_div(cx, plus(w, more, each), constant(w, each)));
    return nat_max(cx, all, constant(w, 0));
}

static Node *skewed(Sweeps *w, const Facts *facts)
{
    Session *cx = w->cx;
    Node *from = loops_from(w->outer), *n = nat_simplify(cx, facts, times(w));
    int64_t none;
    if (nat_is_const(n, &none) && none == 0) return w->outer;
    Sym index = sym_fresh(cx->syms, w->outer->attr.sym->text);
    Node *j = nat_add(cx, from, nat_mul(cx, constant(w, SWEEPS), nat_var(cx, index)));
    Node *done = nat_add(cx, from, nat_mul(cx, constant(w, SWEEPS), n));
    Node *rest = loops_for(cx, w->outer, done, loops_to(w->outer), w->inner);
    Node *both[] = {
        loops_counted(cx, index, constant(w, 0), n, sweeps_from(w, j), w->outer->origin), rest};
    Node *all = loops_block(cx, 2, both);
    if (w->shrinks) return all;
    Node *longest = nat_sub(cx, loops_to(w->inner), loops_from(w->inner));
    return loops_if(cx, loops_compare(cx, PRIM_GE, longest, constant(w, (SWEEPS - 1) * w->reach)),
                    all, loops_copy(cx, w->outer, NULL, NULL), w->outer->origin);
}

// --- the pass -----------------------------------------------------------------------------------

typedef struct {
    Session *cx;
    const LoopEntry *entry;
    Simplifier known;
} Pass;

static Node *time_skew(void *env, Node *s)
{
    Pass *p = env;
    Session *cx = p->cx;
    s = simplifier_map(&p->known, s, time_skew, p);
    Sweeps w = {.cx = cx};
    if (!is_nest(&w, s)) return s;
    if (!simplifier_has_lengths(&p->known, s) || !simplifier_has_lengths(&p->known, w.inner))
        return s;
    if (loops_chosen_by(cx, p->entry, s) || loops_chosen_by(cx, p->entry, w.inner)) return s;
    return skewed(&w, p->known.facts);
}

static bool is_any_nest(Node *s, void *env)
{
    Sweeps w = {.cx = env};
    return is_nest(&w, s);
}

static LoopEntry *time_skew_entry(Session *cx, const LoopEntry *e)
{
    if (!loops_any(e->body, is_any_nest, cx)) return loops_with_body(cx, e, e->body);
    Pass p = {cx, e, simplifier_new(cx, e)};
    return loops_with_body(cx, e, time_skew(&p, e->body));
}

LoopEntry *loops_time_skew(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, time_skew_entry);
}
